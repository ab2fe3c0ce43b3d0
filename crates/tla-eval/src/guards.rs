//! Conjuncts of a quantifier over several names that are decided before the last name is bound.
//!
//! In `\A i, j, k \in S : P(i) /\ Q(j) => R(i, j, k)` the first conjunct is the same for all `j` and `k`, so it is asked once for each `i`; where it is false
//! nothing is left to be asked for this `i`. The order of the conjuncts stays: one is asked early only when all before it are. What is asked early
//! would be asked first of the first combination too, so an error is met at the same place; that there is such a combination is looked
//! at before. Sets of the bounds do not mention the other names, and are evaluated once.

use value::Value;

use crate::code::{Bound, Code, Kind, Operator, Pattern, Place};
use crate::error::Fault;
use crate::machine::Machine;

/// What is asked of every combination first, and then the rest.
#[derive(Clone, Copy)]
struct Body<'c, 'i> {
    guards: &'c [Code<'i>],
    /// A guard that has this value ends the question about a combination.
    ends: bool,
    /// What decides where no guard does.
    other: Option<&'c Code<'i>>,
    /// What the quantifier looks for.
    wanted: bool,
}

impl<'c, 'i> Body<'c, 'i> {
    fn of(body: &'c Code<'i>, wanted: bool) -> Body<'c, 'i> {
        let conjuncts = |code: &'c Code<'i>| match &code.kind {
            Kind::And(items) => &items[..],
            _ => std::slice::from_ref(code),
        };
        let (guards, ends, other) = match (&body.kind, wanted) {
            (Kind::And(items), true) => (&items[..], false, None),
            (Kind::Or(items), false) => (&items[..], true, None),
            (Kind::Implies(two), false) => (conjuncts(&two[0]), false, Some(&two[1])),
            _ => (&[][..], false, Some(body)),
        };
        Body {
            guards,
            ends,
            other,
            wanted,
        }
    }
}

/// Says of each bound how many guards are decided when its name is bound. The sets and the body have no effects.
pub(crate) fn place(bounds: &mut [Bound<'_>], body: &Code<'_>, wanted: bool) {
    let mut names = vec![];
    for bound in &*bounds {
        // Elements that do not fit a pattern are an error, whatever a guard says of those before.
        let Pattern::One(slot) = bound.pattern else { return };
        names.push(slot);
    }
    let Some(last) = names.len().checked_sub(1) else {
        return;
    };
    bounds.iter_mut().for_each(|it| it.n_guards = Some(0));
    let mut level = 0;
    for (n, guard) in Body::of(body, wanted).guards.iter().enumerate() {
        level = level.max(level_of(guard, &names));
        if level == last {
            break;
        }
        for bound in &mut bounds[level..] {
            bound.n_guards = Some(n as u16 + 1);
        }
    }
}

/// The last of the names that an expression may depend on; the first one where it depends on none.
fn level_of(code: &Code<'_>, names: &[u16]) -> usize {
    let last = names.len() - 1;
    let is_linked = |it: &Operator| !matches!(it, Operator::Proc { link: None, .. });
    let own = match &code.kind {
        Kind::Local(Place { up: 0, slot }) => names.iter().position(|it| it == slot).unwrap_or(0),
        // The names may be those of this frame, seen from another one.
        Kind::Local(_)
        | Kind::CallParam { .. }
        | Kind::Call { link: Some(_), .. }
        | Kind::ApplyRecursive { link: Some(_), .. }
        | Kind::WholeRecursive { link: Some(_), .. } => last,
        Kind::Call { args, .. } | Kind::Native { args, .. }
            if args.iter().any(|it| it.operator().is_some_and(is_linked)) =>
        {
            last
        }
        Kind::Inlined { args, .. } if args.iter().any(|it| it.arg.operator().is_some_and(is_linked)) => last,
        _ => 0,
    };
    let mut level = own;
    code.children(&mut |it| {
        if level < last {
            level = level.max(util::deep(|| level_of(it, names)));
        }
    });
    level
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// Whether the body is `wanted` for some combination of several names.
    pub(crate) fn is_some_of_many(
        &mut self,
        bounds: &'i [Bound<'i>],
        body: &'i Code<'i>,
        wanted: bool,
    ) -> Result<bool, Fault> {
        let sets = self.arena.alloc_slice_fill_copy(bounds.len(), Value::FALSE);
        for (bound, known) in bounds.iter().zip(&mut *sets) {
            let set = self.bound_set(bound)?;
            // Before the first combination is complete, nothing of the body would be asked; and after an empty set nothing at all.
            if self.elements(set, bound.set.at)?.next(self.arena).is_none() {
                return Ok(false);
            }
            *known = set;
        }
        self.is_some_from(bounds, sets, 0, Body::of(body, wanted))
    }

    fn is_some_from(
        &mut self,
        bounds: &'i [Bound<'i>],
        sets: &[Value<'t>],
        n_asked: usize,
        body: Body<'i, 'i>,
    ) -> Result<bool, Fault> {
        let (Some((bound, bounds)), Some((&set, sets))) = (bounds.split_first(), sets.split_first()) else {
            return Ok(false);
        };
        let n_guards = match bounds.is_empty() {
            true => body.guards.len(),
            false => bound.n_guards.unwrap_or(0) as usize,
        };
        let mut items = self.elements(set, bound.set.at)?;
        while let Some(item) = items.next(self.arena) {
            self.go_on_working(bound.set.at)?;
            self.check_scratch(set, bound.set.at)?;
            self.bind(&bound.pattern, item, bound.set.at)?;
            if self.is_ended(&body.guards[n_asked..n_guards], body.ends)? {
                continue;
            }
            let is_found = match (bounds.is_empty(), body.other) {
                (false, _) => self.is_some_from(bounds, sets, n_guards, body)?,
                (true, Some(other)) => self.holds(other)? == body.wanted,
                (true, None) => true,
            };
            if is_found {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_ended(&mut self, guards: &'i [Code<'i>], ends: bool) -> Result<bool, Fault> {
        for guard in guards {
            if self.holds(guard)? == ends {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
