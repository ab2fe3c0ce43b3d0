//! What other modules bring in: `EXTENDS` and `INSTANCE`.
//!
//! A name that comes in twice is no problem when both ways lead to one text, or to texts that say the same. Otherwise the
//! first one counts and the second one is reported. Two modules that declare the same constant or variable mean one
//! thing by it: what the second module defines is taken over as an instance in which its declaration is
//! replaced by the first one.

use source::Span;
use tla_syntax::ast;
use util::{FxHashMap, Symbol};

use super::Resolver;
use super::expr::Param;
use crate::alpha_equivalence::is_alpha_equivalent;
use crate::diagnostics as errors;
use crate::ir::*;
use crate::level::Check;

/// Community modules that open others for themselves alone, and make their names known only since a prover needs that. Specifications of
/// both times are right: those that use such a name, and those that define it themselves, as many do with `Max` and `Range`.
const PASSING_ON: [&str; 5] = ["FiniteSetsExt", "Functions", "Graphs", "Relation", "SequencesExt"];

/// How a name was brought in. The rules for a name that is known already differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Extends,
    Instance,
}

impl Resolver<'_> {
    pub(super) fn extend(&mut self, name: ast::Ident) {
        let Some(id) = self.open(name) else {
            self.ctx.incomplete = true;
            return;
        };
        let merged = self.merge_declarations(id, name);
        for (symbol, entity, weak) in self.exported(id) {
            let entity = match (entity, merged) {
                (Entity::Decl(_), Some(_)) if self.is_merged(entity, merged) => continue,
                (Entity::Def(def), Some(instance)) => {
                    Entity::Def(self.instances.instantiate(&mut self.spec, def, instance, symbol))
                }
                (Entity::Instance(inner), Some(instance)) => Entity::Instance(
                    self.instances
                        .instantiate_instance(&mut self.spec, inner, instance),
                ),
                _ => entity,
            };
            let binding = Binding {
                entity,
                local: false,
                weak,
            };
            self.import(symbol, binding, name.span, Way::Extends);
        }
        let extended = &self.spec.modules[id];
        let mut nested: Vec<(Symbol, Entity)> = extended
            .nested
            .iter()
            .filter(|(_, it)| !it.local)
            .map(|(&name, it)| (name, it.entity))
            .collect();
        nested.sort_unstable_by_key(|(name, _)| name.as_str());
        for (symbol, entity) in nested {
            self.ctx.scope.bind_module(symbol, entity, false);
        }
        self.extend_statements(id, merged);
    }

    /// Declarations and assumptions of an extended module belong to the one that extends it.
    fn extend_statements(&mut self, id: ModuleId, merged: Option<InstanceId>) {
        let extended = &self.spec.modules[id];
        let decls = extended.decls.clone();
        let mut assumptions = extended.assumptions.clone();
        if let Some(instance) = merged {
            for assumption in &mut assumptions {
                assumption.body = assumption
                    .body
                    .map(|it| self.instances.replace(&mut self.spec, it, instance));
            }
        }
        let own = &mut self.spec.modules[self.ctx.module];
        own.extends.push(id);
        for decl in decls {
            let replaced = merged.is_some_and(|it| self.spec.instances[it].substitution.contains_key(&decl));
            if !replaced && !own.decls.contains(&decl) {
                own.decls.push(decl);
            }
        }
        for assumption in assumptions {
            if !own.assumptions.iter().any(|it| it.span == assumption.span) {
                own.assumptions.push(assumption);
            }
        }
    }

    /// The instance in which declarations of `module` that are declared here already are replaced by these, if there
    /// are any.
    fn merge_declarations(&mut self, module: ModuleId, opened: ast::Ident) -> Option<InstanceId> {
        let mut substitution = FxHashMap::default();
        for decl in self.spec.modules[module].decls.clone() {
            let Decl {
                name,
                kind,
                arity,
                span,
                ..
            } = self.spec.decls[decl];
            let Some(Entity::Decl(known)) = self.ctx.scope.get(name) else {
                continue;
            };
            let first = self.spec.decls[known];
            if known == decl || first.kind != kind || first.arity != arity {
                continue;
            }
            self.report(errors::merged_declarations(name, opened.span, first.span, span));
            let value = match arity {
                0 => ExprKind::Decl(known),
                _ => ExprKind::OpRef(Operator::Decl(known)),
            };
            substitution.insert(decl, self.alloc(value, opened.span));
        }
        if substitution.is_empty() {
            return None;
        }
        let span = opened.span;
        Some(self.spec.instances.alloc(Instance {
            name: None,
            module,
            params: Box::default(),
            substitution,
            span,
        }))
    }

    fn is_merged(&self, entity: Entity, merged: Option<InstanceId>) -> bool {
        match (entity, merged) {
            (Entity::Decl(decl), Some(it)) => self.spec.instances[it].substitution.contains_key(&decl),
            _ => false,
        }
    }

    /// Takes a name over from an opened module, unless it is known already.
    fn import(&mut self, name: Symbol, binding: Binding, opened: Span, way: Way) {
        let entity = binding.entity;
        let Some(known) = self.ctx.scope.get_strong(name) else {
            // Of two weak names the first one counts, as of two strong ones.
            if !binding.weak || self.ctx.scope.get(name).is_none() {
                self.ctx.scope.put_binding(name, binding);
            }
            return;
        };
        if binding.weak || known == entity || self.means_the_same(known, entity) {
            return;
        }
        let (first, second) = (self.entity_span(known), self.entity_span(entity));
        let compatible = self.shape(known) == self.shape(entity)
            && (way == Way::Extends || self.arity(known) == self.arity(entity));
        let report = if compatible {
            errors::conflicting_imports
        } else {
            errors::clashing_imports
        };
        self.report(report(name, opened, first, second));
    }

    /// Two definitions that come from one text by different ways, or that say the same, are no conflict.
    fn means_the_same(&self, a: Entity, b: Entity) -> bool {
        match (a, b) {
            (Entity::Def(a), Entity::Def(b)) => {
                self.source_def(a) == self.source_def(b) || is_alpha_equivalent(&self.spec, a, b)
            }
            (Entity::Instance(a), Entity::Instance(b)) => {
                self.spec.instances[a].span == self.spec.instances[b].span
            }
            _ => false,
        }
    }

    fn source_def(&self, mut def: DefId) -> Span {
        while let Some((origin, _)) = self.spec.defs[def].origin {
            def = origin;
        }
        self.spec.defs[def].span
    }

    /// Operators, declarations, statements and instances do not stand for each other.
    fn shape(&self, entity: Entity) -> u8 {
        match entity {
            Entity::Decl(decl) => match self.spec.decls[decl].kind {
                DeclKind::Constant => 0,
                DeclKind::Variable => 1,
            },
            Entity::Def(def) => match self.spec.defs[def].kind {
                DefKind::Operator | DefKind::Function | DefKind::Undefined => 2,
                DefKind::Statement | DefKind::Rule => 3,
            },
            Entity::Local(_) => 4,
            Entity::Instance(_) => 5,
            Entity::Module(_) => 6,
        }
    }

    fn arity(&self, entity: Entity) -> usize {
        self.operator_of(entity).map_or(0, |(_, params)| params.len())
    }

    /// `INSTANCE`, named or not. Gives the definitions that an unnamed one makes.
    pub(super) fn instance(&mut self, instance: &ast::Instance, span: Span) -> Vec<DefId> {
        let mark = self.ctx.scope.mark();
        let params: Box<[LocalId]> = match &instance.name {
            Some(name) => {
                self.check_new(name.name);
                name.params.iter().map(|it| self.bind_param(it)).collect()
            }
            None => Box::default(),
        };
        let module = self.open(instance.module);
        let substitution = match module {
            Some(module) => self.substitution(instance, module, span),
            None => FxHashMap::default(),
        };
        self.ctx.scope.release(mark);
        let Some(module) = module else {
            self.ctx.incomplete = true;
            return vec![];
        };
        let id = self.spec.instances.alloc(Instance {
            name: instance.name.as_ref().map(|it| it.name.name),
            module,
            params,
            substitution,
            span: instance
                .name
                .as_ref()
                .map_or(instance.module.span, |it| it.name.span),
        });
        self.check(Check::Instance(id));
        match &instance.name {
            Some(name) => {
                self.ctx
                    .scope
                    .bind(name.name.name, Entity::Instance(id), instance.local);
                vec![]
            }
            None => self.import_instance(id, instance),
        }
    }

    /// Names of an unnamed instance become names of this module.
    fn import_instance(&mut self, id: InstanceId, instance: &ast::Instance) -> Vec<DefId> {
        let module = self.spec.instances[id].module;
        let mut made = vec![];
        for (name, entity, weak) in self.exported(module) {
            let entity = match entity {
                Entity::Def(def) => {
                    let copy = self.instances.instantiate(&mut self.spec, def, id, name);
                    if copy != def {
                        self.spec.defs[copy].module = self.ctx.module;
                        made.push(copy);
                    }
                    Entity::Def(copy)
                }
                Entity::Instance(inner) => {
                    Entity::Instance(self.instances.instantiate_instance(&mut self.spec, inner, id))
                }
                // Declared names are replaced, not imported; nested modules stay where they are.
                Entity::Decl(_) | Entity::Module(_) | Entity::Local(_) => continue,
            };
            let binding = Binding {
                entity,
                local: instance.local,
                weak,
            };
            self.import(name, binding, instance.module.span, Way::Instance);
        }
        made
    }

    /// The names of a module that others can use, sorted: reports must not depend on the order of a hash map.
    pub(super) fn exported(&self, module: ModuleId) -> Vec<(Symbol, Entity, bool)> {
        let Module {
            scope,
            name,
            is_library,
            ..
        } = &self.spec.modules[module];
        let passes_on = *is_library && PASSING_ON.contains(&name.as_str());
        let is_weak = |it: &Binding| it.weak || passes_on && !self.is_own(it.entity, module);
        let mut names: Vec<(Symbol, Entity, bool)> = scope
            .iter()
            .filter(|(_, it)| !it.local)
            .map(|(&name, it)| (name, it.entity, is_weak(it)))
            .collect();
        names.sort_unstable_by_key(|(name, ..)| name.as_str());
        names
    }

    /// Whether what a library module makes known is written in it.
    fn is_own(&self, entity: Entity, module: ModuleId) -> bool {
        match entity {
            Entity::Def(def) => self.spec.defs[def].module == module,
            _ => true,
        }
    }

    fn substitution(
        &mut self,
        instance: &ast::Instance,
        module: ModuleId,
        span: Span,
    ) -> FxHashMap<DeclId, ExprId> {
        // A nested module shares the declarations of the modules around it; only its own are replaced.
        let decls = self.spec.modules[module].decls.clone();
        let mut substitution = FxHashMap::default();
        let mut given: FxHashMap<Symbol, Span> = FxHashMap::default();
        let module_name = self.spec.modules[module].name;
        let mut unknown = false;
        for with in &instance.substitutions {
            let name = with.name;
            if let Some(&first) = given.get(&name.name) {
                self.report(errors::duplicate_substitution(name.name, name.span, first));
                continue;
            }
            given.insert(name.name, name.span);
            let Some(&decl) = decls.iter().find(|&&it| self.spec.decls[it].name == name.name) else {
                let known: Vec<&str> = decls
                    .iter()
                    .map(|&it| self.spec.decls[it].name.as_str())
                    .collect();
                self.report(errors::unknown_substitution(
                    name.name,
                    name.span,
                    module_name,
                    &known,
                ));
                self.expr_or_operator(with.value);
                unknown = true;
                continue;
            };
            let Decl { arity, span, .. } = self.spec.decls[decl];
            let value = self.argument(
                with.value,
                name.name,
                Param {
                    name: name.name,
                    arity,
                    span,
                },
            );
            substitution.insert(decl, value);
        }
        for decl in decls {
            let Decl {
                name,
                arity,
                span: declared,
                ..
            } = self.spec.decls[decl];
            if given.contains_key(&name) {
                continue;
            }
            match self.implicit_value(name, arity, span) {
                Some(value) => {
                    substitution.insert(decl, value);
                }
                // A misspelt name leaves the right one without a value: one mistake.
                None if unknown => {}
                None => {
                    self.report(errors::missing_substitution(
                        name,
                        instance.module.span,
                        module_name,
                        declared,
                    ));
                }
            }
        }
        substitution
    }

    /// `x <- x`: what the name of a declared symbol means where the instance stands.
    fn implicit_value(&mut self, name: Symbol, arity: u32, span: Span) -> Option<ExprId> {
        let entity = self.ctx.scope.get(name)?;
        let (op, params) = self.operator_of(entity)?;
        if params.len() != arity as usize {
            return None;
        }
        let kind = match (op, arity) {
            (Operator::Local(local), 0) => ExprKind::Local(local),
            (Operator::Decl(decl), 0) => ExprKind::Decl(decl),
            (Operator::Def(_), 0) => ExprKind::Call {
                op,
                args: Box::default(),
            },
            _ => ExprKind::OpRef(op),
        };
        Some(self.alloc(kind, span))
    }
}
