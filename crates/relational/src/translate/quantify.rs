//! Binders: quantifiers, comprehensions and sums.

use std::rc::Rc;

use super::{Binding, Frame, Polarity, Translator, Witness};
use crate::budget::Abort;
use crate::circuit::Gate;
use crate::logic::{Decl, Expr, FormulaId, Multiplicity, Quantifier};
use crate::matrix::Matrix;
use crate::universe::TupleIndex;

impl Translator<'_> {
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        decls: &[Decl],
        body: FormulaId,
    ) -> Result<Gate, Abort> {
        let mut ground = Ground {
            quantifier,
            body,
            guards: vec![],
            parts: vec![],
            undef: vec![],
        };
        self.ground(decls, &mut ground)?;
        let mut gate = match quantifier {
            Quantifier::All => self.circuit().and_all(ground.parts),
            Quantifier::Some => self.circuit().or_all(ground.parts),
        };
        // A domain that an overflow has made meaningless makes the whole formula so.
        for (undef, decl) in ground.undef {
            gate = self.guard(gate, undef, self.logic().expr_info(decl.domain).free);
        }
        Ok(gate)
    }

    fn ground(&mut self, decls: &[Decl], ground: &mut Ground) -> Result<(), Abort> {
        if ground.is_decided() {
            return Ok(());
        }
        let [decl, rest @ ..] = decls else {
            let body = self.formula(ground.body)?;
            let guards = ground.guards.iter().copied();
            let part = match ground.quantifier {
                Quantifier::All => self
                    .matrices
                    .circuit
                    .or_all(guards.map(|guard| !guard).chain([body])),
                Quantifier::Some => self.matrices.circuit.and_all(guards.chain([body])),
            };
            ground.parts.push(part);
            return Ok(());
        };
        let is_universal = (ground.quantifier == Quantifier::All) == self.polarity.positive;
        let frame = self.frame(decl, is_universal);
        let domain = self.expr(decl.domain)?;
        if domain.undef != Gate::FALSE {
            let undef = self
                .matrices
                .circuit
                .and_all(ground.guards.iter().copied().chain([domain.undef]));
            ground.undef.push((undef, *decl));
        }
        if !is_universal && self.may_have_witness(decl) {
            let n_guards = ground.guards.len();
            let binding = self.witness(decl, &domain, &mut ground.guards);
            self.bound(frame, binding, |this| this.ground(rest, ground))?;
            ground.guards.truncate(n_guards);
            return Ok(());
        }
        if decl.mult != Multiplicity::One {
            return Err(Abort::HigherOrder(decl.var));
        }
        for &(tuple, gate) in &domain.cells {
            ground.guards.push(gate);
            self.bound(frame, Binding::Tuple(tuple), |this| this.ground(rest, ground))?;
            ground.guards.pop();
        }
        Ok(())
    }

    fn frame(&self, decl: &Decl, is_universal: bool) -> Frame {
        Frame {
            var: decl.var,
            is_int: *self.logic().expr(decl.domain) == Expr::Ints,
            is_universal,
        }
    }

    fn may_have_witness(&self, decl: &Decl) -> bool {
        let n_universal = self.frames.iter().filter(|frame| frame.is_universal).count();
        let n_universal = n_universal + usize::from(self.pos != super::Position::START);
        self.polarity.skolemise && (decl.mult != Multiplicity::One || n_universal <= self.skolem_depth)
    }

    /// A fresh row of variables for an existential variable; what makes it a witness goes to `guards`.
    fn witness(&mut self, decl: &Decl, domain: &Matrix, guards: &mut Vec<Gate>) -> Binding {
        let mut cells = Vec::with_capacity(domain.cells.len());
        for &(tuple, gate) in &domain.cells {
            let chosen = match (decl.mult, domain.cells.len()) {
                (Multiplicity::One, 1) => Gate::TRUE,
                _ => self.circuit().var(),
            };
            guards.push(self.circuit().implies(chosen, gate));
            cells.push((tuple, chosen));
        }
        let row = Rc::new(Matrix::new(domain.arity, cells));
        guards.push(match decl.mult {
            Multiplicity::One => self.matrices.one(&row),
            Multiplicity::Lone => self.matrices.lone(&row),
            Multiplicity::Some => self.matrices.some(&row),
            Multiplicity::Set => Gate::TRUE,
        });
        self.witnesses.push(Witness {
            var: decl.var,
            args: self.universal_bindings(),
            step: self.pos.step,
            turn: self.pos.turn,
            row: row.clone(),
        });
        Binding::Witness(self.witnesses.len() as u32 - 1, row)
    }

    fn universal_bindings(&self) -> Vec<(crate::logic::VarId, TupleIndex)> {
        let bound = self
            .frames
            .iter()
            .filter_map(|frame| match self.env[frame.var.index()] {
                Binding::Tuple(tuple) if frame.is_universal => Some((frame.var, tuple)),
                _ => None,
            });
        bound.collect()
    }

    pub(super) fn comprehension(&mut self, decls: &[Decl], body: FormulaId) -> Result<Matrix, Abort> {
        let logic = self.logic();
        let arity = decls.iter().map(|decl| logic.variable(decl.var).arity).sum();
        self.matrices.stride(arity)?;
        let mut cells = vec![];
        let undef = self.each_binding(decls, &mut |this, guard| {
            let body = this.formula(body)?;
            let gate = this.circuit().and(guard, body);
            if gate != Gate::FALSE {
                let mut tuple = 0;
                for decl in decls {
                    let Binding::Tuple(part) = this.env[decl.var.index()] else {
                        unreachable!("comprehensions are grounded")
                    };
                    tuple = tuple * this.matrices.stride(logic.variable(decl.var).arity)? + part;
                }
                cells.push((tuple, gate));
            }
            Ok(())
        })?;
        let mut matrix = Matrix::new(arity, cells);
        matrix.undef = undef;
        Ok(matrix)
    }

    /// Calls `visit` for each binding of the variables, in order, with the gate that says whether the binding is in
    /// the domains. Gives the gate that says whether a domain is meaningless.
    pub(super) fn each_binding(
        &mut self,
        decls: &[Decl],
        visit: &mut Visit<'_, Self>,
    ) -> Result<Gate, Abort> {
        // A set has no polarity: a member counts when it certainly belongs.
        let polarity = Polarity {
            positive: true,
            skolemise: false,
        };
        self.under(polarity, |this| this.each_binding_from(decls, Gate::TRUE, visit))
    }

    fn each_binding_from(
        &mut self,
        decls: &[Decl],
        guard: Gate,
        visit: &mut Visit<'_, Self>,
    ) -> Result<Gate, Abort> {
        let [decl, rest @ ..] = decls else {
            visit(self, guard)?;
            return Ok(Gate::FALSE);
        };
        let frame = self.frame(decl, false);
        let domain = self.expr(decl.domain)?;
        let mut undef = self.circuit().and(guard, domain.undef);
        for &(tuple, gate) in &domain.cells {
            let guard = self.circuit().and(guard, gate);
            if guard == Gate::FALSE {
                continue;
            }
            let inner = self.bound(frame, Binding::Tuple(tuple), |this| {
                this.each_binding_from(rest, guard, visit)
            })?;
            undef = self.circuit().or(undef, inner);
        }
        Ok(undef)
    }
}

type Visit<'v, T> = dyn FnMut(&mut T, Gate) -> Result<(), Abort> + 'v;

/// The parts of a quantified formula, as they are collected.
struct Ground {
    quantifier: Quantifier,
    body: FormulaId,
    /// What must hold for the current binding to count.
    guards: Vec<Gate>,
    parts: Vec<Gate>,
    undef: Vec<(Gate, Decl)>,
}

impl Ground {
    /// A part has decided the whole: the others need no translation.
    fn is_decided(&self) -> bool {
        let absorbing = Gate::constant(self.quantifier == Quantifier::Some);
        self.parts.last() == Some(&absorbing)
    }
}
