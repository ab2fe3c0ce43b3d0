//! Text to words.
//!
//! Two decisions are taken here because only the text shows them: a name keeps the primes that touch it (whether
//! `b'` is a name or the operator is known later), and soft keywords that the file declares become names.

use diag::Diagnostic;
use source::{FileId, Span};

use crate::diagnostics as say;
use crate::token::{T, Token, keyword};

pub(crate) fn lex(file: FileId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut lexer = Lexer {
        file,
        text,
        at: 0,
        first_on_line: true,
        tokens: Vec::with_capacity(text.len() / 5),
        diagnostics,
    };
    while lexer.blank() {
        lexer.word();
    }
    lexer.first_on_line = true;
    lexer.push(T::End, text.len());
    let mut tokens = lexer.tokens;
    soft_keywords(&mut tokens);
    tokens
}

/// Turns each soft keyword that stands somewhere as a declared name into a name everywhere in the file. None of the
/// places looked for can hold the keyword: it needs an operand after it.
fn soft_keywords(tokens: &mut [Token]) {
    let mut declared = vec![];
    for i in 0..tokens.len() - 1 {
        let kind = tokens[i].kind;
        if kind.is_soft_keyword() && !declared.contains(&kind) {
            let before = if i == 0 { T::End } else { tokens[i - 1].kind };
            let is_declared = matches!(tokens[i + 1].kind, T::Colon | T::Comma)
                || matches!(before, T::Sig | T::Pred | T::Fun | T::Let | T::Enum | T::Assert);
            if is_declared && !(kind == T::Steps && matches!(before, T::Number | T::Dot)) {
                declared.push(kind);
            }
        }
    }
    if !declared.is_empty() {
        for token in tokens.iter_mut() {
            if declared.contains(&token.kind) {
                token.kind = T::Name;
            }
        }
    }
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    first_on_line: bool,
    tokens: Vec<Token>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    fn push(&mut self, kind: T, end: usize) {
        self.push_primed(kind, end, 0);
    }

    fn push_primed(&mut self, kind: T, end: usize, primes: u8) {
        self.tokens.push(Token {
            kind,
            start: self.at as u32,
            end: end as u32,
            primes,
            first_on_line: self.first_on_line,
        });
        self.first_on_line = false;
        self.at = end;
    }

    /// Skips blanks and comments; false at the end of the text.
    fn blank(&mut self) -> bool {
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            match rest {
                [] => return false,
                [b'\n', ..] => {
                    self.first_on_line = true;
                    self.at += 1;
                }
                [b' ' | b'\t' | b'\r' | 0x0c, ..] => self.at += 1,
                // A byte order mark and a no-break space: editors and web pages leave them behind.
                [0xef, 0xbb, 0xbf, ..] => self.at += 3,
                [0xc2, 0xa0, ..] => self.at += 2,
                [b'/', b'/', ..] | [b'-', b'-', ..] => {
                    self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                [b'/', b'*', ..] => match self.rest()[2..].find("*/") {
                    Some(end) => {
                        self.first_on_line |= self.rest()[..end].contains('\n');
                        self.at += end + 4;
                    }
                    None => {
                        let span = self.span(self.at, self.at + 2);
                        self.diagnostics.push(say::unclosed_comment(span));
                        self.at = self.text.len();
                    }
                },
                _ => return true,
            }
        }
    }

    fn word(&mut self) {
        let first = self.rest().chars().next().expect("blank() saw a character");
        if is_name_start(first) {
            self.name();
        } else if first.is_ascii_digit() {
            self.number();
        } else if first == '"' {
            self.string();
        } else if let Some((kind, length)) = symbol(self.rest()) {
            self.push(kind, self.at + length);
        } else {
            let end = self.at + first.len_utf8();
            let span = self.span(self.at, end);
            self.diagnostics.push(say::bad_character(first, span));
            self.push(T::Bad, end);
        }
    }

    fn name(&mut self) {
        let mut length = 0;
        let mut primes = 0;
        for (i, c) in self.rest().char_indices() {
            if is_name_part(c) {
                if primes > 0 && keyword(leading_word(&self.rest()[i..])).is_some() {
                    break; // `x'in y`: the prime is an operator, there is just no blank
                }
                primes = 0;
            } else if is_prime(c) && primes < u8::MAX {
                primes += 1;
            } else {
                break;
            }
            length += c.len_utf8();
        }
        let word = &self.rest()[..length];
        let base = word.trim_end_matches(is_prime);
        match keyword(base) {
            // The primes of `this'` are operators; a keyword is never part of a primed name.
            Some(kind) => self.push(kind, self.at + base.len()),
            None => self.push_primed(T::Name, self.at + length, primes),
        }
    }

    fn number(&mut self) {
        let length = self
            .rest()
            .find(|c| !is_name_part(c))
            .unwrap_or(self.rest().len());
        let end = self.at + length;
        let word = &self.rest()[..length];
        let is_well_formed = match word.as_bytes() {
            [b'0', b'x', digits @ ..] => {
                !digits.is_empty() && digits.iter().all(|&b| b.is_ascii_hexdigit() || b == b'_')
            }
            [b'0', b'b', digits @ ..] => {
                !digits.is_empty() && digits.iter().all(|b| matches!(b, b'0' | b'1' | b'_'))
            }
            digits => digits.iter().all(|&b| b.is_ascii_digit() || b == b'_'),
        };
        if !is_well_formed {
            let span = self.span(self.at, end);
            self.diagnostics.push(say::name_starts_with_digit(word, span));
        }
        self.push(if is_well_formed { T::Number } else { T::Name }, end);
    }

    fn string(&mut self) {
        let mut is_escaped = false;
        for (i, c) in self.rest().char_indices().skip(1) {
            match c {
                '\n' => break,
                _ if is_escaped => {
                    is_escaped = false;
                    if !matches!(c, 'n' | '"' | '\\') {
                        let span = self.span(self.at + i - 1, self.at + i + c.len_utf8());
                        self.diagnostics.push(say::bad_escape(c, span));
                    }
                }
                '\\' => is_escaped = true,
                '"' => {
                    if i == 1 {
                        let span = self.span(self.at, self.at + 2);
                        self.diagnostics.push(say::empty_string(span));
                    }
                    return self.push(T::Str, self.at + i + 1);
                }
                _ => {}
            }
        }
        let end = self.at + self.rest().find('\n').unwrap_or(self.rest().len());
        let span = self.span(self.at, end);
        self.diagnostics.push(say::unclosed_string(span));
        self.push(T::Str, end);
    }
}

/// The text of a string literal, without quotes and escapes.
pub(crate) fn string_value(literal: &str) -> String {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut value = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        value.push(match c {
            '\\' => match chars.next() {
                Some('n') => '\n',
                Some(other) => other,
                None => break,
            },
            other => other,
        });
    }
    value
}

/// The value of a number literal; `None` when 32 bits do not hold it.
pub(crate) fn number_value(literal: &str) -> Option<i32> {
    let digits = literal.replace('_', "");
    match digits.get(..2) {
        Some("0x") => i32::from_str_radix(&digits[2..], 16).ok(),
        Some("0b") => i32::from_str_radix(&digits[2..], 2).ok(),
        _ => digits.parse().ok(),
    }
}

fn leading_word(text: &str) -> &str {
    &text[..text.find(|c| !is_name_part(c)).unwrap_or(text.len())]
}

fn is_prime(c: char) -> bool {
    matches!(c, '\'' | '‘' | '’')
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

/// A quotation mark inside a name is Alloy's oldest way to write a second "prime"; both versions accept it.
fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$' | '"')
}

fn symbol(rest: &str) -> Option<(T, usize)> {
    const SYMBOLS: [(&str, T); 42] = [
        ("<=>", T::Iff),
        (">>>", T::Shr),
        ("&&", T::AndAnd),
        ("++", T::PlusPlus),
        ("->", T::Arrow),
        ("::", T::Dot),
        (":>", T::Range),
        ("<=", T::Le),
        ("<:", T::Domain),
        ("<<", T::Shl),
        ("=<", T::Le),
        ("=>", T::Implies),
        (">>", T::Sha),
        (">=", T::Ge),
        ("||", T::OrOr),
        ("!", T::Not),
        ("#", T::Hash),
        ("&", T::Amp),
        ("(", T::LParen),
        (")", T::RParen),
        ("*", T::Star),
        ("+", T::Plus),
        (",", T::Comma),
        ("-", T::Minus),
        (".", T::Dot),
        ("/", T::Slash),
        (":", T::Colon),
        ("<", T::Lt),
        ("=", T::Equal),
        (">", T::Gt),
        ("@", T::At),
        ("[", T::LBracket),
        ("]", T::RBracket),
        ("^", T::Caret),
        ("{", T::LBrace),
        ("|", T::Bar),
        ("}", T::RBrace),
        ("~", T::Tilde),
        (";", T::Semi),
        ("'", T::Prime),
        ("‘", T::Prime),
        ("’", T::Prime),
    ];
    SYMBOLS
        .iter()
        .find(|(text, _)| rest.starts_with(text))
        .map(|&(text, kind)| (kind, text.len()))
}
