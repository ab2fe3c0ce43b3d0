//! Tokens to an algorithm, for both syntaxes.
//!
//! Where something is wrong the parser says so, goes on at the next statement, and keeps quiet about what only follows from the
//! mistake: one wrong word is one message.

mod algorithm;
mod expr;
mod stmt;

use diag::Diagnostic;
use source::Span;

use crate::ast::{Algorithm, Name, Syntax};
use crate::diagnostics as errors;
use crate::lexer::{Kind, Token};

/// Something was wrong, and it was said.
pub(crate) struct Failed;

pub(crate) type Parsed<T> = Result<T, Failed>;

/// Reads an algorithm whose `--algorithm`, or `--fair algorithm`, stands at `head`.
pub(crate) fn parse(
    tokens: &[Token],
    head: Span,
    fair: bool,
    version: u32,
) -> (Option<Algorithm>, Vec<Diagnostic>) {
    let mut parser = Parser {
        tokens,
        pos: 0,
        syntax: Syntax::P,
        version,
        in_macro: false,
        diagnostics: vec![],
        failed_at: None,
    };
    let algorithm = parser.algorithm(head, fair).ok();
    (algorithm, parser.diagnostics)
}

struct Parser<'a> {
    tokens: &'a [Token],
    pos: usize,
    syntax: Syntax,
    version: u32,
    /// Labels are not allowed here.
    in_macro: bool,
    diagnostics: Vec<Diagnostic>,
    /// The token at which the last mistake was found.
    failed_at: Option<usize>,
}

impl Parser<'_> {
    fn peek(&self) -> Token {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Token {
        self.tokens[(self.pos + ahead).min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.peek();
        if token.kind != Kind::End {
            self.pos += 1;
        }
        token
    }

    /// The token before the next one.
    fn last(&self) -> Token {
        self.tokens[self.pos.saturating_sub(1)]
    }

    fn is(&self, word: &str) -> bool {
        is(self.peek(), word)
    }

    fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|it| self.is(it))
    }

    fn eat(&mut self, word: &str) -> bool {
        let found = self.is(word);
        if found {
            self.pos += 1;
        }
        found
    }

    fn is_c(&self) -> bool {
        self.syntax == Syntax::C
    }

    fn expect(&mut self, word: &str) -> Parsed<Token> {
        if self.is(word) {
            return Ok(self.next());
        }
        let wrong = errors::expected_word(word, self.found(), self.last().span);
        self.fail(wrong)
    }

    /// What stands where something else was expected.
    fn found(&self) -> errors::Found {
        let token = self.peek();
        match token.kind {
            Kind::End => errors::Found::End(token.span),
            Kind::Str => errors::Found::Text(format!("\"{}\"", token.text), token.span),
            _ => errors::Found::Text(token.text.to_string(), token.span),
        }
    }

    /// Keeps a message about the next token, unless that token was already wrong.
    fn report(&mut self, wrong: Diagnostic) {
        // The lexer has said what is wrong with it.
        let is_told = self.peek().kind == Kind::Invalid;
        if !is_told && self.failed_at.is_none_or(|it| it < self.pos) {
            self.diagnostics.push(wrong);
        }
        self.failed_at = Some(self.pos);
    }

    fn fail<T>(&mut self, wrong: Diagnostic) -> Parsed<T> {
        self.report(wrong);
        Err(Failed)
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        let token = self.peek();
        if !matches!(token.kind, Kind::Ident | Kind::Str) || (token.kind == Kind::Ident && is_word(token)) {
            let wrong = errors::expected_name(what, self.found());
            return self.fail(wrong);
        }
        self.pos += 1;
        Ok(Name {
            text: token.text,
            span: token.span,
            at: token.at(),
        })
    }

    /// Skips what cannot be read, up to something that can start a statement or end a block.
    fn recover(&mut self) {
        let start = self.pos;
        let mut depth = 0usize;
        loop {
            let token = self.peek();
            let text = if token.kind == Kind::Str {
                ""
            } else {
                token.text.as_str()
            };
            match text {
                _ if token.kind == Kind::End => return,
                "(" | "[" | "<<" => depth += 1,
                ")" | "]" | ">>" => depth = depth.saturating_sub(1),
                ";" => {
                    self.pos += 1;
                    return;
                }
                "{" if self.is_c() && depth == 0 && self.pos > start => return,
                "}" if self.is_c() && depth == 0 => return,
                "end" | "else" | "elsif" | "or" if !self.is_c() => return,
                _ if self.pos > start && starts_statement(token) => return,
                _ => {}
            }
            self.pos += 1;
        }
    }
}

fn is(token: Token, word: &str) -> bool {
    matches!(token.kind, Kind::Ident | Kind::Builtin) && token.text.as_str() == word
}

/// The words that begin a statement.
const STATEMENTS: &[&str] = &[
    "if", "either", "with", "when", "await", "print", "assert", "skip", "call", "return", "goto", "while",
];

fn starts_statement(token: Token) -> bool {
    STATEMENTS.iter().any(|it| is(token, it))
}

/// The words of PlusCal that no label, variable, macro or procedure can have as its name.
fn is_word(token: Token) -> bool {
    const OTHERS: &[&str] = &[
        "begin",
        "end",
        "do",
        "then",
        "else",
        "elsif",
        "or",
        "variable",
        "variables",
        "define",
        "macro",
        "procedure",
        "process",
    ];
    starts_statement(token) || OTHERS.iter().any(|it| is(token, it))
}
