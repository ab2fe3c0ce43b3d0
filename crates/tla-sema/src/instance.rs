//! Instances: a definition of one module with the declared names of that module replaced.
//!
//! `I!Op` becomes a definition of its own. Its body is a copy of the body of `Op` in which every constant and variable
//! of the instantiated module is replaced by its value, and every call of a sibling definition goes to that
//! sibling's copy. A definition that depends on no replaced name is not copied but shared, so that `Max` stays one
//! `Max` by whatever way it comes. The parameters of a parametrised instance become the first parameters of the copy.
//!
//! Substitution is by identity, never by name, so nothing is captured.
//!
//! `ENABLED A` asks for next values of the variables of the instantiated module, whatever is put for them (*Specifying Systems*, section
//! 17.8): with `x <- z, y <- z` it is not the same as `ENABLED` of the replaced action. So under `ENABLED` only what is not primed is
//! replaced, unless all variables are just renamed; a primed variable stays one of its module ([`Spec::hidden`]).

use std::rc::Rc;

use util::{FxHashMap, FxHashSet, Symbol, deep};

use crate::fresh::is_fresh_value;
use crate::ir::*;

#[derive(Default)]
pub struct Instances {
    copies: FxHashMap<(DefId, InstanceId, Mode), DefId>,
    /// What the body of a definition mentions directly, `LET` definitions included.
    mentions: FxHashMap<DefId, Rc<FreeVariables>>,
}

#[derive(Default)]
struct FreeVariables {
    decls: FxHashSet<DeclId>,
    defs: FxHashSet<DefId>,
}

/// Which of the names that an instance replaces are meant.
#[derive(Clone, Copy)]
enum Replaced {
    AtAll,
    /// By something else than themselves.
    ByOthers,
}

/// Whether what an instance puts for a declared name is that name.
fn stands_for_itself(spec: &Spec, decl: DeclId, by: ExprId) -> bool {
    match spec.exprs[by].kind {
        ExprKind::Decl(it) | ExprKind::OpRef(Operator::Decl(it)) => it == decl,
        _ => false,
    }
}

/// Where an expression stands that is copied.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
enum Mode {
    #[default]
    Plain,
    /// Under `ENABLED`, in an instance that does more than rename variables.
    Enabled,
    /// Under a prime there: variables stay.
    Primed,
}

/// What is replaced while a body is copied.
#[derive(Default)]
struct Substitution {
    mode: Mode,
    decls: FxHashMap<DeclId, ExprId>,
    locals: FxHashMap<LocalId, ExprId>,
    /// Copies of `LET` definitions of the body.
    lets: FxHashMap<(DefId, Mode), DefId>,
    /// Copies of expressions. A value that was put for a name stands wherever the name did: it is copied once, and what
    /// comes out shares it again. Otherwise expressions could double with each instance.
    exprs: FxHashMap<(ExprId, Mode), ExprId>,
    /// The instance whose siblings are called, and the parameters that each call passes on.
    instance: Option<(InstanceId, Box<[LocalId]>)>,
}

impl Instances {
    /// Knows the copies that a resolved specification has.
    pub fn of(spec: &Spec) -> Instances {
        let copies = spec
            .defs
            .iter()
            .filter_map(|(copy, def)| {
                let (original, instance) = def.origin?;
                Some(((original, instance, Mode::Plain), copy))
            })
            .collect();
        Instances {
            copies,
            mentions: FxHashMap::default(),
        }
    }

    /// What `A!B!x` means at the end of the root module.
    pub fn lookup(&mut self, spec: &mut Spec, path: &str) -> Option<Entity> {
        if let Some(&def) = spec.appended.get(&Symbol::new(path)) {
            return Some(Entity::Def(def));
        }
        let mut names = path.split('!').map(Symbol::new);
        let mut entity = spec.lookup(names.next()?)?;
        let mut chain = vec![];
        for name in names {
            let Entity::Instance(instance) = entity else {
                return None;
            };
            chain.push(instance);
            let module = &spec.modules[spec.instances[instance].module];
            let member = module.scope.get(&name).filter(|it| !it.local)?.entity;
            entity = match member {
                Entity::Def(def) => {
                    let path = Symbol::new(path);
                    let copy = |def, &it: &InstanceId| self.instantiate(spec, def, it, path);
                    Entity::Def(chain.iter().rev().fold(def, copy))
                }
                Entity::Decl(_) => return None,
                other => other,
            };
        }
        Some(entity)
    }

    /// The definition `def` of the instantiated module as it is in the instance; `name` is what the copy is called.
    pub fn instantiate(&mut self, spec: &mut Spec, def: DefId, instance: InstanceId, name: Symbol) -> DefId {
        self.instantiate_in(spec, def, instance, name, Mode::Plain)
    }

    fn instantiate_in(
        &mut self,
        spec: &mut Spec,
        def: DefId,
        instance: InstanceId,
        name: Symbol,
        mode: Mode,
    ) -> DefId {
        if let Some(&copy) = self.copies.get(&(def, instance, mode)) {
            return copy;
        }
        let params = spec.instances[instance].params.clone();
        if params.is_empty() && !self.depends(spec, def, instance, Replaced::AtAll) {
            self.copies.insert((def, instance, mode), def);
            return def;
        }
        if params.is_empty() && !self.depends(spec, def, instance, Replaced::ByOthers) {
            return self.unchanged(spec, def, instance, name, mode);
        }
        let fresh: Box<[LocalId]> = params.iter().map(|&it| copy_local(spec, it)).collect();
        let original = spec.defs[def].clone();
        let own: Box<[LocalId]> = original.params.iter().map(|&it| copy_local(spec, it)).collect();
        let copy = spec.defs.alloc(Def {
            name,
            params: fresh.iter().chain(&own).copied().collect(),
            // What stands under `ENABLED` is no definition that anybody could name.
            origin: (mode == Mode::Plain).then_some((def, instance)),
            ..original.clone()
        });
        self.copies.insert((def, instance, mode), copy);

        let mut renamed = Substitution::default();
        for (&old, &new) in params.iter().zip(&fresh) {
            let value = local_use(spec, new);
            renamed.locals.insert(old, value);
        }
        let mut decls: Vec<(DeclId, ExprId)> = spec.instances[instance]
            .substitution
            .iter()
            .map(|(&decl, &value)| (decl, value))
            .collect();
        decls.sort_unstable();
        let mut substitution = Substitution {
            mode,
            instance: Some((instance, fresh)),
            ..Substitution::default()
        };
        for (decl, value) in decls {
            let value = if params.is_empty() {
                value
            } else {
                self.copy(spec, value, &mut renamed)
            };
            substitution.decls.insert(decl, value);
        }
        for (&old, &new) in original.params.iter().zip(&own) {
            let value = local_use(spec, new);
            substitution.locals.insert(old, value);
        }
        let body = self.copy(spec, original.body, &mut substitution);
        spec.defs[copy].body = body;
        copy
    }

    /// A definition of an instance that puts nothing else for what it depends on, as a module has of itself: `Sys == INSTANCE M` beside
    /// `EXTENDS M`. It says what the original says, so it calls the definitions that the original calls; whatever a configuration puts for
    /// those holds here too. Only the name is another one: with `A <- MyA`, `Sys!A` is how `MyA` speaks of what `A` was.
    fn unchanged(
        &mut self,
        spec: &mut Spec,
        def: DefId,
        instance: InstanceId,
        name: Symbol,
        mode: Mode,
    ) -> DefId {
        let original = spec.defs[def].clone();
        // Some value that is nothing else is the same one by either name.
        if original.params.is_empty() && is_fresh_value(spec, &original) {
            self.copies.insert((def, instance, mode), def);
            return def;
        }
        let own: Box<[LocalId]> = original.params.iter().map(|&it| copy_local(spec, it)).collect();
        let values = original.params.iter().copied().zip(own.iter().copied());
        let values = values.map(|(old, new)| (old, local_use(spec, new))).collect();
        let copy = spec.defs.alloc(Def {
            name,
            params: own,
            origin: (mode == Mode::Plain).then_some((def, instance)),
            ..original.clone()
        });
        self.copies.insert((def, instance, mode), copy);
        let body = self.replace_locals(spec, original.body, values);
        spec.defs[copy].body = body;
        copy
    }

    /// A named instance of the instantiated module, seen from outside: its values with the outer replacement applied.
    pub fn instantiate_instance(
        &mut self,
        spec: &mut Spec,
        inner: InstanceId,
        outer: InstanceId,
    ) -> InstanceId {
        debug_assert!(
            spec.instances[outer].params.is_empty(),
            "only unnamed instances import names"
        );
        let mut substitution = Substitution {
            decls: spec.instances[outer].substitution.clone(),
            instance: Some((outer, Box::default())),
            ..Substitution::default()
        };
        let mut seen = spec.instances[inner].clone();
        let mut values: Vec<(DeclId, ExprId)> = seen
            .substitution
            .iter()
            .map(|(&decl, &value)| (decl, value))
            .collect();
        values.sort_unstable();
        for (decl, value) in values {
            let value = self.copy(spec, value, &mut substitution);
            seen.substitution.insert(decl, value);
        }
        spec.instances.alloc(seen)
    }

    /// `expr` of the instantiated module as it is in an instance without parameters.
    pub fn replace(&mut self, spec: &mut Spec, expr: ExprId, instance: InstanceId) -> ExprId {
        debug_assert!(
            spec.instances[instance].params.is_empty(),
            "nothing says what stands for the parameters"
        );
        let mut substitution = Substitution {
            decls: spec.instances[instance].substitution.clone(),
            instance: Some((instance, Box::default())),
            ..Substitution::default()
        };
        self.copy(spec, expr, &mut substitution)
    }

    /// `expr` with bound names replaced, for selectors such as `Op!1!(a, b)` and for applied `LAMBDA`s.
    pub fn replace_locals(
        &mut self,
        spec: &mut Spec,
        expr: ExprId,
        values: FxHashMap<LocalId, ExprId>,
    ) -> ExprId {
        let mut substitution = Substitution {
            locals: values,
            ..Substitution::default()
        };
        self.copy(spec, expr, &mut substitution)
    }

    /// Whether `def` mentions, directly or by what it calls, a name that the instance replaces.
    fn depends(&mut self, spec: &Spec, def: DefId, instance: InstanceId, how: Replaced) -> bool {
        let mut todo = vec![def];
        let mut seen: FxHashSet<DefId> = todo.iter().copied().collect();
        while let Some(def) = todo.pop() {
            let mentions = self.mentions(spec, def);
            let replaced = &spec.instances[instance].substitution;
            #[allow(clippy::iter_over_hash_type, reason = "the order does not reach the result")]
            for &decl in &mentions.decls {
                let is_replaced = replaced.get(&decl).is_some_and(|&by| match how {
                    Replaced::AtAll => true,
                    Replaced::ByOthers => !stands_for_itself(spec, decl, by),
                });
                if is_replaced {
                    return true;
                }
            }
            todo.extend(mentions.defs.iter().copied().filter(|&it| seen.insert(it)));
        }
        false
    }

    fn mentions(&mut self, spec: &Spec, def: DefId) -> Rc<FreeVariables> {
        if let Some(known) = self.mentions.get(&def) {
            return known.clone();
        }
        let mut mentions = FreeVariables::default();
        walk(spec, spec.defs[def].body, &mut |kind| match kind {
            ExprKind::Decl(decl) => {
                mentions.decls.insert(*decl);
            }
            ExprKind::Call { op, .. } | ExprKind::OpRef(op) => match op {
                Operator::Decl(decl) => {
                    mentions.decls.insert(*decl);
                }
                Operator::Def(def) => {
                    mentions.defs.insert(*def);
                }
                Operator::Local(_) => {}
            },
            ExprKind::Let { defs, .. } => mentions.defs.extend(defs.iter().copied()),
            _ => {}
        });
        let mentions = Rc::new(mentions);
        self.mentions.insert(def, mentions.clone());
        mentions
    }

    fn copy(&mut self, spec: &mut Spec, id: ExprId, with: &mut Substitution) -> ExprId {
        let key = (id, with.mode);
        if let Some(&copy) = with.exprs.get(&key) {
            return copy;
        }
        let copy = deep(|| self.copy_here(spec, id, with));
        with.exprs.insert(key, copy);
        copy
    }

    fn copy_in(&mut self, spec: &mut Spec, id: ExprId, with: &mut Substitution, mode: Mode) -> ExprId {
        let outer = std::mem::replace(&mut with.mode, mode);
        let copy = self.copy(spec, id, with);
        with.mode = outer;
        copy
    }

    fn copy_here(&mut self, spec: &mut Spec, id: ExprId, with: &mut Substitution) -> ExprId {
        let Expr { kind, span } = spec.exprs[id].clone();
        let kind = match kind {
            ExprKind::Local(local) => match with.locals.get(&local) {
                Some(&value) => return value,
                None => return id,
            },
            ExprKind::Decl(decl) => match with.decls.get(&decl) {
                Some(_) if with.mode == Mode::Primed && spec.decls[decl].kind == DeclKind::Variable => {
                    if !spec.hidden.contains(&decl) {
                        spec.hidden.push(decl);
                    }
                    return id;
                }
                Some(&value) => return value,
                None => return id,
            },
            ExprKind::Builtin {
                op: Builtin::Enabled,
                args,
            } if with.mode == Mode::Plain && self.does_more_than_rename(spec, with) => {
                let action = self.copy_in(spec, args[0], with, Mode::Enabled);
                let (op, args) = (Builtin::Enabled, Box::new([action]));
                ExprKind::Builtin { op, args }
            }
            kind if with.mode == Mode::Enabled
                && let Some(kind) = self.copy_primed(spec, &kind, span, with) =>
            {
                kind
            }
            ExprKind::Call {
                op: Operator::Def(def),
                args,
            } if with.mode == Mode::Enabled && self.primes_arguments(spec, def, &args) => {
                // A parameter may be primed: then it is not what is put for the argument.
                let params = spec.defs[def].params.iter().copied();
                let values = params.zip(args.iter().copied()).collect();
                let body = self.replace_locals(spec, spec.defs[def].body, values);
                return self.copy(spec, body, with);
            }
            ExprKind::Call { op, args } => {
                let args: Vec<ExprId> = args.iter().map(|&it| self.copy(spec, it, with)).collect();
                return self.call(spec, op, args, span, with);
            }
            ExprKind::OpRef(op) => return self.operator(spec, op, id, span, with),
            ExprKind::Let { defs, body } => {
                let mut copies = self.copy_lets(spec, &defs, with);
                if with.mode == Mode::Enabled {
                    let values: Vec<DefId> =
                        defs.iter().copied().filter(|&it| !has_steps(spec, it)).collect();
                    let outer = std::mem::replace(&mut with.mode, Mode::Primed);
                    copies.extend(self.copy_lets(spec, &values, with));
                    with.mode = outer;
                }
                ExprKind::Let {
                    defs: copies.into(),
                    body: self.copy(spec, body, with),
                }
            }
            other => self.copy_children(spec, other, with),
        };
        spec.exprs.alloc(Expr { kind, span })
    }

    fn copy_lets(&mut self, spec: &mut Spec, defs: &[DefId], with: &mut Substitution) -> Vec<DefId> {
        let copies: Vec<DefId> = defs.iter().map(|&it| self.begin_let(spec, it, with)).collect();
        for (&old, &new) in defs.iter().zip(&copies) {
            let value = self.copy(spec, spec.defs[old].body, with);
            spec.defs[new].body = value;
        }
        copies
    }

    /// Whether something else than variables, each its own, is put for the variables of the module.
    fn does_more_than_rename(&self, spec: &Spec, with: &Substitution) -> bool {
        let mut seen = FxHashSet::default();
        #[allow(clippy::iter_over_hash_type, reason = "the order does not reach the result")]
        for (&decl, &value) in &with.decls {
            if spec.decls[decl].kind == DeclKind::Variable
                && !matches!(spec.exprs[value].kind, ExprKind::Decl(it)
                    if spec.decls[it].kind == DeclKind::Variable && seen.insert(it))
            {
                return true;
            }
        }
        false
    }

    /// Whether a call under `ENABLED` passes something that is replaced to an operator that may prime it.
    fn primes_arguments(&mut self, spec: &Spec, def: DefId, args: &[ExprId]) -> bool {
        !args.is_empty()
            && !spec.defs[def].recursive
            && has_steps(spec, def)
            && args.iter().any(|&it| !is_literal(spec, it))
    }

    /// What primes something under `ENABLED`: there, variables stay.
    fn copy_primed(
        &mut self,
        spec: &mut Spec,
        kind: &ExprKind,
        span: source::Span,
        with: &mut Substitution,
    ) -> Option<ExprKind> {
        let builtin = |op: Builtin, args: Vec<ExprId>, spec: &mut Spec| {
            let args = args.into();
            let kind = ExprKind::Builtin { op, args };
            spec.exprs.alloc(Expr { kind, span })
        };
        let mut compared = |this: &mut Instances, spec: &mut Spec, of: ExprId, op: Builtin| {
            let next = this.copy_in(spec, of, with, Mode::Primed);
            let next = builtin(Builtin::Prime, vec![next], spec);
            let now = this.copy(spec, of, with);
            builtin(op, vec![next, now], spec)
        };
        let copy = match kind {
            ExprKind::Builtin {
                op: Builtin::Prime,
                args,
            } => {
                let inner = self.copy_in(spec, args[0], with, Mode::Primed);
                return Some(ExprKind::Builtin {
                    op: Builtin::Prime,
                    args: Box::new([inner]),
                });
            }
            ExprKind::Builtin {
                op: Builtin::Unchanged,
                args,
            } => compared(self, spec, args[0], Builtin::Eq),
            ExprKind::BoxAction { action, subscript } => {
                let stays = compared(self, spec, *subscript, Builtin::Eq);
                let action = self.copy(spec, *action, with);
                builtin(Builtin::Or, vec![action, stays], spec)
            }
            ExprKind::AngleAction { action, subscript } => {
                let changes = compared(self, spec, *subscript, Builtin::Neq);
                let action = self.copy(spec, *action, with);
                builtin(Builtin::And, vec![action, changes], spec)
            }
            _ => return None,
        };
        Some(spec.exprs[copy].kind.clone())
    }

    /// `LET` definitions are copied with their own parameters; calls inside the body find the copies.
    fn begin_let(&mut self, spec: &mut Spec, def: DefId, with: &mut Substitution) -> DefId {
        let original = spec.defs[def].clone();
        let params: Box<[LocalId]> = original
            .params
            .iter()
            .map(|&it| self.rename(spec, it, with))
            .collect();
        let copy = spec.defs.alloc(Def { params, ..original });
        with.lets.insert((def, with.mode), copy);
        copy
    }

    fn rename(&mut self, spec: &mut Spec, local: LocalId, with: &mut Substitution) -> LocalId {
        let fresh = copy_local(spec, local);
        let value = local_use(spec, fresh);
        with.locals.insert(local, value);
        fresh
    }

    fn sibling(&mut self, spec: &mut Spec, def: DefId, with: &Substitution) -> (DefId, Vec<ExprId>) {
        if let Some(&copy) = with.lets.get(&(def, with.mode)) {
            return (copy, vec![]);
        }
        let Some((instance, params)) = &with.instance else {
            return (def, vec![]);
        };
        // What does not depend on the instance needs no parameters of it either.
        if !params.is_empty() && !self.depends(spec, def, *instance, Replaced::AtAll) {
            return (def, vec![]);
        }
        let name = match spec.instances[*instance].name {
            Some(prefix) => Symbol::new(&format!("{prefix}!{}", spec.defs[def].name)),
            None => spec.defs[def].name,
        };
        let copy = self.instantiate_in(spec, def, *instance, name, with.mode);
        (copy, params.iter().map(|&it| local_use(spec, it)).collect())
    }

    fn call(
        &mut self,
        spec: &mut Spec,
        op: Operator,
        args: Vec<ExprId>,
        span: source::Span,
        with: &mut Substitution,
    ) -> ExprId {
        let (op, args) = match op {
            Operator::Def(def) => {
                let (def, mut all) = self.sibling(spec, def, with);
                all.extend(args);
                (Operator::Def(def), all)
            }
            Operator::Decl(decl) => match with.decls.get(&decl) {
                Some(&value) => return self.apply_value(spec, value, args, span),
                None => (op, args),
            },
            Operator::Local(local) => match with.locals.get(&local) {
                Some(&value) => return self.apply_value(spec, value, args, span),
                None => (op, args),
            },
        };
        spec.exprs.alloc(Expr {
            kind: ExprKind::Call {
                op,
                args: args.into(),
            },
            span,
        })
    }

    /// An operator value applied to arguments.
    fn apply_value(
        &mut self,
        spec: &mut Spec,
        value: ExprId,
        args: Vec<ExprId>,
        span: source::Span,
    ) -> ExprId {
        let kind = match spec.exprs[value].kind.clone() {
            ExprKind::OpRef(op) => ExprKind::Call {
                op,
                args: args.into(),
            },
            ExprKind::BuiltinRef(Builtin::Product) => ExprKind::Times(args.into()),
            ExprKind::BuiltinRef(op) => ExprKind::Builtin {
                op,
                args: args.into(),
            },
            ExprKind::Lambda { params, body } => {
                let values = params.iter().copied().zip(args).collect();
                return self.replace_locals(spec, body, values);
            }
            // A renamed operator parameter is a plain use of the new name.
            ExprKind::Local(local) => ExprKind::Call {
                op: Operator::Local(local),
                args: args.into(),
            },
            _ => ExprKind::Error,
        };
        spec.exprs.alloc(Expr { kind, span })
    }

    fn operator(
        &mut self,
        spec: &mut Spec,
        op: Operator,
        id: ExprId,
        span: source::Span,
        with: &mut Substitution,
    ) -> ExprId {
        match op {
            Operator::Decl(decl) => with.decls.get(&decl).copied().unwrap_or(id),
            Operator::Local(local) => match with
                .locals
                .get(&local)
                .map(|&it| (it, spec.exprs[it].kind.clone()))
            {
                Some((_, ExprKind::Local(new))) => spec.exprs.alloc(Expr {
                    kind: ExprKind::OpRef(Operator::Local(new)),
                    span,
                }),
                Some((value, _)) => value,
                None => id,
            },
            Operator::Def(def) => {
                let (copy, extra) = self.sibling(spec, def, with);
                if extra.is_empty() {
                    let kind = ExprKind::OpRef(Operator::Def(copy));
                    return spec.exprs.alloc(Expr { kind, span });
                }
                // The copy takes the instance's parameters first: wrap it so that only its own are left open.
                let own: Vec<LocalId> = spec.defs[def].params.to_vec();
                let params: Box<[LocalId]> = own.iter().map(|&it| copy_local(spec, it)).collect();
                let mut args = extra;
                args.extend(params.iter().map(|&it| local_use(spec, it)));
                let kind = ExprKind::Call {
                    op: Operator::Def(copy),
                    args: args.into(),
                };
                let body = spec.exprs.alloc(Expr { kind, span });
                spec.exprs.alloc(Expr {
                    kind: ExprKind::Lambda { params, body },
                    span,
                })
            }
        }
    }

    fn bounds(&mut self, spec: &mut Spec, bounds: &[Bound], with: &mut Substitution) -> Box<[Bound]> {
        let sets: Vec<ExprId> = bounds.iter().map(|it| self.copy(spec, it.set, with)).collect();
        let patterns: Vec<Pattern> = bounds
            .iter()
            .map(|it| self.pattern(spec, &it.pattern, with))
            .collect();
        patterns
            .into_iter()
            .zip(sets)
            .map(|(pattern, set)| Bound { pattern, set })
            .collect()
    }

    fn pattern(&mut self, spec: &mut Spec, pattern: &Pattern, with: &mut Substitution) -> Pattern {
        match pattern {
            Pattern::One(local) => Pattern::One(self.rename(spec, *local, with)),
            Pattern::Tuple(locals) => {
                Pattern::Tuple(locals.iter().map(|&it| self.rename(spec, it, with)).collect())
            }
        }
    }

    /// Everything that only has parts. Bound names are renamed, so that a local has one binder.
    fn copy_children(&mut self, spec: &mut Spec, kind: ExprKind, with: &mut Substitution) -> ExprKind {
        macro_rules! go {
            ($id:expr) => {
                self.copy(spec, $id, with)
            };
        }
        let all = |this: &mut Instances,
                   spec: &mut Spec,
                   ids: &[ExprId],
                   with: &mut Substitution|
         -> Box<[ExprId]> { ids.iter().map(|&it| this.copy(spec, it, with)).collect() };
        match kind {
            ExprKind::Lambda { params, body } => {
                let params = params.iter().map(|&it| self.rename(spec, it, with)).collect();
                ExprKind::Lambda {
                    params,
                    body: go!(body),
                }
            }
            ExprKind::Builtin { op, args } => ExprKind::Builtin {
                op,
                args: all(self, spec, &args, with),
            },
            ExprKind::If { test, then, other } => ExprKind::If {
                test: go!(test),
                then: go!(then),
                other: go!(other),
            },
            ExprKind::Case { arms, other } => ExprKind::Case {
                arms: arms
                    .iter()
                    .map(|&(guard, body)| (go!(guard), go!(body)))
                    .collect(),
                other: other.map(|it| go!(it)),
            },
            ExprKind::Quant { kind, bounds, body } => {
                let bounds = self.bounds(spec, &bounds, with);
                ExprKind::Quant {
                    kind,
                    bounds,
                    body: go!(body),
                }
            }
            ExprKind::UnboundedQuant { kind, locals, body } => {
                let locals = locals.iter().map(|&it| self.rename(spec, it, with)).collect();
                ExprKind::UnboundedQuant {
                    kind,
                    locals,
                    body: go!(body),
                }
            }
            ExprKind::Choose { bound, body } => {
                let bound = self.one_bound(spec, &bound, with);
                ExprKind::Choose {
                    bound,
                    body: go!(body),
                }
            }
            ExprKind::UnboundedChoose { pattern, body } => {
                let pattern = self.pattern(spec, &pattern, with);
                ExprKind::UnboundedChoose {
                    pattern,
                    body: go!(body),
                }
            }
            ExprKind::SetEnum(items) => ExprKind::SetEnum(all(self, spec, &items, with)),
            ExprKind::SetFilter { bound, body } => {
                let bound = self.one_bound(spec, &bound, with);
                ExprKind::SetFilter {
                    bound,
                    body: go!(body),
                }
            }
            ExprKind::SetMap { bounds, body } => {
                let bounds = self.bounds(spec, &bounds, with);
                ExprKind::SetMap {
                    bounds,
                    body: go!(body),
                }
            }
            ExprKind::FnLiteral { bounds, body } => {
                let bounds = self.bounds(spec, &bounds, with);
                ExprKind::FnLiteral {
                    bounds,
                    body: go!(body),
                }
            }
            ExprKind::FnApply { function, arg } => ExprKind::FnApply {
                function: go!(function),
                arg: go!(arg),
            },
            ExprKind::FnSet { domain, range } => ExprKind::FnSet {
                domain: go!(domain),
                range: go!(range),
            },
            ExprKind::Record(fields) => {
                ExprKind::Record(fields.iter().map(|&(name, it)| (name, go!(it))).collect())
            }
            ExprKind::RecordSet(fields) => {
                ExprKind::RecordSet(fields.iter().map(|&(name, it)| (name, go!(it))).collect())
            }
            ExprKind::Select { record, field } => ExprKind::Select {
                record: go!(record),
                field,
            },
            ExprKind::Except { function, updates } => {
                let function = go!(function);
                let mut copied = vec![];
                for update in &updates {
                    let path = all(self, spec, &update.path, with);
                    let at = self.rename(spec, update.at, with);
                    copied.push(Update {
                        path,
                        at,
                        value: go!(update.value),
                    });
                }
                ExprKind::Except {
                    function,
                    updates: copied.into(),
                }
            }
            ExprKind::Tuple(items) => ExprKind::Tuple(all(self, spec, &items, with)),
            ExprKind::Times(items) => ExprKind::Times(all(self, spec, &items, with)),
            ExprKind::BoxAction { action, subscript } => ExprKind::BoxAction {
                action: go!(action),
                subscript: go!(subscript),
            },
            ExprKind::AngleAction { action, subscript } => ExprKind::AngleAction {
                action: go!(action),
                subscript: go!(subscript),
            },
            ExprKind::Fairness {
                kind,
                subscript,
                action,
            } => ExprKind::Fairness {
                kind,
                subscript: go!(subscript),
                action: go!(action),
            },
            ExprKind::Label { name, params, body } => {
                let renamed = |it: &LocalId| match with.locals.get(it).map(|&it| &spec.exprs[it].kind) {
                    Some(ExprKind::Local(new)) => *new,
                    _ => *it,
                };
                ExprKind::Label {
                    name,
                    params: params.iter().map(renamed).collect(),
                    body: go!(body),
                }
            }
            leaf => leaf,
        }
    }

    fn one_bound(&mut self, spec: &mut Spec, bound: &Bound, with: &mut Substitution) -> Box<Bound> {
        let set = self.copy(spec, bound.set, with);
        Box::new(Bound {
            pattern: self.pattern(spec, &bound.pattern, with),
            set,
        })
    }
}

/// Whether the body of a definition speaks of next states, itself or in what it calls.
fn has_steps(spec: &Spec, def: DefId) -> bool {
    let (mut todo, mut seen) = (vec![spec.defs[def].body], FxHashSet::default());
    let mut found = false;
    while let Some(body) = todo.pop() {
        walk(spec, body, &mut |kind| match kind {
            ExprKind::Builtin {
                op: Builtin::Prime | Builtin::Unchanged | Builtin::Enabled | Builtin::Compose,
                ..
            }
            | ExprKind::BoxAction { .. }
            | ExprKind::AngleAction { .. } => found = true,
            ExprKind::Call {
                op: Operator::Def(def),
                ..
            }
            | ExprKind::OpRef(Operator::Def(def))
                if seen.insert(*def) =>
            {
                todo.push(spec.defs[*def].body);
            }
            ExprKind::Let { defs, .. } => todo.extend(defs.iter().map(|&it| spec.defs[it].body)),
            _ => {}
        });
    }
    found
}

fn is_literal(spec: &Spec, expr: ExprId) -> bool {
    matches!(
        spec.exprs[expr].kind,
        ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::Str(_) | ExprKind::Local(_)
    )
}

fn copy_local(spec: &mut Spec, local: LocalId) -> LocalId {
    let copy = spec.locals[local];
    spec.locals.alloc(copy)
}

fn local_use(spec: &mut Spec, local: LocalId) -> ExprId {
    let span = spec.locals[local].span;
    spec.exprs.alloc(Expr {
        kind: ExprKind::Local(local),
        span,
    })
}

/// Visits an expression and everything in it once, except the bodies of definitions that it calls or defines.
pub fn walk(spec: &Spec, id: ExprId, visit: &mut impl FnMut(&ExprKind)) {
    let mut todo = vec![id];
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    while let Some(id) = todo.pop() {
        if seen.insert(id) {
            let kind = &spec.exprs[id].kind;
            visit(kind);
            children(kind, &mut |child| todo.push(child));
        }
    }
}

/// The direct parts of an expression, in the order of the text.
pub fn children(kind: &ExprKind, visit: &mut dyn FnMut(ExprId)) {
    let bounds = |bounds: &[Bound], visit: &mut dyn FnMut(ExprId)| bounds.iter().for_each(|it| visit(it.set));
    match kind {
        ExprKind::Error
        | ExprKind::Bool(_)
        | ExprKind::Int(_)
        | ExprKind::BigInt { .. }
        | ExprKind::Decimal(_)
        | ExprKind::Str(_)
        | ExprKind::Local(_)
        | ExprKind::Decl(_)
        | ExprKind::OpRef(_)
        | ExprKind::BuiltinRef(_) => {}
        ExprKind::Call { args: items, .. }
        | ExprKind::Builtin { args: items, .. }
        | ExprKind::SetEnum(items)
        | ExprKind::Tuple(items)
        | ExprKind::Times(items) => items.iter().for_each(|&it| visit(it)),
        ExprKind::Lambda { body, .. }
        | ExprKind::Let { body, .. }
        | ExprKind::UnboundedQuant { body, .. }
        | ExprKind::UnboundedChoose { body, .. }
        | ExprKind::Label { body, .. } => visit(*body),
        ExprKind::If { test, then, other } => [test, then, other].into_iter().for_each(|&it| visit(it)),
        ExprKind::Case { arms, other } => {
            arms.iter().for_each(|&(guard, body)| {
                visit(guard);
                visit(body);
            });
            other.iter().for_each(|&it| visit(it));
        }
        ExprKind::Quant { bounds: it, body, .. }
        | ExprKind::SetMap { bounds: it, body }
        | ExprKind::FnLiteral { bounds: it, body } => {
            bounds(it, visit);
            visit(*body);
        }
        ExprKind::Choose { bound, body } | ExprKind::SetFilter { bound, body } => {
            visit(bound.set);
            visit(*body);
        }
        ExprKind::FnApply { function: a, arg: b }
        | ExprKind::FnSet { domain: a, range: b }
        | ExprKind::BoxAction {
            action: a,
            subscript: b,
        }
        | ExprKind::AngleAction {
            action: a,
            subscript: b,
        }
        | ExprKind::Fairness {
            subscript: a,
            action: b,
            ..
        } => {
            visit(*a);
            visit(*b);
        }
        ExprKind::Record(fields) | ExprKind::RecordSet(fields) => {
            fields.iter().for_each(|&(_, it)| visit(it))
        }
        ExprKind::Select { record, .. } => visit(*record),
        ExprKind::Except { function, updates } => {
            visit(*function);
            for update in updates {
                update.path.iter().for_each(|&it| visit(it));
                visit(update.value);
            }
        }
    }
}
