//! Modules, units and proofs as text.

use util::deep;

use super::Printer;
use crate::ast::*;
use crate::op::Op;

impl Printer<'_> {
    pub(super) fn module(&mut self, module: &Module) {
        self.put("---- MODULE ");
        self.put(module.name.name.as_str());
        self.spaced("----");
        if !module.extends.is_empty() {
            self.line(0);
            self.put("EXTENDS ");
            self.names(&module.extends);
        }
        for unit in &module.units {
            self.line(0);
            if !matches!(unit.kind, UnitKind::Separator) {
                self.line(0);
            }
            deep(|| self.unit(&unit.kind));
        }
        self.line(0);
        self.put("====");
        self.line(0);
    }

    pub(super) fn unit(&mut self, unit: &UnitKind) {
        match unit {
            UnitKind::Separator => self.put("--------------------------------"),
            UnitKind::Constants(decls) => self.declarations("CONSTANT", decls),
            UnitKind::Recursive(decls) => self.declarations("RECURSIVE", decls),
            UnitKind::Variables(names) => {
                self.put(if names.len() > 1 {
                    "VARIABLES "
                } else {
                    "VARIABLE "
                });
                self.names(names);
            }
            UnitKind::Definition(it) => {
                self.local(it.local);
                self.head(it.name, it.fixity, &it.params);
                self.defined_as();
                self.expr(it.body);
            }
            UnitKind::Function(it) => {
                self.local(it.local);
                self.put(it.name.name.as_str());
                self.put("[");
                self.bounds(&it.bounds);
                self.put("]");
                self.defined_as();
                self.expr(it.body);
            }
            UnitKind::Instance(it) => self.instance(it),
            UnitKind::Assumption(it) => {
                self.named_statement(it.keyword, it.name);
                self.expr(it.body);
            }
            UnitKind::Theorem(it) => {
                self.named_statement(it.keyword, it.name);
                self.expr(it.body);
                self.opt_proof(&it.proof, 0);
            }
            UnitKind::Use(it) => self.use_or_hide(it),
            UnitKind::Module(it) => self.module(it),
        }
    }

    fn local(&mut self, local: bool) {
        if local {
            self.put("LOCAL ");
        }
    }

    fn defined_as(&mut self) {
        self.spaced(self.pick("==", "≜"));
    }

    fn named_statement(&mut self, keyword: util::Symbol, name: Option<Ident>) {
        self.put(keyword.as_str());
        self.blank();
        if let Some(name) = name {
            self.put(name.name.as_str());
            self.defined_as();
        }
    }

    fn declarations(&mut self, keyword: &str, decls: &[OpDecl]) {
        self.put(keyword);
        self.blank();
        self.list(decls, |it, decl| it.declaration(decl));
    }

    fn declaration(&mut self, decl: &OpDecl) {
        match decl.fixity {
            Fixity::Nonfix => {
                self.put(decl.name.name.as_str());
                if decl.arity > 0 {
                    self.put("(");
                    self.list(&vec!["_"; decl.arity as usize], |it, blank| it.put(blank));
                    self.put(")");
                }
            }
            Fixity::Prefix => {
                self.symbol(decl.name.name);
                self.put(" _");
            }
            Fixity::Infix => {
                self.put("_ ");
                self.symbol(decl.name.name);
                self.put(" _");
            }
            Fixity::Postfix => {
                self.put("_ ");
                self.symbol(decl.name.name);
            }
        }
    }

    fn head(&mut self, name: Ident, fixity: Fixity, params: &[OpDecl]) {
        match (fixity, params) {
            (Fixity::Prefix, [param]) => {
                self.symbol(name.name);
                self.blank();
                self.declaration(param);
            }
            (Fixity::Infix, [lhs, rhs]) => {
                self.declaration(lhs);
                self.blank();
                self.symbol(name.name);
                self.blank();
                self.declaration(rhs);
            }
            (Fixity::Postfix, [param]) => {
                self.declaration(param);
                self.symbol(name.name);
            }
            _ => {
                self.put(name.name.as_str());
                if !params.is_empty() {
                    self.put("(");
                    self.list(params, |it, param| it.declaration(param));
                    self.put(")");
                }
            }
        }
    }

    fn instance(&mut self, it: &Instance) {
        self.local(it.local);
        if let Some(name) = &it.name {
            self.head(name.name, name.fixity, &name.params);
            self.defined_as();
        }
        self.put("INSTANCE ");
        self.put(it.module.name.as_str());
        if !it.substitutions.is_empty() {
            self.spaced("WITH");
            self.list(&it.substitutions, |it, substitution| {
                it.symbol(substitution.name.name);
                it.spaced(it.pick("<-", "←"));
                it.expr(substitution.value);
            });
        }
    }

    // Proofs

    pub(super) fn assume_prove(&mut self, it: &AssumeProve) {
        self.put(if it.boxed { "[]ASSUME " } else { "ASSUME " });
        self.list(&it.assumptions, |printer, item| match item {
            AssumeItem::Fact(expr) => printer.expr(*expr),
            AssumeItem::New { level, decl, set } => printer.new_symbol(*level, decl, *set),
        });
        self.spaced(if it.boxed { "[]PROVE" } else { "PROVE" });
        self.expr(it.prove);
    }

    fn new_symbol(&mut self, level: NewLevel, decl: &OpDecl, set: Option<ExprId>) {
        self.put("NEW ");
        self.put(match level {
            NewLevel::Constant => "CONSTANT ",
            NewLevel::Variable => "VARIABLE ",
            NewLevel::State => "STATE ",
            NewLevel::Action => "ACTION ",
            NewLevel::Temporal => "TEMPORAL ",
        });
        self.declaration(decl);
        if let Some(set) = set {
            self.spaced(self.op(Op::IN));
            self.expr(set);
        }
    }

    fn opt_proof(&mut self, proof: &Option<Proof>, indent: usize) {
        let Some(proof) = proof else { return };
        let indent = indent + 2;
        self.line(indent);
        match &proof.kind {
            ProofKind::Obvious => self.put("OBVIOUS"),
            ProofKind::Omitted => self.put("OMITTED"),
            ProofKind::By(by) => {
                self.put("BY");
                self.by(by);
            }
            ProofKind::Steps(steps) => {
                // Without the word a first step `<*>` would belong to the proof around this one.
                self.put("PROOF");
                for step in steps {
                    self.line(indent);
                    deep(|| self.step(step, indent));
                }
            }
        }
    }

    fn by(&mut self, by: &By) {
        if by.only {
            self.put(" ONLY");
        }
        if !by.facts.is_empty() {
            self.blank();
            self.list(&by.facts, |it, fact| it.fact(fact));
        }
        if !by.defs.is_empty() {
            self.put(" DEF ");
            self.list(&by.defs, |it, fact| it.fact(fact));
        }
    }

    fn fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Expr(expr) => self.expr(*expr),
            Fact::Module(name) => {
                self.put("MODULE ");
                self.put(name.name.as_str());
            }
        }
    }

    fn use_or_hide(&mut self, it: &Use) {
        self.put(if it.hide { "HIDE" } else { "USE" });
        self.by(&it.by);
    }

    fn step(&mut self, step: &Step, indent: usize) {
        self.put(step.token.name.as_str());
        self.blank();
        match &step.kind {
            StepKind::Qed => self.put("QED"),
            StepKind::Assert(expr) if self.starts_with_case(*expr) => {
                self.put("(");
                self.expr(*expr);
                self.put(")");
            }
            StepKind::Assert(expr) => self.expr(*expr),
            StepKind::Suffices(expr) => self.worded("SUFFICES ", *expr),
            StepKind::Case(expr) => self.worded("CASE ", *expr),
            StepKind::Have(expr) => self.worded("HAVE ", *expr),
            StepKind::Take(binding) => {
                self.put("TAKE ");
                self.binding(binding);
            }
            StepKind::Witness(exprs) => {
                self.put("WITNESS ");
                self.exprs(exprs);
            }
            StepKind::Pick { binding, body } => {
                self.put("PICK ");
                self.binding(binding);
                self.colon(*body);
            }
            StepKind::Use(it) => self.use_or_hide(it),
            StepKind::Define(units) => {
                self.put("DEFINE ");
                let column = self.column;
                for (i, unit) in units.iter().enumerate() {
                    if i > 0 {
                        self.line(column);
                    }
                    self.unit(&unit.kind);
                }
            }
            StepKind::Instance(it) => self.instance(it),
        }
        self.opt_proof(&step.proof, indent);
    }

    fn worded(&mut self, word: &str, expr: ExprId) {
        self.put(word);
        self.expr(expr);
    }

    fn binding(&mut self, binding: &Binding) {
        match binding {
            Binding::Bounded(bounds) => self.bounds(bounds),
            Binding::Unbounded(names) => self.names(names),
        }
    }
}
