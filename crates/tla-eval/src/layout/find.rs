//! Finding a layout: what the values of each variable have in common, in some states.
//!
//! The states are the first ones breadth-first, and those of some walks into the depth. Which ones depends on the
//! specification alone: every process of a search, and one that goes on with it, finds the same layout. The work is
//! bounded, and nothing that goes wrong here matters: the search will come to it.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use util::FxHashSet;
use value::{Arena, Interner, Slot, Value};

use super::{Kind, Layout};
use crate::code::ProcId;
use crate::compiled::Compiled;
use crate::effects::{Effects, Quiet, Registers};
use crate::error::Fault;
use crate::machine::Machine;
use crate::memo::{Cache, MemoContext};
use crate::prepared::Heap;

/// What the values of a part had in common so far.
#[derive(Clone, Debug)]
pub(crate) struct Shape<'i> {
    pub kind: Kind<'i>,
    pub children: Vec<Shape<'i>>,
    /// Of sets: their elements, the sets themselves, and how often one was met.
    elements: FxHashSet<Slot>,
    sets: FxHashSet<Slot>,
    met: usize,
}

/// Initial states, states that are expanded breadth-first, walks and their lengths.
const INITIAL: usize = 32;
const FIRST: usize = 100;
const WALKS: usize = 8;
const WALK: usize = 32;
/// Successors of a state that are looked at.
const SUCCESSORS: usize = 64;
/// How often the evaluator looks up from its work before it is stopped.
const LOOKS: u32 = 24;

/// Sets with fewer elements, all together, are not split; the others into so many parts.
const ELEMENTS_MIN: usize = 16;
const SHARES: usize = 8;
/// As are those of which fewer than one in so many is new.
const NEW: usize = 5;
/// Elements of a set that are looked at.
const ELEMENTS_MAX: usize = 64;

/// Slots of a variable, and of a state. What has more is less split.
const VARIABLE_MAX: usize = 64;
const STATE_MAX: usize = 256;

impl<'i> Shape<'i> {
    pub fn leaf() -> Shape<'i> {
        Shape {
            kind: Kind::Leaf,
            children: vec![],
            elements: FxHashSet::default(),
            sets: FxHashSet::default(),
            met: 0,
        }
    }

    pub fn of(value: Value<'i>, interner: &Interner<'i>) -> Shape<'i> {
        let (kind, parts) = match value {
            Value::Set(_) | Value::Bits(_) => {
                let mut shape = Shape {
                    kind: Kind::Shares(SHARES),
                    children: vec![Shape::leaf(); SHARES],
                    ..Shape::leaf()
                };
                shape.meet(value, interner);
                return shape;
            }
            Value::Tuple(it) if !it.items.is_empty() => (Kind::Tuple(it.items.len()), it.items),
            Value::Record(it) => (Kind::Record(it.names), it.values),
            Value::Fun(it) => (Kind::Function(it.domain), it.values),
            _ => return Shape::leaf(),
        };
        if parts.len() > VARIABLE_MAX {
            return Shape::leaf();
        }
        Shape {
            kind,
            children: parts.iter().map(|&it| Shape::of(it, interner)).collect(),
            ..Shape::leaf()
        }
    }

    /// What is left when another value is to fit too.
    pub fn meet(&mut self, value: Value<'i>, interner: &Interner<'i>) {
        match (self.kind, value) {
            (Kind::Leaf, _) => return,
            (Kind::Shares(_), Value::Bits(_)) => {
                self.met += 1;
                return;
            }
            (Kind::Shares(_), Value::Set(it)) => {
                self.met += 1;
                self.sets.extend(interner.slot_of(value));
                let items = it.items.iter().take(ELEMENTS_MAX);
                self.elements.extend(items.filter_map(|&it| interner.slot_of(it)));
                return;
            }
            _ => {}
        }
        match self.kind.parts(value) {
            Some(parts) => {
                for (child, &part) in self.children.iter_mut().zip(parts) {
                    child.meet(part, interner);
                }
            }
            None => *self = Shape::leaf(),
        }
    }

    /// Splits no sets of few elements, and none that come back all the time: these are quickly looked up as they are.
    fn decide(&mut self) {
        match self.kind {
            Kind::Shares(_) if self.elements.len() < ELEMENTS_MIN || self.sets.len() * NEW < self.met => {
                *self = Shape::leaf()
            }
            _ => self.children.iter_mut().for_each(Shape::decide),
        }
    }

    fn n_slots(&self) -> usize {
        match self.kind {
            Kind::Leaf => 1,
            _ => self.children.iter().map(Shape::n_slots).sum(),
        }
    }

    fn depth(&self) -> usize {
        let deepest = self.children.iter().map(Shape::depth).max();
        deepest.map_or(0, |it| it + 1)
    }

    /// Splits nothing below this depth.
    fn cut(&mut self, depth: usize) {
        match depth {
            0 => *self = Shape::leaf(),
            _ => self.children.iter_mut().for_each(|it| it.cut(depth - 1)),
        }
    }
}

/// Splits less until there are not too many slots.
pub(super) fn limit(shapes: &mut [Shape<'_>]) {
    shapes.iter_mut().for_each(Shape::decide);
    cut(shapes);
}

fn cut(shapes: &mut [Shape<'_>]) {
    for shape in &mut *shapes {
        while shape.n_slots() > VARIABLE_MAX {
            let depth = shape.depth();
            shape.cut(depth - 1);
        }
    }
    while shapes.iter().map(Shape::n_slots).sum::<usize>() > STATE_MAX {
        let largest = shapes.iter_mut().max_by_key(|it| it.n_slots());
        match largest.filter(|it| it.n_slots() > 1) {
            Some(it) => it.cut(it.depth() - 1),
            // So many variables.
            None => break,
        }
    }
}

/// The layout for the states of a model.
pub(crate) fn find<'i>(compiled: &Compiled<'i>, heap: &Heap<'i>) -> Layout<'i> {
    sampled(compiled, heap, |sample| {
        let mut shapes = sample.shapes();
        limit(&mut shapes);
        shapes
    })
}

/// A layout for the first initial state alone, with every set split: most other states do not fit it. For tests, which
/// want parts that do not fit at once, and not after a hundred states.
pub(crate) fn find_hostile<'i>(compiled: &Compiled<'i>, heap: &Heap<'i>) -> Layout<'i> {
    sampled(compiled, heap, |sample| {
        sample.search(None);
        let interner = &sample.heap.interner;
        let Some(first) = sample.found.first() else {
            return vec![Shape::leaf(); sample.compiled.n_variables()];
        };
        let values = first.iter().map(|&it| interner.value(it));
        let mut shapes: Vec<Shape<'i>> = values.map(|it| Shape::of(it, interner)).collect();
        cut(&mut shapes);
        shapes
    })
}

fn sampled<'i>(
    compiled: &Compiled<'i>,
    heap: &Heap<'i>,
    shapes: impl FnOnce(&mut Sample<'_, 'i>) -> Vec<Shape<'i>>,
) -> Layout<'i> {
    let rehearsal = Rehearsal {
        quiet: Quiet::new(compiled.effects),
        looks: AtomicU32::new(0),
    };
    let mut sample = Sample {
        compiled,
        heap,
        interned: heap.arena(),
        scratch: Arena::new(),
        cache: RefCell::new(Cache::new(compiled.program.n_sites)),
        rehearsal: &rehearsal,
        work: 0,
        found: vec![],
    };
    Layout::new(shapes(&mut sample))
}

struct Sample<'s, 'i> {
    compiled: &'s Compiled<'i>,
    heap: &'s Heap<'i>,
    interned: &'i Arena,
    scratch: Arena,
    cache: RefCell<Cache<'i>>,
    rehearsal: &'s Rehearsal<'s>,
    /// So far, for all machines.
    work: u32,
    /// The states that were found last, as numbers of whole values.
    found: Vec<Vec<Slot>>,
}

impl<'i> Sample<'_, 'i> {
    fn shapes(&mut self) -> Vec<Shape<'i>> {
        self.search(None);
        let mut states = std::mem::take(&mut self.found);
        let Some(first) = states.first() else {
            return vec![Shape::leaf(); self.compiled.n_variables()];
        };
        let interner = &self.heap.interner;
        let mut shapes: Vec<Shape<'i>> = first
            .iter()
            .map(|&it| Shape::of(interner.value(it), interner))
            .collect();
        let mut known: FxHashSet<Vec<Slot>> = FxHashSet::default();
        states.retain(|it| known.insert(it.clone()));
        states.iter().for_each(|it| meet(&mut shapes, it, interner));
        let n_initial = states.len();
        let mut next = 0;
        while next < states.len().min(FIRST) && !self.rehearsal.is_over() {
            self.search(Some(&states[next]));
            next += 1;
            for state in self.found.drain(..) {
                if known.insert(state.clone()) {
                    meet(&mut shapes, &state, interner);
                    states.push(state);
                }
            }
        }
        if next == states.len() {
            // All there are.
            return shapes;
        }
        let mut chance: u64 = 0;
        for walk in 0..WALKS {
            let mut state = states[walk % n_initial].clone();
            for _ in 0..WALK {
                if self.rehearsal.is_over() {
                    return shapes;
                }
                self.search(Some(&state));
                if self.found.is_empty() {
                    break;
                }
                chance = value::mix(chance, 0x2545_F491_4F6C_DD1D);
                self.found.iter().for_each(|it| meet(&mut shapes, it, interner));
                let n = self.found.len() as u64;
                state = self.found.swap_remove((chance % n) as usize);
            }
        }
        shapes
    }

    /// Finds the successors of a state, or the initial states.
    fn search(&mut self, state: Option<&[Slot]>) {
        self.scratch.reset();
        self.found.clear();
        let (compiled, heap, interned) = (self.compiled, self.heap, self.interned);
        let mut machine = Machine::new(compiled.program, &self.scratch, interned, self.rehearsal);
        machine.work = self.work;
        machine.memo = Some(MemoContext {
            cache: &self.cache,
            interner: &heap.interner,
            interned,
        });
        let (interner, found) = (&heap.interner, &mut self.found);
        let max = if state.is_some() { SUCCESSORS } else { INITIAL };
        let mut note = |machine: &mut Machine<'_, 'i>, _: ProcId| {
            let next = machine.step.next.iter();
            let slots = next.map(|it| interner.intern((*it)?, interned).ok());
            found.push(slots.collect::<Option<Vec<Slot>>>().ok_or(Fault::Error)?);
            Ok(found.len() == max)
        };
        // What goes wrong here goes wrong in the search again.
        let _ = match (state, compiled.relation.next) {
            (None, _) => machine.initial(compiled.relation.init, compiled.n_variables(), &mut note),
            (Some(state), Some(next)) => {
                machine
                    .state
                    .current
                    .extend(state.iter().map(|&it| interner.value(it)));
                machine.state.level = 1;
                machine.successors(next, &mut note)
            }
            _ => Ok(false),
        };
        self.work = machine.work;
    }
}

fn meet<'i>(shapes: &mut [Shape<'i>], state: &[Slot], interner: &Interner<'i>) {
    for (shape, &slot) in shapes.iter_mut().zip(state) {
        shape.meet(interner.value(slot), interner);
    }
}

/// Nothing that is evaluated here has an effect, and it ends soon.
struct Rehearsal<'a> {
    quiet: Quiet<'a>,
    looks: AtomicU32,
}

impl Rehearsal<'_> {
    fn is_over(&self) -> bool {
        self.looks.load(Relaxed) > LOOKS
    }
}

impl Effects for Rehearsal<'_> {
    fn print(&self, _: &str) {}

    fn registers(&self) -> &Registers {
        self.quiet.registers()
    }

    fn random(&self) -> u64 {
        self.quiet.random()
    }

    fn now(&self) -> i64 {
        0
    }

    fn statistic(&self, name: &str) -> Option<value::Owned> {
        self.quiet.statistic(name)
    }

    fn interrupted(&self) -> bool {
        self.looks.fetch_add(1, Relaxed) >= LOOKS || self.quiet.interrupted()
    }
}
