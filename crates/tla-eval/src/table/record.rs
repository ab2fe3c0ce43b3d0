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
use crate::code::{Code, Kind, ProcId, Test, VarId};
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

/// One evaluation that is being recorded.
pub(crate) struct Recording<'t, 'i> {
    pub tables: Box<Tables<'i>>,
    pub interner: &'t Interner<'i>,
    pub interned: &'i Arena,
    pub reads: Reads,
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
    ) -> Recording<'t, 'i> {
        Recording {
            tables,
            interner,
            interned,
            reads: Reads::default(),
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

    /// Puts reads of something inside with the others.
    fn merge(&mut self, inner: &[(PathId, Slot)]) {
        for &(path, value) in inner {
            if !self.reads.has(path) {
                self.reads.push(path, value);
            }
        }
    }

    pub fn read(&mut self, path: PathId) {
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

    pub fn extend(&mut self, path: PathId, key: Value<'_>, step: fn(Slot) -> Step) -> Option<PathId> {
        let path = match (Paths::is_split(path), step(0)) {
            (false, _) => path,
            (true, Step::At(_)) => return self.tables.paths.element(path, key),
            (true, _) => self.tables.paths.share(path, key)?,
        };
        let slot = self.interner.intern(key, self.interned).ok()?;
        Some(self.tables.paths.extend(path, step(slot), self.interner))
    }

    pub fn change(&mut self, keys: Box<[Slot]>, to: fn(Slot) -> To, value: Value<'_>) -> Option<ChangeId> {
        let slot = self.interner.intern(value, self.interned).ok()?;
        Some(self.tables.changes.id(Change { keys, to: to(slot) }))
    }

    /// Notes a successor, and how each variable got its value; `slots` is the whole state.
    pub fn found(&mut self, action: ProcId, how: &[How], slots: &[Slot]) {
        let mut writes = vec![];
        for (var, how) in how.iter().enumerate() {
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
        let Some(memo) = self.program.procs[proc].memo else {
            return Ok(None);
        };
        let Some(recording) = &mut self.recording else {
            return Ok(None);
        };
        if self.step.primed && !self.step.is_pair || !self.step.primed && !self.state.memo_on {
            return Ok(None);
        }
        let interner = recording.interner;
        let Some(root) = recording.tables.paths.definition_root(memo, self.step.primed) else {
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
        if let Some(path) = self.next_path(var)
            && let Some(recording) = &mut self.recording
        {
            recording.read(path);
        }
    }

    /// The part of the state, or of the pair of states, that a primed name depends on, if any.
    fn next_path(&self, var: VarId) -> Option<PathId> {
        let paths = &self.recording.as_ref()?.tables.paths;
        match self.step.how.get(var as usize)? {
            _ if self.step.is_pair => Some(paths.variable(var, true)),
            How::Made => None,
            How::Kept | How::Changed(_) => Some(paths.variable(var, false)),
        }
    }

    /// Begins to note what is read; `is_pair` when both states of a step are given.
    pub(crate) fn begin_recording(
        &mut self,
        recording: Recording<'t, 'i>,
        n_variables: usize,
        is_pair: bool,
    ) {
        self.recording = Some(Box::new(recording));
        self.tracking = true;
        self.step.how.clear();
        self.step.how.resize(n_variables, How::Made);
        self.step.is_pair = is_pair;
    }

    /// Ends it, and gives what was noted, if anything was.
    pub(crate) fn end_recording(&mut self) -> Option<Box<Recording<'t, 'i>>> {
        self.tracking = false;
        self.step.how.clear();
        self.step.is_pair = false;
        self.recording.take()
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
    pub(crate) fn track_filtered(&mut self, code: &'i Code<'i>, test: &'i Test) -> Res<'t> {
        let (set, path) = self.part(code)?;
        let Some(path) = path else { return Ok(set) };
        let kept = match set {
            Value::Set(_) | Value::Bits(_) => {
                let items = self.items(set, code.at)?;
                self.filtered(items, path, test)
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

    fn filtered(&mut self, items: &'t [Value<'t>], path: PathId, test: &'i Test) -> Option<Value<'t>> {
        let mut args = vec![Value::FALSE];
        for &place in &test.captured {
            args.push(self.read(place).ok()?);
        }
        let recording = self.recording.as_mut()?;
        let captured: Option<Vec<Slot>> = args[1..]
            .iter()
            .map(|&it| recording.interner.intern(it, recording.interned).ok())
            .collect();
        let pushed_predicate = recording.tables.paths.pushed_predicate(test.proc, captured?);
        let mut kept = bumpalo::collections::Vec::new_in(self.arena);
        for &item in items {
            let recording = self.recording.as_mut()?;
            let slot = recording.interner.slot_of(item)?;
            let passes = match recording.tables.paths.passes(pushed_predicate, slot) {
                Some(it) => it,
                None => {
                    args[0] = item;
                    let value = self.call(test.proc, 0, &args).ok()?;
                    let Value::Bool(passes) = value else { return None };
                    let passes = passes.get();
                    self.recording
                        .as_mut()?
                        .tables
                        .paths
                        .set_passes(pushed_predicate, slot, passes);
                    passes
                }
            };
            if passes {
                kept.push(item);
            }
        }
        let recording = self.recording.as_mut()?;
        for path in recording.tables.paths.slots_of(path) {
            let longer =
                recording
                    .tables
                    .paths
                    .extend(path, Step::Where(pushed_predicate), recording.interner);
            recording.read(longer);
        }
        Some(Value::sorted_set(kept.into_bump_slice(), self.arena))
    }

    /// A value, and the path to it when it is a part of a variable that has not been read yet.
    fn part(&mut self, code: &'i Code<'i>) -> Result<(Value<'t>, Option<PathId>), Fault> {
        match &code.kind {
            Kind::Var(var) if !self.step.primed => {
                let value = self.state.current[*var as usize];
                let path = self.recording.as_ref();
                Ok((value, path.map(|it| it.tables.paths.variable(*var, false))))
            }
            Kind::Var(var) | Kind::NextVar(var) => {
                let value = self.next_value(*var).ok_or(Fault::Unassigned(*var))?;
                let path = self.next_path(*var);
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
                let outer = (self.base, self.step.primed);
                (self.base, self.step.primed) = (thunk.base, thunk.primed);
                let part = self.part(thunk.code);
                (self.base, self.step.primed) = outer;
                part
            }
            Kind::Prime(inner) => {
                let outer = std::mem::replace(&mut self.step.primed, true);
                let part = self.part(inner);
                self.step.primed = outer;
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
    pub(super) fn stands_for(&self, code: &Code<'i>, var: VarId) -> bool {
        match code.kind {
            Kind::Var(it) => it == var && !self.step.primed,
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
}
