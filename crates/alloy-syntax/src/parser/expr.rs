//! Expressions, by precedence climbing.
//!
//! Levels, from loosest to tightest; those in parentheses are of prefix operators:
//!
//! ```text
//! 1 ;   2 or   3 iff   4 implies-else (right)   5 and   6 until releases since triggered
//! 7 (not always eventually after before historically once)
//! 8 in = < > =< >= and their negations, (no some lone one set seq)
//! 9 << >> >>>   10 + - fun/add fun/sub   11 fun/mul fun/div fun/rem   12 (# sum int)
//! 13 ++   14 &   15 -> (right)   16 <:   17 :>   18 . []   19 (~ ^ *) and the postfix '
//! ```
//!
//! All are left associative but where it says right. `let` and quantifiers stand as the last operand of anything and
//! reach as far right as possible. The body of a quantifier does not reach over `;`.

use util::{Symbol, deep};

use super::{Parse, Parser, Stop};
use crate::NESTING_MAX;
use crate::ast::{Binary, Const, Decl, ExprId, ExprKind, Mult, Quantifier, Unary};
use crate::diagnostics as say;
use crate::lexer::string_value;
use crate::token::T;

pub(crate) mod level {
    pub const THEN: u8 = 1;
    pub const OR: u8 = 2;
    pub const IFF: u8 = 3;
    pub const IMPLIES: u8 = 4;
    pub const AND: u8 = 5;
    pub const TEMPORAL: u8 = 6;
    pub const NOT: u8 = 7;
    pub const COMPARE: u8 = 8;
    pub const SHIFT: u8 = 9;
    pub const ADD: u8 = 10;
    pub const MUL: u8 = 11;
    pub const CARD: u8 = 12;
    pub const OVERRIDE: u8 = 13;
    pub const INTERSECT: u8 = 14;
    pub const ARROW: u8 = 15;
    pub const DOMAIN: u8 = 16;
    pub const RANGE: u8 = 17;
    pub const DOT: u8 = 18;
    pub const CLOSURE: u8 = 19;
}

/// What may follow an operand.
enum Infix {
    Binary(Binary, usize),
    Implies,
    Arrow,
    Dot,
    Bracket,
    Prime,
}

struct Prefix {
    op: Unary,
    /// How tightly the whole binds.
    level: u8,
    /// How tightly the operand must bind.
    operand: u8,
}

impl Parser<'_> {
    /// An expression, `;` included.
    pub(super) fn expr(&mut self) -> Parse<ExprId> {
        let mut parts = vec![self.expr_without_then()?];
        while self.eat(T::Semi) {
            parts.push(self.expr_without_then()?);
        }
        let mut result = parts.pop().expect("one was pushed");
        while let Some(left) = parts.pop() {
            let span = self.exprs[left].span.to(self.exprs[result].span);
            result = self.node(span, ExprKind::Binary(Binary::Then, left, result))?;
        }
        Ok(result)
    }

    fn expr_without_then(&mut self) -> Parse<ExprId> {
        self.level(level::OR)
    }

    /// An expression of operators that bind at least as tightly as `min`.
    fn level(&mut self, min: u8) -> Parse<ExprId> {
        if self.depth >= NESTING_MAX {
            let span = self.span();
            return Err(self.report(say::nesting_too_deep(NESTING_MAX, span)));
        }
        self.depth += 1;
        let result = deep(|| {
            let left = self.operand(min)?;
            self.infixes(left, min)
        });
        self.depth -= 1;
        result
    }

    fn infixes(&mut self, mut left: ExprId, min: u8) -> Parse<ExprId> {
        while let Some((infix, level)) = self.opt_infix() {
            if level < min {
                break;
            }
            left = match infix {
                Infix::Binary(op, n_words) => {
                    for _ in 0..n_words {
                        self.take();
                    }
                    let right = self.level(level + 1)?;
                    let right = match op {
                        Binary::In | Binary::NotIn => self.multiplicity(right),
                        _ => right,
                    };
                    self.binary(op, left, right)?
                }
                Infix::Implies => self.implies(left)?,
                Infix::Arrow => self.arrow(left)?,
                Infix::Dot => {
                    self.take();
                    let right = self.dotted()?;
                    self.binary(Binary::Join, left, right)?
                }
                Infix::Bracket => self.apply(left)?,
                Infix::Prime => {
                    self.take();
                    let span = self.since(self.exprs[left].span);
                    self.node(span, ExprKind::Unary(Unary::Prime, left))?
                }
            };
        }
        Ok(left)
    }

    fn opt_infix(&self) -> Option<(Infix, u8)> {
        use level::*;
        let one = |op, level| Some((Infix::Binary(op, 1), level));
        match self.kind() {
            T::OrOr | T::Or => one(Binary::Or, OR),
            T::Iff | T::IffWord => one(Binary::Iff, IFF),
            T::Implies | T::ImpliesWord => Some((Infix::Implies, IMPLIES)),
            T::AndAnd | T::And => one(Binary::And, AND),
            T::Until => one(Binary::Until, TEMPORAL),
            T::Releases => one(Binary::Releases, TEMPORAL),
            T::Since => one(Binary::Since, TEMPORAL),
            T::Triggered => one(Binary::Triggered, TEMPORAL),
            T::In => one(Binary::In, COMPARE),
            T::Equal => one(Binary::Equal, COMPARE),
            T::Lt => one(Binary::Lt, COMPARE),
            T::Le => one(Binary::Le, COMPARE),
            T::Gt => one(Binary::Gt, COMPARE),
            T::Ge => one(Binary::Ge, COMPARE),
            T::Not | T::NotWord => {
                let op = match self.kind_at(1) {
                    T::In => Binary::NotIn,
                    T::Equal => Binary::NotEqual,
                    T::Lt => Binary::NotLt,
                    T::Le => Binary::NotLe,
                    T::Gt => Binary::NotGt,
                    T::Ge => Binary::NotGe,
                    _ => return None,
                };
                Some((Infix::Binary(op, 2), COMPARE))
            }
            T::Shl => one(Binary::Shl, SHIFT),
            T::Sha => one(Binary::Sha, SHIFT),
            T::Shr => one(Binary::Shr, SHIFT),
            T::Plus => one(Binary::Union, ADD),
            T::Minus => one(Binary::Difference, ADD),
            T::Fun if self.kind_at(1) == T::Slash => {
                let (op, level) = match self.word_at(2) {
                    "add" => (Binary::IntAdd, ADD),
                    "sub" => (Binary::IntSub, ADD),
                    "mul" => (Binary::IntMul, MUL),
                    "div" => (Binary::IntDiv, MUL),
                    "rem" => (Binary::IntRem, MUL),
                    _ => return None,
                };
                Some((Infix::Binary(op, 3), level))
            }
            T::PlusPlus => one(Binary::Override, OVERRIDE),
            T::Amp => one(Binary::Intersect, INTERSECT),
            T::Arrow => Some((Infix::Arrow, ARROW)),
            T::One | T::Lone | T::Some | T::Set if self.kind_at(1) == T::Arrow => Some((Infix::Arrow, ARROW)),
            T::Domain => one(Binary::Domain, DOMAIN),
            T::Range => one(Binary::Range, RANGE),
            T::Dot => Some((Infix::Dot, DOT)),
            T::LBracket => Some((Infix::Bracket, DOT)),
            T::Prime => Some((Infix::Prime, CLOSURE)),
            _ => None,
        }
    }

    fn word_at(&self, offset: usize) -> &str {
        let last = self.tokens.len() - 1;
        self.text_of(self.tokens[(self.at + offset).min(last)])
    }

    fn binary(&mut self, op: Binary, left: ExprId, right: ExprId) -> Parse<ExprId> {
        let span = self.since(self.exprs[left].span);
        self.node(span, ExprKind::Binary(op, left, right))
    }

    /// `a => b`, `a => b else c`; an `else` belongs to the nearest `=>` before it.
    fn implies(&mut self, condition: ExprId) -> Parse<ExprId> {
        self.take();
        let then = self.level(level::IMPLIES)?;
        if !self.eat(T::Else) {
            return self.binary(Binary::Implies, condition, then);
        }
        let otherwise = self.level(level::IMPLIES)?;
        let span = self.since(self.exprs[condition].span);
        self.node(span, ExprKind::If(condition, then, otherwise))
    }

    fn arrow(&mut self, left: ExprId) -> Parse<ExprId> {
        let left_mult = self.opt_mult();
        self.expect(T::Arrow)?;
        let right_mult = self.opt_mult();
        let right = self.level(level::ARROW)?;
        let span = self.since(self.exprs[left].span);
        self.node(
            span,
            ExprKind::Arrow {
                left,
                left_mult,
                right_mult,
                right,
            },
        )
    }

    fn opt_mult(&mut self) -> Mult {
        let mult = match self.kind() {
            T::One => Mult::One,
            T::Lone => Mult::Lone,
            T::Some => Mult::Some,
            T::Set => Mult::Set,
            _ => return Mult::Set,
        };
        self.take();
        mult
    }

    /// What stands after a dot.
    fn dotted(&mut self) -> Parse<ExprId> {
        let span = self.span();
        let word = match self.kind() {
            T::Int => Const::Int,
            T::Sum if !self.quantifier_follows() => Const::Sum,
            _ => return self.level(level::CLOSURE),
        };
        self.take();
        self.node(span, ExprKind::Const(word))
    }

    fn apply(&mut self, target: ExprId) -> Parse<ExprId> {
        let open = self.expect(T::LBracket)?;
        let mut args = vec![];
        while self.kind() != T::RBracket {
            args.push(self.expr()?);
            if !self.eat(T::Comma) {
                break;
            }
        }
        self.close(T::RBracket, T::LBracket, open)?;
        let span = self.since(self.exprs[target].span);
        self.node(span, ExprKind::Apply(target, args))
    }

    // ---- operands ----

    /// What stands before, between and after infix operators, where only prefix operators of at least `min` may stand.
    fn operand(&mut self, min: u8) -> Parse<ExprId> {
        let span = self.span();
        if let Some(prefix) = self.opt_prefix() {
            let word = self.take().kind;
            let sub = self.level(prefix.operand)?;
            let span = self.since(span);
            if prefix.level < min {
                self.note(say::needs_parentheses(&word.to_string(), span));
            }
            return self.node(span, ExprKind::Unary(prefix.op, sub));
        }
        let word = match self.kind() {
            T::Number => {
                let (value, span) = self.number("a number")?;
                return self.node(span, ExprKind::Number(value));
            }
            T::Minus if self.kind_at(1) == T::Number => {
                let (value, span) = self.number("a number")?;
                return self.node(span, ExprKind::Number(value));
            }
            T::Str => {
                let token = self.take();
                let text = Symbol::new(&string_value(self.text_of(token)));
                return self.node(span, ExprKind::Str(text));
            }
            T::LParen => {
                self.take();
                let inner = self.expr()?;
                self.close(T::RParen, T::LParen, span)?;
                self.exprs[inner].span = self.since(span);
                return Ok(inner);
            }
            T::LBrace => return self.braces(),
            T::At => {
                self.take();
                let name = self.path("a name")?;
                let span = self.since(span);
                return self.node(span, ExprKind::At(name.text));
            }
            T::Let => return self.let_in(),
            T::All | T::No | T::Some | T::Lone | T::One | T::Sum if self.quantifier_follows() => {
                return self.quantified();
            }
            T::All => {
                self.take();
                return Err(self.unexpected("a declaration such as `x: A`"));
            }
            T::Name => return self.name(),
            T::This | T::Seq if self.kind_at(1) == T::Slash && self.kind_at(2) == T::Name => {
                return self.name();
            }
            T::Seq if self.kind_at(1) == T::Slash && self.kind_at(2) == T::SigInt => {
                self.take();
                self.take();
                Const::SeqInt
            }
            T::Pred if self.kind_at(1) == T::Slash && self.word_at(2) == "totalOrder" => {
                self.take();
                self.take();
                Const::TotalOrder
            }
            T::Fun if self.kind_at(1) == T::Slash => {
                let word = match self.word_at(2) {
                    "min" => Const::IntMin,
                    "max" => Const::IntMax,
                    "next" => Const::IntNext,
                    _ => return Err(self.unexpected("an expression")),
                };
                self.take();
                self.take();
                word
            }
            T::This => Const::This,
            T::Univ => Const::Univ,
            T::None => Const::None,
            T::Iden => Const::Iden,
            T::SigInt => Const::SigInt,
            T::String => Const::String,
            T::Disj => Const::Disj,
            T::Int => Const::Int,
            T::Sum => Const::Sum,
            T::Steps => {
                self.take();
                return self.node(span, ExprKind::Name(Symbol::new("steps")));
            }
            _ => return Err(self.unexpected("an expression")),
        };
        self.take();
        let span = self.since(span);
        self.node(span, ExprKind::Const(word))
    }

    fn opt_prefix(&self) -> Option<Prefix> {
        use level::*;
        let (op, operand) = match self.kind() {
            T::Not | T::NotWord => (Unary::Not, NOT),
            T::Always => (Unary::Always, NOT),
            T::Eventually => (Unary::Eventually, NOT),
            T::After => (Unary::After, NOT),
            T::Before => (Unary::Before, NOT),
            T::Historically => (Unary::Historically, NOT),
            T::Once => (Unary::Once, NOT),
            T::No | T::Some | T::Lone | T::One if self.quantifier_follows() => return None,
            T::No => (Unary::No, SHIFT),
            T::Some => (Unary::Some, SHIFT),
            T::Lone => (Unary::Lone, SHIFT),
            T::One => (Unary::One, SHIFT),
            T::Set => (Unary::SetOf, SHIFT),
            T::Seq if self.kind_at(1) != T::Slash => (Unary::SeqOf, SHIFT),
            T::Hash => (Unary::Card, CARD),
            T::Sum if self.quantifier_follows() => return None,
            T::Sum | T::Int if self.kind_at(1) != T::LBracket => (Unary::IntOf, CARD),
            T::Tilde => (Unary::Transpose, CLOSURE + 1),
            T::Caret => (Unary::Closure, CLOSURE + 1),
            T::Star => (Unary::ReflexiveClosure, CLOSURE + 1),
            _ => return None,
        };
        let level = match operand {
            SHIFT => COMPARE,
            _ => operand, // `~^r` needs no parentheses
        };
        Some(Prefix { op, level, operand })
    }

    /// Whether the word here starts a quantification: declarations follow. After a colon or `disj` it is a
    /// multiplicity (`f: some A, g: B`).
    fn quantifier_follows(&self) -> bool {
        if self.at > 0 && matches!(self.tokens[self.at - 1].kind, T::Colon | T::Disj) {
            return false;
        }
        let mut offset = 1;
        while matches!(self.kind_at(offset), T::Private | T::Disj | T::Var) {
            offset += 1;
        }
        self.names_and_colon_follow(offset)
    }

    fn names_and_colon_follow(&self, mut offset: usize) -> bool {
        while self.kind_at(offset) == T::Name {
            match self.kind_at(offset + 1) {
                T::Comma => offset += 2,
                T::Colon => return true,
                _ => return false,
            }
        }
        false
    }

    fn name(&mut self) -> Parse<ExprId> {
        let path = self.path("a name")?;
        let primes = self.tokens[self.at - 1].primes;
        let text = path.text.as_str();
        let kind = match primes {
            0 => ExprKind::Name(path.text),
            _ => ExprKind::PrimedName {
                base: Symbol::new(text.trim_end_matches('\'')),
                primes,
            },
        };
        self.node(path.span, kind)
    }

    // ---- binders ----

    fn quantified(&mut self) -> Parse<ExprId> {
        let start = self.span();
        let quantifier = match self.take().kind {
            T::All => Quantifier::All,
            T::No => Quantifier::No,
            T::Some => Quantifier::Some,
            T::Lone => Quantifier::Lone,
            T::One => Quantifier::One,
            _ => Quantifier::Sum,
        };
        let decls = self.variables()?;
        let body = self.bar_or_block()?;
        let span = self.since(start);
        self.node(
            span,
            ExprKind::Quantified {
                quantifier,
                decls,
                body,
            },
        )
    }

    fn variables(&mut self) -> Parse<Vec<Decl>> {
        let mut decls = vec![self.decl(false)?];
        while self.eat(T::Comma) {
            decls.push(self.decl(false)?);
        }
        for decl in &decls {
            if let Some(span) = decl.private {
                self.note(say::parameter_modifier("private", "a variable", span));
            }
            if let Some(span) = decl.var {
                self.note(say::parameter_modifier("var", "a variable", span));
            }
            if let Some(span) = decl.disj_values {
                self.note(say::parameter_modifier("disj", "the bound of a variable", span));
            }
        }
        Ok(decls)
    }

    fn bar_or_block(&mut self) -> Parse<ExprId> {
        match self.kind() {
            T::LBrace => self.block("a body"),
            T::Bar => {
                self.take();
                self.expr_without_then()
            }
            _ => Err(self.unexpected("`|` or `{`")),
        }
    }

    /// `let a = e, b = f | body`: one node for each name, the first outermost.
    fn let_in(&mut self) -> Parse<ExprId> {
        let start = self.expect(T::Let)?;
        let mut bindings = vec![];
        loop {
            let name = self.new_name("the name of the variable")?;
            self.expect(T::Equal)?;
            bindings.push((name, self.expr()?));
            if !self.eat(T::Comma) {
                break;
            }
        }
        let mut body = self.bar_or_block()?;
        let span = self.since(start);
        while let Some((name, value)) = bindings.pop() {
            body = self.node(span, ExprKind::Let { name, value, body })?;
        }
        Ok(body)
    }

    // ---- braces ----

    fn braces(&mut self) -> Parse<ExprId> {
        let mut offset = 1;
        while matches!(self.kind_at(offset), T::Private | T::Disj | T::Var) {
            offset += 1;
        }
        if !self.names_and_colon_follow(offset) {
            return self.block("an expression");
        }
        let start = self.expect(T::LBrace)?;
        let decls = self.variables()?;
        let body = match self.kind() {
            T::RBrace => None,
            T::LBrace => Some(self.block("a body")?),
            T::Bar => {
                self.take();
                Some(self.expr()?)
            }
            _ => return Err(self.unexpected("`|` or `}`")),
        };
        self.close(T::RBrace, T::LBrace, start)?;
        let span = self.since(start);
        self.node(span, ExprKind::Comprehension { decls, body })
    }

    /// `{ … }` with any number of expressions. What cannot be read inside is skipped up to the next line.
    pub(super) fn block(&mut self, wanted: &str) -> Parse<ExprId> {
        if self.kind() != T::LBrace {
            return Err(self.unexpected(&format!("`{{` and {wanted}")));
        }
        let start = self.span();
        self.take();
        let mut items = vec![];
        loop {
            if self.eat(T::RBrace) {
                break;
            }
            if self.kind() == T::End || self.starts_paragraph(self.at) {
                let (found, span) = (self.found(), self.span());
                self.note(say::unclosed("`{`", start, &found, span));
                break;
            }
            let before = self.at;
            let is_inline = !items.is_empty() && !self.tokens[self.at].first_on_line;
            match self.expr() {
                Ok(item) => {
                    if is_inline {
                        let span = self.exprs[item].span;
                        self.note(say::inline_conjunction(span));
                    }
                    items.push(item);
                }
                Err(Stop) => {
                    self.skip_to_line(before);
                    let span = self.token_span(before);
                    items.push(self.error_node(span));
                    if self.is_hopeless() {
                        return Err(Stop);
                    }
                }
            }
        }
        let span = self.since(start);
        self.node(span, ExprKind::Block(items))
    }

    /// The rest of an expression prompt: all of the text, as a conjunction if there are several expressions.
    pub(super) fn conjunction_to_end(&mut self) -> Parse<ExprId> {
        let start = self.span();
        let mut items = vec![];
        while self.kind() != T::End {
            items.push(self.expr()?);
        }
        match items[..] {
            [] => Err(self.unexpected("an expression")),
            [single] => Ok(single),
            _ => {
                let span = self.since(start);
                self.node(span, ExprKind::Block(items))
            }
        }
    }

    /// Skips to the first word of a line, or to the end of the block, past at least one word. Brackets that open on
    /// the way are skipped whole.
    fn skip_to_line(&mut self, before: usize) {
        let mut depth = 0usize;
        if self.at == before {
            depth = usize::from(matches!(self.kind(), T::LBrace | T::LParen | T::LBracket));
            self.take();
        }
        loop {
            let token = self.tokens[self.at];
            if token.kind == T::End || self.starts_paragraph(self.at) {
                return;
            }
            match token.kind {
                T::RBrace if depth == 0 => return,
                T::RBrace | T::RParen | T::RBracket => depth = depth.saturating_sub(1),
                _ if depth == 0 && token.first_on_line => return,
                T::LBrace | T::LParen | T::LBracket => depth += 1,
                _ => {}
            }
            self.take();
        }
    }

    /// Turns the test `some e` at the root into the multiplicity `some of e`, where only that can be meant.
    pub(super) fn multiplicity(&mut self, expr: ExprId) -> ExprId {
        if let ExprKind::Unary(op, _) = &mut self.exprs[expr].kind {
            *op = match *op {
                Unary::Some => Unary::SomeOf,
                Unary::Lone => Unary::LoneOf,
                Unary::One => Unary::OneOf,
                other => other,
            };
        }
        expr
    }
}
