//! What a step assigns: kept, changed in some slots, or a value of its own.
//!
//! `[x EXCEPT ![p] = e]`, `x \cup {e}` and the like are noted as changes of slots, so that what they leave alone is not read.

use value::{Arena, Slot, Value};

use super::change::To;
use super::path::Step;
use super::record::{How, Made};
use crate::action::Flow;
use crate::code::{Code, Kind, Update, VarId};
use crate::error::Fault;
use crate::layout::NodeId;
use crate::machine::{Cell, Machine};

/// A kind of change, what it is made with, and what comes out.
type Changed<'t> = (fn(Slot) -> To, Value<'t>, Value<'t>);

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// Evaluates what is assigned to `var`, and says how.
    pub(crate) fn track_assigned(
        &mut self,
        var: VarId,
        code: &'i Code<'i>,
    ) -> Result<(Value<'t>, How), Fault> {
        let is_var = |machine: &Self, it: &Code<'i>| machine.stands_for(it, var);
        if !self.step.primed {
            match &code.kind {
                _ if self.stands_for(code, var) => return Ok((self.state.current[var as usize], How::Kept)),
                Kind::Inlined { proc, args, body } => {
                    return self.in_place(*proc, args, code.at, |machine| machine.track_assigned(var, body));
                }
                Kind::Except { function, updates } if self.stands_for(function, var) => {
                    if let Some(assigned) = self.track_updates(var, updates)? {
                        return Ok(assigned);
                    }
                }
                _ => {
                    let old = self.state.current[var as usize];
                    if (self.slot_at(var, &[]).is_some() || self.is_shared(var, &[]))
                        && let Some((to, made, value)) = self.change_of(code, &is_var, old)?
                    {
                        let mut changes = vec![];
                        if self
                            .note_made(var, &[], (to, made, value), false, &mut changes)
                            .is_some()
                        {
                            return Ok((value, How::Changed(changes)));
                        }
                    }
                }
            }
        }
        Ok((self.eval(code)?, How::Made))
    }

    /// `old \cup e`, `old \ e`, `Append(old, e)`: the change, `e`, and what comes out.
    fn change_of(
        &mut self,
        code: &'i Code<'i>,
        is_old: &dyn Fn(&Self, &Code<'i>) -> bool,
        old: Value<'t>,
    ) -> Result<Option<Changed<'t>>, Fault> {
        let arena = self.arena;
        Ok(match &code.kind {
            Kind::Cup(two) if is_old(self, &two[0]) || is_old(self, &two[1]) => {
                let other = if is_old(self, &two[0]) { &two[1] } else { &two[0] };
                let gained = self.eval(other)?;
                let value = value::union(old, gained, arena).ok();
                value.map(|it| (To::Gain as fn(Slot) -> To, gained, it))
            }
            Kind::Minus(two) if is_old(self, &two[0]) => {
                let lost = self.eval(&two[1])?;
                let value = value::difference(old, lost, arena).ok();
                value.map(|it| (To::Lose as fn(Slot) -> To, lost, it))
            }
            Kind::Native { native, args, .. } if native.is("Sequences", "Append") => match &args[..] {
                [crate::code::Arg::Value(first), crate::code::Arg::Value(second)] if is_old(self, first) => {
                    let Value::Tuple(it) = old else { return Ok(None) };
                    let last = self.eval(second)?;
                    let items: Vec<Value<'t>> = it.items.iter().copied().chain([last]).collect();
                    let value = Value::tuple(&items, arena);
                    Some((To::Append as fn(Slot) -> To, last, value))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// `[var EXCEPT …]`: nothing when it has to be evaluated as a whole.
    fn track_updates(
        &mut self,
        var: VarId,
        updates: &'i [Update<'i>],
    ) -> Result<Option<(Value<'t>, How)>, Fault> {
        let mut value = self.state.current[var as usize];
        let mut changes = vec![];
        let mut earlier: Vec<Vec<Value<'t>>> = vec![];
        for update in updates {
            let mut keys = vec![];
            for key in &update.path {
                keys.push(self.eval(key)?);
            }
            let mut old = value;
            for &key in &keys {
                match value::apply(old, key) {
                    Ok(it) => old = it,
                    Err(_) => return Ok(None),
                }
            }
            let index = self.base + update.at as usize;
            self.stack[index] = Cell::Value(old);
            let is_at = |_: &Self, it: &Code<'i>| matches!(it.kind, Kind::Local(place) if place.up == 0 && place.slot == update.at);
            let changed = match update.n_at {
                1 if self.slot_at(var, &keys).is_some() || self.is_shared(var, &keys) => {
                    self.change_of(&update.value, &is_at, old)?
                }
                _ => None,
            };
            let changed = match changed {
                Some(it) => it,
                None => {
                    if update.n_at > 0 {
                        // What an earlier part of the same EXCEPT has made is not a part of the state.
                        let is_made = earlier.iter().any(|it| may_overlap(it, &keys));
                        self.read_part(var, if is_made { &[] } else { &keys });
                    }
                    let new = self.eval(&update.value)?;
                    (To::Be as fn(Slot) -> To, new, new)
                }
            };
            let new = changed.2;
            if self
                .note_made(var, &keys, changed, updates.len() > 1, &mut changes)
                .is_none()
            {
                return Ok(None);
            }
            match put(value, &keys, new, self.arena) {
                Some(it) => value = it,
                None => return Ok(None),
            }
            earlier.push(keys);
        }
        Ok(Some((value, How::Changed(changes))))
    }

    /// The slot that a part of a variable is in, and how many of the arguments lead to it; nothing when it has several.
    fn slot_at(&self, var: VarId, keys: &[Value<'t>]) -> Option<(u32, usize)> {
        let layout = self.recording.as_ref()?.tables.paths.layout();
        let mut node = NodeId::from(var);
        for depth in 0..=keys.len() {
            if let Some(slot) = layout.slot(node) {
                return Some((slot, depth));
            }
            node = layout.child(node, *keys.get(depth)?)?;
        }
        None
    }

    /// The part of a variable that arguments lead to.
    fn node_at(&self, var: VarId, keys: &[Value<'t>]) -> Option<NodeId> {
        let layout = self.recording.as_ref()?.tables.paths.layout();
        let mut keys = keys.iter();
        keys.try_fold(NodeId::from(var), |node, &key| layout.child(node, key))
    }

    /// Whether a part of a variable is a set that is split.
    fn is_shared(&self, var: VarId, keys: &[Value<'t>]) -> bool {
        let node = self.node_at(var, keys);
        let layout = self.recording.as_ref().map(|it| it.tables.paths.layout());
        node.zip(layout)
            .is_some_and(|(node, layout)| layout.share(node, Value::FALSE).is_some())
    }

    /// Notes what becomes of a part of a variable.
    fn note_made(
        &mut self,
        var: VarId,
        keys: &[Value<'t>],
        (to, with, new): Changed<'t>,
        goes_on: bool,
        changes: &mut Vec<(u32, Made)>,
    ) -> Option<()> {
        if let Some((slot, depth)) = self.slot_at(var, keys) {
            let made = self.note_change(&keys[depth..], to, with)?;
            changes.push((slot, made));
            return Some(());
        }
        if let To::Be(_) = to(0) {
            return self.note_part(var, keys, new, goes_on, changes);
        }
        let (node, arena) = (self.node_at(var, keys)?, self.arena);
        let layout = self.recording.as_ref()?.tables.paths.layout().clone();
        for (slot, share) in layout.shares(node, with, arena)? {
            if value::cardinality(share).is_ok_and(|it| it > 0u32.into()) {
                let made = self.note_change(&[], to, share)?;
                changes.push((slot, made));
            }
        }
        Some(())
    }

    /// Notes a new value for a part that has several slots.
    fn note_part(
        &mut self,
        var: VarId,
        keys: &[Value<'t>],
        new: Value<'t>,
        goes_on: bool,
        changes: &mut Vec<(u32, Made)>,
    ) -> Option<()> {
        let node = self.node_at(var, keys)?;
        let recording = self.recording.as_mut()?;
        let layout = recording.tables.paths.layout();
        let mut slots = vec![0; layout.n_slots()];
        let (interner, interned) = (recording.interner, recording.interned);
        layout
            .encode(node, new, interner, (interned, self.arena), &mut slots)
            .ok()?;
        // What does not fit cannot be changed further in some part.
        if goes_on && !layout.fits(&slots) {
            return None;
        }
        let made = layout.slots(node).iter();
        changes.extend(made.map(|&it| (it, Made::Be(slots[it as usize]))));
        Some(())
    }

    fn read_part(&mut self, var: VarId, keys: &[Value<'t>]) {
        let Some(recording) = &mut self.recording else {
            return;
        };
        let mut path = recording.tables.paths.variable(var, false);
        for &key in keys {
            match recording.extend(path, key, Step::At) {
                Some(longer) => path = longer,
                None => break,
            }
        }
        recording.read(path);
    }

    fn note_change(&mut self, keys: &[Value<'t>], to: fn(Slot) -> To, with: Value<'t>) -> Option<Made> {
        let recording = self.recording.as_mut()?;
        let (interner, interned) = (recording.interner, recording.interned);
        if keys.is_empty()
            && let To::Be(slot) = to(interner.intern(with, interned).ok()?)
        {
            return Some(Made::Be(slot));
        }
        let keys: Option<Vec<Slot>> = keys
            .iter()
            .map(|&it| interner.intern(it, interned).ok())
            .collect();
        recording.change(keys?.into(), to, with).map(Made::Change)
    }

    /// Notes how the next value of a variable came about, while `run` goes on with it.
    pub(crate) fn with_how(&mut self, var: VarId, how: How, run: impl FnOnce(&mut Self) -> Flow) -> Flow {
        if self.step.how.is_empty() {
            return run(self);
        }
        self.step.how[var as usize] = how;
        let flow = run(self);
        self.step.how[var as usize] = How::Made;
        flow
    }
}

/// Whether one of two parts may be in the other.
fn may_overlap(a: &[Value<'_>], b: &[Value<'_>]) -> bool {
    a.iter().zip(b).all(|(&a, &b)| value::equal(a, b).unwrap_or(true))
}

fn put<'t>(function: Value<'t>, keys: &[Value<'t>], new: Value<'t>, arena: &'t Arena) -> Option<Value<'t>> {
    let Some((&key, rest)) = keys.split_first() else {
        return Some(new);
    };
    value::except_one(function, key, arena, |old| {
        put(old, rest, new, arena).ok_or(value::Trouble::NotInDomain)
    })
    .ok()?
}
