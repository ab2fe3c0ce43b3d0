//! What was translated before, by node and by what the node depends on.

use std::hash::Hash;
use std::rc::Rc;

use util::{FxHashMap, Idx};

use super::{Binding, Translator};
use crate::bits::Bits;
use crate::circuit::Gate;
use crate::logic::{Decl, Expr, Formula, Info, IntExpr, Logic, VarId};
use crate::matrix::Matrix;
use crate::problem::Problem;

/// Up to so many bindings a key needs no memory of its own.
const INLINE: usize = 4;

#[derive(Clone, PartialEq, Eq, Hash)]
enum Bindings {
    Few([u64; INLINE]),
    Many(Box<[u64]>),
}

/// Everything that a translation depends on, besides the problem.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    node: u32,
    /// Turn and step in the lasso, polarity; zero for what they do not matter to.
    turn: u32,
    step: u16,
    polarity: u8,
    /// Who chose the integers that may overflow.
    choosers: u32,
    bindings: Bindings,
}

pub(super) struct Caches {
    pub exprs: FxHashMap<Key, Rc<Matrix>>,
    pub formulas: FxHashMap<Key, Gate>,
    pub ints: FxHashMap<Key, Rc<Bits>>,
    uses: Uses,
}

impl Caches {
    pub(super) fn new(problem: &Problem) -> Caches {
        Caches {
            exprs: FxHashMap::default(),
            formulas: FxHashMap::default(),
            ints: FxHashMap::default(),
            uses: Uses::count(problem),
        }
    }

    pub(super) fn is_shared_expr(&self, id: Idx<Expr>) -> bool {
        self.uses.exprs[id.index()] > 1
    }

    pub(super) fn is_shared_formula(&self, id: Idx<Formula>) -> bool {
        self.uses.formulas[id.index()] > 1
    }

    pub(super) fn is_shared_int(&self, id: Idx<IntExpr>) -> bool {
        self.uses.ints[id.index()] > 1
    }
}

impl Translator<'_> {
    /// The key of a node here and now, or none if the node would never be asked for again: it is used in one place,
    /// and depends on the variable that changes most often.
    pub(super) fn key(&self, node: u32, info: &Info, is_shared: bool) -> Option<Key> {
        let vars = self.logic().vars(info.free);
        if !is_shared
            && let Some(innermost) = self.frames.last()
            && vars.contains(&innermost.var)
            && !info.in_time
        {
            return None;
        }
        let value = |var: &Idx<_>| match self.env[var.index()] {
            Binding::Unbound => unreachable!("a free variable without a binding"),
            Binding::Tuple(tuple) => tuple,
            Binding::Witness(row, _) => 1 << 63 | u64::from(row),
        };
        let bindings = if vars.len() <= INLINE {
            let mut few = [0; INLINE];
            few.iter_mut()
                .zip(vars)
                .for_each(|(place, var)| *place = value(var));
            Bindings::Few(few)
        } else {
            Bindings::Many(vars.iter().map(value).collect())
        };
        let pos = self.pos;
        Some(Key {
            node,
            turn: if info.in_time { pos.turn.min(info.past) } else { 0 },
            step: if info.in_time { pos.step as u16 } else { 0 },
            polarity: match info.polar {
                true => u8::from(self.polarity.positive) << 1 | u8::from(self.polarity.skolemise),
                false => 0,
            },
            choosers: if info.arithmetic { self.choosers(vars) } else { 0 },
            bindings,
        })
    }

    /// What [`Translator::guard`] looks at, besides polarity: two bits for each variable.
    fn choosers(&self, vars: &[VarId]) -> u32 {
        vars.iter().fold(0, |bits, var| {
            let frame = self.frames.iter().rev().find(|frame| frame.var == *var);
            let flags = frame.map_or(0, |it| u32::from(it.is_int) << 1 | u32::from(it.is_universal));
            bits << 2 | flags
        })
    }
}

/// How often each node is used by another one (counted up to two).
struct Uses {
    exprs: Vec<u8>,
    formulas: Vec<u8>,
    ints: Vec<u8>,
}

enum AnyNode {
    Expr(Idx<Expr>),
    Formula(Idx<Formula>),
    Int(Idx<IntExpr>),
}

impl Uses {
    fn count(problem: &Problem) -> Uses {
        let logic = &problem.logic;
        let [n_exprs, n_formulas, n_ints] = logic.n_nodes();
        let mut uses = Uses {
            exprs: vec![0; n_exprs],
            formulas: vec![0; n_formulas],
            ints: vec![0; n_ints],
        };
        let mut stack: Vec<AnyNode> = problem
            .constraints
            .iter()
            .map(|&it| AnyNode::Formula(it))
            .collect();
        while let Some(node) = stack.pop() {
            let n_uses = match node {
                AnyNode::Expr(id) => &mut uses.exprs[id.index()],
                AnyNode::Formula(id) => &mut uses.formulas[id.index()],
                AnyNode::Int(id) => &mut uses.ints[id.index()],
            };
            *n_uses = (*n_uses + 1).min(2);
            if *n_uses == 1 {
                children(logic, node, &mut stack);
            }
        }
        uses
    }
}

fn children(logic: &Logic, node: AnyNode, out: &mut Vec<AnyNode>) {
    use AnyNode as N;
    let decls =
        |out: &mut Vec<AnyNode>, decls: &[Decl]| out.extend(decls.iter().map(|it| N::Expr(it.domain)));
    match node {
        N::Expr(id) => match *logic.expr(id) {
            Expr::None(_) | Expr::Univ | Expr::Iden | Expr::Ints | Expr::Relation(_) | Expr::Variable(_) => {}
            Expr::Unary(_, a) | Expr::Prime(a) => out.push(N::Expr(a)),
            Expr::Binary(_, a, b) => out.extend([N::Expr(a), N::Expr(b)]),
            Expr::If(c, a, b) => out.extend([N::Formula(c), N::Expr(a), N::Expr(b)]),
            Expr::Comprehension(ref binders, body) => {
                decls(out, binders);
                out.push(N::Formula(body));
            }
            Expr::OfInt(a) => out.push(N::Int(a)),
        },
        N::Formula(id) => match *logic.formula(id) {
            Formula::True | Formula::False => {}
            Formula::Not(a) | Formula::UnaryTemporal(_, a) => out.push(N::Formula(a)),
            Formula::And(ref parts) | Formula::Or(ref parts) => {
                out.extend(parts.iter().map(|&it| N::Formula(it)))
            }
            Formula::Iff(a, b) | Formula::BinaryTemporal(_, a, b) => {
                out.extend([N::Formula(a), N::Formula(b)])
            }
            Formula::Quantified(_, ref binders, body) => {
                decls(out, binders);
                out.push(N::Formula(body));
            }
            Formula::Subset(a, b) | Formula::Equal(a, b) => out.extend([N::Expr(a), N::Expr(b)]),
            Formula::Counted(_, a) | Formula::AtMost(a, _) => out.push(N::Expr(a)),
            Formula::Compare(_, a, b) => out.extend([N::Int(a), N::Int(b)]),
        },
        N::Int(id) => match *logic.int(id) {
            IntExpr::Constant(_) => {}
            IntExpr::Cardinality(a) | IntExpr::SumOf(a) => out.push(N::Expr(a)),
            IntExpr::Sum(ref binders, body) => {
                decls(out, binders);
                out.push(N::Int(body));
            }
            IntExpr::If(c, a, b) => out.extend([N::Formula(c), N::Int(a), N::Int(b)]),
            IntExpr::Binary(_, a, b) => out.extend([N::Int(a), N::Int(b)]),
        },
    }
}
