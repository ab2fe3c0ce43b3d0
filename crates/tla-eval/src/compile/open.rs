//! Formulas with free names, closed by what the names stand for.
//!
//! The parts of a temporal formula stand under quantifiers, in `LET`s and in definitions with parameters. Each
//! part becomes a proc whose parameters are the free names in it, and a call of that proc with what these names stand
//! for: values of quantifiers, and expressions with free names of their own, passed by name so that they can be primed.

use std::rc::Rc;

use super::*;

/// What a free name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Given<'i> {
    Value(Value<'i>),
    /// An argument or a `LET` without parameters, with the names where it was written.
    Expr(ExprId, Rc<Scope<'i>>),
    /// A `LET` with parameters.
    LetOperator(Rc<Scope<'i>>),
}

/// Names in force, innermost first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope<'i> {
    names: Vec<(Name, Given<'i>)>,
    outer: Option<Rc<Scope<'i>>>,
}

impl<'i> Scope<'i> {
    /// A scope inside of this one.
    pub(crate) fn inside(self: &Rc<Self>) -> Scope<'i> {
        Scope {
            names: vec![],
            outer: Some(self.clone()),
        }
    }

    pub(crate) fn bind_local(&mut self, local: LocalId, to: Given<'i>) {
        self.names.push((Name::Local(local), to));
    }

    pub(crate) fn bind_let(&mut self, def: DefId, to: Given<'i>) {
        self.names.push((Name::Let(def), to));
    }

    pub(crate) fn local(&self, local: LocalId) -> Option<&Given<'i>> {
        self.find(Name::Local(local))
    }

    pub(crate) fn let_def(&self, def: DefId) -> Option<&Given<'i>> {
        self.find(Name::Let(def))
    }

    fn find(&self, name: Name) -> Option<&Given<'i>> {
        let mut scope = Some(self);
        while let Some(it) = scope {
            if let Some((_, given)) = it.names.iter().rev().find(|(known, _)| *known == name) {
                return Some(given);
            }
            scope = it.outer.as_deref();
        }
        None
    }
}

/// What a declared name of an instantiated module means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning<'i> {
    Variable(VarId),
    Constant(Override<'i>),
}

/// What is to be closed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Open {
    Expr(ExprId),
    /// `[A]_v`.
    Box {
        action: ExprId,
        subscript: ExprId,
    },
    /// `<<A>>_v`.
    Angle {
        action: ExprId,
        subscript: ExprId,
    },
    /// `ENABLED <<A>>_v`.
    Enabled {
        action: ExprId,
        subscript: ExprId,
    },
    /// `v' # v`.
    Changed {
        subscript: ExprId,
    },
}

impl Open {
    pub(crate) fn at(self) -> ExprId {
        match self {
            Open::Expr(it) => it,
            Open::Box { action, .. } | Open::Angle { action, .. } | Open::Enabled { action, .. } => action,
            Open::Changed { subscript } => subscript,
        }
    }

    pub(crate) fn parts(self) -> Vec<ExprId> {
        match self {
            Open::Expr(it) => vec![it],
            Open::Box { action, subscript }
            | Open::Angle { action, subscript }
            | Open::Enabled { action, subscript } => vec![action, subscript],
            Open::Changed { subscript } => vec![subscript],
        }
    }
}

impl<'i> Compiler<'_, 'i> {
    /// A proc without parameters for a formula whose free names the scope explains.
    pub(crate) fn closed(&mut self, open: Open, scope: &Scope<'i>, name: Symbol) -> ProcId {
        let code = deep(|| self.close(open, scope, name));
        self.synthetic(name, |_| code)
    }

    fn close(&mut self, open: Open, scope: &Scope<'i>, name: Symbol) -> Code<'i> {
        let free = self.free_in_scope(open, scope);
        let args = free.iter().map(|(_, given)| match given {
            Given::Value(value) => Arg::Value(Code {
                kind: Kind::Const(*value),
                at: open.at(),
            }),
            Given::Expr(expr, scope) => match self.operator_of(*expr, scope) {
                Some(operator) => Arg::Operator(operator),
                None => Arg::ByName(deep(|| self.close(Open::Expr(*expr), scope, name))),
            },
            Given::LetOperator(_) => Arg::Value(Code {
                kind: Kind::Fail("a LET operator that uses bound names, around a temporal formula"),
                at: open.at(),
            }),
        });
        let args = args.collect();
        let names: Vec<Name> = free.into_iter().map(|(name, _)| name).collect();
        let proc = self.synthetic(name, |compiler| {
            for name in names {
                let slot = compiler.frame().fresh();
                match name {
                    Name::Local(local) => compiler.frame().places.insert(local, slot),
                    Name::Let(def) => compiler.frame().lets.insert(def, slot),
                };
            }
            compiler.open_body(open)
        });
        Code {
            kind: Kind::Call {
                proc,
                link: None,
                args,
            },
            at: open.at(),
        }
    }

    fn open_body(&mut self, open: Open) -> Code<'i> {
        let at = open.at();
        let mut pair =
            |action: ExprId, subscript: ExprId| Box::new([self.expr(action).code, self.expr(subscript).code]);
        let kind = match open {
            Open::Expr(it) => return self.expr(it).code,
            Open::Box { action, subscript } => Kind::BoxAction(pair(action, subscript)),
            Open::Angle { action, subscript } => Kind::AngleAction(pair(action, subscript)),
            Open::Enabled { action, subscript } => Kind::Enabled(Box::new(Code {
                kind: Kind::AngleAction(pair(action, subscript)),
                at,
            })),
            Open::Changed { subscript } => {
                let unchanged = match self.shape(subscript) {
                    Some(shape) => {
                        let mut vars = vec![];
                        shape.vars(&mut vars);
                        Kind::UnchangedVars(vars.into())
                    }
                    None => Kind::Unchanged(Box::new(self.expr(subscript).code)),
                };
                Kind::Not(Box::new(Code { kind: unchanged, at }))
            }
        };
        Code { kind, at }
    }

    /// An operator as an argument, if it is one that needs no names of its own.
    fn operator_of(&mut self, expr: ExprId, scope: &Scope<'i>) -> Option<Operator> {
        let spec = self.spec;
        match &spec.exprs[expr].kind {
            ExprKind::OpRef(IrOperator::Local(local)) => match scope.local(*local)? {
                Given::Expr(expr, scope) => self.operator_of(*expr, scope),
                _ => None,
            },
            ExprKind::OpRef(_) | ExprKind::BuiltinRef(_) => {
                let mut join = Joined::new();
                match self.argument(expr, false, &mut join) {
                    Arg::Operator(operator) => Some(operator),
                    _ => None,
                }
            }
            ExprKind::Lambda { params, body } => {
                let (params, body) = (params.clone(), *body);
                let proc = self.synthetic(Symbol::new("LAMBDA"), |compiler| {
                    params.iter().for_each(|&it| {
                        compiler.frame().place(it);
                    });
                    compiler.expr(body).code
                });
                self.program.procs[proc].primed = self.primed_among(&params, body);
                Some(Operator::Proc { proc, link: None })
            }
            _ => None,
        }
    }

    /// The names of the scope that a formula mentions, in the order of the scope.
    fn free_in_scope(&self, open: Open, scope: &Scope<'i>) -> Vec<(Name, Given<'i>)> {
        let spec = self.spec;
        let mut names: Vec<Name> = vec![];
        let mut todo = open.parts();
        while let Some(expr) = todo.pop() {
            tla_sema::walk(spec, expr, &mut |kind| match kind {
                ExprKind::Local(local)
                | ExprKind::OpRef(IrOperator::Local(local))
                | ExprKind::Call {
                    op: IrOperator::Local(local),
                    ..
                } => names.push(Name::Local(*local)),
                ExprKind::Call {
                    op: IrOperator::Def(def),
                    ..
                }
                | ExprKind::OpRef(IrOperator::Def(def)) => names.push(Name::Let(*def)),
                ExprKind::Let { defs, .. } => todo.extend(defs.iter().map(|&it| spec.defs[it].body)),
                _ => {}
            });
        }
        let mut free: Vec<(Name, Given<'i>)> = vec![];
        for name in names {
            if let Some(given) = scope.find(name)
                && !free.iter().any(|(known, _)| *known == name)
            {
                // An operator of a `LET` that needs nothing from around it is compiled like any other definition.
                let is_closed = |def: DefId| {
                    self.free_in_scope(Open::Expr(spec.defs[def].body), scope)
                        .is_empty()
                };
                match (name, given) {
                    (Name::Let(def), Given::LetOperator(_)) if is_closed(def) => {}
                    _ => free.push((name, given.clone())),
                }
            }
        }
        free
    }

    /// As [`Compiler::free_in_scope`], in the terms of whoever asks from outside.
    pub(crate) fn names_in_scope(
        &self,
        expr: ExprId,
        scope: &Scope<'i>,
    ) -> Vec<(tla_sema::part::Name, Given<'i>)> {
        let free = self.free_in_scope(Open::Expr(expr), scope).into_iter();
        let named = |name| match name {
            Name::Local(it) => tla_sema::part::Name::Local(it),
            Name::Let(it) => tla_sema::part::Name::Let(it),
        };
        free.map(|(name, given)| (named(name), given)).collect()
    }

    /// The level of a formula when its free names stand for what the scope says.
    pub(crate) fn level_in(&mut self, expr: ExprId, scope: &Scope<'i>) -> ir::Level {
        let mut level = self.levels.of(expr);
        for (_, given) in self.free_in_scope(Open::Expr(expr), scope) {
            if let Given::Expr(inner, scope) = given {
                level = level.max(deep(|| self.level_in(inner, &scope)));
            }
        }
        level
    }

    /// What the configuration puts for a definition, or a constant operator.
    pub(crate) fn target_of(&self, op: IrOperator) -> Option<DefId> {
        let given = match op {
            IrOperator::Def(def) => match self.definitions.get(&def) {
                None => return Some(def),
                Some(given) => given,
            },
            IrOperator::Decl(decl) => self.constants.get(&decl)?,
            IrOperator::Local(_) => return None,
        };
        match *given {
            Override::Def(def) => Some(def),
            Override::Decl(decl) => self.target_of(IrOperator::Decl(decl)),
            Override::Value(_) | Override::Table(_) => None,
        }
    }

    /// Compiles inside a module that the specification instantiates, as it was written: its variables and constants have
    /// meanings of their own, and so have its definitions.
    pub(crate) fn inside<T>(
        &mut self,
        meanings: &[(DeclId, Meaning<'i>)],
        make: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let procs = std::mem::take(&mut self.procs);
        let (variables, constants) = (self.variables.clone(), self.constants.clone());
        for &(decl, meaning) in meanings {
            match meaning {
                Meaning::Variable(var) => {
                    self.variables.insert(decl, var);
                }
                Meaning::Constant(given) => {
                    self.constants.insert(decl, given);
                }
            }
        }
        let made = make(self);
        (self.procs, self.variables, self.constants) = (procs, variables, constants);
        made
    }

    /// Whether a subscript is a variable, or a tuple of them, which always has a value.
    pub(crate) fn is_of_variables(&self, subscript: ExprId) -> bool {
        self.shape(subscript).is_some()
    }

    /// Whether the subscript of an action holds every variable, so that it changes with each step to another state.
    pub(crate) fn holds_all_variables(&self, subscript: ExprId) -> bool {
        let mut vars = vec![];
        if let Some(shape) = self.shape(subscript) {
            shape.vars(&mut vars);
        }
        (0..self.program.variables.len()).all(|it| vars.contains(&(it as VarId)))
    }
}
