//! Files by number, spans by byte offsets, lines computed once per file.

use std::fmt;
use std::sync::Arc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A range of bytes in one file. `start <= end`, both on character boundaries.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        debug_assert!(start <= end);
        Span { file, start, end }
    }

    /// The smallest span that covers both; both must lie in one file.
    pub fn to(self, other: Span) -> Span {
        debug_assert_eq!(self.file, other.file);
        Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The empty span at the start of this one.
    pub fn before(self) -> Span {
        Span {
            end: self.start,
            ..self
        }
    }

    /// The empty span at the end of this one.
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            ..self
        }
    }

    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file.0, self.start, self.end)
    }
}

/// Line and column as people count them: from 1, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    pub line: u32,
    pub column: u32,
}

/// One source text, with the name that the user knows it by.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: String,
    text: Arc<str>,
    /// Byte offset of the first character of each line; `line_starts[0] == 0`.
    line_starts: Vec<u32>,
}

impl SourceFile {
    fn new(name: String, text: Arc<str>) -> SourceFile {
        let mut line_starts = vec![0];
        line_starts.extend(
            text.bytes()
                .enumerate()
                .filter(|&(_, b)| b == b'\n')
                .map(|(i, _)| i as u32 + 1),
        );
        SourceFile {
            name,
            text,
            line_starts,
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    pub fn place(&self, offset: u32) -> Place {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        let start = self.line_starts[line] as usize;
        let column = self.text[start..(offset as usize).min(self.text.len())]
            .chars()
            .count();
        Place {
            line: line as u32 + 1,
            column: column as u32 + 1,
        }
    }

    /// The offset of a place, clamped to the file: the inverse of [`SourceFile::place`].
    pub fn offset(&self, place: Place) -> u32 {
        let line = (place.line.max(1) as usize - 1).min(self.line_starts.len() - 1);
        let text = self.line(line);
        let column = place.column.max(1) as usize - 1;
        let within = text.char_indices().nth(column).map_or(text.len(), |(i, _)| i);
        self.line_starts[line] + within as u32
    }

    /// The text of a line (from 0), without its line break.
    pub fn line(&self, line: usize) -> &str {
        let start = self.line_starts[line] as usize;
        let end = self
            .line_starts
            .get(line + 1)
            .map_or(self.text.len(), |&next| next as usize);
        self.text[start..end].trim_end_matches(['\n', '\r'])
    }

    pub fn n_lines(&self) -> usize {
        self.line_starts.len()
    }
}

/// All texts of one session, by number.
///
/// ```
/// use source::{Sources, Span};
///
/// let mut sources = Sources::new();
/// let file = sources.add("M.tla", "Init ==\n  x = 0\n");
/// let x = Span::new(file, 10, 11);
/// assert_eq!(sources.text(x), "x");
/// assert_eq!(sources.location(x), "M.tla:2:3");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    pub fn new() -> Sources {
        Sources::default()
    }

    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        self.files.push(SourceFile::new(name.into(), text.into()));
        FileId(self.files.len() as u32 - 1)
    }

    /// The text that was added last; there must be one.
    pub fn newest(&self) -> FileId {
        debug_assert!(!self.files.is_empty());
        FileId(self.files.len() as u32 - 1)
    }

    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All texts, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    pub fn text(&self, span: Span) -> &str {
        &self.file(span.file).text()[span.start as usize..span.end as usize]
    }

    /// `name:line:column` of the start of a span, as messages and JSON print it.
    pub fn location(&self, span: Span) -> String {
        let file = self.file(span.file);
        let place = file.place(span.start);
        format!("{}:{}:{}", file.name(), place.line, place.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters_and_invert() {
        let mut sources = Sources::new();
        let id = sources.add("M.tla", "A ≜ 1\nB ∧ C\n");
        let file = sources.file(id);
        let c = file.text().find('C').unwrap() as u32;
        assert_eq!(file.place(c), Place { line: 2, column: 5 });
        for offset in (0..file.text().len()).filter(|&i| file.text().is_char_boundary(i) && i != 7) {
            assert_eq!(
                file.offset(file.place(offset as u32)),
                offset as u32,
                "offset {offset}"
            );
        }
    }
}
