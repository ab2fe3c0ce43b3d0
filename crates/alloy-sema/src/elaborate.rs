//! Decided nodes to IR. Here the sorts part: each node is asked for as a formula, a relation or an integer, and casts
//! are written out where it is another.
//!
//! Works on sound nodes only. A node that occurs in several places (an argument of a macro) becomes one IR node.

use util::deep;

use crate::ir::{
    BinaryOp, Bound, BoundKind, Count, Decl, Expr, ExprId, ExprKind, Formula, FormulaId, FormulaKind,
    IntCompare, IntExpr, IntId, IntKind, IntOp, Mult, Quantifier, Temporal, Temporal2, UnaryOp, Value,
    VarSort, builtin,
};
use crate::node::{Bin, HasMult, Kind, List, Mark, N, Quant, QuantDecl, Un};
use crate::resolver::Resolver;

impl Resolver {
    // ---- making IR ----

    pub fn add_formula(&mut self, span: source::Span, kind: FormulaKind) -> FormulaId {
        self.model.formulas.alloc(Formula { span, kind })
    }

    pub fn add_expr(&mut self, span: source::Span, arity: u32, kind: ExprKind) -> ExprId {
        self.model.exprs.alloc(Expr { span, arity, kind })
    }

    fn add_int(&mut self, span: source::Span, kind: IntKind) -> IntId {
        self.model.ints.alloc(IntExpr { span, kind })
    }

    pub fn add_binary(&mut self, span: source::Span, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let (a, b) = (self.model.exprs[left].arity, self.model.exprs[right].arity);
        let arity = match op {
            BinaryOp::Product => a + b,
            BinaryOp::Join => (a + b).saturating_sub(2),
            BinaryOp::Domain => b,
            _ => a,
        };
        self.add_expr(span, arity, ExprKind::Binary(op, left, right))
    }

    fn not(&mut self, span: source::Span, formula: FormulaKind) -> FormulaKind {
        FormulaKind::Not(self.add_formula(span, formula))
    }

    // ---- formulas ----

    pub fn elaborate_formula(&mut self, n: N) -> FormulaId {
        debug_assert!(!self.is_bad(n), "only sound nodes are elaborated");
        let kind = deep(|| self.formula_kind(n));
        self.add_formula(self.span(n), kind)
    }

    fn formula_kind(&mut self, n: N) -> FormulaKind {
        match self.node(n).kind.clone() {
            Kind::True => FormulaKind::True,
            Kind::Var(var) => FormulaKind::Var(var),
            Kind::Unary(op, sub) => self.unary_formula(op, sub),
            Kind::Binary(op, left, right) => self.binary_formula(n, op, left, right),
            Kind::List(op, args) => match op {
                List::And => FormulaKind::And(self.formulas(&args)),
                List::Or => FormulaKind::Or(self.formulas(&args)),
                List::Disjoint => FormulaKind::Disjoint(self.relations(&args)),
                List::TotalOrder => FormulaKind::TotalOrder {
                    elem: self.elaborate(args[0]),
                    first: self.elaborate(args[1]),
                    next: self.elaborate(args[2]),
                },
            },
            Kind::If(a, b, c) => FormulaKind::If(
                self.elaborate_formula(a),
                self.elaborate_formula(b),
                self.elaborate_formula(c),
            ),
            Kind::Let { var, value, body } => FormulaKind::Let {
                var,
                value: self.value(value),
                body: self.elaborate_formula(body),
            },
            Kind::Quant { op, decls, body } => FormulaKind::Quantified {
                quantifier: match op {
                    Quant::All => Quantifier::All,
                    Quant::No => Quantifier::No,
                    Quant::Lone => Quantifier::Lone,
                    Quant::One => Quantifier::One,
                    _ => Quantifier::Some,
                },
                decls: self.decls(&decls),
                body: self.elaborate_formula(body),
            },
            Kind::Call { fun, args } => FormulaKind::Call {
                fun,
                args: self.relations(&args),
            },
            other => unreachable!("not a formula: {other:?}"),
        }
    }

    fn formulas(&mut self, nodes: &[N]) -> Vec<FormulaId> {
        nodes.iter().map(|&it| self.elaborate_formula(it)).collect()
    }

    fn unary_formula(&mut self, op: Un, sub: N) -> FormulaKind {
        let temporal = match op {
            Un::Always => Temporal::Always,
            Un::Eventually => Temporal::Eventually,
            Un::After => Temporal::After,
            Un::Before => Temporal::Before,
            Un::Historically => Temporal::Historically,
            Un::Once => Temporal::Once,
            Un::Not => return FormulaKind::Not(self.elaborate_formula(sub)),
            _ => {
                let count = match op {
                    Un::No => Count::No,
                    Un::Lone => Count::Lone,
                    Un::One => Count::One,
                    _ => Count::Some,
                };
                return FormulaKind::Count(count, self.elaborate(sub));
            }
        };
        FormulaKind::Temporal(temporal, self.elaborate_formula(sub))
    }

    fn binary_formula(&mut self, n: N, op: Bin, left: N, right: N) -> FormulaKind {
        let span = self.span(n);
        let compare = match op {
            Bin::Lt | Bin::NotLt => IntCompare::Lt,
            Bin::Le | Bin::NotLe => IntCompare::Le,
            Bin::Gt | Bin::NotGt => IntCompare::Gt,
            Bin::Ge | Bin::NotGe => IntCompare::Ge,
            Bin::Implies => {
                return FormulaKind::Implies(self.elaborate_formula(left), self.elaborate_formula(right));
            }
            Bin::Iff => return FormulaKind::Iff(self.elaborate_formula(left), self.elaborate_formula(right)),
            Bin::Until | Bin::Releases | Bin::Since | Bin::Triggered => {
                let op = match op {
                    Bin::Until => Temporal2::Until,
                    Bin::Releases => Temporal2::Releases,
                    Bin::Since => Temporal2::Since,
                    _ => Temporal2::Triggered,
                };
                return FormulaKind::Temporal2(
                    op,
                    self.elaborate_formula(left),
                    self.elaborate_formula(right),
                );
            }
            Bin::In | Bin::NotIn => {
                let value = self.elaborate(left);
                let inclusion = match self.node(right).mult {
                    HasMult::No => FormulaKind::In(value, self.elaborate(right)),
                    _ => FormulaKind::InBound(value, self.bound(right)),
                };
                return if op == Bin::In {
                    inclusion
                } else {
                    self.not(span, inclusion)
                };
            }
            _ => {
                let equal = FormulaKind::Equal(self.elaborate(left), self.elaborate(right));
                return if op == Bin::Equal {
                    equal
                } else {
                    self.not(span, equal)
                };
            }
        };
        let comparison = FormulaKind::Compare(compare, self.elaborate_int(left), self.elaborate_int(right));
        match op {
            Bin::NotLt | Bin::NotLe | Bin::NotGt | Bin::NotGe => self.not(span, comparison),
            _ => comparison,
        }
    }

    // ---- relations ----

    pub fn elaborate(&mut self, n: N) -> ExprId {
        debug_assert!(!self.is_bad(n), "only sound nodes are elaborated");
        if let Some(&known) = self.work.elaborated.get(&n) {
            return known;
        }
        let expr = deep(|| self.relation(n));
        self.work.elaborated.insert(n, expr);
        expr
    }

    fn relations(&mut self, nodes: &[N]) -> Vec<ExprId> {
        nodes.iter().map(|&it| self.elaborate(it)).collect()
    }

    fn relation(&mut self, n: N) -> ExprId {
        let span = self.span(n);
        match self.node(n).kind.clone() {
            Kind::Iden => self.add_expr(span, 2, ExprKind::Iden),
            Kind::IntNext => self.add_expr(span, 2, ExprKind::IntNext),
            Kind::Str(text) => self.add_expr(span, 1, ExprKind::String(text)),
            Kind::Sig(sig) if sig == builtin::univ() => self.add_expr(span, 1, ExprKind::Univ),
            Kind::Sig(sig) if sig == builtin::none() => self.add_expr(span, 1, ExprKind::None),
            Kind::Sig(sig) => self.add_expr(span, 1, ExprKind::Sig(sig)),
            Kind::Field(field) => {
                let arity = self.model.fields[field].arity;
                self.add_expr(span, arity, ExprKind::Field(field))
            }
            Kind::Var(var) if matches!(self.model.vars[var].sort, VarSort::Relation { .. }) => {
                let arity = self.ty(n).arity().unwrap_or(1) as u32;
                self.add_expr(span, arity, ExprKind::Var(var))
            }
            Kind::Unary(op, sub) if op.is_multiplicity() => self.elaborate(sub),
            Kind::Unary(op, sub) => {
                let op = match op {
                    Un::Transpose => UnaryOp::Transpose,
                    Un::Closure => UnaryOp::Closure,
                    Un::ReflexiveClosure => UnaryOp::ReflexiveClosure,
                    Un::Prime => UnaryOp::Prime,
                    _ => return self.cast_from_int(n),
                };
                let sub = self.elaborate(sub);
                let arity = self.model.exprs[sub].arity;
                self.add_expr(span, arity, ExprKind::Unary(op, sub))
            }
            Kind::Binary(op, left, right) => {
                let op = match op {
                    Bin::Join => BinaryOp::Join,
                    Bin::Domain => BinaryOp::Domain,
                    Bin::Range => BinaryOp::Range,
                    Bin::Intersect => BinaryOp::Intersect,
                    Bin::Override => BinaryOp::Override,
                    Bin::Union => BinaryOp::Union,
                    Bin::Difference => BinaryOp::Difference,
                    _ => return self.cast_from_int(n),
                };
                let (left, right) = (self.elaborate(left), self.elaborate(right));
                self.add_binary(span, op, left, right)
            }
            Kind::Arrow { left, right, .. } => {
                let (left, right) = (self.elaborate(left), self.elaborate(right));
                self.add_binary(span, BinaryOp::Product, left, right)
            }
            Kind::Seq(elem) => {
                let index = self.add_expr(span, 1, ExprKind::Sig(builtin::seq_int()));
                let elem = self.elaborate(elem);
                self.add_binary(span, BinaryOp::Product, index, elem)
            }
            Kind::If(condition, then, otherwise) => {
                let condition = self.elaborate_formula(condition);
                let (then, otherwise) = (self.elaborate(then), self.elaborate(otherwise));
                let arity = self.model.exprs[then].arity;
                self.add_expr(span, arity, ExprKind::If(condition, then, otherwise))
            }
            Kind::Let { var, value, body } => {
                let value = self.value(value);
                let body = self.elaborate(body);
                let arity = self.model.exprs[body].arity;
                self.add_expr(span, arity, ExprKind::Let { var, value, body })
            }
            Kind::Call { fun, args } => {
                let args = self.relations(&args);
                let arity = self.declared.funs[fun.index()].result_type.arity().unwrap_or(1) as u32;
                self.add_expr(span, arity, ExprKind::Call { fun, args })
            }
            Kind::Quant {
                op: Quant::Comprehension,
                decls,
                body,
            } => {
                let decls = self.decls(&decls);
                let body = self.elaborate_formula(body);
                let arity = decls.iter().map(|it| it.vars.len() as u32).sum();
                self.add_expr(span, arity, ExprKind::Comprehension { decls, body })
            }
            _ => self.cast_from_int(n),
        }
    }

    fn cast_from_int(&mut self, n: N) -> ExprId {
        let int = self.elaborate_int(n);
        self.add_expr(self.span(n), 1, ExprKind::FromInt(int))
    }

    // ---- integers ----

    pub fn elaborate_int(&mut self, n: N) -> IntId {
        debug_assert!(!self.is_bad(n), "only sound nodes are elaborated");
        deep(|| self.integer(n))
    }

    fn integer(&mut self, n: N) -> IntId {
        let span = self.span(n);
        let kind = match self.node(n).kind.clone() {
            Kind::Number(value) => IntKind::Const(value),
            Kind::IntMin => IntKind::Min,
            Kind::IntMax => IntKind::Max,
            Kind::Var(var) if matches!(self.model.vars[var].sort, VarSort::Int) => IntKind::Var(var),
            Kind::Unary(Un::Card, sub) => IntKind::Card(self.elaborate(sub)),
            Kind::Unary(Un::ToInt | Un::FromInt, sub) => return self.elaborate_int(sub),
            Kind::Binary(op, left, right) if op.takes_ints() => {
                let op = match op {
                    Bin::IntAdd => IntOp::Add,
                    Bin::IntSub => IntOp::Sub,
                    Bin::IntMul => IntOp::Mul,
                    Bin::IntDiv => IntOp::Div,
                    Bin::IntRem => IntOp::Rem,
                    Bin::Shl => IntOp::Shl,
                    Bin::Sha => IntOp::Sha,
                    _ => IntOp::Shr,
                };
                IntKind::Binary(op, self.elaborate_int(left), self.elaborate_int(right))
            }
            Kind::If(condition, then, otherwise) if self.ty(n).is_small_int() => IntKind::If(
                self.elaborate_formula(condition),
                self.elaborate_int(then),
                self.elaborate_int(otherwise),
            ),
            Kind::Let { var, value, body } if self.ty(n).is_small_int() => IntKind::Let {
                var,
                value: self.value(value),
                body: self.elaborate_int(body),
            },
            Kind::Quant {
                op: Quant::Sum,
                decls,
                body,
            } => IntKind::SumOver {
                decls: self.decls(&decls),
                body: self.elaborate_int(body),
            },
            _ => IntKind::Sum(self.elaborate(n)),
        };
        self.add_int(span, kind)
    }

    // ---- declarations ----

    /// In its own sort.
    pub fn value(&mut self, n: N) -> Value {
        let ty = self.ty(n);
        if ty.is_bool {
            Value::Formula(self.elaborate_formula(n))
        } else if ty.is_small_int() {
            Value::Int(self.elaborate_int(n))
        } else {
            Value::Expr(self.elaborate(n))
        }
    }

    fn decls(&mut self, decls: &[QuantDecl]) -> Vec<Decl> {
        decls
            .iter()
            .map(|it| Decl {
                vars: it.vars.clone(),
                is_disj: it.is_disj,
                bound: self.bound(it.bound),
            })
            .collect()
    }

    pub fn bound(&mut self, n: N) -> Bound {
        deep(|| self.bound_of(n))
    }

    fn bound_of(&mut self, n: N) -> Bound {
        let span = self.span(n);
        let (expr, kind) = match self.node(n).kind.clone() {
            Kind::Unary(op, sub) if op.is_multiplicity() => {
                let kind = match op {
                    Un::OneOf => BoundKind::Of(Mult::One),
                    Un::LoneOf => BoundKind::Of(Mult::Lone),
                    Un::SomeOf => BoundKind::Of(Mult::Some),
                    Un::ExactlyOf => BoundKind::Exactly,
                    _ => BoundKind::Of(Mult::Set),
                };
                (self.elaborate(sub), kind)
            }
            Kind::Arrow {
                left,
                left_mult,
                right_mult,
                right,
            } if self.node(n).mult == HasMult::Arrow => {
                let (left, right) = (self.bound(left), self.bound(right));
                let expr = self.add_binary(span, BinaryOp::Product, left.expr, right.expr);
                let kind = BoundKind::Arrow {
                    left: Box::new(left),
                    left_mult: mult(left_mult),
                    right_mult: mult(right_mult),
                    right: Box::new(right),
                };
                (expr, kind)
            }
            Kind::Seq(elem) => {
                let elem = self.bound(elem);
                let index = self.add_expr(span, 1, ExprKind::Sig(builtin::seq_int()));
                let expr = self.add_binary(span, BinaryOp::Product, index, elem.expr);
                (expr, BoundKind::Seq { elem: Box::new(elem) })
            }
            _ => (self.elaborate(n), BoundKind::Of(Mult::Set)),
        };
        Bound { span, expr, kind }
    }
}

pub(crate) fn mult(mark: Mark) -> Mult {
    match mark {
        Mark::Set => Mult::Set,
        Mark::One => Mult::One,
        Mark::Lone => Mult::Lone,
        Mark::Some => Mult::Some,
    }
}
