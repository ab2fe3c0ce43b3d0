//! `--without`, `--only` and `--with`: the rules that are in force.

use source::Span;
use tla_sema::Levels;
use tla_sema::compose::{
    Composition, Conjunct, ConjunctKind, Names, compose, compose_behaviour, property_parts,
    replaced_definitions,
};
use tla_sema::ir::{DefId, Expr, ExprId, ExprKind, Level, Operator};
use tla_sema::model::{Behaviour, Formula, Model};
use util::Symbol;

use super::errors;
use crate::tla::TlaFile;

/// Rules by their names; `with` has formulas.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
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
    pub with: Vec<DefId>,
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
        if self.has_errors() || self.requests.has_behaviour() {
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
        let at = model.behaviour_span();
        if let Some(composition) = &mut model.composition {
            if composition.is_cut {
                self.diagnostics.push(errors::too_many_conjuncts(at));
            }
            self.name_rules(composition);
            let not_searched = self.not_searched(composition);
            let is_step = |it: &Conjunct| matches!(it.kind, ConjunctKind::Step { .. });
            let has_steps = composition.conjuncts.iter().any(is_step);
            match &model.behaviour {
                Behaviour::Specification(it) if !has_steps => self.diagnostics.push(errors::no_steps(
                    it.name.as_str(),
                    not_searched.unwrap_or(it.span),
                )),
                _ => self.diagnostics.extend(not_searched.map(errors::not_searched)),
            }
        }
        model.whole_properties = model.properties.clone();
        model.properties = self.property_parts(&model);
        let chosen = self.requests.rules.clone();
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

    /// Properties that are conjunctions, with what can be checked on the way made visible.
    pub(crate) fn property_parts(&mut self, model: &Model) -> Vec<Formula> {
        let instead = replaced_definitions(model);
        let mut all = vec![];
        for formula in &model.properties {
            match property_parts(&mut self.spec, formula.expr, &instead) {
                Some(parts) => all.extend(parts.into_iter().map(|expr| Formula {
                    expr,
                    ..formula.clone()
                })),
                None => all.push(formula.clone()),
            }
        }
        all
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
        for &def in &chosen.with {
            match self.with_formula(def) {
                Ok(expr) => {
                    let added = self.taken_apart(&[expr], model);
                    composition.extend(added);
                }
                Err(it) => wrong.push(it),
            }
        }
        wrong
    }

    /// As [`TlaFile::compose`] for another formula than the model's: a name that it has not is no mistake there.
    pub(crate) fn switch_known(&mut self, composition: &mut Composition, model: &Model) {
        let mut chosen = self.requests.rules.clone();
        chosen.without.retain(|it| !composition.named(it).is_empty());
        chosen.only.retain(|it| !composition.named(it).is_empty());
        if self.requests.rules.only.is_empty() || !chosen.only.is_empty() {
            self.switch(composition, &chosen, model);
        }
    }

    fn with_formula(&mut self, def: DefId) -> Result<ExprId, diag::Diagnostic> {
        let span = self.spec.exprs[self.spec.defs[def].body].span;
        let kind = ExprKind::Call {
            op: Operator::Def(def),
            args: Box::default(),
        };
        if !self.spec.defs[def].params.is_empty() || Levels::new(&self.spec).of_def(def) == Level::Action {
            return Err(errors::with_an_action(self.spec.defs[def].name.as_str()));
        }
        Ok(self.spec.exprs.alloc(Expr { kind, span }))
    }

    /// What a conjunction of formulas is composed of.
    pub(crate) fn taken_apart(&mut self, formulas: &[ExprId], model: &Model) -> Composition {
        let mut composition = compose(&mut self.spec, formulas, &replaced_definitions(model));
        self.name_rules(&mut composition);
        composition
    }

    /// A rule that is no definition, or one that was made of an option, is called by its text.
    fn name_rules(&self, composition: &mut Composition) {
        const LENGTH_MAX: usize = 48;
        let mut names = Names::default();
        for rule in &mut composition.rules {
            let name = match rule.is_named {
                // Without the number that it may have got.
                true => without_number(&rule.name).to_owned(),
                false => trace::shortened(self.text(rule.span), LENGTH_MAX),
            };
            rule.name = names.unused(name);
        }
        for rule in &mut composition.rules {
            let is_added = |it: Symbol| self.spec.appended.contains_key(&it);
            let is_option = |it: &tla_sema::compose::Inclusion| it.by.is_some_and(is_added);
            rule.path.retain(|it| !is_added(*it));
            for it in rule.included.iter_mut().filter(|it| is_option(it)) {
                it.by = None;
            }
        }
    }

    /// Conjuncts that restrict steps in a way that a search for states does not follow.
    fn not_searched(&self, composition: &Composition) -> Option<Span> {
        let mut spans = composition.conjuncts.iter().filter_map(|it| match it.kind {
            ConjunctKind::Other(expr) if self.has_steps(expr) => Some(it.span),
            _ => None,
        });
        spans.next()
    }

    fn has_steps(&self, expr: ExprId) -> bool {
        let (mut todo, mut seen, mut found) = (vec![expr], vec![], false);
        while let Some(id) = todo.pop() {
            tla_sema::walk(&self.spec, id, &mut |kind| match kind {
                ExprKind::BoxAction { .. } => found = true,
                ExprKind::Call {
                    op: Operator::Def(def),
                    ..
                } if !seen.contains(def) => {
                    seen.push(*def);
                    todo.push(self.spec.defs[*def].body);
                }
                _ => {}
            });
        }
        found
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
        if has_all(composition) || self.requests.has_behaviour() {
            return None;
        }
        self.largest_conjunction(model, &has_all)
    }
}

/// The name of a rule without the number that tells it from others of this name.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((name, number)) if number.parse::<u32>().is_ok() => name,
        _ => name,
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
pub(crate) fn call(spec: &mut tla_sema::Spec, def: DefId, span: Span) -> ExprId {
    let kind = ExprKind::Call {
        op: Operator::Def(def),
        args: Box::default(),
    };
    spec.exprs.alloc(Expr { kind, span })
}
