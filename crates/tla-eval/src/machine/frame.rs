//! Frames: where names are, how arguments get there, and calls.

use super::*;

impl<'t, 'i: 't> Machine<'t, 'i> {
    #[inline(always)]
    pub(crate) fn frame(&self, up: u16) -> usize {
        match up {
            0 => self.base,
            _ => self.frame_from(self.base, up),
        }
    }

    pub(crate) fn frame_from(&self, mut base: usize, up: u16) -> usize {
        for _ in 0..up {
            match self.stack[base] {
                Cell::Link(link) => base = link,
                _ => unreachable!("a linked frame begins with its link"),
            }
        }
        base
    }

    #[inline]
    pub(crate) fn read(&mut self, place: Place) -> Res<'t> {
        let index = self.frame(place.up) + place.slot as usize;
        match self.stack[index] {
            Cell::Value(value) => Ok(value),
            Cell::Thunk(thunk) => self.force(index, thunk),
            Cell::ByName(thunk) => {
                let (base, primed) = (self.base, self.step.primed);
                (self.base, self.step.primed) = (thunk.base, thunk.primed || primed);
                let reads = self.next_reads;
                let result = deep(|| self.eval(thunk.code));
                (self.base, self.step.primed) = (base, primed);
                if let Ok(Value::Bool(_)) = result
                    && !primed
                    && !thunk.primed
                    && self.next_reads == reads
                {
                    self.note_truth(index, thunk);
                }
                result
            }
            Cell::Empty | Cell::Link(_) | Cell::Operator(_) => {
                unreachable!("a slot is filled before it is read")
            }
        }
    }

    pub(crate) fn force(&mut self, index: usize, thunk: Thunk<'i>) -> Res<'t> {
        let (base, primed) = (self.base, self.step.primed);
        (self.base, self.step.primed) = (thunk.base, thunk.primed);
        let reads = self.next_reads;
        let result = deep(|| self.eval(thunk.code));
        (self.base, self.step.primed) = (base, primed);
        let value = result?;
        self.stack[index] = Cell::Value(value);
        if let Some(trail) = &mut self.step.trail {
            let is_of_step =
                thunk.primed || self.next_reads != reads || trail.last().is_some_and(|it| it.is_of_step);
            trail.push(Forced {
                index,
                thunk,
                is_of_step,
                by_name: false,
            });
        }
        Ok(value)
    }

    /// Notes that a formula which was passed by name has a truth value in the state.
    fn note_truth(&mut self, index: usize, thunk: Thunk<'i>) {
        if self.has_truth(index, thunk) {
            return;
        }
        if let Some(trail) = &mut self.step.trail {
            let is_of_step = trail.last().is_some_and(|it| it.is_of_step);
            trail.push(Forced {
                index,
                thunk,
                is_of_step,
                by_name: true,
            });
        }
    }

    /// Whether what was passed by name to a cell was evaluated as a truth value of the state.
    pub(crate) fn has_truth(&self, index: usize, thunk: Thunk<'i>) -> bool {
        let trail = self.step.trail.as_deref().unwrap_or_default();
        // Another frame may have been there.
        let is_same = |it: &Forced<'i>| it.index == index && std::ptr::eq(it.thunk.code, thunk.code);
        trail.iter().any(|it| it.by_name && is_same(it))
    }

    pub(crate) fn cell(&self, place: Place) -> Cell<'t, 'i> {
        self.cell_from(place, self.base)
    }

    /// The cell of a place as seen from another frame.
    pub(crate) fn cell_from(&self, place: Place, base: usize) -> Cell<'t, 'i> {
        self.stack[self.frame_from(base, place.up) + place.slot as usize]
    }

    pub(super) fn closure(&self, operator: Operator) -> Closure {
        match operator {
            Operator::Proc { proc, link } => Closure {
                proc,
                link: link.map_or(0, |up| self.frame(up)),
            },
            Operator::Param(place) => match self.cell(place) {
                Cell::Operator(closure) => closure,
                _ => unreachable!("an operator parameter holds an operator"),
            },
        }
    }

    /// Puts arguments on the stack as the first cells of a new frame.
    pub(crate) fn push_args(&mut self, args: &'i [Arg<'i>]) -> Result<(), Fault> {
        for arg in args {
            let cell = self.argument(arg)?;
            self.stack.push(cell);
        }
        Ok(())
    }

    /// As [`Machine::push_args`], for an operator that was not known where the arguments were written: what it primes is passed by
    /// name.
    pub(crate) fn push_args_of(&mut self, proc: ProcId, args: &'i [Arg<'i>]) -> Result<(), Fault> {
        let primed = &self.program.procs[proc].primed;
        for (i, arg) in args.iter().enumerate() {
            let cell = match arg {
                Arg::Lazy(code) if primed.get(i) == Some(&true) => Cell::ByName(Thunk {
                    code,
                    base: self.base,
                    primed: self.step.primed,
                }),
                _ => self.argument(arg)?,
            };
            self.stack.push(cell);
        }
        Ok(())
    }

    /// Puts the arguments of an inlined body into their slots.
    #[inline]
    pub(crate) fn bind_args(&mut self, args: &'i [BoundArg<'i>]) -> Result<(), Fault> {
        for BoundArg { slot, arg, .. } in args {
            let cell = self.argument(arg)?;
            let index = self.base + *slot as usize;
            self.stack[index] = cell;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn argument(&mut self, arg: &'i Arg<'i>) -> Result<Cell<'t, 'i>, Fault> {
        Ok(match arg {
            // Perhaps only a part of it is read.
            Arg::Value(code) if self.tracking && matches!(code.kind, Kind::Var(_)) => Cell::Thunk(Thunk {
                code,
                base: self.base,
                primed: self.step.primed,
            }),
            Arg::Value(code) => match self.operand(code) {
                Ok(value) => Cell::Value(value),
                // It may be the formula that gives a variable its value.
                Err(Fault::Unassigned(_)) => Cell::Thunk(Thunk {
                    code,
                    base: self.base,
                    primed: self.step.primed,
                }),
                Err(Fault::Error) => return Err(Fault::Error),
            },
            Arg::Lazy(code) => match self.known(code) {
                Some(value) => Cell::Value(value),
                None => Cell::Thunk(Thunk {
                    code,
                    base: self.base,
                    primed: self.step.primed,
                }),
            },
            Arg::ByName(code) => Cell::ByName(Thunk {
                code,
                base: self.base,
                primed: self.step.primed,
            }),
            Arg::Operator(operator) => Cell::Operator(self.closure(*operator)),
        })
    }

    /// Evaluates, or tests, an inlined body.
    #[inline]
    pub(crate) fn in_place<T>(
        &mut self,
        proc: Option<ProcId>,
        args: &'i [BoundArg<'i>],
        at: ExprId,
        run: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.bind_args(args)?;
        if let Some(proc) = proc {
            self.count(proc);
        }
        let result = run(self);
        if let (true, Some(proc)) = (result.is_err(), proc) {
            self.called(proc, at);
        }
        result
    }

    /// Begins a frame; the caller pushes arguments and then calls [`Machine::enter`].
    pub(crate) fn begin(&mut self, proc: ProcId, link: usize) -> usize {
        let base = self.stack.len();
        if self.program.procs[proc].linked {
            self.stack.push(Cell::Link(link));
        }
        base
    }

    pub(crate) fn fill_frame(&mut self, proc: ProcId, base: usize) {
        let n_slots = self.program.procs[proc].n_slots as usize;
        self.stack.resize(base + n_slots, Cell::Empty);
    }

    pub(crate) fn link_base(&self, link: Option<u16>) -> usize {
        link.map_or(0, |up| self.frame(up))
    }

    pub(crate) fn call_code(
        &mut self,
        proc: ProcId,
        link: usize,
        args: &'i [Arg<'i>],
        at: ExprId,
    ) -> Res<'t> {
        if let Some(site) = self.program.procs[proc].site
            && let Some(value) = self.memo_call_at_hand(site, args)
        {
            return Ok(value);
        }
        let base = self.begin(proc, link);
        if let Err(fault) = self.push_args(args) {
            self.stack.truncate(base);
            return Err(fault);
        }
        self.enter_or_recall(proc, base, at)
    }

    /// As [`Machine::call_code`], for an operator parameter.
    pub(super) fn call_operator(&mut self, closure: Closure, args: &'i [Arg<'i>], at: ExprId) -> Res<'t> {
        let Closure { proc, link } = closure;
        if self.program.procs[proc].primed.is_empty() {
            return self.call_code(proc, link, args, at);
        }
        let base = self.begin(proc, link);
        if let Err(fault) = self.push_args_of(proc, args) {
            self.stack.truncate(base);
            return Err(fault);
        }
        self.enter(proc, base, at)
    }

    /// Calls a proc whose arguments are on the stack, unless its value for them is kept.
    fn enter_or_recall(&mut self, proc: ProcId, base: usize, at: ExprId) -> Res<'t> {
        match self.program.procs[proc].site {
            Some(site) if self.memo.is_some() => {
                self.recall_call(site, base, |machine| machine.enter(proc, base, at))
            }
            _ => self.enter(proc, base, at),
        }
    }

    /// A call without arguments in a state that stays.
    pub(super) fn memo_call(&mut self, proc: ProcId, at: ExprId) -> Res<'t> {
        let Some(memo) = self.program.procs[proc].memo else {
            return self.call_code(proc, 0, &[], at);
        };
        let memo = memo as usize;
        if let Some(&Some(value)) = self.state.memos.get(memo) {
            self.count(proc);
            return Ok(value);
        }
        let value = self.call_code(proc, 0, &[], at)?;
        if self.state.memos.len() <= memo {
            self.state.memos.resize(self.program.n_memos as usize, None);
        }
        self.state.memos[memo] = Some(value);
        Ok(value)
    }

    pub(super) fn enter(&mut self, proc: ProcId, base: usize, at: ExprId) -> Res<'t> {
        self.count(proc);
        self.fill_frame(proc, base);
        let outer = std::mem::replace(&mut self.base, base);
        let body = &self.program.procs[proc].body;
        let result = self.deeper(at, |machine| machine.eval(body));
        self.base = outer;
        self.stack.truncate(base);
        if result.is_err() {
            self.called(proc, at);
        }
        result
    }

    /// One call deeper.
    pub(crate) fn deeper<T>(
        &mut self,
        at: ExprId,
        step: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        if self.depth == DEPTH_MAX {
            return Err(self.fail(ErrorKind::TooDeep { depth_max: DEPTH_MAX }, at));
        }
        self.go_on_working(at)?;
        self.depth += 1;
        let result = deep(|| step(self));
        self.depth -= 1;
        result
    }

    /// Calls a proc with values.
    pub fn call(&mut self, proc: ProcId, link: usize, args: &[Value<'t>]) -> Res<'t> {
        let base = self.begin(proc, link);
        self.stack.extend(args.iter().map(|&it| Cell::Value(it)));
        let at = self.program.procs[proc].body.at;
        self.enter_or_recall(proc, base, at)
    }

    pub fn call_closure(&mut self, closure: Closure, args: &[Value<'t>]) -> Res<'t> {
        self.call(closure.proc, closure.link, args)
    }
}
