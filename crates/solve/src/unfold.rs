//! A model as a weighted graph that is found on the way.
//!
//! A node is a state together with a *memory*: what the cost of a step depends on besides the step itself, such as the piece
//! that was moved last. The model is asked for the successors of a state once, however many memories it is met with. A
//! goal is what the model calls a violation of its first property.

use std::ops::ControlFlow;

use explore::{Fault, FaultAt, Limit, Limits, Model, Observer, Progress, Sink};
use util::FxHashMap;

use crate::graph::{Edge, Lazy};
use crate::states::States;

/// What steps cost.
pub trait Weigh {
    /// The memory before the first step; nothing where costs depend on steps alone.
    fn memory(&mut self) -> Option<u32> {
        None
    }

    /// The cost of a step after what the memory holds, and the memory afterwards. Steps are numbered; a number stands for the
    /// same step every time.
    fn step(&mut self, memory: u32, number: u32, from: &[u32], to: &[u32]) -> Result<(u32, u32), Fault>;

    /// A guess of what the way from a state to a goal costs.
    fn estimate(&mut self, _state: &[u32]) -> Result<u64, Fault> {
        Ok(0)
    }
}

/// Every step costs one.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitCosts;

impl Weigh for UnitCosts {
    fn step(&mut self, _: u32, _: u32, _: &[u32], _: &[u32]) -> Result<(u32, u32), Fault> {
        Ok((1, 0))
    }
}

/// Why a graph could not be unfolded further.
#[derive(Debug)]
pub enum Stop {
    Limit(Limit),
    Fault {
        fault: Fault,
        at: FaultAt,
        /// The state that was expanded, inspected or left.
        state: Option<u32>,
    },
}

/// Where to give up, and who watches.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    pub limits: Limits,
    pub observer: &'a dyn Observer,
}

impl Watch<'_> {
    /// Whether to give up, with so many states and bytes.
    pub fn check(&self, states: u64, bytes: usize) -> Result<(), Stop> {
        let Limits {
            memory,
            states: states_max,
            time,
            ..
        } = self.limits;
        let limit = match () {
            () if self.observer.cancelled() => Limit::Cancelled,
            () if memory.is_some_and(|it| bytes > it) => Limit::Memory,
            () if states_max.is_some_and(|it| states > it) => Limit::States,
            () if time.is_some_and(|it| self.observer.elapsed() >= it) => Limit::Time,
            () => return Ok(()),
        };
        Err(Stop::Limit(limit))
    }
}

/// The unfolding of a model.
pub struct Unfolding<'m, M: Model, W> {
    model: &'m M,
    worker: M::Worker<'m>,
    weigh: W,
    watch: Watch<'m>,
    pub states: States,
    about: Vec<About>,
    /// The successors of states, one after the other.
    targets: Vec<u32>,
    nodes: Vec<(u32, u32)>,
    index: FxHashMap<(u32, u32), u32>,
    has_memory: bool,
    /// Where the edges of each node are.
    spans: Vec<(u32, u32)>,
    edges: Vec<Edge>,
    pub generated: u64,
    /// Whether a state was left out because it is too deep.
    pub is_cut: bool,
    scratch: Vec<u32>,
    expanded: u64,
    held_besides: usize,
}

/// What is known of a state.
#[derive(Clone, Copy, Debug)]
struct About {
    /// From which it was first met.
    parent: u32,
    depth: u32,
    /// Its successors in `targets`, once it was expanded.
    span: (u32, u32),
    estimate: u64,
    is_goal: bool,
    is_inside: bool,
}

const NONE: u32 = u32::MAX;

impl<'m, M: Model, W: Weigh> Unfolding<'m, M, W> {
    pub fn new(model: &'m M, weigh: W, watch: Watch<'m>) -> Unfolding<'m, M, W> {
        Unfolding {
            model,
            worker: model.worker(0),
            weigh,
            watch,
            states: States::new(model.n_slots()),
            about: vec![],
            targets: vec![],
            nodes: vec![],
            index: FxHashMap::default(),
            has_memory: false,
            spans: vec![],
            edges: vec![],
            generated: 0,
            is_cut: false,
            scratch: vec![],
            expanded: 0,
            held_besides: 0,
        }
    }

    /// What weighs the steps.
    pub fn weights(&self) -> &W {
        &self.weigh
    }

    pub fn n_nodes(&self) -> u32 {
        if self.has_memory {
            self.nodes.len() as u32
        } else {
            self.states.len()
        }
    }

    /// The state of a node.
    pub fn state_of(&self, node: u32) -> u32 {
        if self.has_memory {
            self.nodes[node as usize].0
        } else {
            node
        }
    }

    /// The memory of a node.
    pub fn memory_of(&self, node: u32) -> Option<u32> {
        self.has_memory.then(|| self.nodes[node as usize].1)
    }

    /// The states on the way on which a state was first met.
    pub fn first_path(&self, state: u32) -> Vec<u32> {
        let mut path = vec![state];
        while let Some(&last) = path.last()
            && self.about[last as usize].parent != NONE
        {
            path.push(self.about[last as usize].parent);
        }
        path.reverse();
        path
    }

    pub fn estimate_of(&self, state: u32) -> u64 {
        self.about[state as usize].estimate
    }

    /// The number of states on the longest of the ways on which states were first met.
    pub fn depth(&self) -> u32 {
        self.about.iter().map(|it| it.depth).max().unwrap_or(0)
    }

    pub fn bytes(&self) -> usize {
        self.states.bytes()
            + self.about.capacity() * size_of::<About>()
            + (self.targets.capacity() + self.scratch.capacity()) * 4
            + (self.nodes.capacity() + self.spans.capacity() + self.edges.capacity()) * 8
            + self.index.capacity() * 16
            + self.held_besides
            + self.model.memory()
    }

    /// Asks for the edges of all nodes that can be reached.
    pub fn unfold_all(&mut self) -> Result<(), Stop> {
        if self.states.is_empty() {
            self.initial()?;
        }
        let mut node = 0;
        while node < self.n_nodes() {
            self.edges(node)?;
            node += 1;
        }
        self.tell();
        Ok(())
    }

    /// Tells how far the search is.
    pub fn tell(&self) {
        self.watch.observer.progress(&Progress {
            generated: self.generated,
            distinct: u64::from(self.states.len()),
            queue: u64::from(self.n_nodes()).saturating_sub(self.expanded),
            depth: self.about.last().map_or(0, |it| it.depth),
            memory: self.bytes(),
            walks: 0,
        });
    }

    fn node(&mut self, state: u32, memory: u32) -> u32 {
        if !self.has_memory {
            return state;
        }
        let next = self.nodes.len() as u32;
        let node = *self.index.entry((state, memory)).or_insert(next);
        if node == next {
            self.nodes.push((state, memory));
        }
        node
    }

    /// Notes the states that were emitted, and what they are.
    fn take_in(&mut self, parent: u32) -> Result<(), Stop> {
        let n_slots = self.model.n_slots();
        let found = std::mem::take(&mut self.scratch);
        let first = self.targets.len();
        let depth = if parent == NONE {
            1
        } else {
            self.about[parent as usize].depth + 1
        };
        let n_found = found.len() / (n_slots + 1);
        for i in 0..n_found {
            let state = &found[i * (n_slots + 1) + 1..(i + 1) * (n_slots + 1)];
            let (id, is_new) = self.states.insert(state);
            if is_new {
                let about = self.inspect(id, state, parent, depth)?;
                self.about.push(about);
            }
            let about = &self.about[id as usize];
            if (about.is_inside || about.is_goal) && !self.targets[first..].contains(&id) {
                self.targets.push(id);
            }
        }
        self.scratch = found;
        self.scratch.clear();
        let span = (first as u32, self.targets.len() as u32);
        if parent != NONE {
            self.about[parent as usize].span = span;
        }
        Ok(())
    }

    fn inspect(&mut self, id: u32, state: &[u32], parent: u32, depth: u32) -> Result<About, Stop> {
        let wrong = |fault| Stop::Fault {
            fault,
            at: FaultAt::Inspection,
            state: Some(id),
        };
        let mut about = About {
            parent,
            depth,
            span: (NONE, NONE),
            estimate: 0,
            is_goal: false,
            is_inside: true,
        };
        let seen = self.model.inspect(&mut self.worker, state, depth);
        let seen = seen.and_then(|it| Ok((it, self.weigh.estimate(state)?)));
        match seen {
            Ok((inspection, estimate)) => {
                about.is_goal = inspection.violated == Some(0);
                about.is_inside = inspection.expand;
                about.estimate = estimate;
                Ok(about)
            }
            Err(fault) => {
                self.about.push(about);
                Err(wrong(fault))
            }
        }
    }

    /// Asks the model for the successors of a state, once.
    fn expand(&mut self, state: u32) -> Result<(), Stop> {
        let About {
            span,
            is_inside,
            depth,
            ..
        } = self.about[state as usize];
        if span.0 != NONE {
            return Ok(());
        }
        let too_deep = self.watch.limits.depth.is_some_and(|it| depth >= it);
        if !is_inside || too_deep {
            self.is_cut |= too_deep;
            self.about[state as usize].span = (0, 0);
            return Ok(());
        }
        self.expanded += 1;
        if self.edges.len().max(self.targets.len()) > (u32::MAX / 2) as usize {
            return Err(Stop::Limit(Limit::Memory));
        }
        if self.expanded.is_multiple_of(256) {
            self.watch.check(u64::from(self.states.len()), self.bytes())?;
            self.tell();
            self.model.pause();
        }
        let mut collect = Collect::new(&mut self.scratch);
        let done = self
            .model
            .successors(&mut self.worker, self.states.get(state), depth, &mut collect);
        self.generated += collect.generated;
        done.map_err(|fault| Stop::Fault {
            fault,
            at: FaultAt::Successors,
            state: Some(state),
        })?;
        self.take_in(state)
    }
}

impl<M: Model, W: Weigh> Lazy for Unfolding<'_, M, W> {
    type Stop = Stop;

    fn initial(&mut self) -> Result<Vec<u32>, Stop> {
        let memory = self.weigh.memory();
        self.has_memory = memory.is_some();
        let mut collect = Collect::new(&mut self.scratch);
        let done = self.model.initial(&mut self.worker, &mut collect);
        self.generated += collect.generated;
        done.map_err(|fault| Stop::Fault {
            fault,
            at: FaultAt::Initial,
            state: None,
        })?;
        let first = self.targets.len();
        self.take_in(NONE)?;
        let initial = self.targets.split_off(first);
        let memory = memory.unwrap_or(0);
        Ok(initial.into_iter().map(|it| self.node(it, memory)).collect())
    }

    fn edges(&mut self, node: u32) -> Result<&[Edge], Stop> {
        if self.spans.len() <= node as usize {
            self.spans.resize(node as usize + 1, (NONE, NONE));
        }
        if self.spans[node as usize].0 != NONE {
            return Ok(self.known_edges(node));
        }
        let state = self.state_of(node);
        let memory = self.memory_of(node).unwrap_or(0);
        self.expand(state)?;
        let (first, last) = self.about[state as usize].span;
        let start = self.edges.len() as u32;
        for number in first..last {
            let target = self.targets[number as usize];
            let (from, to) = (self.states.get(state), self.states.get(target));
            let weighed = self.weigh.step(memory, number, from, to);
            let (cost, memory) = weighed.map_err(|fault| Stop::Fault {
                fault,
                at: FaultAt::Successors,
                state: Some(state),
            })?;
            let to = self.node(target, memory);
            self.edges.push(Edge { to, cost });
        }
        self.spans[node as usize] = (start, self.edges.len() as u32);
        Ok(self.known_edges(node))
    }

    fn known_edges(&self, node: u32) -> &[Edge] {
        match self.spans.get(node as usize) {
            Some(&(start, end)) if start != NONE => &self.edges[start as usize..end as usize],
            _ => &[],
        }
    }

    fn held_besides(&mut self, bytes: usize) {
        self.held_besides = bytes;
    }

    fn is_goal(&self, node: u32) -> bool {
        self.about[self.state_of(node) as usize].is_goal
    }

    fn estimate(&self, node: u32) -> u64 {
        self.about[self.state_of(node) as usize].estimate
    }
}

/// Collects states, each after a number that says who made it.
pub(crate) struct Collect<'a> {
    pub found: &'a mut Vec<u32>,
    pub tag: u32,
    pub generated: u64,
}

impl<'a> Collect<'a> {
    pub fn new(found: &'a mut Vec<u32>) -> Collect<'a> {
        found.clear();
        Collect {
            found,
            tag: 0,
            generated: 0,
        }
    }
}

impl Sink for Collect<'_> {
    fn needs_hash(&self) -> bool {
        false
    }

    fn emit(&mut self, state: &[u32], _: u64, _: Option<(&[u32], u64)>, _: u32) -> ControlFlow<()> {
        self.generated += 1;
        self.found.push(self.tag);
        self.found.extend_from_slice(state);
        ControlFlow::Continue(())
    }

    fn exclude(&mut self, _action: u32) -> ControlFlow<()> {
        self.generated += 1;
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _property: u32, _state: &[u32]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
