//! Tests of elements as procs of their own, apart from the frame they were written in.
//!
//! Two sets need them: one that is too large to be filtered, which keeps its test, and a part of the state, of which only
//! the elements that pass a sieve count. Both pass the element first and then the values that the text captured.

use super::*;

impl<'i> Compiler<'_, 'i> {
    /// What is asked of an element before anything else, as a proc, for a set that is a part of the state.
    pub(super) fn pushed_predicate(
        &mut self,
        bound: &ir::Bound,
        body: ExprId,
        kind: ir::Quant,
    ) -> Option<Box<Test>> {
        /// A sieve in a sieve is compiled again for each level.
        const NESTED_MAX: u32 = 2;
        let ir::Pattern::One(item) = bound.pattern else {
            return None;
        };
        if self.n_tests >= NESTED_MAX || !self.is_part(bound.set) {
            return None;
        }
        let mut conjuncts = vec![];
        conjuncts_of(self.spec, body, kind, &mut conjuncts);
        let n = conjuncts
            .iter()
            .take_while(|&&it| self.levels.of(it) == ir::Level::Constant)
            .count();
        conjuncts.truncate(n);
        let mut free: Vec<(Name, Place)> = vec![];
        for &it in &conjuncts {
            for name in self.free_names(Some(item), it)? {
                if !free.iter().any(|other| other.1 == name.1) {
                    free.push(name);
                }
            }
        }
        if conjuncts.is_empty() {
            return None;
        }
        let mut constant = true;
        let test = self.test_proc(item, free, |compiler| {
            let items: Box<[Code<'i>]> = conjuncts
                .iter()
                .map(|&it| {
                    let made = compiler.expr(it);
                    constant &= made.constant;
                    made.code
                })
                .collect();
            Code {
                kind: Kind::And(items),
                at: body,
            }
        });
        constant.then_some(test)
    }

    /// Whether an expression is a variable or a definition that depends on some, or a part of one.
    pub(super) fn is_part(&mut self, expr: ExprId) -> bool {
        match &self.spec.exprs[expr].kind {
            ExprKind::Decl(decl) => self.variables.contains_key(decl),
            ExprKind::FnApply { function, .. } => self.is_part(*function),
            ExprKind::Select { record, .. } => self.is_part(*record),
            ExprKind::Label { body, .. } => self.is_part(*body),
            ExprKind::Call {
                op: IrOperator::Def(def),
                args,
            } => {
                let is_let = self.find(|frame| frame.lets.get(def).copied()).is_some();
                args.is_empty()
                    && !is_let
                    && !self.definitions.contains_key(def)
                    && self.levels.of_def(*def) == ir::Level::State
                    && self.purity(*def) == Purity::Pure
            }
            _ => false,
        }
    }

    /// A test of an element as a proc; `free` are names of the frames around, whose values are passed with it.
    pub(super) fn test_proc(
        &mut self,
        item: LocalId,
        free: Vec<(Name, Place)>,
        body: impl FnOnce(&mut Self) -> Code<'i>,
    ) -> Box<Test> {
        let captured = free.iter().map(|&(_, place)| place).collect();
        self.n_tests += 1;
        let proc = self.synthetic(Symbol::new("{ : }"), |compiler| {
            compiler.frame().place(item);
            for (name, _) in free {
                let slot = compiler.frame().fresh();
                match name {
                    Name::Local(local) => compiler.frame().places.insert(local, slot),
                    Name::Let(def) => compiler.frame().lets.insert(def, slot),
                };
            }
            body(compiler)
        });
        self.n_tests -= 1;
        Box::new(Test { proc, captured })
    }

    /// The test of a filter as a proc, if the set may be one that cannot be enumerated.
    pub(super) fn test(&mut self, bound: &ir::Bound, body: ExprId) -> Option<Box<Test>> {
        /// A filter in the test of a filter is compiled again for each level.
        const NESTED_MAX: u32 = 2;
        let ir::Pattern::One(item) = bound.pattern else {
            return None;
        };
        if self.n_tests >= NESTED_MAX || !self.may_be_infinite(bound.set) {
            return None;
        }
        let free = self.free_names(Some(item), body)?;
        Some(self.test_proc(item, free, |compiler| compiler.expr(body).code))
    }

    /// The names of the frames around that an expression uses; nothing when it uses an operator of theirs.
    pub(super) fn free_names(&self, item: Option<LocalId>, expr: ExprId) -> Option<Vec<(Name, Place)>> {
        let spec = self.spec;
        // Names bound inside are not free, even if this frame has met them before.
        let (mut own, mut own_defs) = bound_inside(spec, expr);
        own.extend(item);
        let mut free: Vec<(Name, Place)> = vec![];
        let mut add = |name: Name, place: Place| {
            if !free.iter().any(|&(_, it)| it == place) {
                free.push((name, place));
            }
        };
        let mut operators = false;
        let mut todo = vec![expr];
        // What stands for a definition is a part of the expression.
        let mut once = vec![expr];
        while let Some(expr) = once.pop() {
            let mut used = vec![];
            tla_sema::walk(spec, expr, &mut |kind| match kind {
                ExprKind::Call {
                    op: IrOperator::Def(def),
                    ..
                } if self.inlining.once.contains(def) => used.push(spec.defs[*def].body),
                ExprKind::Let { defs, .. } => once.extend(defs.iter().map(|&it| spec.defs[it].body)),
                _ => {}
            });
            for &body in &used {
                let (locals, defs) = bound_inside(spec, body);
                own.extend(locals);
                own_defs.extend(defs);
            }
            todo.extend(&used);
            once.extend(used);
        }
        while let Some(expr) = todo.pop() {
            tla_sema::walk(spec, expr, &mut |kind| match kind {
                ExprKind::Local(local) => {
                    if let Some(place) = self.place_of(*local).filter(|_| !own.contains(local)) {
                        add(Name::Local(*local), place);
                    }
                }
                ExprKind::Call {
                    op: IrOperator::Local(local),
                    ..
                }
                | ExprKind::OpRef(IrOperator::Local(local)) => {
                    let known = self.inlining.operators.contains_key(local);
                    operators |= !own.contains(local) && (known || self.place_of(*local).is_some());
                }
                ExprKind::Call {
                    op: IrOperator::Def(def),
                    ..
                }
                | ExprKind::OpRef(IrOperator::Def(def))
                    if !own_defs.contains(def) =>
                {
                    operators |= self.find(|frame| frame.nested.get(def).map(|_| 0)).is_some();
                    if let Some(place) = self.find(|frame| frame.lets.get(def).copied()) {
                        add(Name::Let(*def), place);
                    }
                }
                ExprKind::Let { defs, .. } => todo.extend(defs.iter().map(|&it| spec.defs[it].body)),
                _ => {}
            });
        }
        (!operators).then_some(free)
    }

    /// Whether a set may be infinite: it mentions an infinite set, or a name that may stand for one.
    pub(super) fn may_be_infinite(&self, set: ExprId) -> bool {
        let spec = self.spec;
        let mut found = false;
        let mut seen: Vec<DefId> = vec![];
        let mut todo = vec![set];
        while let (Some(expr), false) = (todo.pop(), found) {
            tla_sema::walk(spec, expr, &mut |kind| match kind {
                ExprKind::Builtin {
                    op: Builtin::StringSet,
                    ..
                }
                | ExprKind::Local(_)
                | ExprKind::Decl(_) => found = true,
                ExprKind::Call {
                    op: IrOperator::Def(def),
                    ..
                } => {
                    let def = match self.definitions.get(def) {
                        Some(Override::Def(other)) => *other,
                        _ => *def,
                    };
                    match native::lookup(spec, def) {
                        Some(native) => found |= native.is_infinite_set(),
                        None if !seen.contains(&def) => {
                            seen.push(def);
                            todo.push(spec.defs[def].body);
                        }
                        None => {}
                    }
                }
                _ => {}
            });
        }
        found
    }
}

/// The names and `LET` definitions that are bound inside an expression.
pub(super) fn bound_inside(spec: &Spec, expr: ExprId) -> (FxHashSet<LocalId>, FxHashSet<DefId>) {
    let mut locals = FxHashSet::default();
    let mut defs = FxHashSet::default();
    let mut todo = vec![expr];
    while let Some(expr) = todo.pop() {
        tla_sema::walk(spec, expr, &mut |kind| match kind {
            ExprKind::Quant { bounds, .. }
            | ExprKind::SetMap { bounds, .. }
            | ExprKind::FnLiteral { bounds, .. } => {
                locals.extend(bounds.iter().flat_map(|it| it.pattern.locals().iter().copied()));
            }
            ExprKind::Choose { bound, .. } | ExprKind::SetFilter { bound, .. } => {
                locals.extend(bound.pattern.locals().iter().copied());
            }
            ExprKind::UnboundedChoose { pattern, .. } => locals.extend(pattern.locals().iter().copied()),
            ExprKind::UnboundedQuant { locals: names, .. }
            | ExprKind::Lambda { params: names, .. }
            | ExprKind::Label { params: names, .. } => locals.extend(names.iter().copied()),
            ExprKind::Except { updates, .. } => locals.extend(updates.iter().map(|it| it.at)),
            ExprKind::Let { defs: inner, .. } => {
                defs.extend(inner.iter().copied());
                for &def in inner {
                    locals.extend(spec.defs[def].params.iter().copied());
                    todo.push(spec.defs[def].body);
                }
            }
            _ => {}
        });
    }
    (locals, defs)
}

/// The conjuncts that an element must satisfy to be of any consequence under a quantifier: those of the body, or of what
/// `\A` has before its `=>`.
pub(super) fn conjuncts_of(spec: &Spec, body: ExprId, kind: ir::Quant, into: &mut Vec<ExprId>) {
    let mut todo = vec![body];
    if kind == ir::Quant::Forall {
        match &spec.exprs[body].kind {
            ExprKind::Builtin {
                op: Builtin::Implies,
                args,
            } => todo = vec![args[0]],
            _ => return,
        }
    }
    while let Some(expr) = todo.pop() {
        match &spec.exprs[expr].kind {
            ExprKind::Builtin {
                op: Builtin::And,
                args,
            } => todo.extend(args.iter().rev()),
            ExprKind::Label { body, .. } => todo.push(*body),
            _ => into.push(expr),
        }
    }
}
