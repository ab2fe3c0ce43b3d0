//! Text to tokens, one at a time.
//!
//! The lexer knows no grammar. It keeps columns as the TLA+ tools count them (characters from 1, tabs to the next
//! multiple of eight) because junction lists depend on them, and it interns each distinct word of a file once.
//! What is not a token is reported here and handed on as [`Tok::Invalid`].

use diag::Diagnostic;
use memchr::{memchr2, memrchr};
use source::{FileId, Span};
use util::{FxHashMap, Symbol};

use crate::diagnostics as errors;
use crate::op::Op;
use crate::token::{Spelling, Tables, Tok, Token, tables};

pub(crate) struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    pos: usize,
    /// `column of pos = pos - base`; negative after tabs.
    base: isize,
    first: bool,
    file: FileId,
    tables: &'static Tables,
    words: FxHashMap<&'a str, (Tok, Op, Symbol)>,
    strings: FxHashMap<&'a str, Symbol>,
    empty: Symbol,
    /// An unclosed comment has swallowed the rest of the text.
    in_open_comment: bool,
    pub diagnostics: Vec<Diagnostic>,
}

/// What a byte can start.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Blank,
    Tab,
    Line,
    Letter,
    Digit,
    Underscore,
    Quote,
    Backslash,
    Paren,
    Less,
    Dash,
    Equals,
    /// The first byte of a character outside of ASCII.
    Wide,
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut i = 0;
    while i < 256 {
        classes[i] = match i as u8 {
            // Vertical tab and form feed are blanks to people; the TLA+ tools reject them for no reason.
            b' ' | 0x0b | 0x0c => Class::Blank,
            b'\t' => Class::Tab,
            b'\n' | b'\r' => Class::Line,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'_' => Class::Underscore,
            b'"' => Class::Quote,
            b'\\' => Class::Backslash,
            b'(' => Class::Paren,
            b'<' => Class::Less,
            b'-' => Class::Dash,
            b'=' => Class::Equals,
            0x80.. => Class::Wide,
            _ => Class::Other,
        };
        i += 1;
    }
    classes
};

fn class(byte: u8) -> Class {
    CLASSES[byte as usize]
}

fn is_word(byte: u8) -> bool {
    matches!(class(byte), Class::Letter | Class::Digit | Class::Underscore)
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str, file: FileId) -> Lexer<'a> {
        let tables = tables();
        let mut words = FxHashMap::with_capacity_and_hasher(256, Default::default());
        for it in &tables.keywords {
            words.insert(it.text, (it.kind, it.op, Symbol::new(it.text)));
        }
        Lexer {
            text,
            bytes: text.as_bytes(),
            pos: 0,
            base: -1,
            first: true,
            file,
            tables,
            words,
            strings: FxHashMap::default(),
            empty: Symbol::new(""),
            in_open_comment: false,
            diagnostics: vec![],
        }
    }

    /// Moves to the dashes before the first `MODULE`, skipping the prose before it. False when there is none.
    ///
    /// As in the TLA+ tools comments mean nothing here: the prose is not TLA+.
    pub(crate) fn seek_module(&mut self) -> bool {
        let mut from = 0;
        while let Some(i) = memchr::memmem::find(&self.bytes[from..], b"----") {
            let start = from + i;
            let dashes = self.bytes[start..].iter().take_while(|&&b| b == b'-').count();
            let blanks = self.bytes[start + dashes..]
                .iter()
                .take_while(|&&b| b == b' ')
                .count();
            if self.bytes[start + dashes + blanks..].starts_with(b"MODULE") {
                self.skip_to(start);
                return true;
            }
            from = start + dashes;
        }
        false
    }

    pub(crate) fn next_token(&mut self) -> Token {
        loop {
            let Some(&byte) = self.bytes.get(self.pos) else {
                return self.token(Tok::Eof, Op::EQ, self.pos, self.empty);
            };
            match class(byte) {
                Class::Blank => self.pos += 1,
                Class::Tab => {
                    let column = self.pos as isize - self.base;
                    let next = (column - 1) / 8 * 8 + 9;
                    self.pos += 1;
                    self.base = self.pos as isize - next;
                }
                Class::Line => {
                    self.pos += 1;
                    self.base = self.pos as isize - 1;
                    self.first = true;
                }
                Class::Letter => return self.word(),
                Class::Digit => return self.number_or_word(),
                Class::Underscore => return self.underscore(),
                Class::Quote => return self.string(),
                Class::Backslash if self.bytes.get(self.pos + 1) == Some(&b'*') => self.line_comment(),
                Class::Backslash => return self.backslash(),
                Class::Paren if self.bytes.get(self.pos + 1) == Some(&b'*') => {
                    if let Some(unclosed) = self.block_comment() {
                        return unclosed;
                    }
                }
                Class::Less => return self.less(),
                Class::Wide if self.is_wide_blank() => {
                    let length = self.text[self.pos..].chars().next().map_or(1, char::len_utf8);
                    self.skip_to(self.pos + length);
                }
                Class::Dash if self.bytes[self.pos..].starts_with(b"----") => {
                    return self.run(b'-', Tok::Separator);
                }
                Class::Equals if self.bytes[self.pos..].starts_with(b"====") => {
                    return self.run(b'=', Tok::EndModule);
                }
                Class::Paren | Class::Dash | Class::Equals | Class::Wide | Class::Other => {
                    return self.symbol();
                }
            }
        }
    }

    pub(crate) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    pub(crate) fn is_in_open_comment(&self) -> bool {
        self.in_open_comment
    }

    /// Whether a tab decides the column of a token.
    pub(crate) fn has_tab_before(&self, token: Token) -> bool {
        let before = &self.bytes[..token.start as usize];
        let line = memrchr(b'\n', before).map_or(0, |i| i + 1);
        before[line..].contains(&b'\t')
    }

    pub(crate) fn file(&self) -> FileId {
        self.file
    }

    pub(crate) fn slice(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    pub(crate) fn text(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn token(&mut self, kind: Tok, op: Op, end: usize, name: Symbol) -> Token {
        let start = self.pos;
        let token = Token {
            start: start as u32,
            end: end as u32,
            column: (start as isize - self.base) as u32,
            name,
            kind,
            op,
            first: self.first,
        };
        self.first = false;
        self.pos = end;
        token
    }

    fn word_end(&self, from: usize) -> usize {
        let rest = &self.bytes[from..];
        from + rest.iter().position(|&b| !is_word(b)).unwrap_or(rest.len())
    }

    fn word(&mut self) -> Token {
        let end = self.word_end(self.pos);
        if self.bytes.get(end).is_some_and(|b| !b.is_ascii()) && self.is_foreign_letter(end) {
            return self.foreign_word();
        }
        let text = &self.text[self.pos..end];
        if let Some((kind, op, name)) = self.words.get(text) {
            return self.token(*kind, *op, end, *name);
        }
        if let Some(kind) = fairness(text) {
            let end = self.pos + 3;
            let name = Symbol::new(&self.text[self.pos..end]);
            return self.token(kind, Op::EQ, end, name);
        }
        let name = Symbol::new(text);
        self.words.insert(text, (Tok::Ident, Op::EQ, name));
        self.token(Tok::Ident, Op::EQ, end, name)
    }

    /// `12` is a number, `2PC` and `1_a` are names; in `1_2` the number ends before the underscore.
    fn number_or_word(&mut self) -> Token {
        let rest = &self.bytes[self.pos..];
        let digits = rest
            .iter()
            .position(|b| !b.is_ascii_digit())
            .unwrap_or(rest.len());
        let end = self.word_end(self.pos);
        if rest[..end - self.pos].iter().any(u8::is_ascii_alphabetic) {
            return self.word();
        }
        self.interned(Tok::Number, self.pos + digits)
    }

    fn interned(&mut self, kind: Tok, end: usize) -> Token {
        let text = &self.text[self.pos..end];
        let name = match self.words.get(text) {
            Some(&(_, _, name)) => name,
            None => {
                let name = Symbol::new(text);
                self.words.insert(text, (kind, Op::EQ, name));
                name
            }
        };
        self.token(kind, Op::EQ, end, name)
    }

    fn underscore(&mut self) -> Token {
        let end = self.word_end(self.pos);
        if self.bytes[self.pos..end].iter().any(u8::is_ascii_alphabetic) {
            return self.word();
        }
        self.token(Tok::Underscore, Op::EQ, self.pos + 1, self.empty)
    }

    fn string(&mut self) -> Token {
        let start = self.pos;
        let mut at = start + 1;
        let mut plain = true;
        loop {
            match self.bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    plain = false;
                    at += 1 + usize::from(matches!(self.bytes.get(at + 1), Some(b'"' | b'\\')));
                }
                Some(b'\n' | b'\r') | None => {
                    let span = self.span(start, at);
                    self.report(errors::unterminated_string(span));
                    return self.odd_token(Tok::Invalid, at, self.empty);
                }
                Some(_) => at += 1,
            }
        }
        let content = &self.text[start + 1..at];
        let name = if plain {
            *self
                .strings
                .entry(content)
                .or_insert_with(|| Symbol::new(content))
        } else {
            self.unescaped(content, start + 1)
        };
        self.odd_token(Tok::Str, at + 1, name)
    }

    fn unescaped(&mut self, content: &str, at: usize) -> Symbol {
        let mut text = String::with_capacity(content.len());
        let mut chars = content.char_indices();
        while let Some((i, c)) = chars.next() {
            if c != '\\' {
                text.push(c);
                continue;
            }
            match chars.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, 't')) => text.push('\t'),
                Some((_, 'r')) => text.push('\r'),
                Some((_, 'f')) => text.push('\u{c}'),
                Some((_, c @ ('"' | '\\'))) => text.push(c),
                Some((j, c)) => {
                    let span = self.span(at + i, at + j + c.len_utf8());
                    self.report(errors::unknown_escape(c, span));
                    text.extend(['\\', c]);
                }
                None => {}
            }
        }
        Symbol::new(&text)
    }

    /// A token that may hold characters of several bytes or tabs: the columns after it need a second look.
    fn odd_token(&mut self, kind: Tok, end: usize, name: Symbol) -> Token {
        let start = self.pos;
        let token = self.token(kind, Op::EQ, end, name);
        self.pos = start;
        self.skip_to(end);
        self.first = false;
        token
    }

    /// Moves on to `end`, keeping columns right over line breaks, tabs and characters of several bytes.
    fn skip_to(&mut self, end: usize) {
        let mut at = self.pos;
        let skipped = &self.bytes[at..end];
        if let Some(i) = memrchr(b'\n', skipped).max(memrchr(b'\r', skipped)) {
            at += i + 1;
            self.base = at as isize - 1;
            self.first = true;
        }
        for i in at..end {
            match self.bytes[i] {
                b'\t' => {
                    let column = i as isize - self.base;
                    self.base = i as isize + 1 - ((column - 1) / 8 * 8 + 9);
                }
                0x80..=0xbf => self.base += 1, // a continuation byte
                _ => {}
            }
        }
        self.pos = end;
    }

    fn line_comment(&mut self) {
        let rest = &self.bytes[self.pos..];
        self.pos += memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
    }

    /// Skips a comment with the comments in it. An unclosed one runs to the end and is returned as a token.
    fn block_comment(&mut self) -> Option<Token> {
        let start = self.pos;
        let mut at = start + 2;
        let mut depth = 1u32;
        while depth > 0 {
            let Some(i) = memchr2(b'(', b')', &self.bytes[at..]) else {
                let span = self.span(start, start + 2);
                self.diagnostics
                    .push(errors::unclosed_comment(span, self.suspect(start)));
                self.in_open_comment = true;
                return Some(self.odd_token(Tok::Invalid, self.bytes.len(), self.empty));
            };
            at += i;
            if self.bytes[at] == b'(' {
                at += 1;
                if self.bytes.get(at) == Some(&b'*') {
                    depth += 1;
                    at += 1;
                }
            } else {
                // The `*` of a `*)` must not be the one of the `(*` that opened the comment: `(*)` is only an opening.
                let star = self.bytes[at - 1] == b'*' && at > start + 2 && self.bytes[at - 2..at] != *b"(*";
                at += 1;
                depth -= u32::from(star);
            }
        }
        self.skip_to(at);
        None
    }

    /// The last `(*` inside an unclosed comment that starts at `start`: often the one that lacks its `*)`.
    fn suspect(&self, start: usize) -> Option<Span> {
        let inner = memchr::memmem::rfind(&self.bytes[start + 2..], b"(*")?;
        Some(self.span(start + 2 + inner, start + 4 + inner))
    }

    /// `\in`, `\A`, `\b0101`, or set difference. As in the TLA+ tools the longest known word counts, so that
    /// `\inS` is `\in S`.
    fn backslash(&mut self) -> Token {
        let after = self.pos + 1;
        if self.bytes.get(after) == Some(&b'/') {
            return self.symbol();
        }
        if let Some(end) = self.based_number() {
            return self.interned(Tok::Number, end);
        }
        let rest = &self.bytes[after..];
        let letters = rest
            .iter()
            .position(|b| !b.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        for length in (1..=letters.min(12)).rev() {
            if let Some(&it) = self.tables.words.get(&self.text[after..after + length]) {
                return self.spelled(it);
            }
        }
        self.symbol()
    }

    fn based_number(&self) -> Option<usize> {
        let is_digit: fn(&u8) -> bool = match self.bytes.get(self.pos + 1)? {
            b'b' | b'B' => |b| matches!(b, b'0' | b'1'),
            b'o' | b'O' => |b| matches!(b, b'0'..=b'7'),
            b'h' | b'H' => u8::is_ascii_hexdigit,
            _ => return None,
        };
        let digits = self.bytes[self.pos + 2..]
            .iter()
            .take_while(|b| is_digit(b))
            .count();
        (digits > 0).then_some(self.pos + 2 + digits)
    }

    /// `<` may start the name of a proof step.
    fn less(&mut self) -> Token {
        let Some(level_end) = self.step_level() else {
            return self.symbol();
        };
        let label_end = match self.bytes.get(level_end) {
            Some(b'*' | b'-') => level_end + 1,
            _ => self.word_end(level_end),
        };
        let dots = self.bytes[label_end..].iter().take_while(|&&b| b == b'.').count();
        self.interned(Tok::Step, label_end + dots)
    }

    fn step_level(&self) -> Option<usize> {
        let rest = &self.bytes[self.pos + 1..];
        let length = match rest.first()? {
            b'*' | b'+' => 1,
            _ => rest.iter().take_while(|b| b.is_ascii_digit()).count(),
        };
        (length > 0 && rest.get(length) == Some(&b'>')).then_some(self.pos + length + 2)
    }

    fn run(&mut self, byte: u8, kind: Tok) -> Token {
        let length = self.bytes[self.pos..].iter().take_while(|&&b| b == byte).count();
        self.token(kind, Op::EQ, self.pos + length, self.empty)
    }

    fn symbol(&mut self) -> Token {
        let rest = &self.bytes[self.pos..];
        if rest.starts_with(b"!!!") {
            // `M!!!(a, b)` names the operator `!!` of `M`.
            return self.token(Tok::Bang, Op::EQ, self.pos + 1, self.empty);
        }
        let candidates = &self.tables.symbols[rest[0] as usize];
        let matches = |it: &&Spelling| {
            // `[]ASSUME` is one token, but not the start of `[]ASSUMEd`.
            let is_whole = !it.text.ends_with('E') || !rest.get(it.text.len()).is_some_and(|&b| is_word(b));
            rest.starts_with(it.text.as_bytes()) && is_whole
        };
        match candidates.iter().find(matches) {
            Some(&it) => self.spelled(it),
            None => self.other(),
        }
    }

    fn spelled(&mut self, it: Spelling) -> Token {
        let end = self.pos + it.text.len();
        if it.text.is_ascii() {
            return self.token(it.kind, it.op, end, self.empty);
        }
        let mut token = self.odd_token(it.kind, end, self.empty);
        token.op = it.op;
        token
    }

    /// Blanks of other scripts and editors, and the byte order mark.
    fn is_wide_blank(&self) -> bool {
        let c = self.text[self.pos..].chars().next().unwrap_or(' ');
        matches!(
            c,
            '\u{feff}' | '\u{a0}' | '\u{2028}' | '\u{2029}' | '\u{85}' | '\u{3000}'
        )
    }

    /// `ℕ ℤ ℝ`, or nothing that belongs to TLA+.
    fn other(&mut self) -> Token {
        let c = self.text[self.pos..].chars().next().expect("not at the end");
        let end = self.pos + c.len_utf8();
        let set = match c {
            'ℕ' => "Nat",
            'ℤ' => "Int",
            'ℝ' => "Real",
            c if c.is_alphabetic() => return self.foreign_word(),
            _ => {
                let rest = &self.text[self.pos..];
                let end = self.pos + rest.find(|it| it != c).unwrap_or(rest.len());
                self.stray(c, end);
                return self.odd_token(Tok::Invalid, end, self.empty);
            }
        };
        self.odd_token(Tok::Ident, end, Symbol::new(set))
    }

    /// Keeps a diagnostic; of text that is all wrong only the start.
    fn report(&mut self, diagnostic: Diagnostic) {
        const REPORTED_MAX: usize = 2_000;
        if self.diagnostics.len() < REPORTED_MAX {
            self.diagnostics.push(diagnostic);
        }
    }

    fn is_foreign_letter(&self, at: usize) -> bool {
        let c = self.text[at..].chars().next().unwrap_or(' ');
        c.is_alphabetic() && !matches!(c, 'ℕ' | 'ℤ' | 'ℝ')
    }

    /// A name with letters outside of ASCII: reported, and then taken as the name it was meant to be.
    fn foreign_word(&mut self) -> Token {
        let rest = &self.text[self.pos..];
        let end = self.pos
            + rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
        let foreign = rest.chars().find(|c| !c.is_ascii()).unwrap_or(' ');
        self.stray(foreign, end);
        let name = Symbol::new(&self.text[self.pos..end]);
        self.odd_token(Tok::Ident, end, name)
    }

    fn stray(&mut self, c: char, end: usize) {
        let span = self.span(self.pos, end);
        self.report(errors::unexpected_character(c, &self.text[self.pos..end], span));
    }
}

fn fairness(word: &str) -> Option<Tok> {
    match word.as_bytes() {
        [b'W', b'F', b'_', ..] => Some(Tok::WF),
        [b'S', b'F', b'_', ..] => Some(Tok::SF),
        _ => None,
    }
}
