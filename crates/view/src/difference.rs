//! What is different between two values, at the level of cells and fields.

use util::deep;
use value::{Owned, Text};

/// A part of a value that differs, and what it was and is. Absent where there is no such part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub path: Vec<Step>,
    pub before: Option<Owned>,
    pub after: Option<Owned>,
}

/// The way into a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    Field(Text),
    /// The value of a function, or of a sequence at an index.
    At(Owned),
    /// An element of a set.
    Element,
}

/// The smallest parts in which two values differ, in the order of the values.
pub fn changes(before: &Owned, after: &Owned) -> Vec<Change> {
    let mut found = vec![];
    compare(before, after, &mut vec![], &mut found);
    found
}

fn compare(before: &Owned, after: &Owned, path: &mut Vec<Step>, found: &mut Vec<Change>) {
    if before == after {
        return;
    }
    match (before, after) {
        (Owned::Record(old), Owned::Record(new)) => {
            let keyed = |fields: &[(Text, Owned)]| -> Vec<(Step, Owned)> {
                fields
                    .iter()
                    .map(|(name, it)| (Step::Field(*name), it.clone()))
                    .collect()
            };
            compare_parts(&keyed(old), &keyed(new), path, found);
        }
        (Owned::Fun(_) | Owned::Tuple(_), Owned::Fun(_) | Owned::Tuple(_)) => {
            compare_parts(&by_argument(before), &by_argument(after), path, found);
        }
        (Owned::Set(old), Owned::Set(new)) => {
            let mut only = |items: &[Owned], others: &[Owned], is_new: bool| {
                for item in items.iter().filter(|it| !others.contains(it)) {
                    path.push(Step::Element);
                    let (gone, come) = if is_new {
                        (None, Some(item))
                    } else {
                        (Some(item), None)
                    };
                    report(path, gone, come, found);
                    path.pop();
                }
            };
            only(old, new, false);
            only(new, old, true);
        }
        _ => report(path, Some(before), Some(after), found),
    }
}

fn by_argument(value: &Owned) -> Vec<(Step, Owned)> {
    match value {
        Owned::Tuple(items) => (1..)
            .zip(items)
            .map(|(i, it)| (Step::At(Owned::Int(i)), it.clone()))
            .collect(),
        Owned::Fun(pairs) => pairs
            .iter()
            .map(|(key, it)| (Step::At(key.clone()), it.clone()))
            .collect(),
        _ => vec![],
    }
}

fn compare_parts(
    old: &[(Step, Owned)],
    new: &[(Step, Owned)],
    path: &mut Vec<Step>,
    found: &mut Vec<Change>,
) {
    let find = |parts: &[(Step, Owned)], key: &Step| parts.iter().position(|it| it.0 == *key);
    for (key, was) in old {
        path.push(key.clone());
        match find(new, key) {
            Some(at) => deep(|| compare(was, &new[at].1, path, found)),
            None => report(path, Some(was), None, found),
        }
        path.pop();
    }
    for (key, is) in new.iter().filter(|it| find(old, &it.0).is_none()) {
        path.push(key.clone());
        report(path, None, Some(is), found);
        path.pop();
    }
}

fn report(path: &[Step], before: Option<&Owned>, after: Option<&Owned>, found: &mut Vec<Change>) {
    found.push(Change {
        path: path.to_vec(),
        before: before.cloned(),
        after: after.cloned(),
    });
}

impl std::fmt::Display for Change {
    /// `.queue[2]: 5 → 6`, `+ 7`, `- 7`
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for step in &self.path {
            match step {
                Step::Field(name) => write!(f, ".{name}")?,
                Step::At(Owned::Tuple(items)) if items.len() > 1 => {
                    let items: Vec<String> = items.iter().map(Owned::to_string).collect();
                    write!(f, "[{}]", items.join(", "))?;
                }
                Step::At(key) => write!(f, "[{key}]")?,
                Step::Element => {}
            }
        }
        let colon = if self.path.iter().any(|it| *it != Step::Element) {
            ": "
        } else {
            ""
        };
        match (&self.before, &self.after) {
            (Some(was), Some(is)) => write!(f, "{colon}{was} → {is}"),
            (None, Some(is)) => write!(f, "{colon}+ {is}"),
            (Some(was), None) => write!(f, "{colon}- {was}"),
            (None, None) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(before: &Owned, after: &Owned) -> Vec<String> {
        changes(before, after).iter().map(Change::to_string).collect()
    }

    fn seq(items: &[i64]) -> Owned {
        Owned::Tuple(items.iter().map(|&it| Owned::Int(it)).collect())
    }

    fn set(items: &[i64]) -> Owned {
        Owned::Set(items.iter().map(|&it| Owned::Int(it)).collect())
    }

    #[test]
    fn cells_fields_and_elements() {
        let before = Owned::record([
            ("q", seq(&[1, 2])),
            ("s", set(&[1, 2])),
            ("same", Owned::Bool(true)),
        ]);
        let after = Owned::record([
            ("q", seq(&[1, 3, 4])),
            ("s", set(&[2, 5])),
            ("same", Owned::Bool(true)),
        ]);
        assert_eq!(
            say(&before, &after),
            [".q[2]: 2 → 3", ".q[3]: + 4", ".s: - 1", ".s: + 5"]
        );
        assert_eq!(say(&before, &before), Vec::<String>::new());
        assert_eq!(say(&set(&[1]), &seq(&[1])), ["{1} → <<1>>"]);
    }

    #[test]
    fn cells_of_a_matrix() {
        let cell = |row: i64, column: i64, mark: &str| {
            (
                Owned::Tuple(vec![Owned::Int(row), Owned::Int(column)]),
                Owned::str(mark),
            )
        };
        let before = Owned::Fun(vec![cell(0, 0, "-"), cell(0, 1, "-")]);
        let after = Owned::Fun(vec![cell(0, 0, "-"), cell(0, 1, "X")]);
        assert_eq!(say(&before, &after), ["[0, 1]: \"-\" → \"X\""]);
    }
}
