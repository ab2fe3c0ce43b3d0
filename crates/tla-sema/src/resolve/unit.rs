//! Modules and their units: declarations, definitions, instances, statements.

use std::rc::Rc;

use source::Span;
use tla_syntax::ast::{self, UnitKind};
use util::{FxHashMap, FxHashSet, Symbol};

use super::Resolver;
use super::expr::bound_names;
use crate::builtin::is_builtin;
use crate::diagnostics as errors;
use crate::ir::*;
use crate::level::Check;

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
        let outer = std::mem::replace(&mut self.ctx.module, id);
        let outer_later = std::mem::replace(&mut self.ctx.later, Rc::new(declared_names(module)));
        for &name in &module.extends {
            self.extend(name);
        }
        self.ctx.pending.push(FxHashMap::default());
        for unit in &module.units {
            self.unit(unit);
        }
        self.report_pending();
        let (scope, nested) = self.ctx.scope.finish();
        let done = &mut self.spec.modules[id];
        done.scope = scope;
        done.nested = nested;
        self.ctx.module = outer;
        self.ctx.later = outer_later;
        id
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

    pub(super) fn unit(&mut self, unit: &ast::Unit) {
        self.check_section(unit);
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
            UnitKind::Use(it) => self.use_or_hide(it, unit.span),
            UnitKind::Module(module) => self.nested_module(module),
            UnitKind::Recursive(_)
            | UnitKind::Definition(_)
            | UnitKind::Function(_)
            | UnitKind::Instance(_) => {
                let defs = self.definition_unit(unit);
                self.spec.modules[self.ctx.module].defs.extend(defs);
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

    /// Some units may not stand between a `RECURSIVE` declaration and its definition.
    fn check_section(&mut self, unit: &ast::Unit) {
        let what = match &unit.kind {
            UnitKind::Constants(_) => "a CONSTANT declaration",
            UnitKind::Variables(_) => "a VARIABLE declaration",
            UnitKind::Assumption(_) => "an assumption",
            UnitKind::Theorem(_) => "a theorem",
            UnitKind::Use(_) => "USE or HIDE",
            UnitKind::Module(_) => "a nested module",
            _ => return,
        };
        let waiting = self.ctx.pending.iter().flat_map(|it| it.values());
        let Some(&first) = waiting.min() else {
            self.ctx.section_reported = false;
            return;
        };
        if !std::mem::replace(&mut self.ctx.section_reported, true) {
            let Def { name, span, .. } = self.spec.defs[first];
            self.report(errors::in_recursive_section(what, unit.span, name, span));
        }
    }

    /// Reports a name that cannot be declared at module level or in a `LET`.
    pub(super) fn check_new(&mut self, name: ast::Ident) {
        if is_builtin(name.name) {
            self.report(errors::builtin_redefined(name.name, name.span));
        } else if let Some(known) = self.ctx.scope.get_strong(name.name) {
            let first = self.entity_span(known);
            match self.declared_outside(name.name) {
                true => self.report(errors::recursive_defined_inside(name.name, name.span, first)),
                false => self.report(errors::duplicate_name(name.name, name.span, first)),
            }
        }
    }

    /// Whether a `RECURSIVE` declaration outside of this `LET` waits for this name. It waits no longer.
    fn declared_outside(&mut self, name: Symbol) -> bool {
        self.ctx
            .pending
            .iter_mut()
            .rev()
            .skip(1)
            .any(|it| it.remove(&name).is_some())
    }

    fn declare(&mut self, name: ast::Ident, kind: DeclKind, arity: u32) {
        if let Some(Entity::Decl(known)) = self.ctx.scope.get(name.name)
            && self.spec.decls[known].kind == kind
            && self.spec.decls[known].arity == arity
        {
            let first = self.spec.decls[known].span;
            self.report(errors::repeated_declaration(name.name, name.span, first));
            return;
        }
        self.check_new(name);
        let decl = Decl {
            name: name.name,
            kind,
            arity,
            span: name.span,
            module: self.ctx.module,
        };
        let decl = self.spec.decls.alloc(decl);
        self.ctx.scope.bind(name.name, Entity::Decl(decl), false);
        self.spec.modules[self.ctx.module].decls.push(decl);
    }

    fn recursive(&mut self, decl: &ast::OpDecl) {
        self.check_new(decl.name);
        let params = (0..decl.arity)
            .map(|_| self.new_local(decl.name, 0, Level::Constant))
            .collect();
        let body = self.hole(decl.span);
        let def = self.new_def(decl.name, DefKind::Undefined, params, body, false);
        self.spec.defs[def].recursive = true;
        self.ctx.scope.bind(decl.name.name, Entity::Def(def), false);
        if let Some(pending) = self.ctx.pending.last_mut() {
            pending.insert(decl.name.name, def);
        }
    }

    /// Ends a module or a `LET`: what was declared in it with `RECURSIVE` must be defined by now.
    pub(super) fn report_pending(&mut self) {
        let mut left: Vec<DefId> = self.ctx.pending.pop().unwrap_or_default().into_values().collect();
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
            module: self.ctx.module,
            local,
            recursive: false,
            origin: None,
        })
    }

    fn operator(&mut self, definition: &ast::Definition) -> DefId {
        let name = definition.name;
        let def = self.begin_definition(name, DefKind::Operator, definition.params.len(), definition.local);
        self.check_params(definition, self.spec.defs[def].recursive);
        let mark = self.ctx.scope.mark();
        let params: Box<[LocalId]> = definition.params.iter().map(|it| self.bind_param(it)).collect();
        self.spec.defs[def].params = params;
        let body = self.labelled(|it| it.expr(definition.body));
        self.spec.defs[def].body = body;
        self.ctx.scope.release(mark);
        self.finish_definition(name, def, definition.local);
        def
    }

    /// A parameter has another name than its operator; those of a recursive operator are values.
    fn check_params(&mut self, definition: &ast::Definition, recursive: bool) {
        let name = definition.name;
        for param in &definition.params {
            if param.name.name == name.name && !recursive {
                self.report(errors::shadowed_name(name.name, param.name.span, name.span));
            }
            if recursive && param.arity > 0 {
                self.report(errors::recursive_takes_operator(
                    name.name,
                    param.name.name,
                    param.span,
                ));
            }
        }
    }

    fn function(&mut self, function: &ast::FunctionDefinition) -> DefId {
        let name = function.name;
        let def = self.begin_definition(name, DefKind::Function, 0, function.local);
        let mark = self.ctx.scope.mark();
        // The function may apply itself in its body, but not in its domain.
        let sets: Vec<ExprId> = function.bounds.iter().map(|it| self.expr(it.set)).collect();
        if self.ctx.scope.get(name.name).is_none() {
            self.ctx.scope.bind(name.name, Entity::Def(def), function.local);
        }
        let bounds = self.bind_patterns(&function.bounds, &sets);
        let bound = bound_names(&bounds);
        let body = self.labelled(|it| it.with_bound(bound, |it| it.expr(function.body)));
        let span = self.ctx.tree.exprs[function.body].span;
        let literal = self.alloc(ExprKind::FnLiteral { bounds, body }, name.span.to(span));
        self.spec.defs[def].body = literal;
        self.ctx.scope.release(mark);
        self.finish_definition(name, def, function.local);
        def
    }

    /// Allocates the definition, or takes the one that `RECURSIVE` declared.
    fn begin_definition(&mut self, name: ast::Ident, kind: DefKind, arity: usize, local: bool) -> DefId {
        let declared = self.ctx.pending.last_mut().and_then(|it| it.remove(&name.name));
        let def = match declared {
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
        self.ctx.unfinished.insert(def);
        def
    }

    fn finish_definition(&mut self, name: ast::Ident, def: DefId, local: bool) {
        self.ctx.unfinished.remove(&def);
        self.ctx.scope.bind(name.name, Entity::Def(def), local);
        self.check(Check::Def(def));
    }

    pub(super) fn bind_param(&mut self, param: &ast::OpDecl) -> LocalId {
        self.bind_local(param.name, param.arity, Level::Constant)
    }

    pub(super) fn bind_name(&mut self, name: ast::Ident) -> LocalId {
        self.bind_local(name, 0, Level::Constant)
    }

    pub(super) fn bind_local(&mut self, name: ast::Ident, arity: u32, level: Level) -> LocalId {
        if is_builtin(name.name) {
            self.report(errors::builtin_redefined(name.name, name.span));
        } else if let Some(known) = self.ctx.scope.get_strong(name.name) {
            let first = self.entity_span(known);
            self.report(errors::shadowed_name(name.name, name.span, first));
        }
        let local = self.new_local(name, arity, level);
        self.ctx.scope.bind(name.name, Entity::Local(local), false);
        local
    }

    fn assumption(&mut self, assumption: &ast::Assumption, span: Span) {
        let body = self.labelled_if(assumption.name.is_some(), |it| it.expr(assumption.body));
        self.check(Check::Assumption(body));
        let statement = Statement {
            keyword: assumption.keyword,
            name: assumption.name.map(|it| it.name),
            body: Some(body),
            has_proof: false,
            span,
        };
        if let Some(name) = assumption.name {
            self.check_new(name);
            let def = self.new_def(name, DefKind::Statement, Box::default(), body, false);
            self.ctx.scope.bind(name.name, Entity::Def(def), false);
        }
        self.spec.modules[self.ctx.module].assumptions.push(statement);
    }

    fn theorem(&mut self, theorem: &ast::Theorem, span: Span) {
        let mark = self.ctx.scope.mark();
        let stated = self.labelled_if(theorem.name.is_some(), |it| it.statement(theorem.body));
        let news = self.ctx.scope.take(mark);
        // The proof may cite the theorem itself.
        if let Some(name) = theorem.name {
            self.check_new(name);
            let def = self.new_statement(name, &stated);
            self.ctx.scope.bind(name.name, Entity::Def(def), false);
        }
        let mark = self.ctx.scope.mark();
        self.ctx.scope.put(news);
        if let Some(proof) = &theorem.proof {
            self.proof_of(&stated, proof);
        }
        self.ctx.scope.release(mark);
        let statement = Statement {
            keyword: theorem.keyword,
            name: theorem.name.map(|it| it.name),
            body: stated.formula,
            has_proof: theorem.proof.is_some(),
            span,
        };
        self.spec.modules[self.ctx.module].theorems.push(statement);
    }

    fn nested_module(&mut self, module: &ast::Module) {
        let name = module.name;
        if let Some(first) = self.known_module(name.name) {
            let first = self.spec.modules[first].name_span;
            self.report(errors::module_redefined(name.name, name.span, first));
        }
        let is_library = self.spec.modules[self.ctx.module].is_library;
        let outer_scope = self.ctx.scope.clone();
        let id = self.module(module, is_library);
        self.ctx.scope = outer_scope;
        self.ctx.scope.bind_module(name.name, Entity::Module(id), false);
    }

    /// A module of this name that was nested or extended before.
    fn known_module(&self, name: Symbol) -> Option<ModuleId> {
        if let Some(Entity::Module(nested)) = self.ctx.scope.module(name) {
            return Some(nested);
        }
        let mut todo = vec![self.ctx.module];
        let mut seen: FxHashSet<ModuleId> = FxHashSet::default();
        while let Some(module) = todo.pop() {
            for &extended in &self.spec.modules[module].extends {
                if self.spec.modules[extended].name == name {
                    return Some(extended);
                }
                if seen.insert(extended) {
                    todo.push(extended);
                }
            }
        }
        None
    }
}

/// Every name that the units of a module declare or define, with its first place.
fn declared_names(module: &ast::Module) -> FxHashMap<Symbol, Span> {
    let mut names = FxHashMap::default();
    let mut add = |it: ast::Ident| {
        names.entry(it.name).or_insert(it.span);
    };
    for unit in &module.units {
        match &unit.kind {
            UnitKind::Constants(decls) | UnitKind::Recursive(decls) => {
                decls.iter().for_each(|it| add(it.name))
            }
            UnitKind::Variables(variables) => variables.iter().for_each(|&it| add(it)),
            UnitKind::Definition(it) => add(it.name),
            UnitKind::Function(it) => add(it.name),
            UnitKind::Instance(it) => it.name.iter().for_each(|it| add(it.name)),
            UnitKind::Assumption(it) => it.name.into_iter().for_each(&mut add),
            UnitKind::Theorem(it) => it.name.into_iter().for_each(&mut add),
            UnitKind::Use(_) | UnitKind::Module(_) | UnitKind::Separator => {}
        }
    }
    names
}
