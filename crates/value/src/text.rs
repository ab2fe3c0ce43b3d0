//! Strings and model values: interned for the life of the process, compared by address, ordered by text.

use std::fmt;
use std::sync::{Mutex, OnceLock};

use util::{FxHashMap, Symbol};

use crate::hash::hash_bytes;

/// An interned string. Equality is equality of addresses; the order is that of the texts.
#[derive(Clone, Copy)]
pub struct Text(&'static Entry);

struct Entry {
    text: &'static str,
    /// The first bytes, so that most texts are compared by one number.
    start: u64,
    id: u32,
    hash: u64,
}

#[derive(Default)]
struct Table {
    by_text: Mutex<FxHashMap<&'static str, Text>>,
    by_id: boxcar::Vec<Text>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(Table::default)
}

impl Text {
    pub fn new(text: &str) -> Text {
        let table = table();
        let mut by_text = table.by_text.lock().expect("no panic while interning");
        if let Some(&known) = by_text.get(text) {
            return known;
        }
        let text: &'static str = Box::leak(text.into());
        // The lock makes the count of entries the number that `push` will give.
        let id = table.by_id.count() as u32;
        let entry = Text(Box::leak(Box::new(Entry {
            text,
            start: start(text.as_bytes()),
            id,
            hash: hash_bytes(text.as_bytes()),
        })));
        table.by_id.push(entry);
        by_text.insert(text, entry);
        entry
    }

    /// How many there are; their numbers are those below.
    pub(crate) fn count() -> usize {
        table().by_id.count()
    }

    pub(crate) fn from_id(id: u32) -> Text {
        table().by_id[id as usize]
    }

    pub(crate) fn id(self) -> u32 {
        self.0.id
    }

    pub fn hash64(self) -> u64 {
        self.0.hash
    }

    pub fn as_str(self) -> &'static str {
        self.0.text
    }

    /// The type of a model value with this name: the character before `_` where that comes second, as in `p_1`.
    #[inline]
    pub fn model_type(self) -> Option<char> {
        let text = self.0.text;
        match text.as_bytes() {
            [first, b'_', _, ..] if first.is_ascii() => Some(char::from(*first)),
            [first, ..] if first.is_ascii() => None,
            _ => {
                let mut chars = text.chars();
                let (first, second) = (chars.next()?, chars.next()?);
                (second == '_' && chars.next().is_some()).then_some(first)
            }
        }
    }
}

/// The first eight bytes as a number that orders as they do.
fn start(bytes: &[u8]) -> u64 {
    let mut start = [0; 8];
    let n = bytes.len().min(8);
    start[..n].copy_from_slice(&bytes[..n]);
    u64::from_be_bytes(start)
}

impl From<Symbol> for Text {
    fn from(symbol: Symbol) -> Text {
        Text::new(symbol.as_str())
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Text {}
impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash.hash(state);
    }
}
impl PartialOrd for Text {
    fn partial_cmp(&self, other: &Text) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Text {
    #[inline]
    fn cmp(&self, other: &Text) -> std::cmp::Ordering {
        if self == other {
            return std::cmp::Ordering::Equal;
        }
        let starts = self.0.start.cmp(&other.0.start);
        starts.then_with(|| self.as_str().cmp(other.as_str()))
    }
}
impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
