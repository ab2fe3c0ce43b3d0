//! A tree whose text was made from another text, told in the places of that one.
//!
//! The spans of a tree say where its text stands. When that text is not the one that a person wrote (a translation of an algorithm
//! was put into it), every span is replaced by the place that it comes from, once, so that nobody later has to know.

use diag::Diagnostic;
use source::Span;

use crate::ast::*;

/// Replaces every span in the tree.
pub fn relocate(tree: &mut Tree, place: &dyn Fn(Span) -> Span) {
    let relocate = Relocate { place };
    for i in 0..tree.exprs.len() {
        relocate.expr(&mut tree.exprs[ExprId::new(i as u32)]);
    }
    if let Some(module) = &mut tree.module {
        relocate.module(module);
    }
}

/// Replaces every span in diagnostics about the text.
pub fn relocate_diagnostics(diagnostics: &mut [Diagnostic], place: &dyn Fn(Span) -> Span) {
    for it in diagnostics {
        for label in it.primary.iter_mut().chain(&mut it.secondary) {
            label.span = place(label.span);
        }
        // What would be changed is not what the person wrote.
        it.fixes.clear();
    }
}

struct Relocate<'a> {
    place: &'a dyn Fn(Span) -> Span,
}

impl Relocate<'_> {
    fn span(&self, span: &mut Span) {
        *span = (self.place)(*span);
    }

    fn ident(&self, it: &mut Ident) {
        self.span(&mut it.span);
    }

    fn idents(&self, all: &mut [Ident]) {
        all.iter_mut().for_each(|it| self.ident(it));
    }

    fn decls(&self, all: &mut [OpDecl]) {
        for it in all {
            self.ident(&mut it.name);
            self.span(&mut it.span);
        }
    }

    fn bounds(&self, all: &mut [Bound]) {
        all.iter_mut().for_each(|it| self.pattern(&mut it.pattern));
    }

    fn pattern(&self, it: &mut Pattern) {
        let (Pattern::Names(names) | Pattern::Tuple(names)) = it;
        self.idents(names);
    }

    fn module(&self, it: &mut Module) {
        self.span(&mut it.span);
        self.ident(&mut it.name);
        self.idents(&mut it.extends);
        self.units(&mut it.units);
    }

    fn units(&self, all: &mut [Unit]) {
        all.iter_mut().for_each(|it| util::deep(|| self.unit(it)));
    }

    fn unit(&self, it: &mut Unit) {
        self.span(&mut it.span);
        match &mut it.kind {
            UnitKind::Separator => {}
            UnitKind::Constants(all) | UnitKind::Recursive(all) => self.decls(all),
            UnitKind::Variables(all) => self.idents(all),
            UnitKind::Definition(it) => {
                self.ident(&mut it.name);
                self.decls(&mut it.params);
            }
            UnitKind::Function(it) => {
                self.ident(&mut it.name);
                self.bounds(&mut it.bounds);
            }
            UnitKind::Instance(it) => self.instance(it),
            UnitKind::Assumption(it) => it.name.iter_mut().for_each(|it| self.ident(it)),
            UnitKind::Theorem(it) => {
                it.name.iter_mut().for_each(|it| self.ident(it));
                it.proof.iter_mut().for_each(|it| self.proof(it));
            }
            UnitKind::Use(it) => self.facts(&mut it.by),
            UnitKind::Module(it) => self.module(it),
        }
    }

    fn instance(&self, it: &mut Instance) {
        self.ident(&mut it.module);
        if let Some(name) = &mut it.name {
            self.ident(&mut name.name);
            self.decls(&mut name.params);
        }
        it.substitutions
            .iter_mut()
            .for_each(|it| self.ident(&mut it.name));
    }

    fn facts(&self, it: &mut By) {
        for fact in it.facts.iter_mut().chain(&mut it.defs) {
            if let Fact::Module(name) = fact {
                self.ident(name);
            }
        }
    }

    fn proof(&self, it: &mut Proof) {
        self.span(&mut it.span);
        match &mut it.kind {
            ProofKind::Obvious | ProofKind::Omitted => {}
            ProofKind::By(by) => self.facts(by),
            ProofKind::Steps(steps) => steps.iter_mut().for_each(|it| util::deep(|| self.step(it))),
        }
    }

    fn step(&self, it: &mut Step) {
        self.span(&mut it.span);
        self.ident(&mut it.token);
        it.name.iter_mut().for_each(|it| self.ident(it));
        match &mut it.kind {
            StepKind::Take(binding) | StepKind::Pick { binding, .. } => match binding {
                Binding::Bounded(all) => self.bounds(all),
                Binding::Unbounded(all) => self.idents(all),
            },
            StepKind::Use(it) => self.facts(&mut it.by),
            StepKind::Define(units) => self.units(units),
            StepKind::Instance(it) => self.instance(it),
            StepKind::Qed
            | StepKind::Assert(_)
            | StepKind::Suffices(_)
            | StepKind::Case(_)
            | StepKind::Have(_)
            | StepKind::Witness(_) => {}
        }
        it.proof.iter_mut().for_each(|it| self.proof(it));
    }

    /// The spans of one expression; those in it have their own turn.
    fn expr(&self, it: &mut Expr) {
        self.span(&mut it.span);
        match &mut it.kind {
            ExprKind::Apply { name, .. } | ExprKind::Select { field: name, .. } => self.ident(name),
            ExprKind::Path(parts) => parts.iter_mut().for_each(|it| self.span(&mut it.span)),
            ExprKind::Prefix { op_span, .. }
            | ExprKind::Infix { op_span, .. }
            | ExprKind::Postfix { op_span, .. } => self.span(op_span),
            ExprKind::Let { units, .. } => self.units(units),
            ExprKind::Quant { bounds, .. }
            | ExprKind::SetMap { bounds, .. }
            | ExprKind::FnLiteral { bounds, .. } => self.bounds(bounds),
            ExprKind::SetFilter { bound, .. } => self.pattern(&mut bound.pattern),
            ExprKind::UnboundedQuant { names, .. } | ExprKind::Lambda { params: names, .. } => {
                self.idents(names);
            }
            ExprKind::Choose { pattern, .. } => self.pattern(pattern),
            ExprKind::Record(fields) | ExprKind::RecordSet(fields) => {
                fields.iter_mut().for_each(|it| self.ident(&mut it.name));
            }
            ExprKind::Except { updates, .. } => updates.iter_mut().for_each(|it| self.update(it)),
            ExprKind::Label { name, params, .. } => {
                self.ident(name);
                self.idents(params);
            }
            ExprKind::AssumeProve(it) => {
                for it in &mut it.assumptions {
                    if let AssumeItem::New { decl, .. } = it {
                        self.decls(std::slice::from_mut(decl));
                    }
                }
            }
            ExprKind::Error
            | ExprKind::Ident(_)
            | ExprKind::OpRef(_)
            | ExprKind::Number(_)
            | ExprKind::Decimal(_)
            | ExprKind::Str(_)
            | ExprKind::At
            | ExprKind::Paren(_)
            | ExprKind::Junction { .. }
            | ExprKind::Times(_)
            | ExprKind::If { .. }
            | ExprKind::Case { .. }
            | ExprKind::SetEnum(_)
            | ExprKind::FnApply { .. }
            | ExprKind::FnSet { .. }
            | ExprKind::Tuple(_)
            | ExprKind::BoxAction { .. }
            | ExprKind::AngleAction { .. }
            | ExprKind::Fairness { .. } => {}
        }
    }

    fn update(&self, it: &mut Update) {
        self.span(&mut it.span);
        for step in &mut it.path {
            if let PathStep::Field(name) = step {
                self.ident(name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use source::FileId;

    use super::*;

    /// Every span that a tree has says so in its debug text.
    #[test]
    fn no_span_is_forgotten() {
        let text = "---- MODULE M ----\nEXTENDS A, B\nCONSTANTS c, F(_), _ \\prec _\nVARIABLES x, y\nRECURSIVE g(_)\n\
LOCAL g(a) == LET RECURSIVE h(_) h(b) == a!b!<<!1 k[i \\in 1..2, <<l, m>> \\in S] == i I(z) == INSTANCE C WITH q <- 1 IN h(a)\n\
f[i \\in {j \\in S : j = 1}] == {<<i, k>> : k \\in {1, 2}}\n\
J(_ \\oplus _) == INSTANCE D WITH x <- [x EXCEPT ![1].f = @ + 1, !.g = 2], + <- LAMBDA u, v : u\n\
ASSUME N == \\A p, q \\in 1..3 : \\E <<r, s>> \\in T : CHOOSE t \\in S : CASE p -> 1 [] OTHER -> -q\n\
E == \\EE w : [][x' = [a |-> 1, b |-> \"s\"].a]_x /\\ WF_x(lab(x) :: [a : S, b : T] \\X [S -> T])\n\
THEOREM Th == ASSUME NEW n \\in S, CONSTANT P(_) PROVE n > 0\n<1>1. TAKE i \\in S\n<1>2. PICK j : j = 1 BY <1>1, MODULE M DEF f\n\
<1>3. DEFINE d == 1\n<1>4. USE <1>1 DEF f\n<1>5. CASE 1 = 1 OBVIOUS\n<1> QED BY <1>2\n---- MODULE Inner ----\nz == 1\n====\n====\n";
        let (mut tree, wrong) = crate::parse(text, FileId(0));
        assert!(wrong.iter().all(|it| !it.is_error()), "{wrong:?}");
        relocate(&mut tree, &|span| Span::new(FileId(7), span.start, span.end));
        let told = format!("{tree:?}");
        let spans = told.matches("span: ").count();
        assert!(spans > 100, "{spans}");
        assert_eq!(told.matches("span: 7:").count(), spans, "{told}");
    }
}
