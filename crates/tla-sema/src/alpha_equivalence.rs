//! Whether two definitions say the same, up to the names of what they bind.
//!
//! Only the shape is compared, nothing is computed: `1 + 1` and `2` differ. Definitions that call each other are assumed
//! to be the same until a difference is found. Large definitions are taken to differ, so that the question stays cheap.

use util::{FxHashMap, FxHashSet, deep};

use crate::instance::children;
use crate::ir::*;

/// More nodes than this are not looked at.
const NODES_MAX: u32 = 10_000;

pub fn is_alpha_equivalent(spec: &Spec, a: DefId, b: DefId) -> bool {
    let mut compare = Compare {
        spec,
        locals: FxHashMap::default(),
        assumed: FxHashSet::default(),
        nodes: 0,
    };
    compare.defs(a, b)
}

struct Compare<'a> {
    spec: &'a Spec,
    /// Bound names of the first definition, and what they are called in the second.
    locals: FxHashMap<LocalId, LocalId>,
    assumed: FxHashSet<(DefId, DefId)>,
    nodes: u32,
}

impl Compare<'_> {
    fn defs(&mut self, a: DefId, b: DefId) -> bool {
        if a == b || !self.assumed.insert((a, b)) {
            return true;
        }
        let (x, y) = (&self.spec.defs[a], &self.spec.defs[b]);
        x.kind == y.kind && self.bind(&x.params, &y.params) && self.exprs(x.body, y.body)
    }

    fn bind(&mut self, a: &[LocalId], b: &[LocalId]) -> bool {
        let locals = &self.spec.locals;
        let alike = a.len() == b.len() && a.iter().zip(b).all(|(&x, &y)| locals[x].arity == locals[y].arity);
        self.locals.extend(a.iter().copied().zip(b.iter().copied()));
        alike
    }

    fn local(&self, a: LocalId, b: LocalId) -> bool {
        self.locals.get(&a).copied().unwrap_or(a) == b
    }

    fn exprs(&mut self, a: ExprId, b: ExprId) -> bool {
        deep(|| self.exprs_here(a, b))
    }

    fn exprs_here(&mut self, a: ExprId, b: ExprId) -> bool {
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            return false;
        }
        let spec = self.spec;
        let (x, y) = (&spec.exprs[a].kind, &spec.exprs[b].kind);
        if !self.heads(x, y) {
            return false;
        }
        let (mut of_x, mut of_y) = (vec![], vec![]);
        children(x, &mut |it| of_x.push(it));
        children(y, &mut |it| of_y.push(it));
        of_x.len() == of_y.len() && of_x.into_iter().zip(of_y).all(|(x, y)| self.exprs(x, y))
    }

    /// Everything about two expressions but their parts. Names that they bind are matched.
    fn heads(&mut self, x: &ExprKind, y: &ExprKind) -> bool {
        use ExprKind::*;
        match (x, y) {
            (Bool(x), Bool(y)) => x == y,
            (Int(x), Int(y)) => x == y,
            (BigInt { digits: x, radix: a }, BigInt { digits: y, radix: b }) => x == y && a == b,
            (Decimal(x), Decimal(y)) | (Str(x), Str(y)) => x == y,
            (Local(x), Local(y)) => self.local(*x, *y),
            (Decl(x), Decl(y)) => x == y,
            (Call { op: x, .. }, Call { op: y, .. }) | (OpRef(x), OpRef(y)) => self.operators(*x, *y),
            (BuiltinRef(x), BuiltinRef(y)) => x == y,
            (Builtin { op: x, .. }, Builtin { op: y, .. }) => x == y,
            (Lambda { params: x, .. }, Lambda { params: y, .. }) => self.bind(x, y),
            (Let { defs: x, .. }, Let { defs: y, .. }) => {
                x.len() == y.len() && x.iter().zip(y).all(|(&x, &y)| self.defs(x, y))
            }
            (
                Quant {
                    kind: x, bounds: a, ..
                },
                Quant {
                    kind: y, bounds: b, ..
                },
            ) => x == y && self.bounds(a, b),
            (
                UnboundedQuant {
                    kind: x, locals: a, ..
                },
                UnboundedQuant {
                    kind: y, locals: b, ..
                },
            ) => x == y && self.bind(a, b),
            (Choose { bound: x, .. }, Choose { bound: y, .. })
            | (SetFilter { bound: x, .. }, SetFilter { bound: y, .. }) => {
                self.patterns(&x.pattern, &y.pattern)
            }
            (UnboundedChoose { pattern: x, .. }, UnboundedChoose { pattern: y, .. }) => self.patterns(x, y),
            (SetMap { bounds: x, .. }, SetMap { bounds: y, .. })
            | (FnLiteral { bounds: x, .. }, FnLiteral { bounds: y, .. }) => self.bounds(x, y),
            (Record(x), Record(y)) | (RecordSet(x), RecordSet(y)) => {
                x.len() == y.len() && x.iter().zip(y).all(|((x, _), (y, _))| x == y)
            }
            (Select { field: x, .. }, Select { field: y, .. }) => x == y,
            (Except { updates: x, .. }, Except { updates: y, .. }) => {
                x.len() == y.len()
                    && x.iter()
                        .zip(y)
                        .all(|(x, y)| x.path.len() == y.path.len() && self.bind(&[x.at], &[y.at]))
            }
            (Fairness { kind: x, .. }, Fairness { kind: y, .. }) => x == y,
            (Case { other: x, .. }, Case { other: y, .. }) => x.is_some() == y.is_some(),
            (Label { .. }, Label { .. })
            | (If { .. }, If { .. })
            | (SetEnum(_), SetEnum(_))
            | (FnApply { .. }, FnApply { .. })
            | (FnSet { .. }, FnSet { .. })
            | (Tuple(_), Tuple(_))
            | (Times(_), Times(_))
            | (BoxAction { .. }, BoxAction { .. })
            | (AngleAction { .. }, AngleAction { .. }) => true,
            _ => false,
        }
    }

    fn operators(&mut self, x: Operator, y: Operator) -> bool {
        match (x, y) {
            (Operator::Def(x), Operator::Def(y)) => self.defs(x, y),
            (Operator::Decl(x), Operator::Decl(y)) => x == y,
            (Operator::Local(x), Operator::Local(y)) => self.local(x, y),
            _ => false,
        }
    }

    fn bounds(&mut self, x: &[Bound], y: &[Bound]) -> bool {
        x.len() == y.len()
            && x.iter()
                .zip(y)
                .all(|(x, y)| self.patterns(&x.pattern, &y.pattern))
    }

    fn patterns(&mut self, x: &Pattern, y: &Pattern) -> bool {
        matches!(
            (x, y),
            (Pattern::One(_), Pattern::One(_)) | (Pattern::Tuple(_), Pattern::Tuple(_))
        ) && self.bind(x.locals(), y.locals())
    }
}
