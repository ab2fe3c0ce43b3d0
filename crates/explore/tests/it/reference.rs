//! The search against a textbook search, on random graphs with everything a model can do: constraints, keys, excluded
//! steps, violations of states and of steps, deadlocks and faults.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use explore::{
    Fault, Inspection, Limit, Limits, Model, Observer, Options, Outcome, Random, Sink, Store, Translation,
    Verdict, ViolationKind, check,
};
use proptest::prelude::*;

/// A graph of numbered nodes. A state is a node written in digits; digits are interned on first sight, so the slots
/// of a state differ from run to run when there are several workers.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) initial: Vec<Edge>,
    nodes: Vec<Node>,
    n_slots: usize,
    base: usize,
    /// States whose nodes are equal modulo this have the same key.
    keys: Option<usize>,
    fault_in_initial: bool,
    pub(crate) interner: Mutex<Interner>,
}

#[derive(Debug, Default)]
pub(crate) struct Interner {
    digits: Vec<usize>,
    ids: HashMap<usize, u32>,
}

#[derive(Debug, Default)]
struct Node {
    edges: Vec<Edge>,
    is_outside: bool,
    violates: Option<u32>,
    /// The property that the state violates if it stands at this depth.
    violates_at: Option<(u32, u32)>,
    fault_in_inspect: bool,
    fault_in_successors: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: usize,
    pub(crate) action: u32,
    pub(crate) is_excluded: bool,
    pub(crate) violates: Option<u32>,
}

/// How often things go wrong, in a thousand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Odds {
    pub(crate) violation: usize,
    pub(crate) fault: usize,
    pub(crate) deadlock: usize,
    pub(crate) outside: usize,
    pub(crate) excluded: usize,
}

impl Graph {
    pub(crate) fn random(seed: u64, n_nodes: usize, odds: Odds, with_keys: bool) -> Graph {
        let mut random = Random::new(seed);
        let mut chance = |per_mille: usize| random.below(1000) < per_mille;
        let flags: Vec<[bool; 7]> = (0..n_nodes)
            .map(|_| {
                [
                    chance(odds.outside),
                    chance(odds.violation),
                    chance(odds.violation),
                    chance(odds.fault),
                    chance(odds.fault),
                    chance(odds.deadlock),
                    chance(30),
                ]
            })
            .collect();
        let edge = |random: &mut Random| Edge {
            to: random.below(n_nodes),
            action: random.below(4) as u32,
            is_excluded: random.below(1000) < odds.excluded,
            violates: (random.below(1000) < odds.violation).then(|| random.below(3) as u32),
        };
        let nodes = flags
            .into_iter()
            .map(
                |[
                    is_outside,
                    bad,
                    bad_at,
                    fault_in_inspect,
                    fault_in_successors,
                    is_dead,
                    is_wide,
                ]| {
                    let n_edges = if is_dead {
                        0
                    } else {
                        1 + random.below(if is_wide { 60 } else { 4 })
                    };
                    Node {
                        edges: (0..n_edges).map(|_| edge(&mut random)).collect(),
                        is_outside,
                        violates: bad.then(|| 3 + random.below(3) as u32),
                        violates_at: bad_at.then(|| (6, 1 + random.below(5) as u32)),
                        fault_in_inspect,
                        fault_in_successors,
                    }
                },
            )
            .collect();
        let base = 1 + random.below(9);
        let mut n_slots = 1;
        while base > 1 && base.pow(n_slots as u32) < n_nodes {
            n_slots += 1;
        }
        let base = if n_slots == 1 { n_nodes } else { base };
        // Long states too, most of whose slots never change.
        let n_slots = if random.below(4) == 0 {
            n_slots + random.below(80)
        } else {
            n_slots
        };
        Graph {
            initial: (0..random.below(4)).map(|_| edge(&mut random)).collect(),
            nodes,
            n_slots,
            base,
            keys: with_keys.then(|| 1 + random.below(n_nodes)),
            fault_in_initial: random.below(1000) < odds.fault,
            interner: Mutex::default(),
        }
    }

    fn intern(&self, digit: usize) -> u32 {
        let mut interner = self.interner.lock().unwrap();
        if let Some(&id) = interner.ids.get(&digit) {
            return id;
        }
        let id = interner.digits.len() as u32;
        interner.digits.push(digit);
        interner.ids.insert(digit, id);
        id
    }

    fn slots(&self, node: usize) -> Vec<u32> {
        (0..self.n_slots as u32)
            .map(|i| {
                self.intern(
                    self.base
                        .checked_pow(i)
                        .map_or(0, |place| node / place % self.base),
                )
            })
            .collect()
    }

    fn node(&self, slots: &[u32]) -> usize {
        let interner = self.interner.lock().unwrap();
        slots
            .iter()
            .rev()
            .fold(0, |node, &slot| node * self.base + interner.digits[slot as usize])
    }

    fn key(&self, node: usize) -> usize {
        self.keys.map_or(node, |keys| node % keys)
    }

    fn emit(&self, edges: &[Edge], sink: &mut dyn Sink) -> ControlFlow<()> {
        for edge in edges {
            let state = self.slots(edge.to);
            if edge.is_excluded {
                sink.exclude(edge.action)?;
            } else {
                let same = self.intern(2_000_000);
                let key = [self.intern(1_000_000 + self.key(edge.to)), same, same];
                let key = self.keys.map(|_| (&key[..], hash(self.key(edge.to))));
                sink.emit(&state, hash(edge.to), key, edge.action)?;
            }
            if let Some(property) = edge.violates {
                sink.violation(property, &state)?;
            }
        }
        ControlFlow::Continue(())
    }
}

fn hash(node: usize) -> u64 {
    (node as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Model for Graph {
    type Worker<'m> = ();

    fn worker(&self, _index: usize) {}

    fn n_slots(&self) -> usize {
        self.n_slots
    }

    fn initial(&self, (): &mut (), sink: &mut dyn Sink) -> Result<(), Fault> {
        let _ = self.emit(&self.initial, sink);
        if self.fault_in_initial {
            Err(Fault::new(()))
        } else {
            Ok(())
        }
    }

    fn successors(&self, (): &mut (), state: &[u32], _depth: u32, sink: &mut dyn Sink) -> Result<(), Fault> {
        let node = &self.nodes[self.node(state)];
        let half = node.edges.len() / 2;
        if node.fault_in_successors {
            let _ = self.emit(&node.edges[..half], sink);
            return Err(Fault::new("successors"));
        }
        let _ = self.emit(&node.edges, sink);
        Ok(())
    }

    fn inspect(&self, (): &mut (), state: &[u32], depth: u32) -> Result<Inspection, Fault> {
        let node = &self.nodes[self.node(state)];
        if node.fault_in_inspect {
            return Err(Fault::new("inspect"));
        }
        let at_depth = node
            .violates_at
            .filter(|&(_, at)| at == depth)
            .map(|(property, _)| property);
        Ok(Inspection {
            expand: !node.is_outside,
            violated: node.violates.or(at_depth),
        })
    }

    fn write_values(&self, noted: &mut Vec<usize>, bytes: &mut Vec<u8>) {
        let digits = &self.interner.lock().unwrap().digits;
        let done = noted.pop().unwrap_or(0);
        for digit in &digits[done..] {
            bytes.extend((*digit as u64).to_le_bytes());
        }
        noted.push(digits.len());
    }

    fn read_values(&self, (): &mut (), bytes: &[u8]) -> Option<Box<Translation>> {
        let digit = |it: &[u8]| u64::from_le_bytes(it.try_into().unwrap()) as usize;
        let slots: Vec<u32> = bytes.chunks(8).map(|it| self.intern(digit(it))).collect();
        Some(Box::new(move |slot| slots.get(slot as usize).copied()))
    }
}

/// What the textbook says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) violations: Vec<(String, Vec<usize>)>,
    pub(crate) limit: Option<Limit>,
    pub(crate) generated: u64,
    pub(crate) distinct: u64,
    pub(crate) depth: u32,
    pub(crate) taken: Vec<u64>,
    pub(crate) found: Vec<u64>,
}

pub(crate) struct Textbook<'g> {
    graph: &'g Graph,
    options: &'g Options<'g>,
    answer: Answer,
    known: HashMap<usize, usize>,
    outside: HashSet<usize>,
    queue: VecDeque<(Vec<usize>, usize)>,
}

impl Textbook<'_> {
    pub(crate) fn search(graph: &Graph, options: &Options<'_>) -> Answer {
        let mut it = Textbook {
            graph,
            options,
            answer: Answer::default(),
            known: HashMap::new(),
            outside: HashSet::new(),
            queue: VecDeque::new(),
        };
        let _ = it.run();
        it.answer
    }

    fn run(&mut self) -> ControlFlow<()> {
        self.steps(&self.graph.initial, &[])?;
        if self.graph.fault_in_initial {
            return self.violation("fault".into(), Vec::new());
        }
        while let Some((path, node)) = self.queue.pop_front() {
            if self
                .options
                .limits
                .depth
                .is_some_and(|it| path.len() as u32 >= it)
            {
                self.answer.limit = Some(Limit::Depth);
                return ControlFlow::Break(());
            }
            let node = &self.graph.nodes[node];
            if node.fault_in_successors {
                self.steps(&node.edges[..node.edges.len() / 2], &path)?;
                return self.violation("fault".into(), path);
            }
            self.steps(&node.edges, &path)?;
            if node.edges.is_empty() && self.options.deadlock {
                self.violation("deadlock".into(), path)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn steps(&mut self, edges: &[Edge], path: &[usize]) -> ControlFlow<()> {
        for edge in edges {
            let path: Vec<usize> = path.iter().copied().chain([edge.to]).collect();
            let count = |counts: &mut Vec<u64>| {
                counts.resize(counts.len().max(edge.action as usize + 1), 0);
                counts[edge.action as usize] += 1;
            };
            let node = &self.graph.nodes[edge.to];
            let key = self.graph.key(edge.to);
            let is_new =
                !edge.is_excluded && !self.known.contains_key(&key) && !self.outside.contains(&edge.to);
            if is_new && !node.is_outside && Some(self.known.len() as u64) == self.options.limits.states {
                self.answer.limit = Some(Limit::States);
                return ControlFlow::Break(());
            }
            self.answer.generated += 1;
            count(&mut self.answer.taken);
            if is_new {
                if node.is_outside && !node.fault_in_inspect {
                    self.outside.insert(edge.to);
                } else {
                    self.known.insert(key, edge.to);
                    self.answer.distinct += 1;
                    self.answer.depth = self.answer.depth.max(path.len() as u32);
                    count(&mut self.answer.found);
                    self.queue.push_back((path.clone(), edge.to));
                }
                if node.fault_in_inspect {
                    return self.violation("fault".into(), path);
                }
                let at_depth = node
                    .violates_at
                    .filter(|&(_, at)| at as usize == path.len())
                    .map(|it| it.0);
                if let Some(property) = node.violates.or(at_depth) {
                    self.violation(property.to_string(), path.clone())?;
                }
            }
            if let Some(property) = edge.violates {
                self.violation(property.to_string(), path)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn violation(&mut self, what: String, path: Vec<usize>) -> ControlFlow<()> {
        let is_fault = what == "fault";
        if is_fault || self.answer.violations.iter().all(|(known, _)| *known != what) {
            self.answer.violations.push((what, path));
        }
        if is_fault || self.answer.violations.len() >= self.options.violations_max {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

pub(crate) fn answer(graph: &Graph, outcome: &Outcome) -> Answer {
    let violations = outcome.violations.iter().map(|violation| {
        assert!(violation.is_complete);
        let what = match &violation.kind {
            ViolationKind::Property(property) => property.to_string(),
            ViolationKind::Deadlock => "deadlock".to_string(),
            ViolationKind::Fault { .. } => "fault".to_string(),
        };
        (
            what,
            violation
                .trace
                .iter()
                .map(|step| graph.node(&step.state))
                .collect(),
        )
    });
    let until_last = |counts: Vec<u64>| {
        let n = counts.iter().rposition(|&it| it > 0).map_or(0, |it| it + 1);
        counts[..n].to_vec()
    };
    Answer {
        violations: violations.collect(),
        limit: outcome.limit,
        generated: outcome.stats.generated,
        distinct: outcome.stats.distinct,
        depth: outcome.stats.depth,
        taken: until_last(outcome.stats.actions.iter().map(|it| it.taken).collect()),
        found: until_last(outcome.stats.actions.iter().map(|it| it.found).collect()),
    }
}

/// A clock that makes every batch look worth the whole team.
#[derive(Default)]
pub(crate) struct SlowClock(pub(crate) AtomicU64);

impl Observer for SlowClock {
    fn elapsed(&self) -> Duration {
        Duration::from_micros(self.0.fetch_add(700, Ordering::Relaxed))
    }
}

fn compare(graph: &Graph, options: &Options<'_>) {
    let expected = Textbook::search(graph, options);
    for store in [Store::Exact, Store::Fingerprint] {
        for workers in [1, 2, 4] {
            let clock = SlowClock::default();
            *graph.interner.lock().unwrap() = Interner::default();
            let outcome = check(
                graph,
                &Options {
                    workers,
                    store,
                    observer: &clock,
                    ..*options
                },
            );
            assert_eq!(answer(graph, &outcome), expected, "{workers} workers, {store:?}");
            let verdict = match expected.limit {
                _ if !expected.violations.is_empty() => Verdict::Violated,
                Some(limit) => Verdict::Unknown(limit),
                None => Verdict::Holds,
            };
            assert_eq!(outcome.verdict, verdict);
            assert_eq!(u64::from(outcome.space.len()), outcome.stats.distinct);
            if let Some(last) = outcome.space.len().checked_sub(1) {
                assert_eq!(outcome.space.depth_of(last), outcome.stats.depth);
                assert_eq!(outcome.space.path_to(last).len(), outcome.stats.depth as usize);
            }
        }
    }
}

pub(crate) fn odds() -> impl Strategy<Value = Odds> {
    let rarely = || prop_oneof![3 => Just(0), 1 => 1..30usize];
    (
        rarely(),
        rarely(),
        rarely(),
        prop_oneof![Just(0), 1..400usize],
        prop_oneof![Just(0), 1..400usize],
    )
        .prop_map(|(violation, fault, deadlock, outside, excluded)| Odds {
            violation,
            fault,
            deadlock,
            outside,
            excluded,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn same_as_the_textbook(
        seed: u64,
        n_nodes in prop_oneof![1..12usize, 1..300usize],
        odds in odds(),
        with_keys: bool,
        deadlock: bool,
        violations_max in 1..5usize,
        states in prop::option::weighted(0.2, 0..100u64),
        depth in prop::option::weighted(0.2, 1..6u32),
    ) {
        let graph = Graph::random(seed, n_nodes, odds, with_keys);
        let limits = Limits { states, depth, ..Limits::default() };
        compare(&graph, &Options { deadlock, violations_max, limits, ..Options::default() });
    }
}

#[test]
fn same_as_the_textbook_with_many_states() {
    let odds = Odds {
        violation: 0,
        fault: 0,
        deadlock: 0,
        outside: 100,
        excluded: 50,
    };
    for (seed, with_keys) in [(1, false), (2, true), (3, false)] {
        let mut graph = Graph::random(seed, 20_000, odds, with_keys);
        graph.initial.push(Edge {
            to: 5,
            action: 0,
            is_excluded: false,
            violates: None,
        });
        compare(&graph, &Options::default());
        // And something to find far out.
        for node in graph.nodes.iter_mut().step_by(997) {
            node.violates_at = Some((6, 9));
        }
        compare(&graph, &Options::default());
    }
}
