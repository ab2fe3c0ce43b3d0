//! Looking ahead without reading: what starts here, and where the next unit starts after a mistake.

use super::{After, Parser};
use crate::ast::ExprId;
use crate::op::Op;
use crate::token::Tok;

/// How far a definition's head is looked over for its `==`.
const HEAD_MAX: usize = 1000;
/// The same while skipping: text that is no TLA+ must not be looked over a thousand times.
const SKIPPED_HEAD_MAX: usize = 60;

impl Parser<'_> {
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
        self.is_definition_within(n, HEAD_MAX)
    }

    fn is_definition_within(&mut self, n: usize, head_max: usize) -> bool {
        match self.nth_kind(n) {
            Tok::Ident => match self.nth_kind(n + 1) {
                Tok::EqEq => true,
                Tok::LParen | Tok::LBracket => match self.after_balanced_within(n + 1, head_max) {
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

    /// Whether a definition starts here but for a `=` or `:=` in place of its `==`.
    pub(super) fn is_slipped_definition(&mut self) -> bool {
        let is_new_line = self.tok.first && self.tok.column <= self.unit_column_before;
        let is_place = self.depth > 0 || is_new_line || self.after != After::Expression;
        if !self.at(Tok::Ident) || !is_place {
            return false;
        }
        let end = match self.nth_kind(1) {
            Tok::LParen | Tok::LBracket => self.after_balanced(1),
            _ => Some(1),
        };
        let Some(end) = end else { return false };
        let next = self.nth(end);
        next.kind == Tok::Infix && [Op::EQ, Op::ASSIGN].contains(&next.op)
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
    pub(super) fn after_balanced(&mut self, n: usize) -> Option<usize> {
        self.after_balanced_within(n, HEAD_MAX)
    }

    fn after_balanced_within(&mut self, mut n: usize, tokens_max: usize) -> Option<usize> {
        let mut depth = 0;
        let mut lets = false;
        let end = n + tokens_max;
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
            self.past(0).kind
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

    /// Skips the rest of a line.
    pub(super) fn skip_line(&mut self) {
        while !self.tok.first && self.tok.kind != Tok::Eof {
            self.bump();
        }
    }

    /// Skips to where the next unit probably starts.
    pub(super) fn resync(&mut self) {
        self.floor = 0;
        // The token here may be the stray character that ended the unit: that one is to be told.
        let start = self.tok.end;
        while !self.at_next_unit() {
            self.bump();
        }
        self.skipped.push(start..self.tok.start);
    }

    fn at_next_unit(&mut self) -> bool {
        let kind = self.tok.kind;
        match kind {
            Tok::Eof | Tok::EndModule | Tok::Separator => true,
            _ if !self.tok.first => false,
            // These also stand inside of proofs and definitions.
            Tok::Assume
            | Tok::Instance
            | Tok::Use
            | Tok::Hide
            | Tok::Constant
            | Tok::Variable
            | Tok::Recursive => self.tok.column <= self.unit_column,
            Tok::Ident | Tok::Prefix | Tok::Box | Tok::MinusDot => {
                self.tok.column <= self.unit_column && self.is_definition_within(0, SKIPPED_HEAD_MAX)
            }
            _ => self.is_unit_start(kind),
        }
    }

    pub(super) fn hole_to_resync(&mut self) -> ExprId {
        let hole = self.hole();
        self.resync();
        hole
    }
}
