//! The definitions of a module that are conjunctions of rules, and the rules that one of them leaves out.

use tla_sema::Levels;
use tla_sema::compose::{Composition, Rule, replaced_definitions, rules_in};
use tla_sema::ir::{DefId, Level, ModuleId};
use tla_sema::model::{Formula, Model};

use util::{FxHashMap, FxHashSet};

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

    /// Definitions that are conjunctions of several rules and that no other of them takes in, in the order of the text.
    fn conjunctions(&self, instead: &FxHashMap<DefId, DefId>) -> Vec<(DefId, Vec<Rule>)> {
        let (mut all, mut known) = (vec![], FxHashSet::default());
        // A definition takes in what stands before it.
        for def in self.temporal_definitions().into_iter().rev() {
            if known.contains(&def) {
                continue;
            }
            let (rules, taken_in) = rules_in(&self.spec, self.spec.defs[def].body, instead);
            known.extend(taken_in);
            if rules.len() > 1 {
                all.push((def, rules));
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
        let mut candidates: Vec<(usize, DefId)> = self
            .conjunctions(&instead)
            .into_iter()
            .map(|(def, rules)| (rules.len(), def))
            .collect();
        // Of equals the first one in the text.
        candidates.sort_by_key(|it| std::cmp::Reverse(it.0));
        for (_, def) in candidates {
            let (name, span) = (self.spec.defs[def].name, self.spec.defs[def].span);
            let expr = call(&mut self.spec, def, span);
            let composition = self.taken_apart(&[expr], model);
            if suits(&composition) {
                return Some((Formula { name, expr, span }, composition));
            }
        }
        None
    }

    /// Rules that some other definition of the module conjoins with rules of this composition, and that it has not: name and
    /// place.
    pub(crate) fn left_out(&self, composition: &Composition) -> Vec<(String, String)> {
        let has = |span| composition.rules.iter().any(|it| it.span == span);
        let mut missing: Vec<(String, source::Span)> = vec![];
        for (_, rules) in self.conjunctions(&FxHashMap::default()) {
            if !rules.iter().any(|it| has(it.span)) {
                continue;
            }
            for rule in &rules {
                let entry = (rule.name.clone(), rule.span);
                if rule.is_named && !has(rule.span) && !missing.contains(&entry) {
                    missing.push(entry);
                }
            }
        }
        let shown = |(name, span): (String, source::Span)| (name, self.location(span));
        missing.into_iter().map(shown).collect()
    }
}
