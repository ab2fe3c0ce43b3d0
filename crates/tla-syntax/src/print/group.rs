//! Where parentheses are needed: the parser's rules for operators, seen from the tree.

use super::Printer;
use crate::ast::{ExprId, ExprKind, Fixity, Selector};
use crate::op::Op;

impl Printer<'_> {
    fn kind(&self, expr: ExprId) -> &ExprKind {
        &self.tree.exprs[expr].kind
    }

    /// Whether `expr` must be grouped as the left operand of `op`. Every operator on its right edge must be done when `op`
    /// comes, and nothing there may reach on over `op`.
    pub(super) fn groups_left(&self, mut expr: ExprId, op: Op) -> bool {
        loop {
            let (inner, next) = match *self.kind(expr) {
                ExprKind::Infix { op, rhs, .. } => (op, rhs),
                ExprKind::Prefix { op, arg, .. } => (op, arg),
                ExprKind::Times(ref factors) => (Op::TIMES, factors[factors.len() - 1]),
                _ => return self.is_open(expr),
            };
            let is_chain = inner == op && op.info().left_assoc && op != Op::TIMES;
            if inner.info().low <= op.info().high && !is_chain {
                return true;
            }
            expr = next;
        }
    }

    /// Whether `expr` must be grouped as what follows the prefix or infix operator `op`.
    pub(super) fn groups_right(&self, expr: ExprId, op: Op) -> bool {
        match *self.kind(expr) {
            ExprKind::Infix { op: inner, .. } => op.info().high >= inner.info().low,
            ExprKind::Times(_) => op.info().high >= Op::TIMES.info().low,
            ExprKind::Label { body, .. } => match *self.kind(body) {
                ExprKind::Infix { op: inner, .. } | ExprKind::Postfix { op: inner, .. } => {
                    op.info().high >= inner.info().low
                }
                _ => false,
            },
            _ => op.info().fixity == Fixity::Prefix && op.info().high >= 15 && self.has_postfix(expr),
        }
    }

    /// `x'`, `x'[1]`, `x'.a`
    fn has_postfix(&self, mut expr: ExprId) -> bool {
        loop {
            expr = match *self.kind(expr) {
                ExprKind::Postfix { .. } => return true,
                ExprKind::FnApply { function, .. } => function,
                ExprKind::Select { record, .. } => record,
                _ => return false,
            };
        }
    }

    /// Whether `expr` must be grouped before a postfix operator, `[` or `.`.
    pub(super) fn groups_before_postfix(&self, expr: ExprId) -> bool {
        let is_operation = matches!(
            self.kind(expr),
            ExprKind::Infix { .. } | ExprKind::Prefix { .. } | ExprKind::Times(_) | ExprKind::OpRef(_)
        );
        is_operation || self.is_open(expr)
    }

    /// Reaches as far to the right as it can: nothing can follow it without parentheses.
    fn is_open(&self, expr: ExprId) -> bool {
        matches!(
            self.kind(expr),
            ExprKind::If { .. }
                | ExprKind::Case { .. }
                | ExprKind::Let { .. }
                | ExprKind::Quant { .. }
                | ExprKind::UnboundedQuant { .. }
                | ExprKind::Choose { .. }
                | ExprKind::Lambda { .. }
                | ExprKind::Label { .. }
                | ExprKind::AssumeProve(_)
        )
    }

    /// The last thing on the right edge of `expr` that no bracket closes.
    fn tail(&self, mut expr: ExprId) -> ExprId {
        loop {
            expr = match *self.kind(expr) {
                ExprKind::Infix { rhs, .. } => rhs,
                ExprKind::Prefix { arg, .. } => arg,
                ExprKind::Times(ref factors) => factors[factors.len() - 1],
                ExprKind::If { other, .. } => other,
                ExprKind::Let { body, .. }
                | ExprKind::Quant { body, .. }
                | ExprKind::UnboundedQuant { body, .. }
                | ExprKind::Choose { body, .. }
                | ExprKind::Lambda { body, .. }
                | ExprKind::Label { body, .. } => body,
                _ => return expr,
            };
        }
    }

    /// Ends with a junction list: what follows must stand on a new line, left of the bullets or under them.
    pub(super) fn ends_in_list(&self, expr: ExprId) -> bool {
        let mut tail = self.tail(expr);
        while let ExprKind::Case { arms, other } = self.kind(tail) {
            let last = other.or(arms.last().map(|it| it.body));
            match last {
                Some(last) => tail = self.tail(last),
                None => return false,
            }
        }
        matches!(self.kind(tail), ExprKind::Junction { .. })
    }

    /// Ends with a `CASE` that would take the next `[]` for its own.
    pub(super) fn ends_in_case(&self, expr: ExprId) -> bool {
        matches!(self.kind(self.tail(expr)), ExprKind::Case { .. })
    }

    /// Starts with `CASE`, which after the name of a step is another word.
    pub(super) fn starts_with_case(&self, mut expr: ExprId) -> bool {
        loop {
            expr = match *self.kind(expr) {
                ExprKind::Case { .. } => return true,
                ExprKind::Infix { lhs, .. } => lhs,
                ExprKind::Postfix { arg, .. } => arg,
                ExprKind::FnApply { function, .. } => function,
                ExprKind::Select { record, .. } => record,
                _ => return false,
            };
        }
    }

    /// Looks like the `x \in S` of a set filter.
    pub(super) fn is_like_bound(&self, expr: ExprId) -> bool {
        let ExprKind::Infix { op: Op::IN, lhs, .. } = *self.kind(expr) else {
            return false;
        };
        let is_name = |it: &ExprId| matches!(self.kind(*it), ExprKind::Ident(_));
        match self.kind(lhs) {
            ExprKind::Tuple(items) => !items.is_empty() && items.iter().all(is_name),
            _ => is_name(&lhs),
        }
    }

    /// May stand as a subscript without parentheses. After `WF_` nothing that could take the parentheses of the action may.
    pub(super) fn is_subscript(&self, expr: ExprId, fairness: bool) -> bool {
        match self.kind(expr) {
            ExprKind::Ident(name) => !name.as_str().starts_with('<'),
            ExprKind::Apply { name, .. } => name
                .name
                .as_str()
                .starts_with(|c: char| c.is_alphanumeric() || c == '_'),
            ExprKind::Path(parts) => parts.iter().all(|it| match it.selector {
                Selector::Name(name) => name
                    .as_str()
                    .starts_with(|c: char| c.is_alphanumeric() || c == '_'),
                _ => false,
            }),
            ExprKind::AngleAction { .. } | ExprKind::BoxAction { .. } => !fairness,
            ExprKind::Paren(_)
            | ExprKind::At
            | ExprKind::Tuple(_)
            | ExprKind::SetEnum(_)
            | ExprKind::SetFilter { .. }
            | ExprKind::SetMap { .. }
            | ExprKind::FnLiteral { .. }
            | ExprKind::FnSet { .. }
            | ExprKind::Record(_)
            | ExprKind::RecordSet(_)
            | ExprKind::Except { .. } => true,
            _ => false,
        }
    }
}
