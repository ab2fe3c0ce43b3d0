//! `--without`, `--only` and `--with`: the rules that are in force.

use source::Span;
use tla_sema::Levels;
use tla_sema::compose::{Composition, compose, compose_behaviour, replaced_definitions};
use tla_sema::ir::{Expr, ExprId, ExprKind, Level, Operator};
use tla_sema::model::{Behaviour, Formula, Model};

use super::errors;
use crate::tla::TlaFile;

/// Rules by their names; `with` has formulas.
#[derive(Clone, Debug, Default)]
pub struct RuleChoice {
    pub without: Vec<String>,
    pub only: Vec<String>,
    pub with: Vec<String>,
}

impl RuleChoice {
    pub fn is_empty(&self) -> bool {
        self.without.is_empty() && self.only.is_empty() && self.with.is_empty()
    }
}

/// As [`RuleChoice`]; formulas have become definitions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chosen {
    pub without: Vec<String>,
    pub only: Vec<String>,
    pub with: Vec<String>,
}

impl Chosen {
    pub fn is_empty(&self) -> bool {
        self.without.is_empty() && self.only.is_empty() && self.with.is_empty()
    }

    fn names(&self) -> impl Iterator<Item = &String> {
        self.only.iter().chain(&self.without)
    }
}

impl TlaFile {
    /// Takes the model's behaviour apart and switches its rules as the command line says.
    pub(crate) fn compose(&mut self) {
        if self.has_errors() {
            return;
        }
        let Some(model) = self.model.take() else { return };
        self.model = Some(self.composed(model));
    }

    /// For questions about rules: where the model's specification is not a conjunction of several, the largest one of the module is
    /// meant.
    pub fn turn_to_rules(&mut self) {
        self.needs_no_behaviour();
        if self.has_errors() || self.wanted.has_behaviour() {
            return;
        }
        let Some(model) = self.model.clone() else { return };
        if model.composition.as_ref().is_some_and(|it| it.rules.len() > 1) {
            return;
        }
        let Some((other, _)) = self.largest_conjunction(&model, &|_| true) else {
            return self.compose();
        };
        if !matches!(model.behaviour, Behaviour::None) {
            self.diagnostics
                .push(errors::one_rule(&model.behaviour_name(), &other));
        }
        self.model = Some(Model {
            behaviour: Behaviour::Specification(other),
            ..model
        });
        self.compose();
    }

    fn composed(&mut self, mut model: Model) -> Model {
        model.composition = compose_behaviour(&mut self.spec, &model);
        let chosen = self.wanted.rules.clone();
        if chosen.is_empty() {
            return model;
        }
        let Some(mut composition) = model.composition.take() else {
            self.diagnostics.push(errors::no_rules());
            return model;
        };
        if let Some((other, found)) = self.meant_instead(&composition, &chosen, &model) {
            let was = model.behaviour_name();
            self.diagnostics.push(errors::other_rules(&was, &other));
            model.behaviour = Behaviour::Specification(other);
            composition = found;
        }
        let wrong = self.switch(&mut composition, &chosen, &model);
        self.diagnostics.extend(wrong);
        let mentioned = model_formulas(&model);
        composition.fix_free(&mut self.spec, &mentioned, &replaced_definitions(&model));
        model.composition = Some(composition);
        model
    }

    /// Switches rules of one composition. What is not there is reported.
    fn switch(
        &mut self,
        composition: &mut Composition,
        chosen: &Chosen,
        model: &Model,
    ) -> Vec<diag::Diagnostic> {
        let mut wrong = vec![];
        let mut named = |name: &String, composition: &Composition| {
            let found = composition.named(name);
            if found.is_empty() {
                let rules: Vec<&str> = composition.rules.iter().map(|it| it.name.as_str()).collect();
                let is_defined = self.spec.lookup_def(name).is_some();
                wrong.push(errors::unknown_rule(
                    name,
                    &rules,
                    &composition.names(),
                    is_defined,
                ));
            }
            found
        };
        if !chosen.only.is_empty() {
            let all: Vec<usize> = chosen.only.iter().flat_map(|it| named(it, composition)).collect();
            composition.only(&all);
        }
        for name in &chosen.without {
            let all = named(name, composition);
            composition.switch(&all, false);
        }
        for name in &chosen.with {
            match self.with_formula(name) {
                Ok(expr) => {
                    let mut added = compose(&mut self.spec, &[expr], &replaced_definitions(model));
                    self.name_added(&mut added);
                    composition.extend(added);
                }
                Err(it) => wrong.push(it),
            }
        }
        wrong
    }

    /// As [`TlaFile::compose`] for another formula than the model's: a name that it has not is no mistake there.
    pub(crate) fn switch_known(&mut self, composition: &mut Composition, model: &Model) {
        let mut chosen = self.wanted.rules.clone();
        chosen.without.retain(|it| !composition.named(it).is_empty());
        chosen.only.retain(|it| !composition.named(it).is_empty());
        if self.wanted.rules.only.is_empty() || !chosen.only.is_empty() {
            self.switch(composition, &chosen, model);
        }
    }

    fn with_formula(&mut self, name: &str) -> Result<ExprId, diag::Diagnostic> {
        let Some(def) = self.spec.lookup_def(name) else {
            return Err(errors::no_rules());
        };
        let span = self.spec.defs[def].span;
        let kind = ExprKind::Call {
            op: Operator::Def(def),
            args: Box::default(),
        };
        if !self.spec.defs[def].params.is_empty() || Levels::new(&self.spec).of_def(def) == Level::Action {
            return Err(errors::with_an_action(&self.shown_name(self.spec.defs[def].name)));
        }
        Ok(self.spec.exprs.alloc(Expr { kind, span }))
    }

    /// A rule that was made of an option is called by its text.
    fn name_added(&self, composition: &mut Composition) {
        for rule in &mut composition.rules {
            rule.name = self.shown_name(util::Symbol::new(&rule.name));
        }
    }

    /// When the model's specification has not the rules that are named, and another definition of the module has: the one with most
    /// rules.
    fn meant_instead(
        &mut self,
        composition: &Composition,
        chosen: &Chosen,
        model: &Model,
    ) -> Option<(Formula, Composition)> {
        let has_all = |it: &Composition| chosen.names().all(|name| !it.named(name).is_empty());
        if has_all(composition) || self.wanted.has_behaviour() {
            return None;
        }
        self.largest_conjunction(model, &has_all)
    }
}

/// The formulas of a model besides its behaviour.
pub(crate) fn model_formulas(model: &Model) -> Vec<ExprId> {
    let lists = [
        &model.invariants,
        &model.properties,
        &model.constraints,
        &model.action_constraints,
        &model.possible,
        &model.postconditions,
    ];
    let ones = [&model.view, &model.alias, &model.periodic, &model.reward];
    let many = lists.into_iter().flatten();
    many.chain(ones.into_iter().flatten()).map(|it| it.expr).collect()
}

/// A call of a definition without parameters.
pub(crate) fn call(spec: &mut tla_sema::Spec, def: tla_sema::ir::DefId, span: Span) -> ExprId {
    let kind = ExprKind::Call {
        op: Operator::Def(def),
        args: Box::default(),
    };
    spec.exprs.alloc(Expr { kind, span })
}
