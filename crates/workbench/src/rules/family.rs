//! The definitions of a module that are conjunctions of rules, and the rules that one of them leaves out.

use tla_sema::Levels;
use tla_sema::compose::{Composition, compose, replaced_definitions};
use tla_sema::ir::{DefId, Level, ModuleId};
use tla_sema::model::{Formula, Model};

use super::choice::call;
use crate::tla::TlaFile;

impl TlaFile {
    /// Definitions of temporal formulas without parameters, in the specification's own modules and in the order of the text.
    fn temporal_definitions(&self) -> Vec<DefId> {
        let mut levels = Levels::new(&self.spec);
        let mut all = vec![];
        for module in self.own_modules() {
            for &def in &self.spec.modules[module].defs {
                let definition = &self.spec.defs[def];
                if definition.params.is_empty()
                    && !definition.recursive
                    && !self.is_added(definition.name)
                    && levels.of_def(def) == Level::Temporal
                {
                    all.push(def);
                }
            }
        }
        all
    }

    /// The root module and what it extends, without what comes with Babbage; extended ones first.
    pub(crate) fn own_modules(&self) -> Vec<ModuleId> {
        let mut all: Vec<ModuleId> = vec![];
        let mut todo: Vec<ModuleId> = self.spec.root.into_iter().collect();
        while let Some(module) = todo.pop() {
            if !all.contains(&module) && !self.spec.modules[module].is_library {
                all.push(module);
                todo.extend(&self.spec.modules[module].extends);
            }
        }
        all.reverse();
        all
    }

    /// The definition that is a conjunction of most rules, of at least two, and that `suits`.
    pub(crate) fn largest_conjunction(
        &mut self,
        model: &Model,
        suits: &dyn Fn(&Composition) -> bool,
    ) -> Option<(Formula, Composition)> {
        let instead = replaced_definitions(model);
        let mut best: Option<(Formula, Composition)> = None;
        for def in self.temporal_definitions() {
            let (name, span) = (self.spec.defs[def].name, self.spec.defs[def].span);
            let expr = call(&mut self.spec, def, span);
            let composition = compose(&mut self.spec, &[expr], &instead);
            let n_best = best.as_ref().map_or(1, |it| it.1.rules.len());
            if composition.rules.len() > n_best && suits(&composition) {
                best = Some((Formula { name, expr, span }, composition));
            }
        }
        best
    }

    /// Rules that some other definition of the module conjoins with rules of this composition, and that it has not: name and
    /// place.
    pub(crate) fn left_out(&mut self, composition: &Composition) -> Vec<(String, String)> {
        let has = |span| composition.rules.iter().any(|it| it.on && it.span == span);
        let mut missing: Vec<(String, source::Span)> = vec![];
        for def in self.temporal_definitions() {
            let span = self.spec.defs[def].span;
            let expr = call(&mut self.spec, def, span);
            let other = compose(&mut self.spec, &[expr], &Default::default());
            if other.rules.len() < 2 || !other.rules.iter().any(|it| has(it.span)) {
                continue;
            }
            for rule in &other.rules {
                let entry = (rule.name.clone(), rule.span);
                if !has(rule.span) && !missing.contains(&entry) {
                    missing.push(entry);
                }
            }
        }
        let shown = |(name, span): (String, source::Span)| (name, self.location(span));
        missing.into_iter().map(shown).collect()
    }
}
