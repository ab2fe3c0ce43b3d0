//! What a value looks like: which values are boards, and where things are on them.
//!
//! The keys of a function and the first two fields of tuples in a set are read as row and column, as matrices are; the
//! points of pieces are read as x and y, as drawings are, with y growing downwards.

use value::Owned;

/// The ways in which a value can be a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Sequences (or functions on integers) of the same length, one a row.
    Rows,
    /// A function on a rectangle of pairs of integers.
    Function,
    /// A set of tuples that begin with row and column and go on with what is there.
    Entries,
    /// A set of pairs of integers.
    Points,
    /// Disjoint sets of points.
    Pieces,
    /// A function to disjoint sets of points.
    NamedPieces,
}

/// Rows and columns.
pub(crate) type Place = (i64, i64);

/// A board without a frame: what is where.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Sketch {
    pub cells: Vec<(Place, String)>,
    /// Name, if it has one, and the places that it covers, sorted.
    pub pieces: Vec<(Option<String>, Vec<Place>)>,
}

/// More is no board that a person could take in.
const SIDE_MAX: i64 = 40;
/// Cells hold marks, not texts.
const CELL_WIDTH_MAX: usize = 12;

/// Whether a value has nothing in it that could be on a board: it looks like whatever the other states look like.
pub(crate) fn is_empty(value: &Owned) -> bool {
    match value {
        Owned::Set(items) | Owned::Tuple(items) => items.is_empty(),
        Owned::Fun(pairs) => pairs.is_empty(),
        _ => false,
    }
}

/// Whether a value alone does not say what it is: one entry may be all that is on a board so far, or no board at all. Later
/// states decide.
pub(crate) fn is_open(value: &Owned) -> bool {
    let Owned::Set(items) = value else { return false };
    let [Owned::Tuple(fields)] = &items[..] else {
        return false;
    };
    matches!(&fields[..], [Owned::Int(_), Owned::Int(_), _, ..])
}

/// The first shape that fits.
pub(crate) fn recognise(value: &Owned) -> Option<(Shape, Sketch)> {
    const ORDER: [Shape; 6] = [
        Shape::Rows,
        Shape::Function,
        Shape::Pieces,
        Shape::NamedPieces,
        Shape::Entries,
        Shape::Points,
    ];
    ORDER
        .into_iter()
        .find_map(|shape| Some((shape, sketch(shape, value)?)))
}

/// The value as a board of this shape, if it is one. An empty value is an empty board.
pub(crate) fn sketch(shape: Shape, value: &Owned) -> Option<Sketch> {
    if is_empty(value) && shape != Shape::Rows && shape != Shape::Function {
        return Some(Sketch::default());
    }
    let sketch = match shape {
        Shape::Rows => rows(value),
        Shape::Function => function(value),
        Shape::Entries => entries(value),
        Shape::Points => pairs_of(value).map(|points| Sketch {
            cells: points.into_iter().map(|it| (it, "●".to_string())).collect(),
            pieces: vec![],
        }),
        Shape::Pieces => {
            let Owned::Set(items) = value else { return None };
            pieces(items.iter().map(|it| (None, it)))
        }
        Shape::NamedPieces => match value {
            Owned::Record(fields) => pieces(fields.iter().map(|(name, it)| (Some(name.to_string()), it))),
            Owned::Fun(pairs) => pieces(pairs.iter().map(|(key, it)| (Some(mark(key)), it))),
            _ => None,
        },
    }?;
    is_small(&sketch).then_some(sketch)
}

fn is_small(sketch: &Sketch) -> bool {
    let covered = sketch.pieces.iter().flat_map(|it| &it.1);
    let mut places = sketch.cells.iter().map(|it| &it.0).chain(covered);
    let is_near = |at: i64| (-SIDE_MAX..=2 * SIDE_MAX).contains(&at);
    places.all(|&(row, column)| is_near(row) && is_near(column))
}

/// Whether the sides are those of a board.
pub(crate) fn is_board_size(n_rows: i64, n_columns: i64) -> bool {
    n_rows <= SIDE_MAX && n_columns <= SIDE_MAX
}

/// What stands in a cell: a string without its quotes.
pub(crate) fn mark(value: &Owned) -> String {
    match value {
        Owned::Str(text) | Owned::Model(text) => text.to_string(),
        other => other.to_string(),
    }
}

fn cell(value: &Owned) -> Option<String> {
    let is_atom = match value {
        Owned::Tuple(items) | Owned::Set(items) => items.len() <= 3,
        Owned::Record(_) | Owned::Fun(_) => false,
        _ => true,
    };
    let text = is_atom.then(|| mark(value))?;
    (text.chars().count() <= CELL_WIDTH_MAX && !text.contains('\n')).then_some(text)
}

/// A function on integers as its pairs.
fn by_integer(value: &Owned) -> Option<Vec<(i64, &Owned)>> {
    match value {
        Owned::Tuple(items) => Some((1..).zip(items).collect()),
        Owned::Fun(pairs) => pairs
            .iter()
            .map(|(key, it)| match key {
                Owned::Int(key) => Some((*key, it)),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

fn rows(value: &Owned) -> Option<Sketch> {
    let rows = by_integer(value)?;
    let mut cells = vec![];
    let mut domain: Option<Vec<i64>> = None;
    for &(row, items) in &rows {
        let items = by_integer(items)?;
        let keys: Vec<i64> = items.iter().map(|it| it.0).collect();
        if domain.get_or_insert_with(|| keys.clone()) != &keys {
            return None;
        }
        for (column, it) in items {
            cells.push(((row, column), cell(it)?));
        }
    }
    let domain = domain?;
    let is_block = rows.len() >= 2
        && domain.len() >= 2
        && is_interval(&domain)
        && is_interval(&rows.iter().map(|it| it.0).collect::<Vec<_>>());
    is_block.then_some(Sketch {
        cells,
        pieces: vec![],
    })
}

fn is_interval(keys: &[i64]) -> bool {
    keys.windows(2).all(|pair| pair[1] == pair[0] + 1)
}

fn function(value: &Owned) -> Option<Sketch> {
    let Owned::Fun(pairs) = value else { return None };
    let mut cells = vec![];
    for (key, it) in pairs {
        let Owned::Tuple(key) = key else { return None };
        let [Owned::Int(row), Owned::Int(column)] = key[..] else {
            return None;
        };
        cells.push(((row, column), cell(it)?));
    }
    let (first, last) = (cells.first()?.0, cells.last()?.0);
    let n_rows = i128::from(last.0) - i128::from(first.0) + 1;
    let n_columns = i128::from(last.1) - i128::from(first.1) + 1;
    let is_full = cells.len() >= 2 && n_rows * n_columns == cells.len() as i128;
    (is_full && n_rows > 0).then_some(Sketch {
        cells,
        pieces: vec![],
    })
}

fn entries(value: &Owned) -> Option<Sketch> {
    let Owned::Set(items) = value else { return None };
    let mut cells: Vec<(Place, String)> = vec![];
    for item in items {
        let Owned::Tuple(fields) = item else { return None };
        let [Owned::Int(row), Owned::Int(column), rest @ ..] = &fields[..] else {
            return None;
        };
        if rest.is_empty() || cells.last().is_some_and(|it| it.0 == (*row, *column)) {
            return None;
        }
        let marks: Option<Vec<String>> = rest.iter().map(cell).collect();
        cells.push(((*row, *column), marks?.join(",")));
    }
    (!cells.is_empty()).then_some(Sketch {
        cells,
        pieces: vec![],
    })
}

fn pairs_of(value: &Owned) -> Option<Vec<(i64, i64)>> {
    let Owned::Set(items) = value else { return None };
    let pairs = items.iter().map(|item| match item {
        Owned::Tuple(fields) => match fields[..] {
            [Owned::Int(first), Owned::Int(second)] => Some((first, second)),
            _ => None,
        },
        _ => None,
    });
    let pairs: Vec<(i64, i64)> = pairs.collect::<Option<_>>()?;
    (!pairs.is_empty()).then_some(pairs)
}

fn points_of(value: &Owned) -> Option<Vec<Place>> {
    let mut points: Vec<Place> = pairs_of(value)?.into_iter().map(|(x, y)| (y, x)).collect();
    points.sort_unstable();
    Some(points)
}

fn pieces<'v>(parts: impl Iterator<Item = (Option<String>, &'v Owned)>) -> Option<Sketch> {
    let mut pieces = vec![];
    let mut covered = vec![];
    for (name, part) in parts {
        if is_empty(part) && name.is_some() {
            continue;
        }
        let points = points_of(part)?;
        covered.extend(points.iter().copied());
        pieces.push((name, points));
    }
    let n_covered = covered.len();
    covered.sort_unstable();
    covered.dedup();
    // Reading order, so that letters are given from the top left.
    pieces.sort_by(|a, b| a.1.cmp(&b.1));
    (n_covered == covered.len() && !pieces.is_empty()).then_some(Sketch {
        cells: vec![],
        pieces,
    })
}
