//! Where an expression ends.
//!
//! Expressions are TLA+, and read as such only in the translation. Here they are runs of tokens, ended by a word of PlusCal, or
//! by a comma or bracket that was not opened in them.

use crate::diagnostics as errors;
use crate::expr::Expr;
use crate::lexer::{Kind, Token};

use super::{Parsed, Parser};

/// The words and symbols that end an expression. (`when` and `await` do not, by an oversight that is as old as the language.)
const DELIMITERS: &[&str] = &[
    ";",
    ":=",
    "≔",
    "||",
    "‖",
    "do",
    "then",
    "begin",
    "variable",
    "variables",
    "end",
    "else",
    "elsif",
    "if",
    "either",
    "or",
    "while",
    "with",
    "call",
    "return",
    "goto",
    "print",
    "assert",
    "skip",
    "procedure",
    "define",
    "process",
    "fair",
];

fn is_delimiter(token: Token) -> bool {
    match token.kind {
        Kind::Ident | Kind::Builtin => DELIMITERS.contains(&token.text.as_str()),
        _ => false,
    }
}

impl Parser<'_> {
    /// An expression, which must not be empty.
    pub(super) fn expr(&mut self, what: &str) -> Parsed<Expr> {
        let expr = self.opt_expr()?;
        if expr.is_empty() {
            let wrong = errors::missing_expression(what, self.found(), self.last().span);
            return self.fail(wrong);
        }
        Ok(expr)
    }

    /// The tokens up to the next delimiter, maybe none.
    pub(super) fn opt_expr(&mut self) -> Parsed<Expr> {
        let start = self.pos;
        let mut open: Vec<Token> = vec![];
        // Commas belong to a quantifier until its colon.
        let mut quantifier = None;
        loop {
            let token = self.peek();
            let text = if token.kind == Kind::Str {
                ""
            } else {
                token.text.as_str()
            };
            let is_field = token.kind == Kind::Ident && self.pos > start && follows_field(self.last());
            let ends = is_delimiter(token) && !is_field
                || open.is_empty() && (matches!(text, ")" | "}") || text == "," && quantifier.is_none());
            if token.kind == Kind::End || ends {
                break;
            }
            match text {
                "(" | "[" | "{" | "<<" | "⟨" => open.push(token),
                ")" | "]" | "}" | ">>" | "⟩" | "]_" | ">>_" | "⟩_" if open.pop().is_none() => {
                    let wrong = errors::unmatched_bracket(self.found());
                    return self.fail(wrong);
                }
                "\\A" | "∀" | "\\E" | "∃" if open.is_empty() => quantifier = Some(token),
                ":" if open.is_empty() => quantifier = None,
                _ if matches!(token.kind, Kind::Invalid | Kind::Rule) => {
                    let wrong = errors::not_in_expression(self.found());
                    return self.fail(wrong);
                }
                _ => {}
            }
            self.pos += 1;
        }
        if let Some(token) = open.last() {
            let wrong = errors::unclosed_bracket(token.text.as_str(), token.span, self.found());
            return self.fail(wrong);
        }
        if let Some(token) = quantifier {
            let wrong = errors::quantifier_without_body(token.text.as_str(), token.span, self.found());
            return self.fail(wrong);
        }
        Ok(Expr::from_tokens(&self.tokens[start..self.pos]))
    }
}

/// After these a word of PlusCal may be the name of a field.
fn follows_field(before: Token) -> bool {
    before.kind == Kind::Builtin && matches!(before.text.as_str(), "." | "[" | ",")
}
