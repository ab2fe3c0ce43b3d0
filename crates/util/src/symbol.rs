//! Interned names: equality is one comparison, a name is four bytes.

use std::fmt;
use std::sync::{OnceLock, RwLock};

use crate::FxHashMap;

/// An interned string. Two symbols are equal exactly when their texts are equal.
///
/// The order of symbols is the order of first interning, not of their texts: sort by `as_str` where people look.
///
/// ```
/// use util::Symbol;
///
/// assert_eq!(Symbol::new("board"), Symbol::new("board"));
/// assert_eq!(Symbol::new("board").as_str(), "board");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

#[derive(Default)]
struct Interner {
    ids: FxHashMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

fn interner() -> &'static RwLock<Interner> {
    static INTERNER: OnceLock<RwLock<Interner>> = OnceLock::new();
    INTERNER.get_or_init(Default::default)
}

impl Symbol {
    /// Interns `text`. The text is kept for the life of the process: names are few and come back often.
    pub fn new(text: &str) -> Symbol {
        if let Some(&id) = interner().read().expect("no panic while interning").ids.get(text) {
            return Symbol(id);
        }
        let mut interner = interner().write().expect("no panic while interning");
        if let Some(&id) = interner.ids.get(text) {
            return Symbol(id);
        }
        let id = interner.texts.len() as u32;
        let text: &'static str = Box::leak(text.into());
        interner.texts.push(text);
        interner.ids.insert(text, id);
        Symbol(id)
    }

    pub fn as_str(self) -> &'static str {
        interner().read().expect("no panic while interning").texts[self.0 as usize]
    }

    /// A dense number, for tables indexed by symbol.
    pub fn id(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Symbol {
        Symbol::new(text)
    }
}
