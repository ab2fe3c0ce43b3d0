//! Recursive functions: applied to one argument at a time, remembering what was computed on the way.

use super::*;

impl<'t, 'i: 't> Machine<'t, 'i> {
    pub(crate) fn apply_recursive(
        &mut self,
        proc: ProcId,
        link: usize,
        arg: Value<'t>,
        at: ExprId,
    ) -> Res<'t> {
        if let (Some(site), Some(_)) = (self.program.procs[proc].site, self.memo) {
            return self.recall_application(site, arg, |machine| {
                machine.apply_recursive_in_turn(proc, link, arg, at)
            });
        }
        self.apply_recursive_in_turn(proc, link, arg, at)
    }

    fn apply_recursive_in_turn(&mut self, proc: ProcId, link: usize, arg: Value<'t>, at: ExprId) -> Res<'t> {
        self.remember((proc, link), Applied::Once(arg), |machine| {
            machine.apply_recursive_anew(proc, link, arg, at)
        })
    }

    /// The value of a recursive function at a place, computed unless it has been since the recursion began.
    pub(super) fn remember(
        &mut self,
        (proc, link): (ProcId, usize),
        place: Applied<'t>,
        compute: impl FnOnce(&mut Self) -> Res<'t>,
    ) -> Res<'t> {
        let outer = self.enter_recursion(proc, link);
        let known = self.step.recursion.as_mut().and_then(|it| it.find(place));
        let result = match known {
            Some(value) => Ok(value),
            None => compute(self),
        };
        if let (Ok(value), None, Some(recursion)) = (result, known, &mut self.step.recursion) {
            recursion.keep(place, value);
        }
        self.leave_recursion(outer);
        result
    }

    /// Begins to remember the values of a recursive function, unless that is going on. Gives what was remembered before.
    pub(super) fn enter_recursion(
        &mut self,
        proc: ProcId,
        link: usize,
    ) -> Option<Option<Box<Recursion<'t>>>> {
        let of = (proc, link, self.step.primed);
        match &self.step.recursion {
            Some(it) if it.of == of => None,
            _ => {
                let new = Box::new(Recursion {
                    of,
                    n_calls: 0,
                    known: Default::default(),
                    places: Default::default(),
                });
                Some(self.step.recursion.replace(new))
            }
        }
    }

    pub(super) fn leave_recursion(&mut self, outer: Option<Option<Box<Recursion<'t>>>>) {
        if let Some(outer) = outer {
            self.step.recursion = outer;
        }
    }

    pub(super) fn apply_recursive_anew(
        &mut self,
        proc: ProcId,
        link: usize,
        arg: Value<'t>,
        at: ExprId,
    ) -> Res<'t> {
        self.in_application(proc, link, arg, at, |machine, body| machine.eval(body))
    }

    /// Does something with the body of a function, in a frame where its names have their values for an argument.
    pub(super) fn in_application(
        &mut self,
        proc: ProcId,
        link: usize,
        arg: Value<'t>,
        at: ExprId,
        then: impl FnOnce(&mut Self, &'i Code<'i>) -> Res<'t>,
    ) -> Res<'t> {
        let base = self.begin(proc, link);
        self.stack.push(Cell::Value(arg));
        self.fill_frame(proc, base);
        let outer = std::mem::replace(&mut self.base, base);
        let result = self.deeper(at, |machine| {
            machine.bind_argument(proc, arg, at)?;
            then(machine, &machine.program.procs[proc].body)
        });
        self.base = outer;
        self.stack.truncate(base);
        if result.is_err() {
            self.called(proc, at);
        }
        result
    }

    /// Gives the names of a function their values, if its domain has the argument.
    pub(crate) fn bind_argument(&mut self, proc: ProcId, arg: Value<'t>, at: ExprId) -> Result<(), Fault> {
        let proc = &self.program.procs[proc];
        let Some(domain) = &proc.domain else {
            return Err(self.fail(
                ErrorKind::Unsupported {
                    what: "this recursion",
                },
                at,
            ));
        };
        self.bind_elements(
            domain.iter().map(|(set, pattern)| (set, pattern)),
            arg,
            proc.name,
            at,
        )
    }

    /// Takes an argument apart, if each part is in its set.
    pub(super) fn bind_elements(
        &mut self,
        domain: impl ExactSizeIterator<Item = (&'i Code<'i>, &'i Pattern)> + Clone,
        arg: Value<'t>,
        name: Symbol,
        at: ExprId,
    ) -> Result<(), Fault> {
        let one = [arg];
        let parts: &[Value<'t>] = match (domain.len(), arg) {
            (1, _) => &one,
            (n, Value::Tuple(it)) if it.items.len() == n => it.items,
            _ => &[],
        };
        let mut is_inside = parts.len() == domain.len();
        for ((set, _), &part) in domain.clone().zip(parts) {
            let set = self.eval(set)?;
            is_inside = is_inside && self.contains(set, part, at)?;
        }
        if !is_inside {
            let kind = ErrorKind::NotInDomain {
                function: name.to_string(),
                arg: shown(arg),
            };
            return Err(self.fail(kind, at));
        }
        for ((_, pattern), &part) in domain.zip(parts) {
            self.bind(pattern, part, at)?;
        }
        Ok(())
    }

    /// The domain of a function that is only ever applied.
    pub(super) fn recursive_domain(&mut self, proc: ProcId, link: usize, at: ExprId) -> Res<'t> {
        let base = self.begin(proc, link);
        self.stack.push(Cell::Empty);
        self.fill_frame(proc, base);
        let outer = std::mem::replace(&mut self.base, base);
        let domain = match &self.program.procs[proc].domain {
            Some(domain) => self.product(domain.iter().map(|(set, _)| set)),
            None => Err(self.fail(
                ErrorKind::Unsupported {
                    what: "this recursion",
                },
                at,
            )),
        };
        self.base = outer;
        self.stack.truncate(base);
        domain
    }

    /// The set of all arguments: with several bounds, of tuples.
    pub(super) fn product(&mut self, sets: impl ExactSizeIterator<Item = &'i Code<'i>>) -> Res<'t> {
        let mut all = ArenaVec::with_capacity_in(sets.len(), self.arena);
        for set in sets {
            all.push(self.set(set)?);
        }
        Ok(match &all[..] {
            [one] => *one,
            _ => Value::symbolic(Symbolic::Product(all.into_bump_slice()), self.arena),
        })
    }

    pub(super) fn whole_recursive(&mut self, proc: ProcId, link: usize, at: ExprId) -> Res<'t> {
        let domain = self.recursive_domain(proc, link, at)?;
        let domain = value::enumerate(domain, self.arena).map_err(|it| self.trouble(it, &[domain], at))?;
        let mut values = ArenaVec::with_capacity_in(domain.items.len(), self.arena);
        let outer = self.enter_recursion(proc, link);
        for &item in domain.items {
            match self.apply_recursive(proc, link, item, at) {
                Ok(value) => values.push(value),
                Err(fault) => {
                    self.leave_recursion(outer);
                    return Err(fault);
                }
            }
        }
        self.leave_recursion(outer);
        Ok(Value::function(domain, values.into_bump_slice(), self.arena))
    }
}
