//! Sets: elements, membership where a filter has to be asked, and what binders build.

use super::*;

impl<'t, 'i: 't> Machine<'t, 'i> {
    pub(crate) fn elements(&mut self, set: Value<'t>, at: ExprId) -> Result<Elements<'t>, Fault> {
        elements(set, self.arena).map_err(|trouble| self.trouble(trouble, &[set], at))
    }

    pub(crate) fn contains(&mut self, set: Value<'t>, item: Value<'t>, at: ExprId) -> Result<bool, Fault> {
        value::contains(set, item).or_else(|trouble| match trouble {
            Trouble::Filtered => self.contains_filtered(set, item, at),
            other => Err(other).map_err(|it| self.not_contained(it, set, item, at)),
        })
    }

    /// Membership in a set that has a filter somewhere inside.
    pub(super) fn contains_filtered(
        &mut self,
        set: Value<'t>,
        item: Value<'t>,
        at: ExprId,
    ) -> Result<bool, Fault> {
        let Value::Symbolic(symbolic) = set else {
            return self.contains(set, item, at);
        };
        let each = |machine: &mut Self, sets: &mut dyn Iterator<Item = (Value<'t>, Value<'t>)>| {
            for (set, item) in sets {
                if !machine.contains(set, item, at)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        match (symbolic, item) {
            (Symbolic::Filter(base, test, captured), _) => {
                if !self.contains(*base, item, at)? {
                    return Ok(false);
                }
                let args: Vec<Value<'t>> = std::iter::once(item).chain(captured.iter().copied()).collect();
                let value = self.call(ProcId::new(*test), 0, &args)?;
                self.boolean(value, at)
            }
            (Symbolic::Functions(domain, range), _) => {
                let own = value::domain(item, self.arena).map_err(|it| self.trouble(it, &[item], at))?;
                let same = match value::equal(own, *domain) {
                    Ok(same) => same,
                    Err(Trouble::Mismatch) => false,
                    Err(trouble) => return Err(self.trouble(trouble, &[own, *domain], at)),
                };
                let pairs = self.graph(item, at)?;
                Ok(same && each(self, &mut pairs.iter().map(|&(_, value)| (*range, value)))?)
            }
            (Symbolic::Product(sets), Value::Tuple(it)) => {
                each(self, &mut sets.iter().copied().zip(it.items.iter().copied()))
            }
            (Symbolic::Records(_, sets), Value::Record(it)) => {
                each(self, &mut sets.iter().copied().zip(it.values.iter().copied()))
            }
            (Symbolic::Sequences(base) | Symbolic::BoundedSequences(base, _), Value::Tuple(it)) => {
                each(self, &mut it.items.iter().map(|&item| (*base, item)))
            }
            (Symbolic::Power(base), _) => {
                let mut items = self.elements(item, at)?;
                while let Some(item) = items.next(self.arena) {
                    self.go_on_working(at)?;
                    if !self.contains(*base, item, at)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Symbolic::Union(a, b), _) => Ok(self.contains(*a, item, at)? || self.contains(*b, item, at)?),
            (Symbolic::Intersection(a, b), _) => {
                Ok(self.contains(*a, item, at)? && self.contains(*b, item, at)?)
            }
            (Symbolic::Difference(a, b), _) => {
                Ok(self.contains(*a, item, at)? && !self.contains(*b, item, at)?)
            }
            _ => Err(self.trouble(Trouble::Unsupported, &[set, item], at)),
        }
    }

    /// The elements of `set` that are, or are not, in another one with a filter inside.
    pub(super) fn kept(&mut self, set: Value<'t>, other: Value<'t>, inside: bool, at: ExprId) -> Res<'t> {
        let mut items = self.elements(set, at)?;
        let mut kept = ArenaVec::new_in(self.arena);
        while let Some(item) = items.next(self.arena) {
            self.go_on_working(at)?;
            if self.contains(other, item, at)? == inside {
                kept.push(item);
            }
        }
        self.make_set(kept, at)
    }

    pub(crate) fn make_set(&mut self, items: ArenaVec<'t, Value<'t>>, at: ExprId) -> Res<'t> {
        Value::set_of(items, self.arena).map_err(|it| self.trouble(it.trouble, &it.pair, at))
    }

    pub(super) fn choose(
        &mut self,
        bound: &'i Bound<'i>,
        body: &'i Code<'i>,
        is_unique_choice: bool,
        at: ExprId,
    ) -> Res<'t> {
        let set = self.bound_set(bound)?;
        if is_unique_choice
            && !self.tracking
            && self.program.counts.is_empty()
            && let Some(item) = self.only(set, bound, body)?
        {
            return Ok(item);
        }
        // The least witness: the same whatever way the set was built.
        let set = match set {
            Value::Symbolic(Symbolic::Interval(..)) | Value::Set(_) | Value::Bits(_) => set,
            _ => value::spell_out(set, self.arena).map_err(|it| self.trouble(it, &[set], bound.set.at))?,
        };
        let mut items = self.elements(set, bound.set.at)?;
        let prefilter = self.prefilter(bound, &items)?;
        prefilter.pass(&mut items);
        while let Some(item) = items.next(self.arena) {
            self.go_on_working(bound.set.at)?;
            let look = prefilter.look(item);
            if look == Look::Shut {
                continue;
            }
            self.bind(&bound.pattern, item, bound.set.at)?;
            if self.holds_after(look, body)? {
                return Ok(item);
            }
            prefilter.pass(&mut items);
        }
        Err(self.fail(ErrorKind::NoWitness { set: shown(set) }, at))
    }

    pub(super) fn filter(
        &mut self,
        bound: &'i Bound<'i>,
        body: &'i Code<'i>,
        test: Option<&'i Test>,
        at: ExprId,
    ) -> Res<'t> {
        if let Some(items) = self.listed(&bound.set)? {
            let kept = self.passing(bound, body, items, Value::empty_set())?;
            return self.make_set(kept, at);
        }
        let set = self.bound_set(bound)?;
        if let (Some(test), Ok(false) | Err(Trouble::Infinite)) = (test, value::is_finite(set)) {
            let mut captured = ArenaVec::with_capacity_in(test.captured.len(), self.arena);
            for &place in &test.captured {
                captured.push(self.read(place)?);
            }
            let filter = Symbolic::Filter(set, test.proc.raw(), captured.into_bump_slice());
            return Ok(Value::symbolic(filter, self.arena));
        }
        let items = self.elements(set, bound.set.at)?;
        let kept = self.passing(bound, body, items, set)?;
        // What is left of a sorted list is sorted.
        match set {
            Value::Set(_) | Value::Bits(_) | Value::Symbolic(Symbolic::Interval(..)) => {
                Ok(Value::sorted_set(kept.into_bump_slice(), self.arena))
            }
            _ => self.make_set(kept, at),
        }
    }

    /// The elements of a set that pass.
    fn passing(
        &mut self,
        bound: &'i Bound<'i>,
        body: &'i Code<'i>,
        mut items: Elements<'t>,
        set: Value<'t>,
    ) -> Result<ArenaVec<'t, Value<'t>>, Fault> {
        self.narrow_loop(&mut items, bound, body, true);
        let mut kept = ArenaVec::with_capacity_in(items.least_len(), self.arena);
        if bound.prefilter.is_none() {
            while let Some(item) = items.next(self.arena) {
                self.go_on_working(bound.set.at)?;
                self.check_scratch(set, bound.set.at)?;
                self.bind(&bound.pattern, item, bound.set.at)?;
                if self.holds(body)? {
                    kept.push(item);
                }
            }
            return Ok(kept);
        }
        let prefilter = self.prefilter(bound, &items)?;
        prefilter.pass(&mut items);
        while let Some(item) = items.next(self.arena) {
            self.go_on_working(bound.set.at)?;
            let look = prefilter.look(item);
            if look == Look::Shut {
                continue;
            }
            self.check_scratch(set, bound.set.at)?;
            self.bind(&bound.pattern, item, bound.set.at)?;
            if self.holds_after(look, body)? {
                kept.push(item);
            }
            prefilter.pass(&mut items);
        }
        Ok(kept)
    }

    pub(super) fn image(&mut self, bounds: &'i [Bound<'i>], body: &'i Code<'i>, at: ExprId) -> Res<'t> {
        let [bound] = bounds else {
            let mut all = ArenaVec::new_in(self.arena);
            self.each(bounds, &mut |machine| {
                let value = machine.eval(body)?;
                all.push(value);
                Ok(false)
            })?;
            return self.make_set(all, at);
        };
        let all = self.images(bound, body)?;
        self.make_set(all, at)
    }

    /// What the body is for each element, in any order.
    fn images(&mut self, bound: &'i Bound<'i>, body: &'i Code<'i>) -> Result<ArenaVec<'t, Value<'t>>, Fault> {
        let (mut items, set) = match self.listed(&bound.set)? {
            Some(items) => (items, Value::empty_set()),
            None => {
                let set = self.bound_set(bound)?;
                (self.elements(set, bound.set.at)?, set)
            }
        };
        let mut all = ArenaVec::with_capacity_in(items.least_len(), self.arena);
        while let Some(item) = items.next(self.arena) {
            self.go_on_working(bound.set.at)?;
            self.check_scratch(set, bound.set.at)?;
            self.bind(&bound.pattern, item, bound.set.at)?;
            all.push(self.operand(body)?);
        }
        Ok(all)
    }

    /// The elements of a set that is built only to be gone through, without sorting it; nothing where it has to be evaluated.
    fn listed(&mut self, code: &'i Code<'i>) -> Result<Option<Elements<'t>>, Fault> {
        /// More are sorted: then equal ones are found sooner.
        const FEW: usize = 6;
        let mut all = match &code.kind {
            Kind::Map { bounds, body } if let [bound] = &bounds[..] => self.images(bound, body)?,
            Kind::Filter { bound, body, .. } => {
                let Some(items) = self.listed(&bound.set)? else {
                    return Ok(None);
                };
                let kept = self.passing(bound, body, items, Value::empty_set())?;
                return Ok(Some(Elements::listed(kept.into_bump_slice())));
            }
            _ => return Ok(None),
        };
        if all.len() > FEW {
            let set = self.make_set(all, code.at)?;
            return self.elements(set, code.at).map(Some);
        }
        let mut n = 0;
        for i in 0..all.len() {
            let item = all[i];
            let mut is_new = true;
            for &other in &all[..n] {
                let is_same =
                    value::equal(item, other).map_err(|it| self.trouble(it, &[other, item], code.at))?;
                is_new &= !is_same;
            }
            if is_new {
                all[n] = item;
                n += 1;
            }
        }
        all.truncate(n);
        Ok(Some(Elements::listed(all.into_bump_slice())))
    }

    pub(super) fn function(&mut self, bounds: &'i [Bound<'i>], body: &'i Code<'i>, at: ExprId) -> Res<'t> {
        if let [bound] = bounds {
            // Over `1..n` or sorted elements the values come in the order of the domain.
            let set = self.eval(&bound.set)?;
            let domain =
                value::enumerate(set, self.arena).map_err(|it| self.trouble(it, &[set], bound.set.at))?;
            let mut values = ArenaVec::with_capacity_in(domain.items.len(), self.arena);
            for &item in domain.items {
                self.go_on_working(bound.set.at)?;
                self.bind(&bound.pattern, item, bound.set.at)?;
                values.push(self.eval(body)?);
            }
            return Ok(Value::function(domain, values.into_bump_slice(), self.arena));
        }
        let mut pairs = ArenaVec::new_in(self.arena);
        let arena = self.arena;
        let mut key = |machine: &mut Self| -> Result<bool, Fault> {
            let mut parts = ArenaVec::with_capacity_in(bounds.len(), arena);
            for bound in bounds {
                parts.push(machine.bound_value(&bound.pattern));
            }
            let value = machine.eval(body)?;
            pairs.push((Value::tuple_in(parts.into_bump_slice(), arena), value));
            Ok(false)
        };
        self.each(bounds, &mut key)?;
        value::from_pairs(pairs, self.arena).map_err(|it| self.trouble(it, &[], at))
    }

    /// What a pattern was bound to.
    pub(super) fn bound_value(&self, pattern: &Pattern) -> Value<'t> {
        let slot = |slot: u16| match self.stack[self.base + slot as usize] {
            Cell::Value(value) => value,
            _ => unreachable!("a bound name holds a value"),
        };
        match pattern {
            Pattern::One(it) => slot(*it),
            Pattern::Tuple(slots) => {
                let items = self.arena.alloc_slice_fill_iter(slots.iter().map(|&it| slot(it)));
                Value::tuple_in(items, self.arena)
            }
        }
    }
}
