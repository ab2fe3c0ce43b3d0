//! Functions that are applied, changed in places and asked for their domain, but never made.
//!
//! `[n \in Nat |-> 2 * n]` has no value here, since a value lists its arguments. Evaluating it fails; only then is the expression followed
//! to where the function is written, through names, calls and parts as evaluation itself would, and applied there to one argument. So
//! this costs nothing where functions have an end. The rows of some recursive functions are not made either ([`Kind::ApplyRow`]): a place
//! of a row may be needed to compute another one.

use super::*;

/// What is asked of an expression that is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    Value,
    Domain,
    /// Only that there is such a place.
    Place,
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// Whether evaluation has just failed because a set has no end.
    #[cold]
    #[inline(never)]
    pub(super) fn met_no_end(&self) -> bool {
        matches!(&self.error, Some(error) if matches!(error.kind, ErrorKind::Infinite { .. }))
    }

    /// The value of `f[x]` or `r.f` when the function or the record as a whole has none.
    #[inline(never)]
    pub(super) fn value_written(&mut self, code: &'i Code<'i>, at: ExprId) -> Res<'t> {
        self.error = None;
        self.part_written(code, &[], Want::Value, at)
    }

    /// `DOMAIN f`, when there is no end to something in `f`.
    #[cold]
    pub(super) fn domain_written(&mut self, function: &'i Code<'i>) -> Res<'t> {
        self.error = None;
        self.written(function, &[], Want::Domain)
    }

    /// `f[x]` or `r.f`, and then `keys`.
    fn part_written(&mut self, code: &'i Code<'i>, keys: &[Value<'t>], want: Want, at: ExprId) -> Res<'t> {
        let (whole, key) = match &code.kind {
            Kind::Apply(two) | Kind::ApplyRow(two) => (&two[0], self.operand(&two[1])?),
            Kind::Select { record, field } => (&**record, Value::Str(*field)),
            _ => return self.wanted(code, keys, want, at),
        };
        let mut path = vec![key];
        path.extend(keys);
        self.written(whole, &path, want)
    }

    /// Follows an expression, and what its value is applied to, to where that is written.
    fn written(&mut self, code: &'i Code<'i>, keys: &[Value<'t>], want: Want) -> Res<'t> {
        deep(|| match keys.split_first() {
            Some((&key, rest)) => self.written_part(code, key, rest, want),
            None => self.written_whole(code, keys, want),
        })
    }

    /// An expression whose value is applied.
    fn written_part(
        &mut self,
        code: &'i Code<'i>,
        key: Value<'t>,
        rest: &[Value<'t>],
        want: Want,
    ) -> Res<'t> {
        let at = code.at;
        let all = || {
            let mut all = vec![key];
            all.extend(rest);
            all
        };
        match (&code.kind, key) {
            (Kind::FnLiteral { bounds, body }, _) => {
                let bounds = bounds.iter().map(|it| (&it.set, &it.pattern));
                self.bind_elements(bounds, key, Symbol::new("this function"), at)?;
                self.written(body, rest, want)
            }
            (Kind::Record(fields), Value::Str(name)) => match fields.iter().find(|it| it.0 == name) {
                Some((_, field)) => self.written(field, rest, want),
                None => self.wanted(code, &all(), want, at),
            },
            (Kind::Tuple(items), Value::Int(n)) => match items.get((n as usize).wrapping_sub(1)) {
                Some(item) => self.written(item, rest, want),
                None => self.wanted(code, &all(), want, at),
            },
            (Kind::Except { function, updates }, _) => self.changed(function, updates, &all(), want, at),
            (Kind::WholeRecursive { proc, link }, _) => {
                let link = self.link_base(*link);
                self.recursive_place(*proc, link, key, rest, want, at)
            }
            _ => self.written_whole(code, &all(), want),
        }
    }

    /// A place of a recursive function.
    fn recursive_place(
        &mut self,
        proc: ProcId,
        link: usize,
        arg: Value<'t>,
        keys: &[Value<'t>],
        want: Want,
        at: ExprId,
    ) -> Res<'t> {
        if want != Want::Value {
            return self.in_application(proc, link, arg, at, |machine, body| {
                machine.written(body, keys, want)
            });
        }
        if keys.is_empty() {
            return self.apply_recursive(proc, link, arg, at);
        }
        let mut all = ArenaVec::with_capacity_in(keys.len() + 1, self.arena);
        all.push(arg);
        all.extend_from_slice(keys);
        let place = Applied::ExtraExpr(Value::tuple(all.into_bump_slice(), self.arena));
        self.remember((proc, link), place, |machine| {
            machine.in_application(proc, link, arg, at, |machine, body| {
                machine.written(body, keys, want)
            })
        })
    }

    /// A place of `[f EXCEPT ![a][b] = e, …]`. The last change counts.
    fn changed(
        &mut self,
        function: &'i Code<'i>,
        updates: &'i [Update<'i>],
        keys: &[Value<'t>],
        want: Want,
        at: ExprId,
    ) -> Res<'t> {
        let Some((update, before)) = updates.split_last() else {
            return self.written(function, keys, want);
        };
        for (step, &key) in update.path.iter().zip(keys) {
            let changed = self.eval(step)?;
            if !value::equal(changed, key).map_err(|it| self.trouble(it, &[changed, key], at))? {
                return self.changed(function, before, keys, want, at);
            }
        }
        if keys.len() < update.path.len() {
            // Somewhere inside of what is asked for, which is still there, with the same domain.
            if want != Want::Value {
                return self.changed(function, before, keys, want, at);
            }
            let value = self.changed(function, before, keys, want, at)?;
            return self.update(value, &update.path[keys.len()..], update, at);
        }
        let (place, rest) = keys.split_at(update.path.len());
        // Outside of the domain nothing changes: then there is no such place.
        match update.n_at {
            0 => self.changed(function, before, place, Want::Place, at)?,
            _ => {
                let old = self.changed(function, before, place, Want::Value, at)?;
                let index = self.base + update.at as usize;
                self.stack[index] = Cell::Value(old);
                old
            }
        };
        self.written(&update.value, rest, want)
    }

    /// An expression that is a name or a call, or is a part of another one; what is left is evaluated.
    fn written_whole(&mut self, code: &'i Code<'i>, keys: &[Value<'t>], want: Want) -> Res<'t> {
        match &code.kind {
            Kind::Local(place) => match self.cell(*place) {
                Cell::Thunk(thunk) | Cell::ByName(thunk) => {
                    let outer = (self.base, self.step.primed);
                    (self.base, self.step.primed) = (thunk.base, thunk.primed || self.step.primed);
                    let result = self.written(thunk.code, keys, want);
                    (self.base, self.step.primed) = outer;
                    result
                }
                _ => self.wanted(code, keys, want, code.at),
            },
            Kind::Call { proc, link, args } => {
                let link = self.link_base(*link);
                self.where_called(*proc, link, args, code.at, keys, want)
            }
            Kind::CallParam { place, args } => match self.cell(*place) {
                Cell::Operator(Closure { proc, link }) => {
                    self.where_called(proc, link, args, code.at, keys, want)
                }
                _ => self.wanted(code, keys, want, code.at),
            },
            Kind::Inlined { args, body, .. } => {
                self.bind_args(args)?;
                self.written(body, keys, want)
            }
            Kind::Let { slots, body } => {
                self.bind_let(slots);
                self.written(body, keys, want)
            }
            Kind::Kept { body, .. } => self.written(body, keys, want),
            Kind::If(three) => {
                let [test, yes, no] = &**three;
                let branch = if self.holds(test)? { yes } else { no };
                self.written(branch, keys, want)
            }
            Kind::Case { arms, other } => {
                for (guard, body) in arms {
                    if self.holds(guard)? {
                        return self.written(body, keys, want);
                    }
                }
                match other {
                    Some(other) => self.written(other, keys, want),
                    None => Err(self.fail(ErrorKind::NoCase, code.at)),
                }
            }
            Kind::Apply(_) | Kind::ApplyRow(_) | Kind::Select { .. } => {
                self.part_written(code, keys, want, code.at)
            }
            Kind::ApplyRecursive { proc, link, arg } => {
                let arg = self.eval(arg)?;
                let link = self.link_base(*link);
                self.recursive_place(*proc, link, arg, keys, want, code.at)
            }
            Kind::Cached(index) if self.program.cached[*index as usize].value.get().is_none() => {
                let cached = &self.program.cached[*index as usize];
                let base = self.stack.len();
                self.stack.resize(base + cached.n_slots as usize, Cell::Empty);
                let outer = std::mem::replace(&mut self.base, base);
                let result = self.written(&cached.code, keys, want);
                self.base = outer;
                self.stack.truncate(base);
                result
            }
            _ => self.wanted(code, keys, want, code.at),
        }
    }

    /// Answers where nothing can be followed any further.
    fn wanted(&mut self, code: &'i Code<'i>, keys: &[Value<'t>], want: Want, at: ExprId) -> Res<'t> {
        match (&code.kind, keys, want) {
            (_, [], Want::Place) => return Ok(Value::TRUE),
            (Kind::FnLiteral { bounds, .. }, [], Want::Domain) => {
                return self.product(bounds.iter().map(|it| &it.set));
            }
            (Kind::Except { function, .. }, [], Want::Domain) => return self.written(function, keys, want),
            (Kind::WholeRecursive { proc, link }, [], Want::Domain) => {
                let link = self.link_base(*link);
                return self.recursive_domain(*proc, link, at);
            }
            _ => {}
        }
        let mut value = self.eval(code)?;
        for &key in keys {
            value = self.apply(value, key, at)?;
        }
        match want {
            Want::Domain => value::domain(value, self.arena).map_err(|it| self.trouble(it, &[value], at)),
            Want::Value | Want::Place => Ok(value),
        }
    }

    fn where_called(
        &mut self,
        proc: ProcId,
        link: usize,
        args: &'i [Arg<'i>],
        at: ExprId,
        keys: &[Value<'t>],
        want: Want,
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
        let body = &self.program.procs[proc].body;
        let result = self.deeper(at, |machine| machine.written(body, keys, want));
        self.base = outer;
        self.stack.truncate(base);
        if result.is_err() {
            self.called(proc, at);
        }
        result
    }
}
