//! The text of an algorithm to tokens.
//!
//! Lines and columns are part of what a token is: translations keep the layout of expressions. Columns count UTF-16 units
//! from 0, tabs moving to the next multiple of eight, because that is how published translations were laid out.
//!
//! The spellings of operators come from the table of TLA+. What is different from TLA+ is that nothing is reserved: the words of
//! PlusCal are names here, and the parser decides.

use std::sync::OnceLock;

use diag::Diagnostic;
use source::{FileId, Span};
use tla_syntax::Op;
use util::{FxHashSet, Symbol};

use crate::diagnostics as errors;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A name, or a word of PlusCal.
    Ident,
    Number,
    /// The text is what stands between the quotes, as it is written.
    Str,
    /// An operator, punctuation, or a reserved word of TLA+.
    Builtin,
    /// A `pc` or `stack` that the translation adds; it always belongs to the process that runs.
    Added,
    /// A line of dashes or of equality signs: no part of any expression.
    Rule,
    /// Text that is no token; the lexer has said why.
    Invalid,
    /// The end of the algorithm's comment, or of the text.
    End,
}

/// A place as PlusCal's users read it in translations: from 1, tabs expanded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct At {
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub text: Symbol,
    /// From 0.
    pub line: u32,
    /// From 0.
    pub column: u32,
    pub span: Span,
}

impl Token {
    pub fn at(&self) -> At {
        At {
            line: self.line + 1,
            column: self.column + 1,
        }
    }
}

/// The tokens from byte `start` to the end of the comment that it lies in. The last one is [`Kind::End`].
pub(crate) fn lex(text: &str, start: usize, file: FileId) -> (Vec<Token>, Vec<Diagnostic>) {
    let line_start = text[..start].rfind('\n').map_or(0, |it| it + 1);
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        pos: line_start,
        line: text.as_bytes()[..start].iter().filter(|&&it| it == b'\n').count() as u32,
        column: 0,
        file,
        tokens: vec![],
        diagnostics: vec![],
    };
    lexer.skip_to(start);
    lexer.run();
    (lexer.tokens, lexer.diagnostics)
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
    /// Of `pos`, as the column.
    line: u32,
    column: u32,
    file: FileId,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        loop {
            let Some(&byte) = self.bytes.get(self.pos) else {
                return self.push(Kind::End, self.pos, Symbol::new(""));
            };
            let next = self.bytes.get(self.pos + 1).copied();
            match (byte, next) {
                (b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, _) => self.skip_to(self.pos + 1),
                (b'(', Some(b'*')) => self.block_comment(),
                (b'*', Some(b')')) => return self.push(Kind::End, self.pos, Symbol::new("")),
                (b'\\', Some(b'*')) => {
                    let end = self.line_end();
                    self.skip_to(end);
                }
                (b'"', _) => self.string(),
                (b'a'..=b'z' | b'A'..=b'Z' | b'_', _) => self.word(),
                (b'0'..=b'9', _) => self.number_or_word(),
                (b'\\', Some(b'a'..=b'z' | b'A'..=b'Z')) => self.backslash_word(),
                _ => self.symbol(),
            }
        }
    }

    fn line_end(&self) -> usize {
        let rest = &self.bytes[self.pos..];
        self.pos + rest.iter().position(|&it| it == b'\n').unwrap_or(rest.len())
    }

    /// Moves on to `end`, keeping line and column right.
    fn skip_to(&mut self, end: usize) {
        for c in self.text[self.pos..end].chars() {
            match c {
                '\n' => {
                    self.line += 1;
                    self.column = 0;
                }
                '\t' => self.column = self.column / 8 * 8 + 8,
                c => self.column += c.len_utf16() as u32,
            }
        }
        self.pos = end;
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    fn push(&mut self, kind: Kind, end: usize, text: Symbol) {
        self.tokens.push(Token {
            kind,
            text,
            line: self.line,
            column: self.column,
            span: self.span(self.pos, end),
        });
        self.skip_to(end);
    }

    fn push_text(&mut self, kind: Kind, end: usize) {
        let text = Symbol::new(&self.text[self.pos..end]);
        self.push(kind, end, text);
    }

    fn block_comment(&mut self) {
        let start = self.pos;
        let mut at = start + 2;
        let mut depth = 1u32;
        while depth > 0 {
            match self.bytes.get(at..at + 2) {
                Some(b"(*") => {
                    depth += 1;
                    at += 2;
                }
                Some(b"*)") => {
                    depth -= 1;
                    at += 2;
                }
                Some(_) => at += 1,
                None => {
                    self.diagnostics
                        .push(errors::unclosed_comment(self.span(start, start + 2)));
                    return self.skip_to(self.bytes.len());
                }
            }
        }
        self.skip_to(at);
    }

    fn string(&mut self) {
        let line_end = self.line_end();
        let mut at = self.pos + 1;
        while at < line_end && self.bytes[at] != b'"' {
            // A backslash takes the next character with it, whatever it is.
            at += 1 + usize::from(self.bytes[at] == b'\\');
        }
        if at >= line_end {
            self.diagnostics
                .push(errors::unterminated_string(self.span(self.pos, line_end)));
            return self.push(Kind::Invalid, line_end, Symbol::new(""));
        }
        let content = Symbol::new(&self.text[self.pos + 1..at]);
        self.push(Kind::Str, at + 1, content);
    }

    fn word_end(&self) -> usize {
        let rest = &self.bytes[self.pos..];
        let is_word = |it: &u8| it.is_ascii_alphanumeric() || *it == b'_';
        self.pos + rest.iter().position(|it| !is_word(it)).unwrap_or(rest.len())
    }

    fn word(&mut self) {
        let end = self.word_end();
        let text = &self.text[self.pos..end];
        if text.starts_with("WF_") || text.starts_with("SF_") {
            return self.push_text(Kind::Builtin, self.pos + 3);
        }
        let kind = match text == "_" || RESERVED.contains(&text) {
            true => Kind::Builtin,
            false => Kind::Ident,
        };
        self.push_text(kind, end);
    }

    fn number_or_word(&mut self) {
        let end = self.word_end();
        let is_number = self.bytes[self.pos..end].iter().all(u8::is_ascii_digit);
        self.push_text(if is_number { Kind::Number } else { Kind::Ident }, end);
    }

    /// `\in`, `\A`, `\b0101`, or set difference. As in TLA+ the longest known word counts.
    fn backslash_word(&mut self) {
        let rest = &self.bytes[self.pos + 1..];
        let is_number = match (rest[0], rest.get(1)) {
            (b'b' | b'B' | b'o' | b'O' | b'h' | b'H', Some(b'0'..=b'9')) => true,
            (b'h' | b'H', Some(it)) => it.is_ascii_hexdigit() && spelled(rest).is_none(),
            _ => false,
        };
        if is_number {
            let digits = rest[1..]
                .iter()
                .position(|it| !it.is_ascii_hexdigit())
                .unwrap_or(rest.len() - 1);
            return self.push_text(Kind::Number, self.pos + 2 + digits);
        }
        match spelled(rest) {
            Some(length) => self.push_text(Kind::Builtin, self.pos + 1 + length),
            None => self.symbol(),
        }
    }

    fn symbol(&mut self) {
        let rest = &self.bytes[self.pos..];
        for rule in [b'-', b'='] {
            let length = rest.iter().take_while(|&&it| it == rule).count();
            if length >= 4 {
                return self.push_text(Kind::Rule, self.pos + length);
            }
        }
        let symbols = &spellings().symbols[rest[0] as usize];
        if let Some(found) = symbols.iter().find(|it| rest.starts_with(it.as_bytes())) {
            return self.push_text(Kind::Builtin, self.pos + found.len());
        }
        let c = self.text[self.pos..].chars().next().unwrap_or(' ');
        let end = self.pos + c.len_utf8();
        if matches!(c, 'ℕ' | 'ℤ' | 'ℝ') {
            return self.push_text(Kind::Ident, end);
        }
        let blank = matches!(c, '\u{feff}' | '\u{a0}' | '\u{3000}');
        if blank {
            return self.skip_to(end);
        }
        self.diagnostics
            .push(errors::unexpected_character(c, self.span(self.pos, end)));
        self.push(Kind::Invalid, end, Symbol::new(""));
    }
}

/// The words of TLA+ that name nothing. (`LAMBDA` and `RECURSIVE` are younger than PlusCal, which takes them for names.)
const RESERVED: &[&str] = &[
    "ASSUME",
    "ASSUMPTION",
    "AXIOM",
    "BOOLEAN",
    "CASE",
    "CHOOSE",
    "CONSTANT",
    "CONSTANTS",
    "DOMAIN",
    "ELSE",
    "ENABLED",
    "EXCEPT",
    "EXTENDS",
    "FALSE",
    "IF",
    "IN",
    "INSTANCE",
    "LET",
    "LOCAL",
    "MODULE",
    "OTHER",
    "STRING",
    "SUBSET",
    "THEN",
    "THEOREM",
    "TRUE",
    "UNCHANGED",
    "UNION",
    "VARIABLE",
    "VARIABLES",
    "WITH",
];

const PUNCTUATION: &[&str] = &[
    ",", ":", ".", ";", "==", "≜", "!", "?", "->", "→", "<-", "←", "|->", "↦", "@", "(", ")", "[", "]", "]_",
    "{", "}", "<<", "⟨", ">>", "⟩", ">>_", "⟩_", "∀", "∃", "\\A", "\\AA", "\\E", "\\EE", "\\forall",
    "\\exists", "\\mod",
];

struct Spellings {
    /// By first byte, longest first: the first that fits is the token.
    symbols: [Vec<&'static str>; 256],
    /// The letters of `\in`, `\A`, ….
    words: FxHashSet<&'static str>,
}

fn spellings() -> &'static Spellings {
    static SPELLINGS: OnceLock<Spellings> = OnceLock::new();
    SPELLINGS.get_or_init(|| {
        let mut symbols = [const { vec![] }; 256];
        let mut words = FxHashSet::default();
        let operators = Op::all().flat_map(|it| {
            let info = it.info();
            std::iter::once(info.name).chain(info.aliases.iter().copied())
        });
        for text in operators.chain(PUNCTUATION.iter().copied()) {
            match text.as_bytes() {
                [b'\\', letter, ..] if letter.is_ascii_alphabetic() => {
                    words.insert(&text[1..]);
                }
                [letter, ..] if letter.is_ascii_alphabetic() => {}
                [first, ..] => symbols[*first as usize].push(text),
                [] => {}
            }
        }
        for list in &mut symbols {
            list.sort_by_key(|it| (std::cmp::Reverse(it.len()), *it));
            list.dedup();
        }
        Spellings { symbols, words }
    })
}

/// How many letters after a backslash make the longest operator or quantifier.
fn spelled(after: &[u8]) -> Option<usize> {
    let letters = after
        .iter()
        .position(|it| !it.is_ascii_alphabetic())
        .unwrap_or(after.len());
    let words = &spellings().words;
    (1..=letters.min(12))
        .rev()
        .find(|&it| std::str::from_utf8(&after[..it]).is_ok_and(|it| words.contains(it)))
}
