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
        if let (Some(site), Some(_)) = (self.program.procs[proc as usize].site, self.keeping) {
            return self.recall_application(site, arg, |machine| {
                machine.apply_recursive_in_turn(proc, link, arg, at)
            });
        }
        self.apply_recursive_in_turn(proc, link, arg, at)
    }

    fn apply_recursive_in_turn(&mut self, proc: ProcId, link: usize, arg: Value<'t>, at: ExprId) -> Res<'t> {
        let outer = self.enter_recursion(proc, link);
        let known = self.step.recursion.as_mut().and_then(|it| it.find(arg));
        let result = match known {
            Some(value) => Ok(value),
            None => self.apply_recursive_anew(proc, link, arg, at),
        };
        if let (Ok(value), None, Some(recursion)) = (result, known, &mut self.step.recursion) {
            recursion.keep(arg, value);
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
        let base = self.begin(proc, link);
        self.stack.push(Cell::Value(arg));
        self.fill_frame(proc, base);
        let outer = std::mem::replace(&mut self.base, base);
        let result = self.deeper(at, |machine| machine.recursive_body(proc, arg, at));
        self.base = outer;
        self.stack.truncate(base);
        if result.is_err() {
            self.called(proc, at);
        }
        result
    }

    pub(super) fn recursive_body(&mut self, proc: ProcId, arg: Value<'t>, at: ExprId) -> Res<'t> {
        self.bind_argument(proc, arg, at)?;
        let body = &self.program.procs[proc as usize].body;
        self.eval(body)
    }

    /// Gives the names of a function their values, if its domain has the argument.
    pub(crate) fn bind_argument(&mut self, proc: ProcId, arg: Value<'t>, at: ExprId) -> Result<(), Fault> {
        let proc = &self.program.procs[proc as usize];
        let Some((domain, pattern)) = &proc.domain else {
            return Err(self.fail(
                ErrorKind::Unsupported {
                    what: "this recursion",
                },
                at,
            ));
        };
        let domain = self.eval(domain)?;
        if !self.contains(domain, arg, at)? {
            let kind = ErrorKind::NotInDomain {
                function: proc.name.to_string(),
                arg: shown(arg),
            };
            return Err(self.fail(kind, at));
        }
        self.bind(pattern, arg, at)
    }

    /// The domain of a function that is only ever applied.
    pub(super) fn recursive_domain(&mut self, proc: ProcId, link: usize, at: ExprId) -> Res<'t> {
        let base = self.begin(proc, link);
        self.stack.push(Cell::Empty);
        self.fill_frame(proc, base);
        let outer = std::mem::replace(&mut self.base, base);
        let domain = match &self.program.procs[proc as usize].domain {
            Some((domain, _)) => self.eval(domain),
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
