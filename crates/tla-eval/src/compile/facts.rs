//! What is known of names and definitions before they are compiled: constant, pure, primed, needed.
//!
//! These questions decide how an argument is passed and what is evaluated only once. They look at the resolved tree and
//! never at compiled code.

use super::*;

impl<'s, 'i> Compiler<'s, 'i> {
    /// How often an expression, with the definitions inside it, mentions a name.
    pub(super) fn mentions(&self, name: Name, expr: ExprId) -> u32 {
        let spec = self.spec;
        let mut n = 0;
        let mut todo = vec![expr];
        while let Some(expr) = todo.pop() {
            tla_sema::walk(spec, expr, &mut |kind| match kind {
                ExprKind::Local(it) => n += u32::from(name == Name::Local(*it)),
                ExprKind::Call {
                    op: IrOperator::Def(it),
                    ..
                }
                | ExprKind::OpRef(IrOperator::Def(it)) => n += u32::from(name == Name::Let(*it)),
                ExprKind::Let { defs, .. } => todo.extend(defs.iter().map(|&it| spec.defs[it].body)),
                _ => {}
            });
        }
        n
    }

    /// Whether a definition's value depends on nothing but its arguments.
    pub(super) fn is_constant(&mut self, def: DefId) -> bool {
        self.levels.of_def(def) == ir::Level::Constant && self.purity(def) == Purity::Pure
    }

    /// A place to keep the value of a definition while a state is looked at: for one without parameters that depends on the
    /// state and takes some work.
    pub(super) fn memo(&mut self, def: DefId, linked: bool) -> Option<u16> {
        const WORK: usize = 12;
        let definition = &self.spec.defs[def];
        let fits = !linked
            && definition.params.is_empty()
            && !definition.recursive
            && self.levels.of_def(def) == ir::Level::State
            && self.purity(def) == Purity::Pure
            && (self.size(def) >= WORK || self.has_loop(definition.body));
        fits.then(|| {
            self.program.n_memos += 1;
            self.program.n_memos - 1
        })
    }

    /// Whether a definition is a function that is only ever applied, to one argument at a time: it is recursive, its domain has no
    /// end, or its values are actions.
    pub(super) fn is_applied(&mut self, definition: &ir::Def) -> bool {
        let spec = self.spec;
        let ExprKind::FnLiteral { bounds, body } = &spec.exprs[definition.body].kind else {
            return false;
        };
        definition.params.is_empty()
            && (definition.kind == DefKind::Function && definition.recursive
                || self.is_endless(bounds)
                || self.levels.of(*body) >= ir::Level::Action)
    }

    /// The bounds of a function that is written out here, or is only ever applied: nobody needs its values to know its domain.
    pub(super) fn written_bounds(&mut self, function: ExprId) -> Option<&'s [ir::Bound]> {
        let spec = self.spec;
        let (def, args) = match &spec.exprs[function].kind {
            ExprKind::FnLiteral { bounds, .. } => return Some(bounds),
            ExprKind::Call {
                op: IrOperator::Def(def),
                args,
            } => (def, args),
            _ => return None,
        };
        match &spec.exprs[spec.defs[*def].body].kind {
            ExprKind::FnLiteral { bounds, .. }
                if args.is_empty()
                    && !self.definitions.contains_key(def)
                    && self.is_applied(&spec.defs[*def]) =>
            {
                Some(bounds)
            }
            _ => None,
        }
    }

    /// Whether a domain is, or is made of, a set that nobody can list.
    pub(super) fn is_endless(&self, bounds: &[ir::Bound]) -> bool {
        let spec = self.spec;
        let mut is_endless = false;
        for bound in bounds {
            tla_sema::walk(spec, bound.set, &mut |kind| {
                is_endless |= match kind {
                    ExprKind::Call {
                        op: IrOperator::Def(def),
                        ..
                    } => {
                        let is_its = matches!(spec.defs[*def].name.as_str(), "Nat" | "Int" | "Real" | "Seq");
                        is_its && !self.definitions.contains_key(def) && native::lookup(spec, *def).is_some()
                    }
                    ExprKind::Builtin {
                        op: Builtin::StringSet,
                        ..
                    } => true,
                    _ => false,
                }
            });
        }
        is_endless
    }

    /// Whether an expression is, or has in it, a function without an end, here or through definitions: it can be applied but not
    /// evaluated.
    pub(super) fn is_endless_function(&self, expr: ExprId, depth: u32) -> bool {
        let spec = self.spec;
        let go = |it: ExprId| depth > 0 && self.is_endless_function(it, depth - 1);
        match &spec.exprs[expr].kind {
            ExprKind::FnLiteral { bounds, body } => self.is_endless(bounds) || go(*body),
            ExprKind::Except { function, updates } => go(*function) || updates.iter().any(|it| go(it.value)),
            ExprKind::FnApply { function, .. } => go(*function),
            ExprKind::Select { record, .. } => go(*record),
            ExprKind::Record(fields) => fields.iter().any(|it| go(it.1)),
            ExprKind::Tuple(items) => items.iter().any(|&it| go(it)),
            ExprKind::Case { arms, other } => arms.iter().map(|it| it.1).chain(*other).any(go),
            ExprKind::Label { body, .. } | ExprKind::Let { body, .. } => go(*body),
            ExprKind::If { then, other, .. } => go(*then) || go(*other),
            ExprKind::Call { op, .. } => self.target_of(*op).is_some_and(|it| {
                let def = &spec.defs[it];
                !def.recursive && !spec.modules[def.module].is_library && go(def.body)
            }),
            _ => false,
        }
    }

    /// Whether a definition is a constant that chance, or the world, decides once.
    pub(super) fn is_drawn(&mut self, def: DefId) -> bool {
        self.levels.of_def(def) == ir::Level::Constant && self.purity(def) == Purity::Once
    }

    pub(super) fn purity(&mut self, def: DefId) -> Purity {
        if let Some(&known) = self.purities.get(&def) {
            return known;
        }
        // A recursive definition is as pure as the rest of its body.
        self.purities.insert(def, Purity::Pure);
        let purity = self.purity_of(self.spec.defs[def].body);
        self.purities.insert(def, purity);
        purity
    }

    /// Whether evaluating an expression twice is like evaluating it once.
    pub(crate) fn is_pure(&mut self, expr: ExprId) -> bool {
        self.purity_of(expr) == Purity::Pure
    }

    fn purity_of(&mut self, expr: ExprId) -> Purity {
        let spec = self.spec;
        let mut called = vec![];
        let mut purity = Purity::Pure;
        tla_sema::walk(spec, expr, &mut |kind| match kind {
            ExprKind::Call {
                op: IrOperator::Def(it),
                ..
            }
            | ExprKind::OpRef(IrOperator::Def(it)) => called.push(*it),
            ExprKind::Let { defs, .. } => called.extend(defs.iter().copied()),
            _ => {}
        });
        for def in called {
            let def = match self.definitions.get(&def) {
                Some(Override::Def(other)) => *other,
                _ => def,
            };
            purity = purity.max(match native::lookup(spec, def) {
                Some(native) => native.purity(),
                None => self.purity(def),
            });
        }
        purity
    }

    pub(super) fn is_primed_param(&mut self, param: LocalId, body: ExprId) -> bool {
        if let Some(&known) = self.primed_params.get(&(param, body)) {
            return known;
        }
        // Through recursion a parameter is primed only if it is primed somewhere on the way.
        self.primed_params.insert((param, body), false);
        let primed = self.is_primed(Name::Local(param), body);
        self.primed_params.insert((param, body), primed);
        primed
    }

    /// Whether `name` stands under a prime in `expr`, or is passed to an operator that primes it.
    pub(super) fn is_primed(&mut self, name: Name, expr: ExprId) -> bool {
        let spec = self.spec;
        let mut todo = vec![(expr, false)];
        // A `LET` that is primed primes the names in it.
        let mut seen = FxHashSet::default();
        while let Some((id, under)) = todo.pop() {
            let kind = &spec.exprs[id].kind;
            match kind {
                ExprKind::Local(local) if under && name == Name::Local(*local) => return true,
                // `ENABLED` and `\cdot` speak of steps of their own: a name inside means something else than outside.
                ExprKind::Builtin {
                    op: Builtin::Prime | Builtin::Unchanged | Builtin::Enabled | Builtin::Compose,
                    args,
                } => {
                    todo.extend(args.iter().map(|&it| (it, true)));
                }
                ExprKind::BoxAction { action, subscript } | ExprKind::AngleAction { action, subscript } => {
                    todo.push((*action, under));
                    todo.push((*subscript, true));
                }
                // Which operator that is, nobody knows here: it may prime what it is given.
                ExprKind::Call {
                    op: IrOperator::Local(_),
                    args,
                } => {
                    let under = under || self.are_actions_passed();
                    todo.extend(args.iter().map(|&it| (it, under)));
                }
                ExprKind::Call { op, args } if let Some(def) = &self.target_of(*op) => {
                    if under && name == Name::Let(*def) {
                        return true;
                    }
                    if under && !spec.modules[spec.defs[*def].module].is_library && seen.insert(*def) {
                        todo.push((spec.defs[*def].body, true));
                    }
                    let params = &spec.defs[*def].params;
                    for (&param, &arg) in params.iter().zip(args) {
                        let passed_on = !under && mentions(spec, name, arg);
                        let under = under || passed_on && self.is_primed_param(param, spec.defs[*def].body);
                        todo.push((arg, under));
                    }
                }
                ExprKind::Let { defs, body } => {
                    todo.extend(defs.iter().map(|&it| (spec.defs[it].body, under)));
                    todo.push((*body, under));
                }
                other => tla_sema::children(other, &mut |it| todo.push((it, under))),
            }
        }
        false
    }

    /// Whether the specification may pass an operator anywhere that primes its parameter, or asks what it enables.
    fn are_actions_passed(&mut self) -> bool {
        if let Some(known) = self.actions_passed {
            return known;
        }
        let spec = self.spec;
        let mut found = false;
        let (mut asks_enabled, mut passes) = (false, false);
        for (_, expr) in spec.exprs.iter() {
            match &expr.kind {
                ExprKind::OpRef(op) => {
                    let def = self.target_of(*op);
                    found |= def.is_some_and(|it| self.levels.of_def(it) >= ir::Level::Action);
                    passes |= def.is_some_and(|it| self.levels.of_def(it) >= ir::Level::State);
                }
                ExprKind::Lambda { body, .. } => {
                    found |= self.levels.of(*body) >= ir::Level::Action;
                    passes |= self.levels.of(*body) >= ir::Level::State;
                }
                ExprKind::Builtin { op, .. } => {
                    asks_enabled |= matches!(op, Builtin::Enabled | Builtin::Compose)
                }
                _ => {}
            }
        }
        // Whether it is asked inside of what is passed is not looked for: it is rare enough.
        found |= asks_enabled && passes;
        self.actions_passed = Some(found);
        found
    }

    /// The parameters that an operator primes; nothing when there are none.
    pub(super) fn primed_among(&mut self, params: &[LocalId], body: ExprId) -> Box<[bool]> {
        if !self.are_actions_passed() {
            return Box::default();
        }
        let primed: Box<[bool]> = params.iter().map(|&it| self.is_primed_param(it, body)).collect();
        match primed.contains(&true) {
            true => primed,
            false => Box::default(),
        }
    }

    /// Whether evaluating `expr` is sure to evaluate the name. `depth` bounds the look into other definitions.
    pub(super) fn is_strict(&self, expr: ExprId, name: Name, depth: u32) -> bool {
        let spec = self.spec;
        let go = |it: ExprId| self.is_strict(it, name, depth);
        if depth == 0 {
            return false;
        }
        match &spec.exprs[expr].kind {
            ExprKind::Local(local) => name == Name::Local(*local),
            ExprKind::Builtin { op, args } => match op {
                Builtin::And | Builtin::Or | Builtin::Implies => args.first().is_some_and(|&it| go(it)),
                Builtin::Enabled | Builtin::Prime | Builtin::Unchanged | Builtin::Compose => false,
                _ => args.iter().any(|&it| go(it)),
            },
            ExprKind::If { test, then, other } => go(*test) || go(*then) && go(*other),
            ExprKind::Case { arms, .. } => arms.first().is_some_and(|&(guard, _)| go(guard)),
            ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => go(*body),
            ExprKind::Quant { bounds, .. }
            | ExprKind::SetMap { bounds, .. }
            | ExprKind::FnLiteral { bounds, .. } => bounds.first().is_some_and(|it| go(it.set)),
            ExprKind::Choose { bound, .. } | ExprKind::SetFilter { bound, .. } => go(bound.set),
            ExprKind::SetEnum(items) | ExprKind::Tuple(items) | ExprKind::Times(items) => {
                items.iter().any(|&it| go(it))
            }
            ExprKind::FnApply { function, arg } => go(*function) || go(*arg),
            ExprKind::FnSet { domain, range } => go(*domain) || go(*range),
            ExprKind::Record(fields) | ExprKind::RecordSet(fields) => fields.iter().any(|&(_, it)| go(it)),
            ExprKind::Select { record, .. } => go(*record),
            ExprKind::Except { function, .. } => go(*function),
            ExprKind::Call {
                op: IrOperator::Def(def),
                ..
            } if name == Name::Let(*def) => true,
            // The definition that the configuration puts in the place of this one decides.
            ExprKind::Call { op, args } if let Some(def) = self.target_of(*op) => {
                if let Some(native) = native::lookup(spec, def) {
                    return native.is_strict() && args.iter().any(|&it| go(it));
                }
                let callee = &spec.defs[def];
                if args.is_empty() {
                    return !callee.recursive && self.is_strict(callee.body, name, depth - 1);
                }
                let passes = |(&inner, &arg): (&LocalId, &ExprId)| {
                    self.is_strict(arg, name, depth - 1)
                        && self.is_strict(callee.body, Name::Local(inner), depth - 1)
                };
                callee.params.iter().zip(args).any(passes)
            }
            _ => false,
        }
    }
}
