//! Proofs: kept, not checked. Their names are resolved, so that a misspelt lemma is found.
//!
//! A step's name is known from the step on, within its proof; names that `TAKE`, `PICK`, `DEFINE`, `NEW` introduce are
//! known until that proof ends. Parts of facts (`<1>2!1`) are not followed.

use tla_syntax::ast::{self, AssumeItem, Binding as Bound, ExprKind as Ast, ProofKind, Selector, StepKind};
use util::Symbol;

use super::Resolver;
use crate::ir::*;

impl Resolver<'_> {
    /// The statement of a theorem or step: a formula, or `None` for `ASSUME … PROVE`. The names that `NEW` introduces
    /// stay bound until the caller releases its mark.
    pub(super) fn statement(&mut self, id: ast::ExprId) -> Option<ExprId> {
        let tree = self.tree.clone();
        match &tree.exprs[id].kind {
            Ast::AssumeProve(rule) => {
                self.assumptions(&rule.assumptions);
                self.statement(rule.prove);
                None
            }
            Ast::Label { body, .. } if matches!(tree.exprs[*body].kind, Ast::AssumeProve(_)) => self.statement(*body),
            _ => Some(self.expr(id)),
        }
    }

    fn assumptions(&mut self, items: &[AssumeItem]) {
        for item in items {
            match item {
                AssumeItem::Fact(fact) => {
                    // What a nested rule introduces is its own.
                    let mark = self.scope.mark();
                    self.statement(*fact);
                    self.scope.release(mark);
                }
                AssumeItem::New { decl, set, .. } => {
                    if let Some(set) = set {
                        self.expr(*set);
                    }
                    self.bind_local(decl.name, decl.arity);
                }
            }
        }
    }

    pub(super) fn proof(&mut self, proof: &ast::Proof) {
        util::deep(|| self.proof_here(proof));
    }

    fn proof_here(&mut self, proof: &ast::Proof) {
        match &proof.kind {
            ProofKind::Obvious | ProofKind::Omitted => {}
            ProofKind::By(by) => self.by(by),
            ProofKind::Steps(steps) => {
                let mark = self.scope.mark();
                for step in steps {
                    self.step_of_proof(step);
                }
                self.scope.release(mark);
            }
        }
    }

    fn step_of_proof(&mut self, step: &ast::Step) {
        let outside = self.scope.mark();
        let mut keep = false;
        match &step.kind {
            StepKind::Qed => {}
            StepKind::Assert(body) | StepKind::Case(body) => {
                self.statement(*body);
            }
            StepKind::Have(body) => {
                self.expr(*body);
            }
            StepKind::Suffices(body) => {
                // The assumptions of SUFFICES hold for the rest of the proof.
                self.statement(*body);
                keep = true;
            }
            StepKind::Take(binding) => {
                self.bind_all(binding);
                keep = true;
            }
            StepKind::Witness(values) => {
                for &value in values {
                    self.expr(value);
                }
            }
            StepKind::Pick { binding, body } => {
                // The picked names are known afterwards, but not in the proof that they exist.
                let before = self.scope.clone();
                self.bind_all(binding);
                self.expr(*body);
                let after = std::mem::replace(&mut self.scope, before);
                if let Some(proof) = &step.proof {
                    self.proof(proof);
                }
                self.scope = after;
                self.bind_step(step);
                return;
            }
            StepKind::Use(it) => self.use_or_hide(it),
            StepKind::Define(units) => {
                for unit in units {
                    self.definition_unit(unit);
                }
                keep = true;
            }
            StepKind::Instance(it) => {
                self.instance(it, step.span);
                keep = true;
            }
        }
        if let Some(proof) = &step.proof {
            self.proof(proof);
        }
        if !keep {
            self.scope.release(outside);
        }
        self.bind_step(step);
    }

    fn bind_step(&mut self, step: &ast::Step) {
        let Some(name) = step.name else { return };
        let body = self.hole(step.span);
        let def = self.new_def(name, DefKind::Statement, Box::default(), body, false);
        self.scope.bind(name.name, Entity::Def(def), false);
    }

    fn bind_all(&mut self, binding: &Bound) {
        match binding {
            Bound::Bounded(bounds) => {
                let sets: Vec<ExprId> = bounds.iter().map(|it| self.expr(it.set)).collect();
                self.bind_patterns(bounds, &sets);
            }
            Bound::Unbounded(names) => {
                for &name in names {
                    self.bind_local(name, 0);
                }
            }
        }
    }

    pub(super) fn use_or_hide(&mut self, it: &ast::Use) {
        self.by(&it.by);
    }

    fn by(&mut self, by: &ast::By) {
        for fact in by.facts.iter().chain(&by.defs) {
            if let ast::Fact::Expr(id) = fact {
                self.fact(*id);
            }
        }
    }

    /// A cited fact: a name, a part of one, or a formula.
    fn fact(&mut self, id: ast::ExprId) {
        let tree = self.tree.clone();
        let ast::Expr { kind, span } = &tree.exprs[id];
        match kind {
            Ast::Ident(name) | Ast::OpRef(name) => self.cited(ast::Ident { name: *name, span: *span }),
            Ast::Apply { name, args } if self.is_statement(name.name) => {
                self.cited(*name);
                args.iter().for_each(|&it| self.expr_or_operator(it));
            }
            Ast::Path(parts) => {
                if let Some(Selector::Name(name)) = parts.first().map(|it| it.selector) {
                    self.cited(ast::Ident { name, span: parts[0].span });
                }
                for part in parts {
                    part.args.iter().for_each(|&it| self.expr_or_operator(it));
                }
            }
            _ => {
                let mark = self.scope.mark();
                self.statement(id);
                self.scope.release(mark);
            }
        }
    }

    fn is_statement(&self, name: Symbol) -> bool {
        matches!(self.scope.get(name), Some(Entity::Def(def)) if self.spec.defs[def].kind == DefKind::Statement)
    }

    fn cited(&mut self, name: ast::Ident) {
        let known = self.scope.get(name.name).is_some()
            || self.scope.module(name.name).is_some()
            || crate::builtin::builtin(name.name).is_some()
            || matches!(name.name.as_str(), "TRUE" | "FALSE" | "BOOLEAN" | "STRING")
            || name.name.as_str().starts_with("<*>")
            || name.name.as_str().starts_with("<+>");
        if !known {
            self.unbound(name);
        }
    }
}
