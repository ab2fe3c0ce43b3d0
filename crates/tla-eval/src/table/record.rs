//! Recording: evaluating while noting which parts of the state are looked at.
//!
//! The machine evaluates as always; where it reads a variable it also says which part. `x[p]` in the text is one part, `x`
//! anywhere else the whole. What a step assigns is noted too: kept, changed in some part, or a value of its own. A value that
//! was only kept or changed is copied, not read, until something asks for the primed variable.

use tla_sema::ir::ExprId;
use value::{Arena, Interner, Slot, Value};

use super::change::{Change, ChangeId, Changes, To};
use super::path::{PathId, Paths, Step};
use super::{Successor, Tables, Write};
use crate::action::Flow;
use crate::code::{Code, Kind, ProcId, Test, Update, VarId};
use crate::error::Fault;
use crate::layout::NodeId;
use crate::machine::{Cell, Machine, Res, Thunk};

/// How a variable got its next value.
#[derive(Clone, Debug, Default)]
pub(crate) enum How {
    /// From an expression that was evaluated.
    #[default]
    Made,
    Kept,
    /// In these slots, one after the other.
    Changed(Vec<(u32, Made)>),
}

/// What became of a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Made {
    Be(Slot),
    Change(ChangeId),
}

/// A kind of change, what it is made with, and what comes out.
type Changed<'t> = (fn(Slot) -> To, Value<'t>, Value<'t>);

/// One evaluation that is being recorded.
pub(crate) struct Recording<'t, 'i> {
    pub tables: Box<Tables<'i>>,
    pub interner: &'t Interner<'i>,
    pub interned: &'i Arena,
    /// Both states of a step are given: primed names are parts of the second one.
    pub pair: bool,
    pub reads: Reads,
    pub how: Vec<How>,
    pub successors: Vec<Successor>,
    /// It depends on more than the state.
    pub poisoned: bool,
}

/// What was read, each path once.
#[derive(Default)]
pub(crate) struct Reads {
    pub all: Vec<(PathId, Slot)>,
    /// The first paths that are among them, as a set.
    names: Vec<u64>,
}

impl Reads {
    /// Paths that the set is for: the slots of most states.
    const NAMES: PathId = 512;

    fn has(&self, path: PathId) -> bool {
        match path < Reads::NAMES {
            true => {
                let word = self.names.get(path as usize / 64);
                word.is_some_and(|it| it >> (path % 64) & 1 == 1)
            }
            false => self.all.iter().any(|&(it, _)| it == path),
        }
    }

    fn push(&mut self, path: PathId, value: Slot) {
        self.all.push((path, value));
        if path < Reads::NAMES {
            let word = path as usize / 64;
            if word >= self.names.len() {
                self.names.resize(word + 1, 0);
            }
            self.names[word] |= 1 << (path % 64);
        }
    }
}

impl<'t, 'i> Recording<'t, 'i> {
    pub fn new(
        tables: Box<Tables<'i>>,
        interner: &'t Interner<'i>,
        interned: &'i Arena,
        n_variables: usize,
        pair: bool,
    ) -> Recording<'t, 'i> {
        Recording {
            tables,
            interner,
            interned,
            pair,
            reads: Reads::default(),
            how: vec![How::Made; n_variables],
            successors: vec![],
            poisoned: false,
        }
    }

    /// Whether every slot was read.
    pub fn is_whole(&self) -> bool {
        let n_slots = self.tables.paths.n_slots();
        let slots = self.reads.all.iter().filter(|it| (it.0 as usize) < n_slots);
        slots.count() == n_slots
    }

    /// The part that a primed name depends on, if any.
    fn next_path(&self, var: VarId) -> Option<PathId> {
        match self.how[var as usize] {
            _ if self.pair => Some(self.tables.paths.variable(var, true)),
            How::Made => None,
            How::Kept | How::Changed(_) => Some(self.tables.paths.variable(var, false)),
        }
    }

    /// Puts reads of something inside with the others.
    fn merge(&mut self, inner: &[(PathId, Slot)]) {
        for &(path, value) in inner {
            if !self.reads.has(path) {
                self.reads.push(path, value);
            }
        }
    }

    fn read(&mut self, path: PathId) {
        match Paths::is_split(path) {
            true => self
                .tables
                .paths
                .slots_of(path)
                .for_each(|it| self.read_value(it)),
            false => self.read_value(path),
        }
    }

    fn read_value(&mut self, path: PathId) {
        if self.reads.has(path) {
            return;
        }
        match self.tables.paths.look(path, self.interner) {
            Some(slot) => self.reads.push(path, slot),
            None => self.poisoned = true,
        }
    }

    fn extend(&mut self, path: PathId, key: Value<'_>, step: fn(Slot) -> Step) -> Option<PathId> {
        let path = match (Paths::is_split(path), step(0)) {
            (false, _) => path,
            (true, Step::At(_)) => return self.tables.paths.element(path, key),
            (true, _) => self.tables.paths.share(path, key)?,
        };
        let slot = self.interner.intern(key, self.interned).ok()?;
        Some(self.tables.paths.extend(path, step(slot), self.interner))
    }

    fn change(&mut self, keys: Box<[Slot]>, to: fn(Slot) -> To, value: Value<'_>) -> Option<ChangeId> {
        let slot = self.interner.intern(value, self.interned).ok()?;
        Some(self.tables.changes.id(Change { keys, to: to(slot) }))
    }

    /// Notes a successor; `slots` is the whole state.
    pub fn found(&mut self, action: u32, slots: &[Slot]) {
        let mut writes = vec![];
        for (var, how) in self.how.iter().enumerate() {
            let var = var as VarId;
            match how {
                How::Kept => {}
                How::Made => {
                    let written = self.tables.paths.layout().slots(NodeId::from(var)).iter();
                    writes.extend(written.map(|&it| (it, Write::Be(slots[it as usize]))));
                }
                How::Changed(made) => {
                    let Tables { paths, changes, .. } = &mut *self.tables;
                    for (i, &(slot, _)) in made.iter().enumerate() {
                        if made[..i].iter().any(|it| it.0 == slot) {
                            continue;
                        }
                        let of_slot = made[i..].iter().filter(|it| it.0 == slot).map(|it| it.1);
                        let of_slot: Vec<Made> = of_slot.collect();
                        writes.push((slot, write(slot, &of_slot, paths, changes)));
                    }
                }
            }
        }
        self.successors.push(Successor {
            action,
            writes: writes.into(),
        });
    }
}

/// What is made of a slot in several steps.
fn write(slot: u32, made: &[Made], paths: &mut Paths<'_>, changes: &mut Changes) -> Write {
    if let [.., Made::Be(value)] = made {
        return Write::Be(*value);
    }
    let mut id = |it: &Made| match *it {
        Made::Be(slot) => changes.id(Change {
            keys: [].into(),
            to: To::Be(slot),
        }),
        Made::Change(id) => id,
    };
    let ids: Vec<ChangeId> = made.iter().map(&mut id).collect();
    let change = changes.together(&ids);
    Write::Change(change, changes.column(slot, change, paths))
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// The value of a definition without parameters, and the path to it: read as one thing, whatever it reads itself. Nothing
    /// when it has to be evaluated where it stands.
    pub(crate) fn track_definition(
        &mut self,
        proc: ProcId,
        at: ExprId,
    ) -> Result<Option<(Value<'t>, PathId)>, Fault> {
        let Some(memo) = self.program.procs[proc as usize].memo else {
            return Ok(None);
        };
        let Some(recording) = &mut self.recording else {
            return Ok(None);
        };
        if self.primed && !recording.pair || !self.primed && !self.memo_on {
            return Ok(None);
        }
        let interner = recording.interner;
        let Some(root) = recording.tables.paths.definition_root(memo, self.primed) else {
            return Ok(None);
        };
        if let Some(slot) = recording.tables.paths.look(root, interner) {
            return Ok(Some((interner.value(slot), root)));
        }
        let outer = std::mem::take(&mut recording.reads);
        let value = self.call_code(proc, 0, &[], at);
        let Some(recording) = &mut self.recording else {
            return Ok(None);
        };
        let inner = std::mem::replace(&mut recording.reads, outer);
        let slot = match value {
            Ok(value) if !recording.poisoned => interner.intern(value, recording.interned).ok(),
            _ => None,
        };
        let is_learnt =
            slot.is_some_and(|slot| recording.tables.paths.learn(root, &inner.all, slot, interner));
        if !is_learnt {
            recording.merge(&inner.all);
        }
        let value = value?;
        match is_learnt {
            true => Ok(Some((value, root))),
            // Its reads are noted already; evaluating it again adds nothing to them.
            false => Ok(None),
        }
    }

    /// As [`Machine::track_definition`], read as a whole.
    pub(crate) fn track_whole_definition(&mut self, proc: ProcId, at: ExprId) -> Res<'t> {
        match self.track_definition(proc, at)? {
            Some((value, root)) => {
                if let Some(recording) = &mut self.recording {
                    recording.read(root);
                }
                Ok(value)
            }
            None => self.call_code(proc, 0, &[], at),
        }
    }

    /// Says that a variable is read as a whole.
    pub(crate) fn track_variable(&mut self, var: VarId) {
        if let Some(recording) = &mut self.recording {
            let path = recording.tables.paths.variable(var, false);
            recording.read(path);
        }
    }

    /// Says that the next value of a variable is read as a whole.
    pub(crate) fn track_next(&mut self, var: VarId) {
        if let Some(recording) = &mut self.recording
            && let Some(path) = recording.next_path(var)
        {
            recording.read(path);
        }
    }

    /// What is evaluated depends on more than the state.
    pub(crate) fn poison(&mut self) {
        if let Some(recording) = &mut self.recording {
            recording.poisoned = true;
        }
    }

    /// Evaluates `f[x]` or `r.f`, reading only that part of a variable.
    pub(crate) fn track_part(&mut self, code: &'i Code<'i>) -> Res<'t> {
        let (value, path) = self.part(code)?;
        if let (Some(path), Some(recording)) = (path, &mut self.recording) {
            recording.read(path);
        }
        Ok(value)
    }

    /// Evaluates `item \in set`, reading only the answer where the set is a part of a variable.
    pub(crate) fn track_member(&mut self, two: &'i [Code<'i>; 2], at: ExprId) -> Result<bool, Fault> {
        let item = self.eval(&two[0])?;
        let (set, path) = self.part(&two[1])?;
        if let (Some(path), Some(recording)) = (path, &mut self.recording) {
            let asked = match set {
                Value::Set(_) | Value::Bits(_) => recording.extend(path, item, Step::Has),
                _ => None,
            };
            recording.read(asked.unwrap_or(path));
        }
        self.contains(set, item, at)
    }

    /// Evaluates a set that is a part of the state, reading only the elements that a sieve lets through.
    pub(crate) fn track_sieved(&mut self, code: &'i Code<'i>, test: &'i Test) -> Res<'t> {
        let (set, path) = self.part(code)?;
        let Some(path) = path else { return Ok(set) };
        let kept = match set {
            Value::Set(_) | Value::Bits(_) => {
                let items = self.items(set, code.at)?;
                self.sieved(items, path, test)
            }
            _ => None,
        };
        if kept.is_none() {
            // Whatever went wrong, the evaluation itself will come to it.
            self.error = None;
            if let Some(recording) = &mut self.recording {
                recording.read(path);
            }
        }
        Ok(kept.unwrap_or(set))
    }

    fn sieved(&mut self, items: &'t [Value<'t>], path: PathId, test: &'i Test) -> Option<Value<'t>> {
        let mut args = vec![Value::FALSE];
        for &place in &test.captured {
            args.push(self.read(place).ok()?);
        }
        let recording = self.recording.as_mut()?;
        let captured: Option<Vec<Slot>> = args[1..]
            .iter()
            .map(|&it| recording.interner.intern(it, recording.interned).ok())
            .collect();
        let sieve = recording.tables.paths.sieve(test.proc, captured?);
        let mut kept = bumpalo::collections::Vec::new_in(self.arena);
        for &item in items {
            let recording = self.recording.as_mut()?;
            let slot = recording.interner.slot_of(item)?;
            let passes = match recording.tables.paths.passes(sieve, slot) {
                Some(it) => it,
                None => {
                    args[0] = item;
                    let value = self.call(test.proc, 0, &args).ok()?;
                    let Value::Bool(passes) = value else { return None };
                    self.recording
                        .as_mut()?
                        .tables
                        .paths
                        .set_passes(sieve, slot, passes);
                    passes
                }
            };
            if passes {
                kept.push(item);
            }
        }
        let recording = self.recording.as_mut()?;
        for path in recording.tables.paths.slots_of(path) {
            let longer = recording
                .tables
                .paths
                .extend(path, Step::Where(sieve), recording.interner);
            recording.read(longer);
        }
        Some(Value::sorted_set(kept.into_bump_slice(), self.arena))
    }

    /// A value, and the path to it when it is a part of a variable that has not been read yet.
    fn part(&mut self, code: &'i Code<'i>) -> Result<(Value<'t>, Option<PathId>), Fault> {
        match &code.kind {
            Kind::Var(var) if !self.primed => {
                let value = self.current[*var as usize];
                let path = self.recording.as_ref();
                Ok((value, path.map(|it| it.tables.paths.variable(*var, false))))
            }
            Kind::Var(var) | Kind::NextVar(var) => {
                let value = self.next_value(*var).ok_or(Fault::Unassigned(*var))?;
                let path = self.recording.as_ref().and_then(|it| it.next_path(*var));
                Ok((value, path))
            }
            Kind::Apply(two) => {
                let (function, path) = self.part(&two[0])?;
                let arg = self.eval(&two[1])?;
                let value = self.apply(function, arg, code.at)?;
                Ok((value, self.step(path, arg)))
            }
            Kind::Select { record, field } => {
                let (record, path) = self.part(record)?;
                let value = self.select(record, *field, code.at)?;
                Ok((value, self.step(path, Value::Str(*field))))
            }
            Kind::Call {
                proc,
                link: None,
                args,
            } if args.is_empty() => match self.track_definition(*proc, code.at)? {
                Some((value, root)) => Ok((value, Some(root))),
                None => Ok((self.call_code(*proc, 0, &[], code.at)?, None)),
            },
            // A name that stands for a part.
            Kind::Local(place) if let Some(thunk) = self.place(code, self.base) => {
                debug_assert!(matches!(self.cell(*place), Cell::Thunk(_)));
                let outer = (self.base, self.primed);
                (self.base, self.primed) = (thunk.base, thunk.primed);
                let part = self.part(thunk.code);
                (self.base, self.primed) = outer;
                part
            }
            Kind::Prime(inner) => {
                let outer = std::mem::replace(&mut self.primed, true);
                let part = self.part(inner);
                self.primed = outer;
                part
            }
            _ => Ok((self.eval(code)?, None)),
        }
    }

    /// Where a name leads that stands for a variable or a part of one, and was not read yet.
    fn place(&self, code: &Code<'i>, base: usize) -> Option<Thunk<'i>> {
        let Kind::Local(place) = code.kind else {
            return None;
        };
        let Cell::Thunk(thunk) = self.cell_from(place, base) else {
            return None;
        };
        let mut inner = thunk.code;
        loop {
            match &inner.kind {
                Kind::Var(_) | Kind::NextVar(_) => return Some(thunk),
                Kind::Local(_) => return self.place(inner, thunk.base).map(|_| thunk),
                Kind::Apply(two) => inner = &two[0],
                Kind::Select { record, .. } => inner = record,
                _ => return None,
            }
        }
    }

    /// Whether an expression is the present value of a variable, under its own name or another one.
    fn stands_for(&self, code: &Code<'i>, var: VarId) -> bool {
        match code.kind {
            Kind::Var(it) => it == var && !self.primed,
            Kind::Local(_) => {
                let mut place = self.place(code, self.base);
                while let Some(thunk) = place {
                    match thunk.code.kind {
                        Kind::Var(it) => return it == var && !thunk.primed,
                        _ => place = self.place(thunk.code, thunk.base),
                    }
                }
                false
            }
            _ => false,
        }
    }

    fn step(&mut self, path: Option<PathId>, key: Value<'t>) -> Option<PathId> {
        let (path, recording) = (path?, self.recording.as_mut()?);
        let longer = recording.extend(path, key, Step::At);
        if longer.is_none() {
            recording.read(path);
        }
        longer
    }

    /// Evaluates what is assigned to `var`, and says how.
    pub(crate) fn track_assigned(
        &mut self,
        var: VarId,
        code: &'i Code<'i>,
    ) -> Result<(Value<'t>, How), Fault> {
        let is_var = |machine: &Self, it: &Code<'i>| machine.stands_for(it, var);
        if !self.primed {
            match &code.kind {
                _ if self.stands_for(code, var) => return Ok((self.current[var as usize], How::Kept)),
                Kind::Inlined { proc, args, body } => {
                    return self.in_place(*proc, args, code.at, |machine| machine.track_assigned(var, body));
                }
                Kind::Except { function, updates } if self.stands_for(function, var) => {
                    if let Some(assigned) = self.track_updates(var, updates)? {
                        return Ok(assigned);
                    }
                }
                _ => {
                    let old = self.current[var as usize];
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
        let mut value = self.current[var as usize];
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
        match &mut self.recording {
            None => run(self),
            Some(recording) => {
                recording.how[var as usize] = how;
                let flow = run(self);
                if let Some(recording) = &mut self.recording {
                    recording.how[var as usize] = How::Made;
                }
                flow
            }
        }
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
