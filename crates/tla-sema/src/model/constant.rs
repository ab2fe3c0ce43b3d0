//! `CONSTANT`: what stands for constants, and for definitions.

use source::Span;
use tla_syntax::ast::Ident;
use tla_syntax::config::{self, Assigned, Assignment, Config, ValueKind};
use util::{FxHashMap, Symbol};

use super::{Builder, Given, Value};
use crate::diagnostics as errors;
use crate::ir::*;

impl Builder<'_> {
    pub(super) fn constants(&mut self, config: &Config, whole: Span) {
        let mut given: FxHashMap<DeclId, Given> = FxHashMap::default();
        let replaced: FxHashMap<Symbol, Span> = config
            .constants
            .iter()
            .filter(|it| it.module.is_none() && matches!(it.to, Assigned::Definition(_)))
            .map(|it| (it.name.name, it.name.span))
            .collect();
        let mut handled = vec![];
        for assignment in &config.constants {
            let Some(target) = self.target(assignment) else {
                continue;
            };
            handled.push(target);
            let Some(what) = self.given(assignment, target, &replaced) else {
                continue;
            };
            match target {
                Entity::Decl(decl) => add(given.entry(decl).or_insert_with(|| Given::Table(vec![])), what),
                Entity::Def(def) => self.replace(def, assignment, what),
                _ => {}
            }
        }
        for decl in self.spec.constants().collect::<Vec<_>>() {
            match given.remove(&decl) {
                Some(what) => self.model.constants.push((decl, what)),
                // After a report about its assignment, its value is no further problem.
                None if handled.contains(&Entity::Decl(decl)) => {}
                None => {
                    let Decl {
                        name, arity, span, ..
                    } = self.spec.decls[decl];
                    self.report(errors::config_missing_constant(name, Some(whole), span, arity));
                }
            }
        }
    }

    /// The constant or definition that an assignment is about. `None` after a report.
    fn target(&mut self, assignment: &Assignment) -> Option<Entity> {
        let name = assignment.name;
        let found = match assignment.module {
            None => self.instances.lookup(self.spec, name.name.as_str()),
            Some(module) => {
                let id = self.module(module)?;
                self.spec.modules[id].scope.get(&name.name).map(|it| it.entity)
            }
        };
        match found {
            Some(Entity::Decl(decl)) if self.spec.decls[decl].kind == DeclKind::Constant => found,
            Some(Entity::Def(def)) if self.spec.defs[def].kind != DefKind::Rule => found,
            Some(other) => {
                let (what, declared) = (self.kind_of(other), self.entity_span(other));
                self.report(errors::config_override_target(
                    name.name, name.span, what, declared,
                ));
                None
            }
            None => {
                self.unknown_target(assignment);
                None
            }
        }
    }

    fn unknown_target(&mut self, assignment: &Assignment) {
        let name = assignment.name;
        let in_scope = self.spellings(|it| matches!(it, Entity::Def(_) | Entity::Decl(_)));
        let module = assignment
            .module
            .map(|it| it.name)
            .or_else(|| Some(self.spec.root()?.name));
        match (&assignment.to, module) {
            (Assigned::Definition(_), Some(module)) => {
                self.report(errors::config_override_unknown(
                    name.name, name.span, module, &in_scope,
                ));
            }
            // `a = a` is a habit: it announces the model value `a`.
            (Assigned::Value(value), _) if matches!(value.kind, ValueKind::Model(it) if it == name.name) => {}
            _ => self.report(errors::config_unused_constant(name.name, name.span, &in_scope)),
        }
    }

    fn module(&mut self, name: Ident) -> Option<ModuleId> {
        let found = self.spec.modules.iter().find(|(_, it)| it.name == name.name);
        if let Some((id, _)) = found {
            return Some(id);
        }
        let mut known: Vec<&str> = self.spec.modules.iter().map(|(_, it)| it.name.as_str()).collect();
        known.sort_unstable();
        self.report(errors::config_unknown_module(name.name, name.span, &known));
        None
    }

    fn arity(&self, entity: Entity) -> usize {
        match entity {
            Entity::Decl(decl) => self.spec.decls[decl].arity as usize,
            Entity::Def(def) => self.spec.defs[def].params.len(),
            _ => 0,
        }
    }

    /// What is put for the target. `None` after a report.
    fn given(
        &mut self,
        assignment: &Assignment,
        target: Entity,
        replaced: &FxHashMap<Symbol, Span>,
    ) -> Option<Given> {
        let name = assignment.name;
        let (want, got) = (self.arity(target), assignment.args.len());
        match &assignment.to {
            Assigned::Value(_) if want != got => {
                let declared = self.entity_span(target);
                self.report(errors::config_value_arity(
                    name.name,
                    assignment.span,
                    declared,
                    want,
                    got,
                ));
                None
            }
            Assigned::Value(to) => {
                self.check_model_value(name.name, to);
                let to = value(to);
                Some(match got {
                    0 => Given::Value(to),
                    _ => Given::Table(vec![(assignment.args.iter().map(value).collect(), to)]),
                })
            }
            Assigned::Definition(by) => self.replacement(name, target, *by, replaced),
        }
    }

    /// A definition of the root module (or another constant) for a constant or a definition.
    fn replacement(
        &mut self,
        name: Ident,
        target: Entity,
        by: Ident,
        replaced: &FxHashMap<Symbol, Span>,
    ) -> Option<Given> {
        if let Some(&other) = replaced.get(&by.name) {
            self.report(errors::config_override_chain(
                name.name, name.span, by.name, other,
            ));
            return None;
        }
        let found = self.instances.lookup(self.spec, by.name.as_str());
        let operator = match found {
            Some(Entity::Def(def)) if self.spec.defs[def].kind != DefKind::Rule => Operator::Def(def),
            Some(Entity::Decl(decl)) if self.spec.decls[decl].kind == DeclKind::Constant => {
                Operator::Decl(decl)
            }
            Some(other) => {
                let (what, declared) = (self.kind_of(other), self.entity_span(other));
                self.report(errors::config_not_a_definition(
                    "the replacement",
                    by.name,
                    by.span,
                    what,
                    declared,
                ));
                return None;
            }
            None => {
                let in_scope = self.spellings(|it| matches!(it, Entity::Def(_)));
                self.report(errors::config_unknown_name(
                    "the replacement",
                    by.name,
                    by.span,
                    &in_scope,
                ));
                return None;
            }
        };
        let by_entity = found.unwrap_or(target);
        let (want, got) = (self.arity(target), self.arity(by_entity));
        let defined = self.entity_span(by_entity);
        if want != got {
            let declared = self.entity_span(target);
            let error =
                errors::config_override_arity(name.name, name.span, declared, want, by.name, defined, got);
            self.report(error);
            return None;
        }
        // An operator may look at the state where it is called; a value is the same everywhere.
        if let (Entity::Decl(_), Operator::Def(def), 0) = (target, operator, want) {
            let level = self.level(def);
            if level > Level::Constant {
                self.report(errors::config_override_level(
                    name.name, by.span, by.name, defined, level,
                ));
                return None;
            }
        }
        Some(Given::Operator(operator))
    }

    /// A module's own definition is replaced wherever it has come to by instances.
    fn replace(&mut self, def: DefId, assignment: &Assignment, what: Given) {
        let mut targets = vec![def];
        if assignment.module.is_some() {
            let copies = self
                .spec
                .defs
                .iter()
                .filter(|&(it, _)| it != def && self.comes_from(it, def));
            targets.extend(copies.map(|(it, _)| it));
        }
        for target in targets {
            match self.model.overrides.iter_mut().find(|it| it.0 == target) {
                Some((_, known)) => add(known, what.clone()),
                None => self.model.overrides.push((target, what.clone())),
            }
        }
    }

    fn comes_from(&self, mut def: DefId, ancestor: DefId) -> bool {
        while let Some((origin, _)) = self.spec.defs[def].origin {
            if origin == ancestor {
                return true;
            }
            def = origin;
        }
        false
    }

    /// A word that is a definition of the module is probably not meant as a model value.
    fn check_model_value(&mut self, constant: Symbol, to: &config::Value) {
        let ValueKind::Model(name) = to.kind else { return };
        if name == constant {
            return;
        }
        if let Some(Entity::Def(def)) = self.spec.lookup(name)
            && self.spec.defs[def].params.is_empty()
        {
            let defined = self.spec.defs[def].span;
            self.report(errors::config_value_is_a_name(constant, name, to.span, defined));
        }
    }
}

/// Rows of a table are collected; anything else is the whole.
fn add(known: &mut Given, what: Given) {
    match (known, what) {
        (Given::Table(rows), Given::Table(more)) => rows.extend(more),
        (known, what) => *known = what,
    }
}

fn value(it: &config::Value) -> Value {
    match &it.kind {
        ValueKind::Int(digits) => Value::Int(*digits),
        ValueKind::Str(text) => Value::Str(*text),
        ValueKind::Bool(value) => Value::Bool(*value),
        ValueKind::Model(name) => Value::Model(*name),
        ValueKind::Set(items) => Value::Set(items.iter().map(value).collect()),
    }
}
