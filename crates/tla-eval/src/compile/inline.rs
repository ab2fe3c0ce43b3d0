//! Small definitions in the place of their calls.
//!
//! A call makes a frame, looks its operator up and checks the stack; for `s \in pc` that is most of the work. So the
//! body of a small definition is compiled where it is called, with slots of the caller's frame for its parameters, and an operator that
//! is passed to it is put in too, not looked up when it is called. Names have one binder each, so nothing is captured; but a definition
//! that is being put in already is called, or its names would have two meanings at once.
//!
//! Actions stay calls: they name steps.

use super::*;

/// Expressions in a body that is put in.
const BODY_MAX: usize = 48;
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
    pub growth: usize,
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
        let made = self.bound(Some(proc), (&definition.params, definition.body), args, join, at);
        self.inlining.active.pop();
        Some(made)
    }

    /// A call of an operator parameter that is known: its body, or a call of the definition.
    pub(super) fn known_operator(&mut self, operator: ExprId, args: &[ExprId], at: ExprId) -> Made<'i> {
        let spec = self.spec;
        match &spec.exprs[operator].kind {
            ExprKind::OpRef(op) => self.call(*op, args, at),
            ExprKind::BuiltinRef(op) => self.builtin(*op, args, at),
            ExprKind::Lambda { params, body } => self.bound(None, (params, *body), args, Joined::new(), at),
            _ => plain(Kind::Fail("an operator where a value is needed"), at),
        }
    }

    /// A body with its parameters bound to arguments.
    fn bound(
        &mut self,
        proc: Option<ProcId>,
        (params, body): (&[LocalId], ExprId),
        args: &[ExprId],
        mut join: Joined,
        at: ExprId,
    ) -> Made<'i> {
        let mut compiled = vec![];
        let mut operators = vec![];
        let mut renamed = vec![];
        for (&param, &arg) in params.iter().zip(args) {
            if let Some(operator) = self.operator_expr(arg) {
                operators.push((param, operator));
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
        let code = inner.add(self.expr(body));
        let body = Box::new(self.keep_body(body, &inner, code));
        self.leave(mark, inner, &mut join);
        for (param, _) in operators {
            self.inlining.operators.remove(&param);
        }
        match (proc, args.is_empty()) {
            (None, true) => join.made(body.kind, body.at),
            _ => join.made(Kind::Inlined { proc, args, body }, at),
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
