//! Operands: names with arguments and `!` paths, literals, and the forms that start with a keyword.

use super::{Parsed, Parser};
use crate::ast::{
    Binding, Bound, CaseArm, ExprId, ExprKind, Fairness, Ident, PathPart, Pattern, Quant, Selector,
};
use crate::diagnostics as errors;
use crate::op::Op;
use crate::token::{Tok, Token};

impl Parser<'_> {
    pub(super) fn operand(&mut self) -> Parsed<ExprId> {
        let start = self.tok;
        match self.kind() {
            Tok::Ident => self.name_or_application(),
            Tok::Step => self.step_name(),
            Tok::Number => self.number(),
            Tok::Dot if self.nth_kind(1) == Tok::Number => self.fraction(),
            Tok::Str => {
                self.bump();
                Ok(self.leaf(ExprKind::Str(start.name), start))
            }
            Tok::At => {
                self.bump();
                Ok(self.leaf(ExprKind::At, start))
            }
            Tok::LParen => self.paren(),
            Tok::LBrace => self.brace(),
            Tok::LBracket => self.bracket(),
            Tok::LAngle => self.angle(),
            Tok::WF => self.fairness(Fairness::Weak),
            Tok::SF => self.fairness(Fairness::Strong),
            Tok::Bullet if !self.is_nonfix() => self.junction(),
            Tok::Infix | Tok::Minus | Tok::MinusDot | Tok::Postfix | Tok::Bullet => self.nonfix(),
            Tok::If => self.if_then_else(),
            Tok::Case => self.case(),
            Tok::Let => self.let_in(),
            Tok::Choose => self.choose(),
            Tok::Forall => self.quantifier(Quant::Forall),
            Tok::Exists => self.quantifier(Quant::Exists),
            Tok::TemporalForall => self.temporal_quantifier(Quant::TemporalForall),
            Tok::TemporalExists => self.temporal_quantifier(Quant::TemporalExists),
            _ => self.missing_operand(),
        }
    }

    pub(super) fn leaf(&mut self, kind: ExprKind, token: Token) -> ExprId {
        let span = self.span_of(token);
        self.alloc(kind, span)
    }

    fn name_or_application(&mut self) -> Parsed<ExprId> {
        if self.tok.first && self.tok.column <= self.def_column && self.is_definition(0) {
            // The next definition starts where an operand of this one should.
            return self.missing_operand();
        }
        let token = self.bump();
        if !self.at(Tok::LParen) && !self.at_path() {
            return Ok(self.leaf(ExprKind::Ident(token.name), token));
        }
        self.application_or_path(self.ident_of(token), token)
    }

    /// `f(x)`, `M!f(x)`, …: what may follow a name.
    pub(super) fn application_or_path(&mut self, name: Ident, start: Token) -> Parsed<ExprId> {
        let args = self.opt_args()?;
        if self.at_path() {
            let head = PathPart {
                selector: Selector::Name(name.name),
                args,
                span: self.since(start),
            };
            return self.path(head, start);
        }
        let kind = if args.is_empty() {
            ExprKind::Ident(name.name)
        } else {
            ExprKind::Apply { name, args }
        };
        let span = self.since(start);
        Ok(self.alloc(kind, span))
    }

    /// A `!` that is not the start of the `!=` of other languages.
    fn at_path(&mut self) -> bool {
        self.at(Tok::Bang) && self.foreign_inequality().is_none()
    }

    fn opt_args(&mut self) -> Parsed<Box<[ExprId]>> {
        let Some(opener) = self.eat(Tok::LParen) else {
            return Ok(Box::new([]));
        };
        if self.at(Tok::RParen) {
            return self.abort(errors::empty_arguments(
                self.span_of(opener).to(self.span_of(self.tok)),
            ));
        }
        let base = self.items.len();
        loop {
            let arg = self.op_or_expr()?;
            self.items.push(arg);
            if self.eat(Tok::Comma).is_none() {
                break;
            }
        }
        self.close(Tok::RParen, opener)?;
        Ok(self.items.drain(base..).collect())
    }

    fn path(&mut self, head: PathPart, start: Token) -> Parsed<ExprId> {
        let mut parts = vec![head];
        while self.at_path() {
            self.bump();
            let start = self.tok;
            let selector = self.selector()?;
            let args = match selector {
                Selector::Name(_) | Selector::Args => self.opt_args()?,
                _ => Box::new([]),
            };
            parts.push(PathPart {
                selector,
                args,
                span: self.since(start),
            });
        }
        let span = self.since(start);
        Ok(self.alloc(ExprKind::Path(parts.into()), span))
    }

    /// What follows a `!`. The parentheses of `!(a, b)` are left to the caller.
    fn selector(&mut self) -> Parsed<Selector> {
        let token = self.tok;
        let selector = match self.kind() {
            Tok::Ident => Selector::Name(token.name),
            Tok::LAngle => Selector::First,
            Tok::RAngle => Selector::Second,
            Tok::Colon => Selector::Body,
            Tok::At => Selector::At,
            Tok::LParen => return Ok(Selector::Args),
            Tok::Number => match token.name.as_str().parse() {
                Ok(index) => Selector::Index(index),
                Err(_) => return self.unexpected("the number of a subexpression"),
            },
            kind if kind.is_operator() => Selector::Name(token.op.symbol()),
            _ => {
                return self
                    .unexpected("a name, or a selector such as `1`, `<<`, `>>`, `:` or `@`, after `!`");
            }
        };
        self.bump();
        Ok(selector)
    }

    /// An operator symbol as a name: `+(a, b)`, `\cup!1`, or on its own in lists of definitions.
    fn nonfix(&mut self) -> Parsed<ExprId> {
        if !self.is_nonfix() {
            return self.missing_operand();
        }
        let token = self.bump();
        let name = Ident {
            name: token.op.symbol(),
            span: self.span_of(token),
        };
        if !matches!(self.kind(), Tok::LParen | Tok::Bang) {
            return Ok(self.leaf(ExprKind::OpRef(name.name), token));
        }
        self.application_or_path(name, token)
    }

    /// Whether the operator here is used as a name: `+(a, b)`, `\cup!1`. For `-` and `/\`, which may also stand before a
    /// parenthesis, only several arguments tell.
    pub(super) fn is_nonfix(&mut self) -> bool {
        match self.nth_kind(1) {
            Tok::Bang => true,
            Tok::LParen => !matches!(self.kind(), Tok::Bullet | Tok::Minus) || self.is_application(2),
            _ => false,
        }
    }

    /// An argument: an operator on its own, a `LAMBDA`, or an expression.
    pub(super) fn op_or_expr(&mut self) -> Parsed<ExprId> {
        if self.at(Tok::Lambda) {
            return self.lambda();
        }
        if self.kind().is_operator() && self.is_lone_operator() {
            return Ok(self.op_ref());
        }
        self.expr()
    }

    pub(super) fn op_ref(&mut self) -> ExprId {
        let token = self.bump();
        self.height = self.height.max(1);
        self.leaf(ExprKind::OpRef(token.op.symbol()), token)
    }

    /// Whether the operator here stands alone, as an argument, in a substitution or in a list of definitions: nothing that
    /// follows could be its operand.
    pub(super) fn is_lone_operator(&mut self) -> bool {
        match self.kind() {
            Tok::Prefix | Tok::Box | Tok::Minus | Tok::Bullet => {
                self.nth_kind(1) != Tok::Bang && !self.starts_expr(1)
            }
            _ => !matches!(self.nth_kind(1), Tok::LParen | Tok::Bang),
        }
    }

    fn lambda(&mut self) -> Parsed<ExprId> {
        let start = self.bump();
        let params = self.list(|it| it.ident("a parameter of LAMBDA"))?;
        self.binder_colon(start)?;
        let body = self.expr()?;
        let span = self.since(start);
        self.height += 1;
        Ok(self.alloc(ExprKind::Lambda { params, body }, span))
    }

    fn number(&mut self) -> Parsed<ExprId> {
        let start = self.bump();
        if !(self.at(Tok::Dot) && self.nth_kind(1) == Tok::Number) {
            return Ok(self.leaf(ExprKind::Number(start.name), start));
        }
        self.bump();
        let fraction = self.bump();
        let text = format!("{}.{}", start.name, fraction.name);
        let span = self.since(start);
        Ok(self.alloc(ExprKind::Decimal(self.name(&text)), span))
    }

    /// `.5`
    fn fraction(&mut self) -> Parsed<ExprId> {
        let start = self.bump();
        let digits = self.bump();
        let span = self.since(start);
        let text = format!(".{}", digits.name);
        Ok(self.alloc(ExprKind::Decimal(self.name(&text)), span))
    }

    fn paren(&mut self) -> Parsed<ExprId> {
        let opener = self.bump();
        let inner = self.expr()?;
        self.close(Tok::RParen, opener)?;
        let span = self.since(opener);
        Ok(self.alloc(ExprKind::Paren(inner), span))
    }

    /// `WF_v(A)`. The subscript is a name (perhaps with arguments of its own) or something in brackets; when a name
    /// has only one pair of parentheses they hold the action.
    fn fairness(&mut self, kind: Fairness) -> Parsed<ExprId> {
        let start = self.bump();
        let subscript = self.subscript(true)?;
        let Some(opener) = self.eat(Tok::LParen) else {
            return self.fairness_without_action(start);
        };
        let action = self.expr()?;
        self.close(Tok::RParen, opener)?;
        let span = self.since(start);
        Ok(self.alloc(
            ExprKind::Fairness {
                kind,
                subscript,
                action,
            },
            span,
        ))
    }

    /// What may follow `]_`, `>>_`, `WF_` and `SF_`. For fairness the last parentheses are left for the action.
    pub(super) fn subscript(&mut self, fairness: bool) -> Parsed<ExprId> {
        match self.kind() {
            Tok::Ident => self.subscript_name(fairness),
            Tok::LParen => self.paren(),
            Tok::LBrace => self.brace(),
            Tok::LBracket => self.bracket(),
            Tok::LAngle => self.angle(),
            Tok::At => {
                let token = self.bump();
                Ok(self.leaf(ExprKind::At, token))
            }
            _ => self.unexpected("a subscript: a name, a tuple, or an expression in parentheses"),
        }
    }

    fn subscript_name(&mut self, fairness: bool) -> Parsed<ExprId> {
        let start = self.tok;
        let mut parts: Vec<PathPart> = vec![];
        loop {
            let token = self.expect(Tok::Ident, "a name")?;
            let takes_args = !fairness || !self.at(Tok::LParen) || self.is_followed_after_parens();
            let args = if takes_args {
                self.opt_args()?
            } else {
                Box::new([])
            };
            parts.push(PathPart {
                selector: Selector::Name(token.name),
                args,
                span: self.since(token),
            });
            if self.eat(Tok::Bang).is_none() {
                break;
            }
        }
        let span = self.since(start);
        if parts.len() > 1 {
            return Ok(self.alloc(ExprKind::Path(parts.into()), span));
        }
        let PathPart { args, .. } = parts.pop().expect("one part");
        let name = self.ident_of(start);
        let kind = if args.is_empty() {
            ExprKind::Ident(name.name)
        } else {
            ExprKind::Apply { name, args }
        };
        Ok(self.alloc(kind, span))
    }

    /// Whether the parentheses here are followed by `!` or by more parentheses: `WF_f(x)(A)`.
    fn is_followed_after_parens(&mut self) -> bool {
        match self.after_balanced(0) {
            Some(n) => matches!(self.nth_kind(n), Tok::Bang | Tok::LParen),
            None => false,
        }
    }

    // Forms with keywords

    fn if_then_else(&mut self) -> Parsed<ExprId> {
        let start = self.bump();
        let test = self.expr()?;
        self.keyword_of(Tok::Then, "THEN", start)?;
        let then = self.expr()?;
        self.keyword_of(Tok::Else, "ELSE", start)?;
        let other = self.expr()?;
        let span = self.since(start);
        Ok(self.alloc(ExprKind::If { test, then, other }, span))
    }

    fn case(&mut self) -> Parsed<ExprId> {
        self.n_cases += 1;
        let parsed = self.case_arms();
        self.n_cases -= 1;
        parsed
    }

    fn case_arms(&mut self) -> Parsed<ExprId> {
        let start = self.bump();
        let mut arms = vec![];
        let mut other = None;
        loop {
            if let Some(token) = self.eat(Tok::Other) {
                self.keyword_of(Tok::Arrow, "->", start)?;
                other = Some(self.expr()?);
                // What follows belongs to the CASE around this one, if there is one.
                if self.at(Tok::Box) && self.n_cases == 1 {
                    let span = self.span_of(self.tok);
                    return self.abort(errors::other_not_last(self.span_of(token), span));
                }
                break;
            }
            let guard = self.expr()?;
            self.keyword_of(Tok::Arrow, "->", start)?;
            let body = self.expr()?;
            arms.push(CaseArm { guard, body });
            if self.eat(Tok::Box).is_none() {
                break;
            }
        }
        let span = self.since(start);
        if arms.is_empty() {
            self.report(errors::case_without_arm(span));
        }
        Ok(self.alloc(
            ExprKind::Case {
                arms: arms.into(),
                other,
            },
            span,
        ))
    }

    fn let_in(&mut self) -> Parsed<ExprId> {
        let start = self.bump();
        let mut units = vec![];
        while !self.at(Tok::In) {
            match self.let_unit(start)? {
                Some(unit) => units.push(unit),
                None => break,
            }
        }
        if units.is_empty() {
            return self.abort(errors::empty_let(self.span_of(start), self.span_of(self.tok)));
        }
        self.keyword_of(Tok::In, "IN", start)?;
        let body = self.expr()?;
        let span = self.since(start);
        Ok(self.alloc(
            ExprKind::Let {
                units: units.into(),
                body,
            },
            span,
        ))
    }

    fn choose(&mut self) -> Parsed<ExprId> {
        let start = self.bump();
        let pattern = match self.kind() {
            Tok::LAngle => self.tuple_pattern()?,
            _ => Pattern::Names(Box::new([self.ident("a name after CHOOSE")?])),
        };
        let set = match self.at_op(Op::IN) {
            true => {
                self.bump();
                Some(self.expr()?)
            }
            false => None,
        };
        self.binder_colon(start)?;
        let body = self.expr()?;
        let span = self.since(start);
        Ok(self.alloc(ExprKind::Choose { pattern, set, body }, span))
    }

    fn quantifier(&mut self, kind: Quant) -> Parsed<ExprId> {
        let start = self.bump();
        let binding = self.binding(Tok::Colon, start)?;
        self.binder_colon(start)?;
        let body = self.expr()?;
        let span = self.since(start);
        let kind = match binding {
            Binding::Bounded(bounds) => ExprKind::Quant { kind, bounds, body },
            Binding::Unbounded(names) => ExprKind::UnboundedQuant { kind, names, body },
        };
        Ok(self.alloc(kind, span))
    }

    fn temporal_quantifier(&mut self, kind: Quant) -> Parsed<ExprId> {
        let start = self.bump();
        let names = self.list(|it| it.ident("a variable"))?;
        if self.at_op(Op::IN) {
            return self.abort(errors::bounded_temporal_quantifier(
                self.span_of(start),
                self.span_of(self.tok),
            ));
        }
        self.binder_colon(start)?;
        let body = self.expr()?;
        let span = self.since(start);
        Ok(self.alloc(ExprKind::UnboundedQuant { kind, names, body }, span))
    }

    /// The `:` between what a binder binds and its body.
    pub(super) fn binder_colon(&mut self, binder: Token) -> Parsed<Token> {
        match self.eat(Tok::Colon) {
            Some(token) => Ok(token),
            None => self.incomplete_binder(Some(binder), "`:`"),
        }
    }

    /// `x, y \in S, <<a, b>> \in T` or `x, y`, up to a token of kind `end` (or to whatever follows).
    pub(super) fn binding(&mut self, end: Tok, binder: Token) -> Parsed<Binding> {
        let first = self.bound_or_names(end, binder)?;
        let mut bounds = match first {
            Ok(bound) => vec![bound],
            Err(names) => return Ok(Binding::Unbounded(names)),
        };
        while self.eat(Tok::Comma).is_some() {
            bounds.push(self.bound(Some(binder))?);
        }
        Ok(Binding::Bounded(bounds.into()))
    }

    fn bound_or_names(&mut self, end: Tok, binder: Token) -> Parsed<Result<Bound, Box<[Ident]>>> {
        if self.at(Tok::LAngle) {
            return self.bound(Some(binder)).map(Ok);
        }
        let names = self.list(|it| it.ident("a name to bind"))?;
        if self.at_op(Op::IN) {
            self.bump();
            let pattern = Pattern::Names(names);
            let set = self.expr()?;
            return Ok(Ok(Bound { pattern, set }));
        }
        if end == Tok::Colon && !self.at(Tok::Colon) {
            return self.incomplete_binder(Some(binder), "`\\in` and a set, or `:`");
        }
        Ok(Err(names))
    }

    pub(super) fn bound(&mut self, binder: Option<Token>) -> Parsed<Bound> {
        let pattern = match self.kind() {
            Tok::LAngle => self.tuple_pattern()?,
            _ => Pattern::Names(self.list(|it| it.ident("a name to bind"))?),
        };
        if !self.at_op(Op::IN) {
            return self.incomplete_binder(binder, "`\\in` and the set that the name ranges over");
        }
        self.bump();
        let set = self.expr()?;
        Ok(Bound { pattern, set })
    }

    pub(super) fn tuple_pattern(&mut self) -> Parsed<Pattern> {
        let opener = self.bump();
        if let Some(closer) = self.eat(Tok::RAngle) {
            let span = self.span_of(opener).to(self.span_of(closer));
            return self.abort(errors::empty_tuple_pattern(span));
        }
        let names = self.list(|it| it.ident("a name to bind"))?;
        self.close(Tok::RAngle, opener)?;
        Ok(Pattern::Tuple(names))
    }
}
