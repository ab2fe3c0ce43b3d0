//! Mutants that change no answer, and why: `equivalent.md`.
//!
//! An entry stands under the heading of its file: either a whole function, or a line of the file with what its mutant has there.
//!
//! ```text
//! ## crates/a/src/b.rs
//! - fn `Tree::pays`: decides only whether …
//! - `if a == b {` with `false`: the search for it again …
//! ```

use super::site::{Mutant, Site};

pub struct Explained {
    entries: Vec<Entry>,
}

struct Entry {
    file: String,
    what: What,
}

enum What {
    Function(String),
    /// A line and the text in its mutant.
    Line(String, String),
}

impl Explained {
    /// `Err` names a line that is no entry.
    pub fn read() -> Result<Explained, String> {
        parse(include_str!("equivalent.md"))
    }

    pub fn has(&self, file: &str, site: &Site, mutant: &Mutant) -> bool {
        self.entries
            .iter()
            .filter(|it| it.file == file)
            .any(|it| match &it.what {
                What::Function(name) => {
                    site.function == *name
                        || site
                            .function
                            .strip_prefix(name)
                            .is_some_and(|rest| rest.starts_with("::"))
                }
                What::Line(line, text) => site.source == *line && mutant.replacement == *text,
            })
    }

    /// Files that have entries.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|it| it.file.as_str())
    }
}

fn parse(text: &str) -> Result<Explained, String> {
    let mut file = String::new();
    let mut entries = vec![];
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            file = name.trim().to_string();
        } else if let Some(entry) = line.strip_prefix("- ") {
            let what =
                what(entry).ok_or_else(|| format!("equivalent.md has an entry that says nothing: {line}"))?;
            entries.push(Entry {
                file: file.clone(),
                what,
            });
        }
    }
    Ok(Explained { entries })
}

fn what(entry: &str) -> Option<What> {
    if let Some(rest) = entry.strip_prefix("fn `") {
        let (name, reason) = rest.split_once("`: ")?;
        return (!reason.is_empty()).then(|| What::Function(name.to_string()));
    }
    // The line may have accents of its own.
    let (line, rest) = entry.strip_prefix('`')?.split_once("` with `")?;
    let (text, reason) = rest.split_once("`: ")?;
    (!reason.is_empty()).then(|| What::Line(line.to_string(), text.to_string()))
}
