//! Relational formulas: first-order logic over relations, with integers and linear time.
//!
//! Nodes are hash-consed: equal subterms are one node, so that a translation of one serves all. Each node knows, from
//! the day it is made, its free variables, whether its value depends on time, and how deep past operators nest in it.
//! Constructors fold what is constant. Arity errors are the caller's bugs, and asserted.

mod build;
mod nodes;
mod varset;

pub use nodes::*;
pub use varset::VarSet;

use util::{Arena, FxHashMap};

use varset::VarSets;

/// What is known about a node without knowing any bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Info {
    pub arity: u32,
    pub free: VarSet,
    /// The value may differ between the states of a trace.
    pub in_time: bool,
    /// How the node is translated depends on polarity: it holds arithmetic, or a quantifier that may be skolemised.
    pub polar: bool,
    /// It holds arithmetic, which may overflow.
    pub arithmetic: bool,
    /// How deep past operators nest: after so many turns of a loop, values repeat.
    pub past: u32,
}

/// The nodes, relations and variables of one problem.
#[derive(Clone, Default, Debug)]
pub struct Logic {
    pub(crate) relations: Arena<Relation>,
    pub(crate) variables: Arena<Variable>,
    exprs: Arena<Expr>,
    formulas: Arena<Formula>,
    ints: Arena<IntExpr>,
    expr_info: Vec<Info>,
    formula_info: Vec<Info>,
    int_info: Vec<Info>,
    expr_ids: FxHashMap<Expr, ExprId>,
    formula_ids: FxHashMap<Formula, FormulaId>,
    int_ids: FxHashMap<IntExpr, IntId>,
    var_sets: VarSets,
}

impl Logic {
    pub fn new() -> Logic {
        Logic::default()
    }

    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id]
    }

    pub fn formula(&self, id: FormulaId) -> &Formula {
        &self.formulas[id]
    }

    pub fn int(&self, id: IntId) -> &IntExpr {
        &self.ints[id]
    }

    pub fn arity(&self, id: ExprId) -> usize {
        self.expr_info[id.index()].arity as usize
    }

    pub fn rel(&self, id: RelId) -> &Relation {
        &self.relations[id]
    }

    pub fn rel_mut(&mut self, id: RelId) -> &mut Relation {
        &mut self.relations[id]
    }

    pub fn relations(&self) -> impl ExactSizeIterator<Item = (RelId, &Relation)> {
        self.relations.iter()
    }

    pub fn variable(&self, id: VarId) -> &Variable {
        &self.variables[id]
    }

    /// Whether the truth of a formula can differ between the states of a trace.
    pub fn is_temporal(&self, id: FormulaId) -> bool {
        self.formula_info[id.index()].in_time
    }

    /// Whether the value of an expression can differ between the states of a trace.
    pub fn is_temporal_expr(&self, id: ExprId) -> bool {
        self.expr_info[id.index()].in_time
    }

    /// The variables that a formula needs a binding for.
    pub fn free_variables(&self, id: FormulaId) -> &[VarId] {
        self.var_sets.get(self.formula_info[id.index()].free)
    }

    pub(crate) fn expr_info(&self, id: ExprId) -> &Info {
        &self.expr_info[id.index()]
    }

    pub(crate) fn formula_info(&self, id: FormulaId) -> &Info {
        &self.formula_info[id.index()]
    }

    pub(crate) fn int_info(&self, id: IntId) -> &Info {
        &self.int_info[id.index()]
    }

    pub(crate) fn vars(&self, set: VarSet) -> &[VarId] {
        self.var_sets.get(set)
    }

    /// How many expressions, formulas and integers there are.
    pub(crate) fn n_nodes(&self) -> [usize; 3] {
        [self.exprs.len(), self.formulas.len(), self.ints.len()]
    }

    pub(crate) fn n_variables(&self) -> usize {
        self.variables.len()
    }
}
