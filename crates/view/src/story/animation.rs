//! A story as one SVG picture that moves: pieces slide, marks appear. It needs no script, so it plays in a README.

use super::Story;
use crate::artist::{Frame, Picture};
use crate::board::{Board, Piece};
use crate::svg::{CELL, Drawn, cell_width, document, empty_board, mark_svg, piece_svg, size};

/// How long a state is shown, in milliseconds; the last one as long as four.
const STATE_MS: usize = 700;
const LAST: usize = 4;
/// The part of that time in which a piece is on its way.
const MOVING: f64 = 0.35;
const GAP: usize = 20;
const CAPTION: usize = 24;

pub(super) fn write(story: &Story) -> String {
    let frames = story.frames();
    let mut whole = Drawn::default();
    for name in board_names(&frames) {
        let boards: Option<Vec<&Board>> = frames.iter().map(|it| board_of(it, &name)).collect();
        let Some(boards) = boards.filter(|it| !it.is_empty()) else {
            continue;
        };
        let (width, height) = size(boards[0]);
        whole.text += &format!(
            "<g transform=\"translate({}, {CAPTION})\">{}</g>",
            whole.width,
            animated(&boards)
        );
        whole.width += width + GAP;
        whole.height = whole.height.max(height + CAPTION + 6);
    }
    if whole.width == 0 {
        whole = Drawn {
            text: "<text x=\"8\" y=\"24\">nothing in this trace is a board</text>".to_owned(),
            width: 320,
            height: 40,
        };
    }
    whole.width = whole.width.max(280);
    let times = Times::of(frames.len());
    for i in 0..story.behaviour.states.len() {
        let caption = trace::shortened(&story.numbered(i), 40);
        whole.text += &times.seen(
            &format!(
                "<text x=\"8\" y=\"16\" font-size=\"13\">{}</text>",
                crate::markup::escaped(&caption)
            ),
            &(0..frames.len()).map(|it| it == i).collect::<Vec<_>>(),
        );
    }
    document(&whole) + "\n"
}

fn board_names(frames: &[Frame]) -> Vec<String> {
    let first = frames.first().map_or(&[][..], |it| &it.parts);
    let boards = first.iter().filter(|it| matches!(it.picture, Picture::Board(_)));
    boards.map(|it| it.name.clone()).collect()
}

fn board_of<'f>(frame: &'f Frame, name: &str) -> Option<&'f Board> {
    frame.parts.iter().find_map(|it| match &it.picture {
        Picture::Board(board) if it.name == name => Some(board),
        _ => None,
    })
}

fn animated(boards: &[&Board]) -> String {
    let times = Times::of(boards.len());
    let mut text = empty_board(boards[0]);
    text += &marks(boards, &times);
    let mut numbers: Vec<usize> = boards
        .iter()
        .flat_map(|it| &it.pieces)
        .map(|it| it.number)
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    for number in numbers {
        text += &piece(boards, number, &times);
    }
    text
}

/// Each mark that a cell has at some time, seen when it has it.
fn marks(boards: &[&Board], times: &Times) -> String {
    let mut text = String::new();
    for row in 0..boards[0].rows.len {
        for column in 0..boards[0].columns.len {
            let cells: Vec<_> = boards.iter().map(|it| it.cell(row, column)).collect();
            let mut shown: Vec<(&str, bool)> = vec![];
            for cell in cells
                .iter()
                .filter(|it| it.piece.is_none() && !it.text.is_empty())
            {
                let look = (cell.text.as_str(), cell.is_changed);
                if shown.contains(&look) {
                    continue;
                }
                shown.push(look);
                let when: Vec<bool> = cells
                    .iter()
                    .map(|it| it.piece.is_none() && (it.text.as_str(), it.is_changed) == look)
                    .collect();
                text += &times.seen(&mark_svg(boards[0], (row, column), cell, cell.is_changed), &when);
            }
        }
    }
    text
}

/// A piece where it first is, moved from there.
fn piece(boards: &[&Board], number: usize, times: &Times) -> String {
    let found: Vec<Option<&Piece>> = boards
        .iter()
        .map(|it| it.pieces.iter().find(|it| it.number == number))
        .collect();
    let Some(first) = found.iter().flatten().next() else {
        return String::new();
    };
    let width = cell_width(boards[0]) as i64;
    let mut at = (0, 0);
    let places: Vec<(i64, i64)> = found
        .iter()
        .map(|it| {
            if let (Some(from), Some(to)) = (first.cells.first(), it.and_then(|it| it.cells.first())) {
                at = ((to.1 - from.1) * width, (to.0 - from.0) * CELL as i64);
            }
            at
        })
        .collect();
    let drawn = piece_svg(boards[0], first, false);
    let is_there: Vec<bool> = found.iter().map(Option::is_some).collect();
    let moving = times.moved(&places);
    times.seen(&format!("<g>{drawn}{moving}</g>"), &is_there)
}

/// When each state is shown, as parts of the whole.
struct Times {
    starts: Vec<f64>,
    total_ms: usize,
    step: f64,
}

impl Times {
    fn of(n_states: usize) -> Times {
        let n_beats = n_states + LAST - 1;
        Times {
            starts: (0..n_states).map(|it| it as f64 / n_beats as f64).collect(),
            total_ms: n_beats * STATE_MS,
            step: 1.0 / n_beats as f64,
        }
    }

    fn attributes(&self) -> String {
        format!("dur=\"{}ms\" repeatCount=\"indefinite\"", self.total_ms)
    }

    /// Something that is seen in some of the states.
    fn seen(&self, what: &str, when: &[bool]) -> String {
        if when.iter().all(|it| *it) {
            return what.to_owned();
        }
        let mut values = vec![];
        let mut key_times = vec![];
        for (i, &is_seen) in when.iter().enumerate() {
            if i == 0 || when[i - 1] != is_seen {
                values.push(if is_seen { "visible" } else { "hidden" });
                key_times.push(rounded(self.starts[i]));
            }
        }
        let first = values.first().copied().unwrap_or("visible");
        format!(
            "<g visibility=\"{first}\"><animate attributeName=\"visibility\" values=\"{}\" keyTimes=\"{}\" \
             calcMode=\"discrete\" {}/>{what}</g>",
            values.join(";"),
            key_times.join(";"),
            self.attributes()
        )
    }

    /// A way through places, standing still at each for most of its time.
    fn moved(&self, places: &[(i64, i64)]) -> String {
        if places.iter().all(|it| *it == places[0]) {
            return String::new();
        }
        let place = |it: &(i64, i64)| format!("{} {}", it.0, it.1);
        let (mut values, mut key_times) = (vec![place(&places[0])], vec!["0".to_owned()]);
        for i in 1..places.len() {
            if places[i] != places[i - 1] {
                values.push(place(&places[i - 1]));
                key_times.push(rounded(self.starts[i]));
                values.push(place(&places[i]));
                key_times.push(rounded(self.starts[i] + self.step * MOVING));
            }
        }
        values.push(place(&places[places.len() - 1]));
        key_times.push("1".to_owned());
        format!(
            "<animateTransform attributeName=\"transform\" type=\"translate\" values=\"{}\" keyTimes=\"{}\" {}/>",
            values.join(";"),
            key_times.join(";"),
            self.attributes()
        )
    }
}

fn rounded(time: f64) -> String {
    let text = format!("{time:.5}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}
