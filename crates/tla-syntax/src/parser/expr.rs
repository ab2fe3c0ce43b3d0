//! Expressions: operands joined by operators, by shift and reduce over the precedence ranges of the operator table.
//!
//! Two operators that meet without parentheses must have disjoint ranges, or be one left-associative operator. The
//! stacks are explicit, so a chain of a hundred thousand operators needs no recursion; only brackets and keywords do.

use source::Span;
use util::deep;

use super::{Parsed, Parser};
use crate::ast::{Expr, ExprId, ExprKind, Fixity, Ident, Junction};
use crate::diagnostics as errors;
use crate::op::Op;
use crate::token::{Tok, Token};

/// A finished part of an expression.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub expr: ExprId,
    pub height: u32,
}

/// An operator whose right operand is not finished.
#[derive(Clone, Copy)]
pub(super) struct Operator {
    pub op: Op,
    pub token: Token,
}

/// A junction list that has been read.
#[derive(Clone, Copy)]
pub(super) struct EndedList {
    /// Its first bullet.
    pub bullet: Token,
    /// Where its text ends.
    pub end: u32,
}

impl Operator {
    fn is_prefix(self) -> bool {
        self.op.info().fixity == Fixity::Prefix
    }
}

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Parsed<ExprId> {
        if self.depth >= self.limits.height {
            return self.too_deep(self.limits.height);
        }
        self.depth += 1;
        let (operands, operators, items) = (self.operands.len(), self.operators.len(), self.items.len());
        let result = deep(|| self.operators_and_operands(operators));
        self.depth -= 1;
        self.operands.truncate(operands);
        self.operators.truncate(operators);
        self.items.truncate(items);
        let Operand { expr, height } = result?;
        self.height = self.height.max(height);
        Ok(expr)
    }

    /// `base` is where this expression's operators begin on the stack.
    fn operators_and_operands(&mut self, base: usize) -> Parsed<Operand> {
        loop {
            if self.prefix() {
                continue;
            }
            let operand = self.measured_operand()?;
            self.operands.push(operand);
            while self.postfix(base)? {}
            if self.at(Tok::ColonColon) {
                self.label(base)?;
            }
            if !self.infix(base)? {
                break;
            }
        }
        while self.operators.len() > base {
            self.reduce(base)?;
        }
        Ok(self.operands.pop().expect("each loop pushed an operand"))
    }

    /// An operand and its height: one more than the tallest expression in it.
    fn measured_operand(&mut self) -> Parsed<Operand> {
        let outer = std::mem::take(&mut self.height);
        let expr = self.operand()?;
        let height = self.height + 1;
        self.height = outer;
        Ok(Operand { expr, height })
    }

    fn prefix(&mut self) -> bool {
        let op = match self.kind() {
            Tok::Prefix | Tok::Box => self.tok.op,
            Tok::Minus => Op::NEGATE,
            Tok::Bang if self.foreign_not() => Op::NOT,
            _ => return false,
        };
        if op == Op::NEGATE && self.is_nonfix() {
            return false;
        }
        let token = self.bump();
        self.operators.push(Operator { op, token });
        true
    }

    /// Whether a comma stands directly in the parentheses whose content starts `n` tokens ahead: `-(a, b)`.
    pub(super) fn is_application(&mut self, mut n: usize) -> bool {
        const LOOK_MAX: usize = 1000;
        let mut depth = 0;
        while n < LOOK_MAX {
            depth += self.nesting_change(n);
            match self.nth_kind(n) {
                Tok::RParen if depth < 0 => return false,
                Tok::Comma if depth == 0 => return true,
                // These have commas of their own.
                Tok::Forall | Tok::Exists | Tok::TemporalForall | Tok::TemporalExists if depth == 0 => {
                    return false;
                }
                Tok::Let if depth == 0 => return false,
                Tok::Lambda if depth == 0 => return true,
                Tok::Eof | Tok::Invalid | Tok::EqEq | Tok::EndModule => return false,
                _ => {}
            }
            n += 1;
        }
        false
    }

    /// What follows an operand and binds to it: postfix operators, `f[x]`, `r.a`.
    fn postfix(&mut self, base: usize) -> Parsed<bool> {
        match self.kind() {
            Tok::Postfix => {
                let token = self.bump();
                let (op, op_span) = (token.op, self.span_of(token));
                self.reduce_before(op, token, base)?;
                let arg = self.top();
                self.replace_top(ExprKind::Postfix { op, op_span, arg }, 1)?;
            }
            Tok::LBracket => {
                let outer = std::mem::take(&mut self.height);
                let opener = self.bump();
                let args = self.exprs()?;
                self.close(Tok::RBracket, opener)?;
                let height = std::mem::replace(&mut self.height, outer);
                let function = self.top();
                self.raise_top(height);
                self.replace_top(ExprKind::FnApply { function, args }, 1)?;
            }
            Tok::Dot => {
                self.bump();
                let field = self.field_name()?;
                let record = self.top();
                self.replace_top(ExprKind::Select { record, field }, 1)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn infix(&mut self, base: usize) -> Parsed<bool> {
        if !self.kind().is_infix() {
            return self.foreign_infix(base);
        }
        let token = self.bump();
        self.push_infix(token, token.op, base)?;
        Ok(true)
    }

    pub(super) fn push_infix(&mut self, token: Token, op: Op, base: usize) -> Parsed<()> {
        let reported = self.diagnostics.len();
        self.reduce_before(op, token, base)?;
        if token.first && token.kind == Tok::Bullet && self.diagnostics.len() == reported {
            self.note_misalignment(token, base);
        }
        self.operators.push(Operator { op, token });
        Ok(())
    }

    /// Reduces the operators that bind their right operand more tightly than `op` binds its left one.
    fn reduce_before(&mut self, op: Op, token: Token, base: usize) -> Parsed<()> {
        while let Some(&left) = self.operators[base..].last() {
            let (l, r) = (left.op.info(), op.info());
            if l.high < r.low || left.op == op && op == Op::TIMES {
                break;
            }
            if l.low <= r.high && !(left.op == op && l.left_assoc) {
                self.conflict(left, token, op);
            }
            self.reduce(base)?;
        }
        Ok(())
    }

    /// Applies the topmost operator. A run of `\X` becomes one product.
    fn reduce(&mut self, base: usize) -> Parsed<()> {
        let operator = self.operators.pop().expect("an operator to reduce");
        let (op, op_span) = (operator.op, self.span_of(operator.token));
        if op == Op::TIMES {
            return self.reduce_times(base);
        }
        let rhs = self.operands.pop().expect("every operator has its operands");
        if operator.is_prefix() {
            let span = op_span.to(self.exprs[rhs.expr].span);
            let kind = ExprKind::Prefix {
                op,
                op_span,
                arg: rhs.expr,
            };
            return self.push(kind, span, rhs.height + 1);
        }
        let lhs = self.operands.pop().expect("every operator has its operands");
        let span = self.exprs[lhs.expr].span.to(self.exprs[rhs.expr].span);
        let height = lhs.height.max(rhs.height) + 1;
        let kind = ExprKind::Infix {
            op,
            op_span,
            lhs: lhs.expr,
            rhs: rhs.expr,
        };
        self.push(kind, span, height)
    }

    fn reduce_times(&mut self, base: usize) -> Parsed<()> {
        let more = self.operators[base..]
            .iter()
            .rev()
            .take_while(|it| it.op == Op::TIMES)
            .count();
        self.operators.truncate(self.operators.len() - more);
        let factors = self.operands.split_off(self.operands.len() - more - 2);
        let height = factors.iter().map(|it| it.height).max().expect("two factors") + 1;
        let span = self.exprs[factors[0].expr]
            .span
            .to(self.exprs[factors[more + 1].expr].span);
        let factors = factors.into_iter().map(|it| it.expr).collect();
        self.push(ExprKind::Times(factors), span, height)
    }

    fn push(&mut self, kind: ExprKind, span: Span, height: u32) -> Parsed<()> {
        if height > self.limits.height {
            return self.too_deep(self.limits.height);
        }
        let expr = self.alloc(kind, span);
        self.operands.push(Operand { expr, height });
        Ok(())
    }

    pub(super) fn top(&self) -> ExprId {
        self.operands
            .last()
            .expect("a postfix operator follows an operand")
            .expr
    }

    fn raise_top(&mut self, height: u32) {
        let top = self
            .operands
            .last_mut()
            .expect("a postfix operator follows an operand");
        top.height = top.height.max(height);
    }

    /// Puts a node made of the topmost operand in its place, up to the last token consumed.
    fn replace_top(&mut self, kind: ExprKind, more: u32) -> Parsed<()> {
        let old = self
            .operands
            .pop()
            .expect("a postfix operator follows an operand");
        let span = self.exprs[old.expr].span.to(self.span_of(self.past(0)));
        self.push(kind, span, old.height + more)
    }

    /// `lab :: e` or `lab(x, y) :: e`; the label is the topmost operand, the rest of the expression is its body.
    fn label(&mut self, base: usize) -> Parsed<()> {
        let colons = self.bump();
        let label = self.operands.pop().expect("a label is an operand").expr;
        let Some((name, params)) = self.label_parts(label) else {
            let span = self.exprs[label].span;
            return self.abort(errors::not_a_label(span, self.span_of(colons)));
        };
        let outer = std::mem::take(&mut self.height);
        let body = match self.kind() {
            Tok::Assume | Tok::BoxAssume => self.assume_prove()?,
            _ => self.expr()?,
        };
        let height = std::mem::replace(&mut self.height, outer) + 1;
        // Without the label the operator before it could take apart the labelled expression.
        if let Some(&left) = self.operators[base..].last()
            && let ExprKind::Infix { op, op_span, .. } | ExprKind::Postfix { op, op_span, .. } =
                self.exprs[body].kind
            && left.op.info().high >= op.info().low
        {
            let left_span = self.span_of(left.token);
            self.report(errors::label_changes_parse(
                name.span, left.op, left_span, op, op_span,
            ));
        }
        let span = name.span.to(self.exprs[body].span);
        self.push(ExprKind::Label { name, params, body }, span, height)
    }

    fn label_parts(&self, expr: ExprId) -> Option<(Ident, Box<[Ident]>)> {
        let Expr { kind, span } = &self.exprs[expr];
        let ident = |&id: &ExprId| match self.exprs[id].kind {
            ExprKind::Ident(name) => Some(Ident {
                name,
                span: self.exprs[id].span,
            }),
            _ => None,
        };
        match kind {
            ExprKind::Ident(name) => Some((
                Ident {
                    name: *name,
                    span: *span,
                },
                Box::new([]),
            )),
            ExprKind::Apply { name, args } => Some((*name, args.iter().map(ident).collect::<Option<_>>()?)),
            _ => None,
        }
    }

    pub(super) fn too_deep<T>(&mut self, max: u32) -> Parsed<T> {
        let span = self.span_of(self.tok);
        self.abort(errors::nested_too_deeply(span, max))
    }

    /// A list of bullets; the next token is the first.
    pub(super) fn junction(&mut self) -> Parsed<ExprId> {
        let start = self.tok;
        let outer = (self.floor, self.bullet);
        (self.floor, self.bullet) = (start.column, start);
        let base = self.items.len();
        let result = self.bullets(start);
        (self.floor, self.bullet) = outer;
        result?;
        self.lists.push(EndedList {
            bullet: start,
            end: self.past(0).end,
        });
        let kind = if start.op == Op::AND {
            Junction::And
        } else {
            Junction::Or
        };
        let items = self.items.drain(base..).collect();
        let span = self.since(start);
        Ok(self.alloc(ExprKind::Junction { kind, items }, span))
    }

    /// The items, onto the stack of items.
    fn bullets(&mut self, start: Token) -> Parsed<()> {
        while self.tok.kind == Tok::Bullet && self.tok.op == start.op && self.tok.column == start.column {
            self.bullet_last = self.bump();
            let outer = std::mem::replace(&mut self.item_depth, self.depth + 1);
            let item = self.expr();
            self.item_depth = outer;
            self.items.push(item?);
        }
        Ok(())
    }
}
