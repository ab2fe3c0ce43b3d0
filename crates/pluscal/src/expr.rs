//! A TLA+ expression as PlusCal sees it: tokens on lines, each in its column.
//!
//! A translation keeps the layout of what it copies, because bulleted lists live by their columns. Where a name grows (a prime, a
//! subscript, a macro's argument), everything to its right moves, and so do the lines below that were aligned with what
//! moved. What a line is aligned with is its *anchor*: of the nearest line above that starts no further right, the last token that
//! starts no further right than the line itself.

use source::Span;
use util::Symbol;

use crate::lexer::{Kind, Token};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tok {
    pub kind: Kind,
    /// Of a string what stands between the quotes.
    pub text: Symbol,
    /// From 0, relative to the leftmost token of the expression.
    pub column: i32,
    pub width: i32,
    /// Where it stands in the algorithm; nothing for what the translation adds.
    pub span: Option<Span>,
}

impl Tok {
    pub fn new(kind: Kind, text: &str, column: i32) -> Tok {
        Tok {
            kind,
            text: Symbol::new(text),
            column,
            width: width(kind, text),
            span: None,
        }
    }

    fn end(&self) -> i32 {
        self.column + self.width
    }

    /// As it is written, with its quotes.
    pub fn write(&self, out: &mut String) {
        match self.kind {
            Kind::Str => {
                out.push('"');
                out.push_str(self.text.as_str());
                out.push('"');
            }
            _ => out.push_str(self.text.as_str()),
        }
    }
}

fn width(kind: Kind, text: &str) -> i32 {
    let quotes = if kind == Kind::Str { 2 } else { 0 };
    quotes + text.encode_utf16().count() as i32
}

/// Invariant: `anchors` is as long as `lines`; all ids in both are indices into `toks`. A token that an anchor names may have left
/// the lines: it then stays where it was.
#[derive(Clone, Default, Debug)]
pub struct Expr {
    toks: Vec<Tok>,
    lines: Vec<Vec<u32>>,
    /// A token above, and the column it had when this line was last aligned with it.
    anchors: Vec<Option<(u32, i32)>>,
    /// All of it; nothing when it is empty or made up.
    pub span: Option<Span>,
}

/// A line and a token in it.
type Coord = (usize, usize);

impl Expr {
    pub(crate) fn from_tokens(tokens: &[Token]) -> Expr {
        let mut expr = Expr::default();
        let Some((first, last)) = tokens.first().zip(tokens.last()) else {
            return expr;
        };
        for token in tokens {
            let line = (token.line - first.line) as usize;
            expr.lines.resize(line + 1, vec![]);
            expr.lines[line].push(expr.toks.len() as u32);
            expr.toks.push(Tok {
                span: Some(token.span),
                ..Tok::new(token.kind, token.text.as_str(), token.column as i32)
            });
        }
        expr.span = Some(first.span.to(last.span));
        expr.normalize();
        expr
    }

    /// Tokens with their columns on given lines.
    pub fn from_lines(lines: Vec<Vec<Tok>>) -> Expr {
        let mut expr = Expr::default();
        for line in lines {
            let from = expr.toks.len() as u32;
            expr.toks.extend(line);
            expr.lines.push((from..expr.toks.len() as u32).collect());
        }
        expr.normalize();
        expr
    }

    /// One line, with so many blanks between two tokens.
    pub fn from_words(words: &[(Kind, &str)], blanks: i32) -> Expr {
        let mut column = 0;
        let line = words.iter().map(|&(kind, text)| {
            let tok = Tok::new(kind, text, column);
            column = tok.end() + blanks;
            tok
        });
        Expr::from_lines(vec![line.collect()])
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn n_lines(&self) -> usize {
        self.lines.len()
    }

    pub fn line(&self, line: usize) -> impl Iterator<Item = &Tok> {
        self.lines[line].iter().map(|&it| &self.toks[it as usize])
    }

    /// All tokens, line by line.
    pub fn tokens(&self) -> impl Iterator<Item = &Tok> {
        (0..self.n_lines()).flat_map(|it| self.line(it))
    }

    pub fn single(&self) -> Option<&Tok> {
        match &self.lines[..] {
            [line] if line.len() == 1 => Some(self.tok(line[0])),
            _ => None,
        }
    }

    /// Whether it is `TRUE`, maybe in parentheses.
    pub fn is_true(&self) -> bool {
        let words: Vec<&str> = self.tokens().map(|it| it.text.as_str()).collect();
        self.n_lines() == 1 && matches!(&words[..], ["TRUE"] | ["(", "TRUE", ")"])
    }

    fn tok(&self, id: u32) -> &Tok {
        &self.toks[id as usize]
    }

    fn shift(&mut self, line: usize, by: i32) {
        for i in 0..self.lines[line].len() {
            let id = self.lines[line][i];
            self.toks[id as usize].column += by;
        }
    }

    /// The same tokens, alone and aligned anew.
    pub fn normalized(&self) -> Expr {
        let lines = (0..self.n_lines()).map(|it| self.line(it).copied().collect());
        let mut expr = Expr::from_lines(lines.collect());
        expr.span = self.span;
        expr
    }

    /// Drops empty lines at both ends, moves everything to the left, and finds the anchors.
    fn normalize(&mut self) {
        let is_full = |it: &Vec<u32>| !it.is_empty();
        let end = self.lines.iter().rposition(is_full).map_or(0, |it| it + 1);
        self.lines.truncate(end);
        let start = self.lines.iter().position(is_full).unwrap_or(0);
        self.lines.drain(..start);
        let leftmost = self.lines.iter().filter_map(|it| it.first());
        let left = leftmost.map(|&it| self.tok(it).column).min().unwrap_or(0);
        self.toks.iter_mut().for_each(|it| it.column -= left);
        self.anchors = (0..self.lines.len()).map(|it| self.anchor(it)).collect();
    }

    fn anchor(&self, line: usize) -> Option<(u32, i32)> {
        let starts = self.tok(*self.lines[line].first()?).column;
        let left = |id: &&u32| self.tok(**id).column <= starts;
        let above = self.lines[..line].iter().rev();
        let above = above
            .filter_map(|it| it.first().filter(left).map(|_| it))
            .next()?;
        // Up to the first token that starts further right.
        let last = above.iter().skip(1).take_while(left).last().unwrap_or(&above[0]);
        Some((*last, self.tok(*last).column))
    }

    /// Lets each line follow its anchor.
    fn realign(&mut self) {
        for line in 0..self.lines.len() {
            if let Some((anchor, was)) = self.anchors[line] {
                let now = self.tok(anchor).column;
                self.anchors[line] = Some((anchor, now));
                if now != was {
                    self.shift(line, now - was);
                }
            }
        }
    }

    /// The text of its lines.
    pub fn text(&self) -> Vec<String> {
        (0..self.n_lines())
            .map(|it| self.line_text(it, |_, _| {}))
            .collect()
    }

    /// The text of a line; `placed` is told where each token lies in it, in bytes.
    pub fn line_text(&self, line: usize, mut placed: impl FnMut(&Tok, std::ops::Range<usize>)) -> String {
        let mut text = String::new();
        let mut end = 0;
        for tok in self.line(line) {
            let blanks = (tok.column - end).max(0) as usize;
            text.extend(std::iter::repeat_n(' ', blanks));
            let from = text.len();
            tok.write(&mut text);
            placed(tok, from..text.len());
            end = tok.end();
        }
        text
    }

    /// Puts `before` to the left of its first line.
    pub fn prepend(&mut self, before: &Expr, blanks: i32) {
        let Some(end) = before.lines.last().and_then(|it| it.last()) else {
            return;
        };
        let by = before.tok(*end).end() + blanks;
        self.shift(0, by);
        let base = self.toks.len() as u32;
        self.toks.extend(&before.toks);
        let mut lines: Vec<Vec<u32>> = before.lines.clone();
        lines.iter_mut().flatten().for_each(|it| *it += base);
        let moved = |it: &Option<(u32, i32)>| it.map(|(id, column)| (id + base, column));
        let mut anchors: Vec<_> = before.anchors.iter().map(moved).collect();
        let own = std::mem::take(&mut self.lines);
        for (i, line) in own.into_iter().enumerate() {
            match i {
                0 => lines.last_mut().expect("not empty").extend(line),
                _ => {
                    lines.push(line);
                    anchors.push(self.anchors[i]);
                }
            }
        }
        self.lines = lines;
        self.anchors = anchors;
        self.realign();
    }

    /// Drops the first token.
    pub fn without_first(&self) -> Expr {
        let mut lines: Vec<Vec<Tok>> = (0..self.n_lines())
            .map(|it| self.line(it).copied().collect())
            .collect();
        if let Some(line) = lines.first_mut().filter(|it| !it.is_empty()) {
            line.remove(0);
        }
        let mut expr = Expr::from_lines(lines);
        let spans = expr.tokens().filter_map(|it| it.span);
        expr.span = spans.reduce(Span::to);
        expr
    }

    /// Replaces names by expressions, all at once. With `parens`, what is longer than a token gets parentheses.
    pub fn substitute(&mut self, by: &[(Symbol, Expr)], parens: bool) {
        self.substitute_where(by, parens, |_| true);
    }

    /// As [`Expr::substitute`], for the occurrences that `wanted` lets through: they are counted as [`Expr::tokens`] gives them.
    pub fn substitute_where(&mut self, by: &[(Symbol, Expr)], parens: bool, wanted: impl Fn(usize) -> bool) {
        if self.is_empty() || by.is_empty() {
            return;
        }
        let mut at = Some((0, 0));
        let mut n = 0;
        while let Some(here) = at {
            let steps = self.passed(here);
            let tok = self.tok(self.lines[here.0][here.1]);
            let found = match steps {
                1 if tok.kind != Kind::Str => by.iter().find(|(name, _)| *name == tok.text),
                _ => None,
            };
            at = match found {
                Some((_, expr)) if wanted(n) => self.substitute_at(here, expr, parens),
                _ => self.step(here, steps),
            };
            n += steps;
        }
    }

    /// How many tokens to pass: names of fields (after a dot, before `:` and `|->`) are not looked at.
    fn passed(&self, at: Coord) -> usize {
        let tok = |at: Coord| self.tok(self.lines[at.0][at.1]);
        if tok(at).kind == Kind::Str {
            return 1;
        }
        match tok(at).text.as_str() {
            "." => 2,
            "[" | "," => match self.step(at, 2).map(tok) {
                Some(it) if it.kind != Kind::Str && matches!(it.text.as_str(), ":" | "|->" | "↦") => 3,
                _ => 1,
            },
            _ => 1,
        }
    }

    fn step(&self, (mut line, mut i): Coord, by: usize) -> Option<Coord> {
        for _ in 0..by {
            i += 1;
            while i >= self.lines[line].len() {
                line += 1;
                i = 0;
                if line == self.lines.len() {
                    return None;
                }
            }
        }
        Some((line, i))
    }

    /// Replaces one token, and returns what comes after.
    fn substitute_at(&mut self, at: Coord, by: &Expr, parens: bool) -> Option<Coord> {
        let id = self.lines[at.0][at.1];
        let old = *self.tok(id);
        if self.single().is_some() {
            let span = self.span;
            *self = by.normalized();
            self.toks.iter_mut().for_each(|it| it.span = it.span.or(old.span));
            self.span = span;
            return None;
        }
        let rest = self.lines[at.0].split_off(at.1 + 1);
        let blanks = rest.first().map_or(0, |&it| self.tok(it).column - old.end());
        let end = match by.single() {
            Some(single) => {
                self.toks[id as usize] = Tok {
                    column: old.column,
                    span: single.span.or(old.span),
                    ..*single
                };
                at
            }
            None => self.insert(at, &by.normalized(), parens),
        };
        if let Some(&first) = rest.first() {
            let last = *self.lines[end.0].last().expect("it ends with a token");
            let by = self.tok(last).end() + blanks - self.tok(first).column;
            rest.iter().for_each(|&it| self.toks[it as usize].column += by);
            self.lines[end.0].extend(rest);
        }
        self.realign();
        self.step(end, 1)
    }

    /// Puts an expression of several tokens in the place of the last token of a line, and returns where it ends.
    fn insert(&mut self, at: Coord, by: &Expr, parens: bool) -> Coord {
        let id = self.lines[at.0][at.1];
        let old = *self.tok(id);
        let indent = old.column + i32::from(parens);
        let base = self.toks.len() as u32;
        self.toks.extend(by.toks.iter().map(|it| Tok {
            span: it.span.or(old.span),
            ..*it
        }));
        let ids = |line: &Vec<u32>| -> Vec<u32> { line.iter().map(|it| it + base).collect() };
        let mut first = ids(&by.lines[0]);
        first
            .iter()
            .for_each(|&it| self.toks[it as usize].column += indent);
        // The token that is replaced stays the one that lines below may be anchored to.
        self.toks[id as usize] = match parens {
            true => Tok {
                span: old.span,
                ..Tok::new(Kind::Builtin, "(", old.column)
            },
            false => Tok {
                column: old.column,
                ..*self.tok(first.remove(0))
            },
        };
        self.lines[at.0].extend(first);
        for (i, line) in by.lines.iter().enumerate().skip(1) {
            self.lines.insert(at.0 + i, ids(line));
            let anchor = by.anchors[i].map(|(id, column)| (id + base, column));
            self.anchors.insert(at.0 + i, anchor);
        }
        let line = at.0 + by.lines.len() - 1;
        if parens {
            let last = *self.lines[line].last().expect("not empty");
            let paren = Tok {
                span: old.span,
                ..Tok::new(Kind::Builtin, ")", self.tok(last).end())
            };
            self.lines[line].push(self.toks.len() as u32);
            self.toks.push(paren);
        }
        (line, self.lines[line].len() - 1)
    }
}
