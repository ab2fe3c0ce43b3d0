//! What starts with `{`, `[` or `<<`: sets, functions, records, tuples and actions with subscripts.
//!
//! `{x \in S : P}` and `[x \in S |-> e]` begin like an ordinary expression. They are read as one, and taken apart when the
//! `:` or `|->` comes; this needs no lookahead, and `{x \in S}` or `[x \in S]_v` mean what they say.

use super::{Parsed, Parser};
use crate::ast::{Bound, ExprId, ExprKind, Field, Ident, PathStep, Pattern, Update};
use crate::diagnostics as errors;
use crate::op::Op;
use crate::token::{Tok, Token};

impl Parser<'_> {
    pub(super) fn brace(&mut self) -> Parsed<ExprId> {
        let opener = self.bump();
        if self.eat(Tok::RBrace).is_some() {
            let span = self.since(opener);
            return Ok(self.alloc(ExprKind::SetEnum(Box::new([])), span));
        }
        let base = self.items.len();
        let first = self.expr()?;
        if self.at(Tok::Colon) {
            return self.set_of(first, opener);
        }
        self.items.push(first);
        while self.eat(Tok::Comma).is_some() {
            let item = self.expr()?;
            self.items.push(item);
        }
        if self.at(Tok::Colon) {
            return self.filter_over_many(base);
        }
        self.close(Tok::RBrace, opener)?;
        let items = self.items.drain(base..).collect();
        let span = self.since(opener);
        Ok(self.alloc(ExprKind::SetEnum(items), span))
    }

    /// `{x \in S : P}` or `{e : x \in S}`; the next token is the `:`.
    fn set_of(&mut self, first: ExprId, opener: Token) -> Parsed<ExprId> {
        self.bump();
        let kind = match self.as_bound(first) {
            Some(bound) => {
                let body = self.expr()?;
                let bound = Box::new(bound);
                ExprKind::SetFilter { bound, body }
            }
            None => {
                let bounds = self.list(|it| it.bound(None))?;
                ExprKind::SetMap { body: first, bounds }
            }
        };
        self.close(Tok::RBrace, opener)?;
        let span = self.since(opener);
        Ok(self.alloc(kind, span))
    }

    /// `{x \in S, y \in T : P}` is no set: a filter takes one bound.
    fn filter_over_many(&mut self, base: usize) -> Parsed<ExprId> {
        let (first, last) = (self.items[base], self.items[self.items.len() - 1]);
        let span = self.exprs[first].span.to(self.exprs[last].span);
        self.abort(errors::filter_over_many(span, self.span_of(self.tok)))
    }

    pub(super) fn bracket(&mut self) -> Parsed<ExprId> {
        let opener = self.bump();
        if self.is_field_name() {
            match self.nth_kind(1) {
                Tok::MapsTo => return self.record(Tok::MapsTo, opener),
                Tok::Colon => return self.record(Tok::Colon, opener),
                _ => {}
            }
        }
        let base = self.items.len();
        loop {
            let item = self.expr()?;
            self.items.push(item);
            if self.eat(Tok::Comma).is_none() {
                break;
            }
        }
        if self.at(Tok::MapsTo) {
            return self.function(base, opener);
        }
        if self.items.len() - base > 1 {
            return self.list_in_brackets(opener);
        }
        let first = self.items.pop().expect("one item was read");
        self.bracketed(first, opener)
    }

    /// The forms with one expression before the token that tells them apart.
    fn bracketed(&mut self, first: ExprId, opener: Token) -> Parsed<ExprId> {
        let kind = match self.kind() {
            Tok::RBracketUnder => {
                self.bump();
                let subscript = self.subscript(false)?;
                ExprKind::BoxAction {
                    action: first,
                    subscript,
                }
            }
            Tok::Arrow => {
                self.bump();
                let range = self.expr()?;
                self.close(Tok::RBracket, opener)?;
                ExprKind::FnSet { domain: first, range }
            }
            Tok::Except => {
                let except = self.bump();
                let updates = self.list(|it| it.update(except))?;
                self.close(Tok::RBracket, opener)?;
                ExprKind::Except {
                    function: first,
                    updates,
                }
            }
            Tok::RBracket => {
                let closer = self.bump();
                let span = self.span_of(opener).to(self.span_of(closer));
                return self.abort(errors::missing_subscript(span));
            }
            _ => return self.unclosed(opener),
        };
        let span = self.since(opener);
        Ok(self.alloc(kind, span))
    }

    /// `[a |-> 1, b |-> 2]` or `[a : S, b : T]`.
    fn record(&mut self, separator: Tok, opener: Token) -> Parsed<ExprId> {
        let expected = if separator == Tok::Colon {
            "`:` and the set of the field"
        } else {
            "`|->` and the value of the field"
        };
        let fields = self.list(|it| {
            let name = it.field_name()?;
            it.expect(separator, expected)?;
            let value = it.expr()?;
            Ok(Field { name, value })
        })?;
        self.close(Tok::RBracket, opener)?;
        let span = self.since(opener);
        let kind = if separator == Tok::Colon {
            ExprKind::RecordSet(fields)
        } else {
            ExprKind::Record(fields)
        };
        Ok(self.alloc(kind, span))
    }

    /// `[x, y \in S, <<a, b>> \in T |-> e]`; the items since `base` are the bounds, read as expressions.
    fn function(&mut self, base: usize, opener: Token) -> Parsed<ExprId> {
        let items = self.items.split_off(base);
        let mut bounds = vec![];
        let mut names: Vec<Ident> = vec![];
        for item in items {
            if let ExprKind::Ident(name) = self.exprs[item].kind {
                names.push(Ident {
                    name,
                    span: self.exprs[item].span,
                });
                continue;
            }
            match self.as_bound(item) {
                Some(Bound {
                    pattern: Pattern::Names(last),
                    set,
                }) => {
                    names.extend(last);
                    let pattern = Pattern::Names(std::mem::take(&mut names).into());
                    bounds.push(Bound { pattern, set });
                }
                Some(bound) if names.is_empty() => bounds.push(bound),
                _ => {
                    let span = self.exprs[item].span;
                    return self.abort(errors::not_a_bound(span, self.span_of(self.tok)));
                }
            }
        }
        if let Some(name) = names.first() {
            return self.abort(errors::not_a_bound(name.span, self.span_of(self.tok)));
        }
        self.bump();
        let body = self.expr()?;
        self.close(Tok::RBracket, opener)?;
        let span = self.since(opener);
        let bounds = bounds.into();
        Ok(self.alloc(ExprKind::FnLiteral { bounds, body }, span))
    }

    /// `x \in S` or `<<x, y>> \in S`, read as an expression, as a bound.
    fn as_bound(&self, expr: ExprId) -> Option<Bound> {
        let ExprKind::Infix {
            op: Op::IN, lhs, rhs, ..
        } = self.exprs[expr].kind
        else {
            return None;
        };
        let ident = |id: ExprId| match self.exprs[id].kind {
            ExprKind::Ident(name) => Some(Ident {
                name,
                span: self.exprs[id].span,
            }),
            _ => None,
        };
        let pattern = match &self.exprs[lhs].kind {
            ExprKind::Ident(_) => Pattern::Names(Box::new([ident(lhs)?])),
            ExprKind::Tuple(items) if !items.is_empty() => {
                Pattern::Tuple(items.iter().map(|&it| ident(it)).collect::<Option<_>>()?)
            }
            _ => return None,
        };
        Some(Bound { pattern, set: rhs })
    }

    /// `![a, b].c = e`
    fn update(&mut self, except: Token) -> Parsed<Update> {
        let Some(start) = self.eat(Tok::Bang) else {
            return self.update_without_bang(except);
        };
        let mut path = vec![];
        loop {
            if let Some(opener) = self.eat(Tok::LBracket) {
                let index = self.exprs()?;
                self.close(Tok::RBracket, opener)?;
                path.push(PathStep::Index(index));
            } else if self.eat(Tok::Dot).is_some() {
                path.push(PathStep::Field(self.field_name()?));
            } else {
                break;
            }
        }
        if path.is_empty() {
            return self.unexpected("`[` or `.` after the `!` of EXCEPT");
        }
        if !self.at_op(Op::EQ) {
            return self.not_an_update();
        }
        self.bump();
        let value = self.expr()?;
        Ok(Update {
            path: path.into(),
            value,
            span: self.since(start),
        })
    }

    pub(super) fn angle(&mut self) -> Parsed<ExprId> {
        let opener = self.bump();
        let base = self.items.len();
        if !self.at(Tok::RAngle) {
            loop {
                let item = self.expr()?;
                self.items.push(item);
                if self.eat(Tok::Comma).is_none() {
                    break;
                }
            }
        }
        if self.at(Tok::RAngleUnder) {
            return self.angle_action(base, opener);
        }
        self.close(Tok::RAngle, opener)?;
        let items = self.items.drain(base..).collect();
        let span = self.since(opener);
        Ok(self.alloc(ExprKind::Tuple(items), span))
    }

    fn angle_action(&mut self, base: usize, opener: Token) -> Parsed<ExprId> {
        let closer = self.bump();
        let items = self.items.split_off(base);
        let [action] = items[..] else {
            let span = self.span_of(opener).to(self.span_of(closer));
            return self.abort(errors::action_of_many(span));
        };
        let subscript = self.subscript(false)?;
        let span = self.since(opener);
        Ok(self.alloc(ExprKind::AngleAction { action, subscript }, span))
    }
}
