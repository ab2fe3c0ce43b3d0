//! Values as the text of a language.

use util::deep;
use value::Owned;

/// Whose way of writing values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// `{<<1, "a">>}`
    #[default]
    Tla,
    /// `{1->a}`, in the order of the instance.
    Alloy,
}

impl Notation {
    pub fn text(self, value: &Owned) -> String {
        match self {
            Notation::Tla => value.to_string(),
            Notation::Alloy => deep(|| alloy(value)),
        }
    }
}

fn alloy(value: &Owned) -> String {
    let all = |items: &[Owned]| -> Vec<String> { items.iter().map(|it| Notation::Alloy.text(it)).collect() };
    match value {
        Owned::Set(items) => format!("{{{}}}", all(items).join(", ")),
        Owned::Tuple(items) => all(items).join("->"),
        Owned::Model(text) | Owned::Str(text) => text.to_string(),
        other => other.to_string(),
    }
}
