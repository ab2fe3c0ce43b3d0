//! When the text is not what the grammar wants: which mistake it probably is, and where reading goes on.

use source::Span;

use super::expr::Operator;
use super::{Abort, Parsed, Parser};
use crate::ast::{ExprId, Ident};
use crate::diagnostics as errors;
use crate::op::Op;
use crate::token::{Tok, Token};

/// How far a definition's head is looked over for its `==`.
const HEAD_MAX: usize = 1000;

impl Parser<'_> {
    // Where things start

    /// Keywords and rules that only a unit can start with.
    pub(super) fn is_unit_start(&self, kind: Tok) -> bool {
        use Tok::*;
        matches!(
            kind,
            Constant
                | Variable
                | Recursive
                | Local
                | Instance
                | Assume
                | Assumption
                | Theorem
                | Use
                | Hide
                | Separator
                | EndModule
        )
    }

    /// Whether a definition starts `n` tokens ahead: everything up to its `==` has the right shape.
    pub(super) fn is_definition(&mut self, n: usize) -> bool {
        match self.nth_kind(n) {
            Tok::Ident => match self.nth_kind(n + 1) {
                Tok::EqEq => true,
                Tok::LParen | Tok::LBracket => match self.after_balanced(n + 1) {
                    Some(end) => self.nth_kind(end) == Tok::EqEq,
                    None => false,
                },
                Tok::Postfix => self.nth_kind(n + 2) == Tok::EqEq,
                kind if kind.is_infix() => {
                    self.nth_kind(n + 2) == Tok::Ident && self.nth_kind(n + 3) == Tok::EqEq
                }
                _ => false,
            },
            Tok::Prefix | Tok::Box | Tok::MinusDot => {
                self.nth_kind(n + 1) == Tok::Ident && self.nth_kind(n + 2) == Tok::EqEq
            }
            _ => false,
        }
    }

    /// Whether an expression, and not a definition, may start `n` tokens ahead.
    pub(super) fn starts_expr(&mut self, n: usize) -> bool {
        use Tok::*;
        match self.nth_kind(n) {
            Ident | Prefix | Box | MinusDot => !self.is_definition(n),
            // As in the tools a step that can be cited is cited, even when it was meant to start the next step.
            Step => super::proof::is_citation(self.nth(n)),
            Number | Str | At | LParen | LBrace | LBracket | LAngle | WF | SF | If | Case | Let | Choose => {
                true
            }
            Forall | Exists | TemporalForall | TemporalExists | Infix | Minus | Postfix | Bullet => true,
            Dot => self.nth_kind(n + 1) == Number,
            _ => false,
        }
    }

    /// The first token after the brackets that open `n` tokens ahead.
    pub(super) fn after_balanced(&mut self, mut n: usize) -> Option<usize> {
        let mut depth = 0;
        let mut lets = false;
        let end = n + HEAD_MAX;
        while n < end {
            depth += self.nesting_change(n);
            match self.nth_kind(n) {
                Tok::Let => lets = true,
                Tok::EqEq if lets => {}
                Tok::Eof | Tok::EndModule | Tok::EqEq => return None,
                _ => {}
            }
            n += 1;
            if depth == 0 {
                return Some(n);
            }
        }
        None
    }

    /// How the token `n` ahead changes the nesting of brackets. After a `!` they are selectors.
    pub(super) fn nesting_change(&mut self, n: usize) -> i32 {
        let before = if n == 0 {
            self.past[0].kind
        } else {
            self.nth_kind(n - 1)
        };
        match self.nth_kind(n) {
            Tok::LAngle | Tok::RAngle if before == Tok::Bang => 0,
            Tok::LParen | Tok::LBracket | Tok::LBrace | Tok::LAngle => 1,
            Tok::RParen
            | Tok::RBracket
            | Tok::RBrace
            | Tok::RAngle
            | Tok::RBracketUnder
            | Tok::RAngleUnder => -1,
            _ => 0,
        }
    }

    /// Skips to where the next unit probably starts.
    pub(super) fn resync(&mut self) {
        self.floor = 0;
        loop {
            let kind = self.tok.kind;
            match kind {
                Tok::Eof | Tok::EndModule => return,
                // `ASSUME` and `INSTANCE` also stand inside of proofs and definitions.
                Tok::Assume | Tok::Instance | Tok::Use | Tok::Hide | Tok::Constant | Tok::Variable
                    if !(self.tok.first && self.tok.column <= self.unit_column) => {}
                kind if self.is_unit_start(kind) => return,
                Tok::Ident | Tok::Prefix | Tok::Box | Tok::MinusDot
                    if self.tok.first && self.tok.column <= self.unit_column && self.is_definition(0) =>
                {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    pub(super) fn hole_to_resync(&mut self) -> ExprId {
        let hole = self.hole();
        self.resync();
        hole
    }

    // What is wrong

    fn found(&self) -> errors::Found {
        let span = self.span_of(self.tok);
        match self.kind() {
            Tok::Eof => errors::Found::End(span),
            _ => errors::Found::Text(self.lexer.text(self.tok).to_owned(), span),
        }
    }

    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        if self.tok.kind == Tok::Invalid {
            return Err(Abort);
        }
        let found = self.found();
        self.abort(errors::unexpected_token(expected, found))
    }

    pub(super) fn unclosed<T>(&mut self, opener: Token) -> Parsed<T> {
        if self.tok.kind == Tok::Invalid {
            return Err(Abort);
        }
        let found = self.found();
        let text = self.lexer.text(opener);
        self.abort(errors::unclosed_bracket(text, self.span_of(opener), found))
    }

    pub(super) fn unclosed_list<T>(&mut self, opener: Token) -> Parsed<T> {
        self.unclosed(opener)
    }

    pub(super) fn not_a_name<T>(&mut self, expected: &str) -> Parsed<T> {
        self.unexpected(expected)
    }

    pub(super) fn missing_operand<T>(&mut self) -> Parsed<T> {
        self.unexpected("an expression")
    }

    pub(super) fn missing_left_operand<T>(&mut self) -> Parsed<T> {
        self.unexpected("an expression")
    }

    pub(super) fn keyword_of(&mut self, kind: Tok, word: &'static str, opener: Token) -> Parsed<Token> {
        if let Some(token) = self.eat(kind) {
            return Ok(token);
        }
        let _ = opener;
        self.unexpected(word)
    }

    pub(super) fn case_arrow(&mut self, case: Token) -> Parsed<Token> {
        let _ = case;
        self.expect(Tok::Arrow, "`->`")
    }

    pub(super) fn defined_as(&mut self) -> Parsed<Token> {
        self.expect(Tok::EqEq, "`==`")
    }

    pub(super) fn not_a_definition<T>(&mut self) -> Parsed<T> {
        self.unexpected("a definition")
    }

    pub(super) fn not_a_unit<T>(&mut self) -> Parsed<T> {
        self.unexpected("a definition, a declaration or `====`")
    }

    pub(super) fn not_a_substitution<T>(&mut self, name: Ident) -> Parsed<T> {
        let _ = name;
        self.unexpected("`<-`")
    }

    pub(super) fn not_an_update<T>(&mut self) -> Parsed<T> {
        self.unexpected("`=`")
    }

    pub(super) fn named_parameter(&mut self) -> Parsed<Token> {
        self.unexpected("`_`")
    }

    pub(super) fn after_expression<T>(&mut self) -> Parsed<T> {
        self.unexpected("the end of the expression")
    }

    pub(super) fn missing_qed<T>(&mut self, first: Option<Ident>) -> Parsed<T> {
        let _ = first;
        self.unexpected("a QED step")
    }

    pub(super) fn missing_prove<T>(&mut self, assume: Token) -> Parsed<T> {
        let _ = assume;
        self.unexpected("PROVE")
    }

    pub(super) fn wrong_level<T>(&mut self, token: Token, expected: u32) -> Parsed<T> {
        let _ = (token, expected);
        self.unexpected("a step of the level of this proof")
    }

    pub(super) fn report_header(&mut self) {
        let found = self.found();
        self.report(errors::unexpected_token(
            "`----` after the name of the module",
            found,
        ));
    }

    pub(super) fn report_nameless_module(&mut self) {
        let found = self.found();
        self.report(errors::unexpected_token("the name of the module", found));
    }

    pub(super) fn report_unfinished(&mut self, name: Ident, start: Token) {
        let found = self.found();
        let _ = (name, start);
        self.report(errors::unexpected_token("`====`", found));
    }

    /// Operators of other languages where an infix operator may stand.
    pub(super) fn foreign_infix(&mut self, base: usize) -> Parsed<bool> {
        let _ = base;
        Ok(false)
    }

    pub(super) fn conflict(&mut self, left: Operator, op: Op, span: Span) {
        self.report(errors::precedence_conflict(left.op, left.span, op, span));
    }

    pub(super) fn note_misalignment(&mut self, first: Token) {
        let _ = first;
    }
}
