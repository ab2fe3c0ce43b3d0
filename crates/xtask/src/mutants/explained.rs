//! Mutants that change no answer, and why: `equivalent.md`.
//!
//! An entry stands under the heading of its file: either a whole function, or a line of the file with what its mutant has there.
//!
//! ```text
//! ## crates/a/src/b.rs
//! - fn `Tree::pays`: decides only whether …
//! - `if a == b {` with `false`: the search for it again …
//! ```

use super::compile::File;
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

impl What {
    fn is_of(&self, site: &Site, mutant: &Mutant) -> bool {
        match self {
            What::Function(name) => {
                let inside = site.function.strip_prefix(name.as_str());
                inside.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
            }
            What::Line(line, text) => site.source == *line && mutant.replacement == *text,
        }
    }

    fn text(&self) -> &str {
        match self {
            What::Function(it) | What::Line(it, _) => it,
        }
    }
}

impl Explained {
    /// `Err` names a line that is no entry.
    pub fn read() -> Result<Explained, String> {
        parse(include_str!("equivalent.md"))
    }

    pub fn has(&self, file: &str, site: &Site, mutant: &Mutant) -> bool {
        let own = self.entries.iter().filter(|it| it.file == file);
        own.into_iter().any(|it| it.what.is_of(site, mutant))
    }

    /// Entries that are about no mutant any more, with their files.
    pub fn stale<'e>(&'e self, files: &'e [File]) -> impl Iterator<Item = (&'e str, &'e str)> {
        let is_stale = |it: &&Entry| {
            let own = files.iter().filter(|file| file.name == it.file);
            let mut sites = own.flat_map(|file| &file.sites);
            !sites.any(|site| site.mutants.iter().any(|mutant| it.what.is_of(site, mutant)))
        };
        let stale = self.entries.iter().filter(is_stale);
        stale.map(|it| (it.file.as_str(), it.what.text()))
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
