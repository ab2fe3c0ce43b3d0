//! All that an instance of a command must satisfy, piece by piece, each with the reason for it.

use alloy_sema::ir::{self, FactOrigin, Model, Mult, SigId, SigKind};
use relational::{BinaryOp, Cardinality, Decl, Expr, ExprId, FormulaId, Multiplicity, UnaryTemporal};
use source::Span;

use crate::errors::Refusal;
use crate::lower::Lowerer;

/// Where a constraint comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    pub span: Option<Span>,
    pub origin: Origin,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The declaration of a sig: parents, multiplicity, scope.
    Sig(SigId),
    Fact(FactOrigin),
    /// What the command asks for.
    Goal,
}

/// Adds the constraints of the model and of the command to the problem. The sources go with the problem's constraints.
pub(crate) fn add_all(lowerer: &mut Lowerer<'_>, command: &ir::Command) -> Result<Vec<Source>, Refusal> {
    let model = lowerer.model;
    let mut adder = Adder {
        lowerer,
        sources: vec![],
    };
    adder.sigs(&command.scope);
    adder.fields();
    for fact in &model.facts {
        for (piece, span) in adder.lowerer.pieces(fact.formula)? {
            adder.add(piece, Some(span), Origin::Fact(fact.origin.clone()));
        }
    }
    adder.lowerer.witness_prefix = match command.subject {
        Some(ir::Subject::Fun(fun)) => Some(model.funs[fun].name),
        Some(ir::Subject::Assert(assert)) => Some(model.asserts[assert].name),
        None => None,
    };
    for (piece, span) in adder.lowerer.pieces(command.goal)? {
        adder.add(piece, Some(span), Origin::Goal);
    }
    Ok(adder.sources)
}

struct Adder<'l, 'm> {
    lowerer: &'l mut Lowerer<'m>,
    sources: Vec<Source>,
}

impl<'m> Adder<'_, 'm> {
    fn model(&self) -> &'m Model {
        self.lowerer.model
    }

    fn add(&mut self, constraint: FormulaId, span: Option<Span>, origin: Origin) {
        if *self.lowerer.problem.logic.formula(constraint) != relational::Formula::True {
            self.lowerer.problem.constraints.push(constraint);
            self.sources.push(Source { span, origin });
        }
    }

    /// Adds what must hold in every state.
    fn always(&mut self, constraint: FormulaId, sig: SigId) {
        let constraint = self.lowerer.logic().temporal(UnaryTemporal::Always, constraint);
        self.add(constraint, self.model().sigs[sig].span, Origin::Sig(sig));
    }

    fn sigs(&mut self, scope: &ir::Scope) {
        for (id, sig) in self.model().sigs.iter() {
            match &sig.kind {
                SigKind::Builtin => continue,
                SigKind::Top | SigKind::Extends(_) => self.children(id),
                SigKind::Subset { parents, .. } => self.subset(id, parents),
            }
            self.multiplicity(id);
        }
        for sig_scope in &scope.sigs {
            self.size(sig_scope);
        }
    }

    /// A field's tuples begin in its sig, whatever atoms follow: one that is in no sig must not slip through.
    fn fields(&mut self) {
        for (id, field) in self.model().fields.iter() {
            let own = self.lowerer.layout.field(id);
            let sig = self.lowerer.layout.sig(field.sig);
            let logic = self.lowerer.logic();
            let begins = logic.binary(BinaryOp::DomainRestriction, sig, own);
            let inside = logic.subset(own, begins);
            let inside = logic.temporal(UnaryTemporal::Always, inside);
            self.add(inside, field.span, Origin::Fact(FactOrigin::Field(id)));
        }
    }

    /// Children are disjoint. If one varies, an atom belongs to one of them for all time.
    fn children(&mut self, id: SigId) {
        let model = self.model();
        let sig = &model.sigs[id];
        let mut before = self.lowerer.logic().none(1);
        let mut varies = false;
        for &child in &sig.children {
            varies |= model.sigs[child].is_var;
            let own = self.lowerer.layout.sig(child);
            let disjoint = if varies {
                self.disjoint_for_ever(before, own)
            } else {
                let logic = self.lowerer.logic();
                let shared = logic.intersection(before, own);
                logic.counted(Cardinality::No, shared)
            };
            self.always(disjoint, child);
            let logic = self.lowerer.logic();
            before = logic.union(before, own);
        }
        if let Some(remainder) = self.lowerer.layout.remainder(id) {
            let disjoint = match varies {
                true => self.disjoint_for_ever(before, remainder),
                false => self.disjoint_remainder(before, remainder),
            };
            self.always(disjoint, id);
        }
        if varies && !sig.is_var {
            let whole = self.lowerer.layout.sig(id);
            let logic = self.lowerer.logic();
            let next = logic.prime(whole);
            let same = logic.equal(whole, next);
            self.always(same, id);
        }
    }

    /// The children have no atom of the remainder, unless bounds put it there: so that no instance comes in two guises.
    fn disjoint_remainder(&mut self, children: ExprId, remainder: ExprId) -> FormulaId {
        let logic = self.lowerer.logic();
        let Expr::Relation(relation) = *logic.expr(remainder) else {
            unreachable!("remainders are relations")
        };
        if !logic.rel(relation).lower.is_empty() {
            return logic.truth(true);
        }
        let shared = logic.intersection(children, remainder);
        logic.counted(Cardinality::No, shared)
    }

    /// No atom is in one set now and in the other ever.
    fn disjoint_for_ever(&mut self, a: ExprId, b: ExprId) -> FormulaId {
        let logic = self.lowerer.logic();
        let var = logic.add_variable("$atom", 1);
        let atom = logic.var(var);
        let decl = Decl {
            var,
            mult: Multiplicity::One,
            domain: logic.univ(),
        };
        let in_b = logic.subset(atom, b);
        let ever_in_b = logic.temporal(UnaryTemporal::Eventually, in_b);
        let in_a = logic.subset(atom, a);
        let not_in_a = logic.not(in_a);
        let never_in_a = logic.temporal(UnaryTemporal::Always, not_in_a);
        let body = logic.implies(ever_in_b, never_in_a);
        logic.all(vec![decl], body)
    }

    fn subset(&mut self, id: SigId, parents: &[SigId]) {
        let own = self.lowerer.layout.sig(id);
        let mut whole = self.lowerer.logic().none(1);
        for &parent in parents {
            let parent = self.lowerer.layout.sig(parent);
            whole = self.lowerer.logic().union(whole, parent);
        }
        let inside = self.lowerer.logic().subset(own, whole);
        self.always(inside, id);
    }

    fn multiplicity(&mut self, id: SigId) {
        let own = self.lowerer.layout.sig(id);
        let bounds = &self.lowerer.layout.bounds[id.index()];
        let (n_lower, n_upper) = (bounds.lower.len(), bounds.upper.len());
        let sig = &self.model().sigs[id];
        let cardinality = match sig.mult {
            Mult::Set => return,
            // Bounds that say as much need no formula; but those of a sig that varies say nothing of each state.
            Mult::One if n_lower == 1 && n_upper == 1 && !sig.is_var => return,
            Mult::One => Cardinality::One,
            Mult::Some if n_lower >= 1 && !sig.is_var => return,
            Mult::Some => Cardinality::Some,
            Mult::Lone if n_upper <= 1 => return,
            Mult::Lone => Cardinality::Lone,
        };
        let counted = self.lowerer.logic().counted(cardinality, own);
        self.always(counted, id);
    }

    fn size(&mut self, scope: &ir::SigScope) {
        let id = scope.sig;
        let sig = &self.model().sigs[id];
        let own = self.lowerer.layout.sig(id);
        let bounds = &self.lowerer.layout.bounds[id.index()];
        let (n_lower, n_upper) = (bounds.lower.len(), bounds.upper.len());
        let n = scope.atoms;
        let n_usize = n as usize;
        if scope.is_exact && (n_lower != n_usize || n_upper != n_usize) {
            let exact = self.lowerer.logic().exactly(own, n);
            self.always(exact, id);
        } else if n_upper > n_usize && !sig.is_var {
            let at_most = self.lowerer.logic().at_most(own, n);
            self.always(at_most, id);
        } else if n_upper > n_usize {
            self.at_most_for_ever(id, own, n);
        }
    }

    /// A sig that varies has so many atoms in all of time: there is a set of this size that it never leaves.
    fn at_most_for_ever(&mut self, id: SigId, own: ExprId, n: u32) {
        let logic = self.lowerer.logic();
        let var = logic.add_variable("$ever", 1);
        let ever = logic.var(var);
        let decl = Decl {
            var,
            mult: Multiplicity::Set,
            domain: logic.univ(),
        };
        let inside = logic.subset(own, ever);
        let inside = logic.temporal(UnaryTemporal::Always, inside);
        let at_most = logic.at_most(ever, n);
        let body = logic.and([inside, at_most]);
        let constraint = logic.some(vec![decl], body);
        self.add(constraint, self.model().sigs[id].span, Origin::Sig(id));
    }
}
