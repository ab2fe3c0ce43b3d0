//! Functions without an end: applied, changed in places and asked for their domain, but never made.
//!
//! `[n \in Nat |-> 2 * n]` has no value here, since a value lists its arguments. Evaluating it fails; only then is the expression followed
//! to where the function is written, through names and calls as evaluation itself would, and applied there to one argument. So this
//! costs nothing where functions have an end.

use super::*;

/// What to do where a function is written.
type Then<'f, 't, 'i> = dyn FnMut(&mut Machine<'t, 'i>, &'i Code<'i>) -> Res<'t> + 'f;

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// Whether evaluation has just failed because a set has no end.
    #[cold]
    #[inline(never)]
    pub(super) fn met_no_end(&self) -> bool {
        matches!(&self.error, Some(error) if matches!(error.kind, ErrorKind::Infinite { .. }))
    }

    /// `f[arg]`, when there is no end to something in it: to the function, if that helps.
    #[cold]
    pub(super) fn apply_endless(&mut self, two: &'i [Code<'i>; 2], at: ExprId) -> Res<'t> {
        self.error = None;
        let arg = self.operand(&two[1])?;
        self.apply_where_written(&two[0], arg, at)
    }

    fn apply_where_written(&mut self, function: &'i Code<'i>, arg: Value<'t>, at: ExprId) -> Res<'t> {
        self.where_written(function, &mut |machine, code| match &code.kind {
            Kind::FnLiteral { bounds, body } => {
                machine.bind_each(bounds, arg, at)?;
                machine.eval(body)
            }
            Kind::Except { function, updates } => {
                let mut value = machine.apply_where_written(function, arg, at)?;
                for update in updates {
                    let Some((first, rest)) = update.path.split_first() else {
                        continue;
                    };
                    let changed = machine.eval(first)?;
                    if value::equal(changed, arg).map_err(|it| machine.trouble(it, &[changed, arg], at))? {
                        value = machine.update(value, rest, update, at)?;
                    }
                }
                Ok(value)
            }
            Kind::WholeRecursive { proc, link } => {
                let link = machine.link_base(*link);
                machine.apply_recursive(*proc, link, arg, at)
            }
            _ => {
                let function = machine.eval(code)?;
                machine.apply(function, arg, at)
            }
        })
    }

    /// `DOMAIN f`, when there is no end to something in `f`.
    #[cold]
    pub(super) fn endless_domain(&mut self, function: &'i Code<'i>, at: ExprId) -> Res<'t> {
        self.error = None;
        self.where_written(function, &mut |machine, code| match &code.kind {
            Kind::FnLiteral { bounds, .. } => {
                let mut sets = ArenaVec::with_capacity_in(bounds.len(), machine.arena);
                for bound in bounds {
                    sets.push(machine.set(&bound.set)?);
                }
                Ok(match &sets[..] {
                    [one] => *one,
                    _ => Value::symbolic(Symbolic::Product(sets.into_bump_slice()), machine.arena),
                })
            }
            Kind::Except { function, .. } => machine.endless_domain(function, at),
            Kind::WholeRecursive { proc, link } => {
                let link = machine.link_base(*link);
                machine.recursive_domain(*proc, link, at)
            }
            _ => {
                let function = machine.eval(code)?;
                value::domain(function, machine.arena).map_err(|it| machine.trouble(it, &[function], at))
            }
        })
    }

    /// Gives the names of a function their values, if its domain has the argument.
    fn bind_each(&mut self, bounds: &'i [Bound<'i>], arg: Value<'t>, at: ExprId) -> Result<(), Fault> {
        let args = match (bounds, arg) {
            ([_], arg) => vec![arg],
            (_, Value::Tuple(it)) if it.items.len() == bounds.len() => it.items.to_vec(),
            _ => vec![],
        };
        let mut is_inside = args.len() == bounds.len();
        for (bound, &arg) in bounds.iter().zip(&args) {
            let set = self.eval(&bound.set)?;
            is_inside = is_inside && self.contains(set, arg, at)?;
        }
        if !is_inside {
            let kind = ErrorKind::NotInDomain {
                function: "this function".to_owned(),
                arg: shown(arg),
            };
            return Err(self.fail(kind, at));
        }
        for (bound, arg) in bounds.iter().zip(args) {
            self.bind(&bound.pattern, arg, at)?;
        }
        Ok(())
    }

    /// Follows an expression to what it stands for, and does something there, in the frame where that is written.
    fn where_written(&mut self, code: &'i Code<'i>, then: &mut Then<'_, 't, 'i>) -> Res<'t> {
        deep(|| self.where_written_here(code, then))
    }

    fn where_written_here(&mut self, code: &'i Code<'i>, then: &mut Then<'_, 't, 'i>) -> Res<'t> {
        match &code.kind {
            Kind::Local(place) => match self.cell(*place) {
                Cell::Thunk(thunk) | Cell::ByName(thunk) => {
                    let outer = (self.base, self.step.primed);
                    (self.base, self.step.primed) = (thunk.base, thunk.primed || self.step.primed);
                    let result = self.where_written(thunk.code, then);
                    (self.base, self.step.primed) = outer;
                    result
                }
                _ => then(self, code),
            },
            Kind::Call { proc, link, args } => {
                let link = self.link_base(*link);
                self.where_called(*proc, link, args, code.at, then)
            }
            Kind::CallParam { place, args } => match self.cell(*place) {
                Cell::Operator(Closure { proc, link }) => self.where_called(proc, link, args, code.at, then),
                _ => then(self, code),
            },
            Kind::Inlined { args, body, .. } => {
                self.bind_args(args)?;
                self.where_written(body, then)
            }
            Kind::Let { slots, body } => {
                self.bind_let(slots);
                self.where_written(body, then)
            }
            Kind::Kept { body, .. } => self.where_written(body, then),
            Kind::If(three) => {
                let [test, yes, no] = &**three;
                let branch = if self.holds(test)? { yes } else { no };
                self.where_written(branch, then)
            }
            Kind::Cached(index) if self.program.cached[*index as usize].value.get().is_none() => {
                let cached = &self.program.cached[*index as usize];
                let base = self.stack.len();
                self.stack.resize(base + cached.n_slots as usize, Cell::Empty);
                let outer = std::mem::replace(&mut self.base, base);
                let result = self.where_written(&cached.code, then);
                self.base = outer;
                self.stack.truncate(base);
                result
            }
            _ => then(self, code),
        }
    }

    fn where_called(
        &mut self,
        proc: ProcId,
        link: usize,
        args: &'i [Arg<'i>],
        at: ExprId,
        then: &mut Then<'_, 't, 'i>,
    ) -> Res<'t> {
        let base = self.begin(proc, link);
        // What is passed may be the function: it must not be evaluated before.
        for arg in args {
            let cell = match arg {
                Arg::Value(code) | Arg::Lazy(code) => match self.known(code) {
                    Some(value) => Cell::Value(value),
                    None => Cell::Thunk(Thunk {
                        code,
                        base: self.base,
                        primed: self.step.primed,
                    }),
                },
                Arg::ByName(_) | Arg::Operator(_) => self.argument(arg)?,
            };
            self.stack.push(cell);
        }
        self.fill_frame(proc, base);
        let outer = std::mem::replace(&mut self.base, base);
        let body = &self.program.procs[proc as usize].body;
        let result = self.deeper(at, |machine| machine.where_written(body, then));
        self.base = outer;
        self.stack.truncate(base);
        if result.is_err() {
            self.called(proc, at);
        }
        result
    }
}
