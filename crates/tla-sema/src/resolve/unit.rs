//! Modules and their units: declarations, definitions, instances, statements.

use source::Span;
use tla_syntax::ast::{self, UnitKind};
use util::{FxHashMap, Symbol};

use super::Resolver;
use crate::builtin::builtin;
use crate::diagnostics as errors;
use crate::ir::*;

impl Resolver<'_> {
    /// Resolves a module in the current scope: empty for a file, the outer module's for a nested one.
    pub(super) fn module(&mut self, module: &ast::Module, is_library: bool) -> ModuleId {
        let id = self.spec.modules.alloc(Module {
            name: module.name.name,
            name_span: module.name.span,
            span: module.span,
            extends: vec![],
            decls: vec![],
            defs: vec![],
            assumptions: vec![],
            theorems: vec![],
            scope: FxHashMap::default(),
            nested: FxHashMap::default(),
            is_library,
        });
        let outer = std::mem::replace(&mut self.module, id);
        for &name in &module.extends {
            self.extend(name);
        }
        let outer_pending = std::mem::take(&mut self.pending);
        for unit in &module.units {
            self.unit(unit);
        }
        self.report_pending();
        self.pending = outer_pending;
        let (scope, nested) = self.scope.finish();
        let done = &mut self.spec.modules[id];
        done.scope = scope;
        done.nested = nested;
        self.module = outer;
        id
    }

    fn extend(&mut self, name: ast::Ident) {
        let Some(id) = self.open(name) else {
            self.incomplete = true;
            return;
        };
        let extended = &self.spec.modules[id];
        let decls = extended.decls.clone();
        let assumptions = extended.assumptions.clone();
        let mut names: Vec<(Symbol, Entity)> =
            extended.scope.iter().filter(|(_, it)| !it.local).map(|(&name, it)| (name, it.entity)).collect();
        let nested: Vec<(Symbol, Entity)> =
            extended.nested.iter().filter(|(_, it)| !it.local).map(|(&name, it)| (name, it.entity)).collect();
        // The scope is a hash map: reports must not depend on its order.
        names.sort_unstable_by_key(|(name, _)| name.as_str());
        for (symbol, entity) in names {
            self.import(symbol, entity, name.span, false);
        }
        for (symbol, entity) in nested {
            self.scope.bind_module(symbol, entity, false);
        }
        let module = &mut self.spec.modules[self.module];
        module.extends.push(id);
        for decl in decls {
            if !module.decls.contains(&decl) {
                module.decls.push(decl);
            }
        }
        for assumption in assumptions {
            if !module.assumptions.iter().any(|it| it.span == assumption.span) {
                module.assumptions.push(assumption);
            }
        }
    }

    /// Takes a name over from an opened module, unless it is known already.
    fn import(&mut self, name: Symbol, entity: Entity, opened: Span, local: bool) {
        let Some(known) = self.scope.get(name) else {
            self.scope.bind(name, entity, local);
            return;
        };
        if known == entity || self.same_source(known, entity) {
            return;
        }
        let (first, second) = (self.entity_span(known), self.entity_span(entity));
        let same_kind = std::mem::discriminant(&known) == std::mem::discriminant(&entity);
        let report = if same_kind { errors::conflicting_imports } else { errors::clashing_imports };
        self.report(report(name, opened, first, second));
    }

    /// Two definitions that come from one text by different ways are no conflict.
    fn same_source(&self, a: Entity, b: Entity) -> bool {
        match (a, b) {
            (Entity::Def(a), Entity::Def(b)) => self.source_def(a) == self.source_def(b),
            (Entity::Instance(a), Entity::Instance(b)) => self.spec.instances[a].span == self.spec.instances[b].span,
            _ => false,
        }
    }

    fn source_def(&self, mut def: DefId) -> Span {
        while let Some(origin) = self.spec.defs[def].origin {
            def = origin;
        }
        self.spec.defs[def].span
    }

    pub(super) fn entity_span(&self, entity: Entity) -> Span {
        match entity {
            Entity::Decl(it) => self.spec.decls[it].span,
            Entity::Def(it) => self.spec.defs[it].span,
            Entity::Local(it) => self.spec.locals[it].span,
            Entity::Instance(it) => self.spec.instances[it].span,
            Entity::Module(it) => self.spec.modules[it].name_span,
        }
    }

    fn unit(&mut self, unit: &ast::Unit) {
        match &unit.kind {
            UnitKind::Separator => {}
            UnitKind::Constants(decls) => {
                for decl in decls {
                    self.declare(decl.name, DeclKind::Constant, decl.arity);
                }
            }
            UnitKind::Variables(names) => {
                for &name in names {
                    self.declare(name, DeclKind::Variable, 0);
                }
            }
            UnitKind::Assumption(it) => self.assumption(it, unit.span),
            UnitKind::Theorem(it) => self.theorem(it, unit.span),
            UnitKind::Use(it) => self.use_or_hide(it),
            UnitKind::Module(module) => self.nested_module(module),
            UnitKind::Recursive(_) | UnitKind::Definition(_) | UnitKind::Function(_) | UnitKind::Instance(_) => {
                let defs = self.definition_unit(unit);
                self.spec.modules[self.module].defs.extend(defs);
            }
        }
    }

    /// A unit that may also stand in a `LET` or a proof. Gives the definitions that it makes.
    pub(super) fn definition_unit(&mut self, unit: &ast::Unit) -> Vec<DefId> {
        match &unit.kind {
            UnitKind::Recursive(decls) => {
                decls.iter().for_each(|it| self.recursive(it));
                vec![]
            }
            UnitKind::Definition(it) => vec![self.operator(it)],
            UnitKind::Function(it) => vec![self.function(it)],
            UnitKind::Instance(it) => self.instance(it, unit.span),
            _ => vec![],
        }
    }

    /// Reports a name that cannot be declared at module level or in a `LET`.
    fn check_new(&mut self, name: ast::Ident) {
        if builtin(name.name).is_some() {
            self.report(errors::builtin_redefined(name.name, name.span));
        } else if let Some(known) = self.scope.get(name.name) {
            let first = self.entity_span(known);
            self.report(errors::duplicate_name(name.name, name.span, first));
        }
    }

    fn declare(&mut self, name: ast::Ident, kind: DeclKind, arity: u32) {
        self.check_new(name);
        let decl = self.spec.decls.alloc(Decl { name: name.name, kind, arity, span: name.span, module: self.module });
        self.scope.bind(name.name, Entity::Decl(decl), false);
        self.spec.modules[self.module].decls.push(decl);
    }

    fn recursive(&mut self, decl: &ast::OpDecl) {
        self.check_new(decl.name);
        let params = (0..decl.arity).map(|_| self.new_local(decl.name, 0)).collect();
        let body = self.hole(decl.span);
        let def = self.new_def(decl.name, DefKind::Undefined, params, body, false);
        self.spec.defs[def].recursive = true;
        self.scope.bind(decl.name.name, Entity::Def(def), false);
        self.pending.insert(decl.name.name, def);
    }

    pub(super) fn report_pending(&mut self) {
        let mut left: Vec<DefId> = self.pending.values().copied().collect();
        left.sort_unstable();
        for def in left {
            let Def { name, span, .. } = self.spec.defs[def];
            self.report(errors::recursive_not_defined(name, span));
        }
    }

    pub(super) fn new_def(
        &mut self,
        name: ast::Ident,
        kind: DefKind,
        params: Box<[LocalId]>,
        body: ExprId,
        local: bool,
    ) -> DefId {
        self.spec.defs.alloc(Def {
            name: name.name,
            kind,
            params,
            body,
            span: name.span,
            module: self.module,
            local,
            recursive: false,
            origin: None,
        })
    }

    fn operator(&mut self, definition: &ast::Definition) -> DefId {
        let name = definition.name;
        let def = self.begin_definition(name, DefKind::Operator, definition.params.len(), definition.local);
        let mark = self.scope.mark();
        let params: Box<[LocalId]> = definition.params.iter().map(|it| self.bind_param(it)).collect();
        self.spec.defs[def].params = params;
        let body = self.expr(definition.body);
        self.spec.defs[def].body = body;
        self.scope.release(mark);
        self.finish_definition(name, def, definition.local);
        def
    }

    fn function(&mut self, function: &ast::FunctionDefinition) -> DefId {
        let name = function.name;
        let def = self.begin_definition(name, DefKind::Function, 0, function.local);
        let mark = self.scope.mark();
        // The function may apply itself in its body, but not in its domain.
        let sets: Vec<ExprId> = function.bounds.iter().map(|it| self.expr(it.set)).collect();
        if self.scope.get(name.name).is_none() {
            self.scope.bind(name.name, Entity::Def(def), function.local);
        }
        let bounds = self.bind_patterns(&function.bounds, &sets);
        let body = self.expr(function.body);
        let span = self.tree.exprs[function.body].span;
        let literal = self.alloc(ExprKind::FnLiteral { bounds, body }, name.span.to(span));
        self.spec.defs[def].body = literal;
        self.scope.release(mark);
        self.finish_definition(name, def, function.local);
        def
    }

    /// Allocates the definition, or takes the one that `RECURSIVE` declared.
    fn begin_definition(&mut self, name: ast::Ident, kind: DefKind, arity: usize, local: bool) -> DefId {
        let def = match self.pending.remove(&name.name) {
            Some(def) => {
                let declared = &self.spec.defs[def];
                let (want, span) = (declared.params.len(), declared.span);
                if want != arity {
                    self.report(errors::recursive_arity(name.name, name.span, span, want, arity));
                }
                let declared = &mut self.spec.defs[def];
                declared.kind = kind;
                declared.span = name.span;
                declared.local = local;
                def
            }
            None => {
                self.check_new(name);
                let body = ExprId::new(0);
                self.new_def(name, kind, Box::default(), body, local)
            }
        };
        self.unfinished.insert(def);
        def
    }

    fn finish_definition(&mut self, name: ast::Ident, def: DefId, local: bool) {
        self.unfinished.remove(&def);
        self.scope.bind(name.name, Entity::Def(def), local);
        self.checked.defs.push(def);
    }

    pub(super) fn bind_param(&mut self, param: &ast::OpDecl) -> LocalId {
        self.bind_local(param.name, param.arity)
    }

    pub(super) fn bind_local(&mut self, name: ast::Ident, arity: u32) -> LocalId {
        if builtin(name.name).is_some() {
            self.report(errors::builtin_redefined(name.name, name.span));
        } else if let Some(known) = self.scope.get(name.name) {
            let first = self.entity_span(known);
            self.report(errors::shadowed_name(name.name, name.span, first));
        }
        let local = self.new_local(name, arity);
        self.scope.bind(name.name, Entity::Local(local), false);
        local
    }

    fn assumption(&mut self, assumption: &ast::Assumption, span: Span) {
        let body = self.expr(assumption.body);
        self.checked.assumptions.push(body);
        let statement = Statement {
            keyword: assumption.keyword,
            name: assumption.name.map(|it| it.name),
            body: Some(body),
            has_proof: false,
            span,
        };
        self.name_statement(assumption.name, body);
        self.spec.modules[self.module].assumptions.push(statement);
    }

    fn theorem(&mut self, theorem: &ast::Theorem, span: Span) {
        let mark = self.scope.mark();
        let body = self.statement(theorem.body);
        if let Some(proof) = &theorem.proof {
            self.proof(proof);
        }
        self.scope.release(mark);
        let statement = Statement {
            keyword: theorem.keyword,
            name: theorem.name.map(|it| it.name),
            body,
            has_proof: theorem.proof.is_some(),
            span,
        };
        let named = body.unwrap_or_else(|| self.hole(span));
        if let Some(body) = body {
            self.checked.formulas.push(body);
        }
        self.name_statement(theorem.name, named);
        self.spec.modules[self.module].theorems.push(statement);
    }

    fn name_statement(&mut self, name: Option<ast::Ident>, body: ExprId) {
        let Some(name) = name else { return };
        self.check_new(name);
        let def = self.new_def(name, DefKind::Statement, Box::default(), body, false);
        self.scope.bind(name.name, Entity::Def(def), false);
    }

    fn nested_module(&mut self, module: &ast::Module) {
        let name = module.name;
        if let Some(Entity::Module(first)) = self.scope.module(name.name) {
            let first = self.spec.modules[first].name_span;
            self.report(errors::module_redefined(name.name, name.span, first));
        }
        let is_library = self.spec.modules[self.module].is_library;
        let outer_scope = self.scope.clone();
        let id = self.module(module, is_library);
        self.scope = outer_scope;
        self.scope.bind_module(name.name, Entity::Module(id), false);
    }

    /// `INSTANCE`, named or not. Gives the definitions that an unnamed one makes.
    pub(super) fn instance(&mut self, instance: &ast::Instance, span: Span) -> Vec<DefId> {
        let mark = self.scope.mark();
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
        self.scope.release(mark);
        let Some(module) = module else {
            self.incomplete = true;
            return vec![];
        };
        let id = self.spec.instances.alloc(Instance {
            name: instance.name.as_ref().map(|it| it.name.name),
            module,
            params,
            substitution,
            span: instance.name.as_ref().map_or(instance.module.span, |it| it.name.span),
        });
        match &instance.name {
            Some(name) => {
                self.scope.bind(name.name.name, Entity::Instance(id), instance.local);
                vec![]
            }
            None => self.import_instance(id, instance),
        }
    }

    /// Names of an unnamed instance become names of this module.
    fn import_instance(&mut self, id: InstanceId, instance: &ast::Instance) -> Vec<DefId> {
        let module = self.spec.instances[id].module;
        let mut names: Vec<(Symbol, Entity)> = self.exported(module);
        names.sort_unstable_by_key(|(name, _)| name.as_str());
        let mut made = vec![];
        for (name, entity) in names {
            let entity = match entity {
                Entity::Def(def) => {
                    let copy = self.instances.instantiate(&mut self.spec, def, id, name);
                    if copy != def {
                        self.spec.defs[copy].module = self.module;
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
            self.import(name, entity, instance.module.span, instance.local);
        }
        made
    }

    /// The names of a module that others can use.
    pub(super) fn exported(&self, module: ModuleId) -> Vec<(Symbol, Entity)> {
        let scope = &self.spec.modules[module].scope;
        scope.iter().filter(|(_, it)| !it.local).map(|(&name, it)| (name, it.entity)).collect()
    }

    fn substitution(&mut self, instance: &ast::Instance, module: ModuleId, span: Span) -> FxHashMap<DeclId, ExprId> {
        let decls = self.own_decls(module);
        let mut substitution = FxHashMap::default();
        let mut given: FxHashMap<Symbol, Span> = FxHashMap::default();
        let module_name = self.spec.modules[module].name;
        for with in &instance.substitutions {
            let name = with.name;
            if let Some(&first) = given.get(&name.name) {
                self.report(errors::duplicate_substitution(name.name, name.span, first));
                continue;
            }
            given.insert(name.name, name.span);
            let Some(&decl) = decls.iter().find(|&&it| self.spec.decls[it].name == name.name) else {
                let known: Vec<&str> = decls.iter().map(|&it| self.spec.decls[it].name.as_str()).collect();
                self.report(errors::unknown_substitution(name.name, name.span, module_name, &known));
                self.expr_or_operator(with.value);
                continue;
            };
            let Decl { arity, span: declared, .. } = self.spec.decls[decl];
            let value = self.argument(with.value, arity, name.name, name.name, declared);
            self.checked.substitutions.push((decl, value, module));
            substitution.insert(decl, value);
        }
        for decl in decls {
            if substitution.contains_key(&decl) || given.contains_key(&self.spec.decls[decl].name) {
                continue;
            }
            let Decl { name, arity, span: declared, .. } = self.spec.decls[decl];
            match self.implicit_value(name, arity, span) {
                Some(value) => {
                    self.checked.substitutions.push((decl, value, module));
                    substitution.insert(decl, value);
                }
                None => {
                    self.report(errors::missing_substitution(name, instance.module.span, module_name, declared));
                }
            }
        }
        substitution
    }

    /// The constants and variables that an instance of `module` must give values to: a nested module shares those of
    /// the modules around it.
    fn own_decls(&self, module: ModuleId) -> Vec<DeclId> {
        self.spec.modules[module].decls.clone()
    }

    /// `x <- x`: what the name of a declared symbol means where the instance stands.
    fn implicit_value(&mut self, name: Symbol, arity: u32, span: Span) -> Option<ExprId> {
        let entity = self.scope.get(name)?;
        let kind = match (entity, arity) {
            (Entity::Local(local), 0) if self.spec.locals[local].arity == 0 => ExprKind::Local(local),
            (Entity::Local(local), n) if self.spec.locals[local].arity == n => ExprKind::OpRef(Operator::Local(local)),
            (Entity::Decl(decl), 0) if self.spec.decls[decl].arity == 0 => ExprKind::Decl(decl),
            (Entity::Decl(decl), n) if self.spec.decls[decl].arity == n => ExprKind::OpRef(Operator::Decl(decl)),
            (Entity::Def(def), n) if self.spec.defs[def].params.len() == n as usize => match n {
                0 => ExprKind::Call { op: Operator::Def(def), args: Box::default() },
                _ => ExprKind::OpRef(Operator::Def(def)),
            },
            _ => return None,
        };
        Some(self.alloc(kind, span))
    }
}
