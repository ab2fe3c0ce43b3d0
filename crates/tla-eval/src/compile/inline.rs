//! Small definitions in the place of their calls.
//!
//! A call makes a frame, looks its operator up and checks the stack; for `s \in pc` that is most of the work. So the
//! body of a small definition is compiled where it is called, with slots of the caller's frame for its parameters, and an operator that
//! is passed to it is put in too, not looked up when it is called. Names have one binder each, so nothing is captured; but a definition
//! that is being put in already is called, or its names would have two meanings at once.
//!
//! Actions stay calls: they name steps.
//!
//! So is the definition of a `LET` that is used once, where evaluation comes at most once: nothing has to wait for its use.

use super::*;

/// Expressions in a body that is put in.
const BODY_MAX: usize = 64;
/// Expressions that all calls inside one definition may add to it.
const GROWTH_MAX: usize = 1024;

/// Definitions inside each other that are put in.
const DEPTH_MAX: usize = 8;

/// What is being put in, and what has been.
#[derive(Default)]
pub(super) struct Inlining {
    pub active: Vec<DefId>,
    /// The operators that parameters stand for, as expressions that make sense in the present frame.
    pub operators: FxHashMap<LocalId, ExprId>,
    /// The variables that parameters stand for.
    pub variables: FxHashMap<LocalId, VarId>,
    pub growth: usize,
    /// `LET` definitions that stand where they are used.
    pub once: FxHashSet<DefId>,
    sizes: FxHashMap<DefId, usize>,
}

impl<'i> Compiler<'_, 'i> {
    /// The body of a definition with its parameters bound to arguments; nothing when it should be called.
    pub(super) fn inlined(&mut self, def: DefId, args: &[ExprId], at: ExprId) -> Option<Made<'i>> {
        let definition = &self.spec.defs[def];
        let fits = !args.is_empty()
            && args.len() == definition.params.len()
            && !definition.recursive
            && self.inlining.active.len() < DEPTH_MAX
            && !self.inlining.active.contains(&def)
            && self.levels.of_def(def) <= ir::Level::State
            && args.iter().all(|&it| self.levels.of(it) <= ir::Level::State);
        let size = match fits {
            true => self.size(def),
            false => return None,
        };
        if size > BODY_MAX || self.inlining.growth + size > GROWTH_MAX {
            return None;
        }
        // For its name and its counts, and because its own code must know nothing of these arguments.
        let (proc, _) = self.target(def);
        let mut join = Joined::new();
        join.constant = self.purity(def) == Purity::Pure;
        self.inlining.active.push(def);
        self.inlining.growth += size;
        let made = self.bound(
            Some(proc),
            (&definition.params, definition.body),
            args,
            join,
            None,
            at,
        );
        self.inlining.active.pop();
        Some(made)
    }

    /// `item \in Def(…)` where the definition is a filter of subsets, functions or the like in the present state: none of them is
    /// listed, the item is tested.
    pub(super) fn in_defined_filter(&mut self, item: ExprId, set: ExprId, at: ExprId) -> Option<Made<'i>> {
        let spec = self.spec;
        let ExprKind::Call {
            op: IrOperator::Def(def),
            args,
        } = &spec.exprs[set].kind
        else {
            return None;
        };
        let (def, definition) = (*def, &spec.defs[*def]);
        let ExprKind::SetFilter { bound, .. } = &spec.exprs[definition.body].kind else {
            return None;
        };
        let is_local = self
            .find(|frame| {
                let is_here = frame.lets.contains_key(&def) || frame.nested.contains_key(&def);
                is_here.then_some(0)
            })
            .is_some();
        let fits = !is_local
            && !self.definitions.contains_key(&def)
            && args.len() == definition.params.len()
            && !definition.recursive
            && !self.inlining.active.contains(&def)
            && self.levels.of_def(def) == ir::Level::State
            && args.iter().all(|&it| self.levels.of(it) <= ir::Level::State)
            && self.levels.of(item) <= ir::Level::State
            && self.is_wide(bound.set)
            && native::lookup(spec, def).is_none();
        if !fits || self.inlining.growth + self.size(def) > GROWTH_MAX {
            return None;
        }
        let (proc, _) = self.target(def);
        let mut join = Joined::new();
        join.constant = false;
        self.inlining.active.push(def);
        self.inlining.growth += self.size(def);
        let made = self.bound(
            Some(proc),
            (&definition.params, definition.body),
            args,
            join,
            Some(item),
            at,
        );
        self.inlining.active.pop();
        Some(made)
    }

    /// Whether a set is one of those that grow out of hand: subsets, functions, records, tuples.
    fn is_wide(&self, set: ExprId) -> bool {
        match &self.spec.exprs[set].kind {
            ExprKind::FnSet { .. } | ExprKind::RecordSet(_) | ExprKind::Times(_) => true,
            ExprKind::Builtin {
                op: Builtin::PowerSet,
                ..
            } => true,
            ExprKind::Label { body, .. } => self.is_wide(*body),
            ExprKind::Call {
                op: IrOperator::Def(def),
                ..
            } if !self.spec.defs[*def].recursive => self.is_wide(self.spec.defs[*def].body),
            _ => false,
        }
    }

    /// A call of an operator parameter that is known: its body, or a call of the definition.
    pub(super) fn known_operator(&mut self, operator: ExprId, args: &[ExprId], at: ExprId) -> Made<'i> {
        let spec = self.spec;
        match &spec.exprs[operator].kind {
            ExprKind::OpRef(op) => self.call(*op, args, at),
            ExprKind::BuiltinRef(op) => self.builtin(*op, args, at),
            ExprKind::Lambda { params, body } => {
                self.bound(None, (params, *body), args, Joined::new(), None, at)
            }
            _ => plain(Kind::Fail("an operator where a value is needed"), at),
        }
    }

    /// A body with its parameters bound to arguments; or whether an item is in it, a filter.
    fn bound(
        &mut self,
        proc: Option<ProcId>,
        (params, body): (&[LocalId], ExprId),
        args: &[ExprId],
        mut join: Joined,
        item: Option<ExprId>,
        at: ExprId,
    ) -> Made<'i> {
        let mut compiled = vec![];
        let mut operators = vec![];
        let mut renamed = vec![];
        let mut variables = vec![];
        for (&param, &arg) in params.iter().zip(args) {
            if let Some(operator) = self.operator_expr(arg) {
                operators.push((param, operator));
            } else if let Some(var) = self.variable(arg).filter(|_| !self.is_primed_param(param, body)) {
                join.constant = false;
                variables.push((param, var));
            } else if let Some(slot) = self.own_slot(arg) {
                join.read(Place { up: 0, slot });
                renamed.push((param, slot));
            } else {
                compiled.push((param, self.passed(param, body, arg, &mut join)));
            }
        }
        // Only now: the arguments may mention the same names with other meanings.
        let mark = self.frame().next;
        self.inlining.operators.extend(operators.iter().copied());
        self.inlining.variables.extend(variables.iter().copied());
        self.frame().places.extend(renamed);
        let args: Box<[BoundArg<'i>]> = compiled
            .into_iter()
            .map(|(param, arg)| BoundArg {
                param,
                slot: self.frame().place(param),
                arg,
            })
            .collect();
        let mut inner = Joined::new();
        let tested = item.and_then(|item| self.in_filter(item, body, &mut inner));
        let body = match tested {
            Some(kind) => Box::new(Code { kind, at }),
            None => {
                let code = inner.add(self.expr(body));
                Box::new(self.keep_body(body, &inner, code))
            }
        };
        self.leave(mark, inner, &mut join);
        for (param, _) in operators {
            self.inlining.operators.remove(&param);
        }
        for (param, _) in variables {
            self.inlining.variables.remove(&param);
        }
        match (proc, args.is_empty()) {
            (None, true) => join.made(body.kind, body.at),
            _ => join.made(Kind::Inlined { proc, args, body }, at),
        }
    }

    /// The variable that an argument is.
    fn variable(&self, arg: ExprId) -> Option<VarId> {
        match &self.spec.exprs[arg].kind {
            ExprKind::Decl(decl) => self.variables.get(decl).copied(),
            ExprKind::Local(local) => self.inlining.variables.get(local).copied(),
            _ => None,
        }
    }

    /// The slot of a name of this very frame: a parameter that stands for it needs none of its own.
    fn own_slot(&self, arg: ExprId) -> Option<u16> {
        match &self.spec.exprs[arg].kind {
            ExprKind::Local(local) => self.scopes.last()?.places.get(local).copied(),
            _ => None,
        }
    }

    /// The operator that an argument is, if it is one; a parameter that is known itself is looked through.
    fn operator_expr(&self, arg: ExprId) -> Option<ExprId> {
        match &self.spec.exprs[arg].kind {
            ExprKind::OpRef(IrOperator::Local(local)) => {
                Some(self.inlining.operators.get(local).copied().unwrap_or(arg))
            }
            ExprKind::OpRef(_) | ExprKind::BuiltinRef(_) | ExprKind::Lambda { .. } => Some(arg),
            _ => None,
        }
    }

    /// Whether a definition of a `LET` can stand where it is used.
    pub(super) fn is_used_once(&mut self, def: DefId, defs: &[DefId], body: ExprId) -> bool {
        let spec = self.spec;
        let definition = &spec.defs[def];
        let is_value = |it: &ir::Def| it.params.is_empty() && !it.recursive;
        let name = Name::Let(def);
        let others = || defs.iter().map(|&it| &spec.defs[it]);
        let n_uses: u32 = others().map(|it| self.mentions(name, it.body)).sum();
        is_value(definition)
            && n_uses + self.mentions(name, body) == 1
            && (is_at_hand(spec, def, body)
                || others().any(|it| is_value(it) && is_at_hand(spec, def, it.body)))
            && !self.is_applied(definition)
            && others().all(|it| self.levels.of(it.body) <= ir::Level::State)
            && self.levels.of(body) <= ir::Level::State
    }

    /// How many expressions a definition has.
    pub(super) fn size(&mut self, def: DefId) -> usize {
        let spec = self.spec;
        *self.inlining.sizes.entry(def).or_insert_with(|| {
            let mut n = 0;
            let mut todo = vec![spec.defs[def].body];
            while let Some(expr) = todo.pop() {
                tla_sema::walk(spec, expr, &mut |kind| {
                    n += 1;
                    if let ExprKind::Let { defs, .. } = kind {
                        todo.extend(defs.iter().map(|&it| spec.defs[it].body));
                    }
                });
            }
            n
        })
    }
}

/// Whether evaluating an expression comes at most once to where it uses a definition. May say no where it does.
fn is_at_hand(spec: &Spec, def: DefId, expr: ExprId) -> bool {
    let go = |it: ExprId| is_at_hand(spec, def, it);
    match &spec.exprs[expr].kind {
        ExprKind::Call {
            op: IrOperator::Def(it),
            ..
        } => *it == def,
        ExprKind::SetMap { bounds, .. } => matches!(&bounds[..], [one] if go(one.set)),
        ExprKind::SetFilter { bound, .. } | ExprKind::Choose { bound, .. } => go(bound.set),
        ExprKind::Builtin {
            op: Builtin::Union | Builtin::Cup | Builtin::Cap | Builtin::SetMinus | Builtin::Domain,
            args,
        } => args.iter().any(|&it| go(it)),
        ExprKind::Tuple(items) | ExprKind::SetEnum(items) => items.iter().any(|&it| go(it)),
        ExprKind::FnApply { function, arg } => go(*function) || go(*arg),
        ExprKind::Select { record, .. } => go(*record),
        ExprKind::If { test, .. } => go(*test),
        ExprKind::Let { body, .. } | ExprKind::Label { body, .. } => go(*body),
        _ => false,
    }
}
