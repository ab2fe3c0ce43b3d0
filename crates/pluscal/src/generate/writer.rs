//! Lines of a translation, with what each piece of them comes from.

use source::Span;

use crate::expr::Expr;
use crate::map::{Map, Origin, Piece};

/// A place in what was written: a line, and a byte in it.
type Spot = (usize, usize);

#[derive(Default)]
struct Line {
    text: String,
    /// Bytes from and to, and where they come from.
    marks: Vec<(usize, usize, Span)>,
}

#[derive(Default)]
pub(super) struct Writer {
    lines: Vec<Line>,
    /// The line being written; there may be nothing in it yet.
    line: Line,
    regions: Vec<(Spot, Spot, Origin)>,
}

/// Widths are those that published translations were wrapped by.
pub(super) fn width(text: &str) -> usize {
    match text.is_ascii() {
        true => text.len(),
        false => text.encode_utf16().count(),
    }
}

pub(super) fn blanks(n: usize) -> String {
    " ".repeat(n)
}

impl Writer {
    /// The width of the line being written.
    pub fn column(&self) -> usize {
        width(&self.line.text)
    }

    pub fn n_lines(&self) -> usize {
        self.lines.len()
    }

    /// Where the next character will be.
    pub fn spot(&self) -> Spot {
        (self.lines.len(), self.line.text.len())
    }

    pub fn put(&mut self, text: &str) {
        self.line.text.push_str(text);
    }

    pub fn put_from(&mut self, text: &str, span: Span) {
        let from = self.line.text.len();
        self.put(text);
        self.line.marks.push((from, self.line.text.len(), span));
    }

    /// Ends the line, if there is anything in it.
    pub fn end_line(&mut self) {
        if !self.line.text.is_empty() {
            self.lines.push(std::mem::take(&mut self.line));
        }
    }

    /// A line of its own, maybe an empty one.
    pub fn put_line(&mut self, text: &str) {
        self.end_line();
        self.put(text);
        self.lines.push(std::mem::take(&mut self.line));
    }

    /// An expression, its further lines below the first.
    pub fn put_expr(&mut self, expr: &Expr) {
        let indent = blanks(self.column());
        for i in 0..expr.n_lines() {
            if i > 0 {
                self.lines.push(std::mem::take(&mut self.line));
                self.put(&indent);
            }
            let from = self.line.text.len();
            let marks = &mut self.line.marks;
            let text = expr.line_text(i, |tok, at| {
                if let Some(span) = tok.span {
                    marks.push((from + at.start, from + at.end, span));
                }
            });
            self.put(&text);
        }
    }

    /// What was written since `from` comes from `span`.
    pub fn region(&mut self, from: Spot, origin: Option<Origin>) {
        if let Some(origin) = origin {
            self.regions.push((from, self.spot(), origin));
        }
    }

    /// The lines since `from`, which are ended.
    pub fn region_of_lines(&mut self, from: Spot, span: Span) {
        let last = self.lines.len() - 1;
        let end = (last, self.lines[last].text.len());
        self.regions.push((from, end, span.into()));
    }

    /// Takes `n` blanks or bullets out of each line since `first`: from the first one those before `column`, from others the first.
    pub fn outdent(&mut self, first: usize, column: usize, n: usize) {
        let cut = |line: usize| if line == first { column - n } else { 0 };
        for (i, line) in self.lines.iter_mut().enumerate().skip(first) {
            if i > first && line.text.len() <= n {
                continue;
            }
            let at = cut(i);
            line.text.replace_range(at..at + n, "");
            for mark in &mut line.marks {
                mark.0 -= n.min(mark.0);
                mark.1 -= n.min(mark.1);
            }
        }
        for (from, to, _) in &mut self.regions {
            for spot in [from, to] {
                if spot.0 >= first && spot.1 > cut(spot.0) {
                    spot.1 = spot.1.saturating_sub(n).max(cut(spot.0));
                }
            }
        }
    }

    /// All lines, and the map over them as if each ended in a line break of `newline` bytes.
    pub fn finish(mut self, newline: usize) -> (Vec<String>, Map) {
        self.end_line();
        let mut starts = vec![];
        let mut tokens = vec![];
        let mut start = 0;
        for line in &self.lines {
            starts.push(start);
            tokens.extend(line.marks.iter().map(|&(from, to, span)| Piece {
                start: (start + from) as u32,
                end: (start + to) as u32,
                origin: span.into(),
            }));
            start += line.text.len() + newline;
        }
        starts.push(start);
        let offset = |(line, at): Spot| (starts[line.min(starts.len() - 1)] + at) as u32;
        let regions = self.regions.iter().map(|&(from, to, origin)| Piece {
            start: offset(from),
            end: offset(to),
            origin,
        });
        let map = Map::new(tokens, regions.collect());
        (self.lines.into_iter().map(|it| it.text).collect(), map)
    }
}
