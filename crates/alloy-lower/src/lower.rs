//! From the resolved model to relational logic: three functions for three sorts of node.
//!
//! Calls and `let` are replaced by what they stand for; the relational side shares equal nodes, so the copies cost
//! little. As in the Analyzer, replacement goes before time: what is passed to a predicate that says `after` is looked
//! at in the next state.

mod bounds;
mod calls;
mod exprs;
mod formulas;
mod ints;
mod pieces;
mod quantify;

use alloy_sema::ir::{self, Model};
use relational::{Decl, ExprId, FormulaId, IntId, Logic, Multiplicity, Problem, VarId};
use util::{FxHashMap, Symbol};

use crate::errors::Refusal;
use crate::layout::Layout;

/// What a variable of the model stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Value {
    Formula(FormulaId),
    Expr(ExprId),
    Int(IntId),
}

pub(crate) struct Lowerer<'m> {
    pub model: &'m Model,
    pub problem: Problem,
    pub layout: Layout,
    pub bit_width: u32,
    env: FxHashMap<ir::VarId, Value>,
    /// The relational variable of a variable of the model, shared by all calls of its function.
    vars: FxHashMap<ir::VarId, VarId>,
    /// Where a relational variable comes from.
    pub var_sources: FxHashMap<VarId, ir::VarId>,
    /// The functions whose bodies we are in, outermost first.
    calls: Vec<ir::FunId>,
    known_calls: FxHashMap<(ir::FunId, Vec<ExprId>), Value>,
    /// What names of witnesses begin with outside of all functions.
    pub witness_prefix: Option<Symbol>,
}

impl<'m> Lowerer<'m> {
    pub(crate) fn new(model: &'m Model, problem: Problem, layout: Layout, bit_width: u32) -> Lowerer<'m> {
        Lowerer {
            model,
            problem,
            layout,
            bit_width,
            env: FxHashMap::default(),
            vars: FxHashMap::default(),
            var_sources: FxHashMap::default(),
            calls: vec![],
            known_calls: FxHashMap::default(),
            witness_prefix: None,
        }
    }

    pub(crate) fn logic(&mut self) -> &mut Logic {
        &mut self.problem.logic
    }

    /// Runs `inner` with variables of the model bound, and restores what they were bound to.
    pub(crate) fn with<R>(
        &mut self,
        bindings: Vec<(ir::VarId, Value)>,
        inner: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let before: Vec<_> = bindings
            .iter()
            .map(|&(var, value)| (var, self.env.insert(var, value)))
            .collect();
        let result = inner(self);
        for (var, value) in before.into_iter().rev() {
            match value {
                Some(value) => self.env.insert(var, value),
                None => self.env.remove(&var),
            };
        }
        result
    }

    /// The relational variable for a variable of the model. Recursion needs a new one for each level.
    fn variable(&mut self, var: ir::VarId) -> VarId {
        let model = self.model;
        let in_recursion = self.calls.iter().any(|&fun| model.funs[fun].is_recursive);
        if !in_recursion && let Some(&known) = self.vars.get(&var) {
            return known;
        }
        let ir::VarSort::Relation { arity, .. } = model.vars[var].sort else {
            unreachable!("only relations are quantified over")
        };
        let name = model.vars[var].name;
        let name = match self
            .calls
            .last()
            .map(|&fun| model.funs[fun].name)
            .or(self.witness_prefix)
        {
            Some(prefix) => format!("${prefix}_{name}"),
            None => format!("${name}"),
        };
        let id = self.logic().add_variable(name, arity as usize);
        self.vars.insert(var, id);
        self.var_sources.insert(id, var);
        id
    }

    /// A variable of our own making.
    fn fresh(&mut self, domain: ExprId) -> (Decl, ExprId) {
        let arity = self.logic().arity(domain);
        let var = self.logic().add_variable("$t", arity);
        let decl = Decl {
            var,
            mult: Multiplicity::One,
            domain,
        };
        (decl, self.logic().var(var))
    }

    fn refuse_higher_order(&self, var: ir::VarId, fallback: source::Span) -> Refusal {
        let var = &self.model.vars[var];
        Refusal::HigherOrder {
            name: var.name,
            span: var.span.unwrap_or(fallback),
        }
    }
}
