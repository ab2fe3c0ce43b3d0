//! A random graph as a model, and processes to search it, which are threads here, each with an engine of its own, over loopback.
//!
//! Each process has its own numbering of values, so a slot of one process that is taken for a slot of another is found out.

use std::net::TcpListener;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use cluster::{Cluster, Config, Role};
use explore::{
    Engine, Fault, Halfway, Inspection, Limits, Model, Options, Outcome, Portable, Random, Sink, StateGraph,
    ViolationKind,
};

/// A graph whose nodes are numbers, each spread over three slots; everything else follows from a seed.
#[derive(Clone)]
pub struct Graph {
    pub seed: u64,
    pub nodes: u64,
    pub steps: usize,
    /// Values are numbered differently in each process.
    pub mask: u32,
    pub key: Key,
    pub has_outside: bool,
    /// One node in so many is bad.
    pub bad: Option<u64>,
    pub bad_step: Option<u64>,
    pub faulty: Option<u64>,
    pub excluded: bool,
    pub has_deadlocks: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Key {
    None,
    /// Nodes that differ in the lowest bit are the same.
    Half,
}

pub fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

impl Graph {
    fn about(&self, node: u64, what: u64) -> u64 {
        mix(mix(self.seed ^ what << 40) ^ node)
    }

    fn is(&self, node: u64, what: u64, one_in: Option<u64>) -> bool {
        one_in.is_some_and(|it| self.about(node, what).is_multiple_of(it))
    }

    fn slots(&self, node: u64) -> [u32; 3] {
        [node % 7, node / 7 % 11, node / 77].map(|it| it as u32 ^ self.mask)
    }

    fn node(&self, slots: &[u32]) -> u64 {
        let [a, b, c] = [0, 1, 2].map(|it| u64::from(slots[it] ^ self.mask));
        a + 7 * b + 77 * c
    }

    fn emit(&self, sink: &mut dyn Sink, node: u64, action: u32) -> ControlFlow<()> {
        let (state, hash) = (self.slots(node), mix(node));
        match self.key {
            Key::None => sink.emit(&state, hash, None, action),
            Key::Half => {
                let key = [(node / 2) as u32 ^ self.mask];
                sink.emit(&state, hash, Some((&key, self.key_hash(node / 2))), action)
            }
        }
    }

    fn key_hash(&self, key: u64) -> u64 {
        mix(key + 1_000_000)
    }

    fn successors_of(&self, node: u64) -> Vec<u64> {
        let mut random = Random::new(self.about(node, 1));
        let n = if self.has_deadlocks { 0 } else { 1 };
        let n = n + random.below(self.steps);
        // Mostly near by, so that the graph is deep as well as wide.
        (0..n)
            .map(|_| match random.below(4) {
                0 => random.next_u64() % self.nodes,
                _ => (node + 1 + random.below(5) as u64) % self.nodes,
            })
            .collect()
    }
}

impl Model for Graph {
    type Worker<'m> = ();

    fn worker(&self, _index: usize) {}

    fn n_slots(&self) -> usize {
        3
    }

    fn initial(&self, _: &mut (), sink: &mut dyn Sink) -> Result<(), Fault> {
        for it in 0..4 {
            if self.emit(sink, self.about(it, 2) % self.nodes, 9).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn successors(&self, _: &mut (), state: &[u32], _depth: u32, sink: &mut dyn Sink) -> Result<(), Fault> {
        let node = self.node(state);
        if self.is(node, 3, self.faulty) {
            return Err(Fault::new(format!("no successors of {node}")));
        }
        for (i, next) in self.successors_of(node).into_iter().enumerate() {
            let action = i as u32 % 3;
            let flow = match self.excluded && self.about(node ^ next << 20, 4).is_multiple_of(5) {
                true => sink.exclude(action),
                false => self.emit(sink, next, action),
            };
            if flow.is_break() {
                return Ok(());
            }
            let is_excluded = self.excluded && self.about(node ^ next << 20, 4).is_multiple_of(5);
            if sink.wants_labels() && !is_excluded {
                sink.label_step(&[u64::from(action), self.about(node ^ next << 20, 9)]);
            }
            if self.is(node ^ next << 20, 5, self.bad_step) && sink.violation(7, &self.slots(next)).is_break()
            {
                return Ok(());
            }
        }
        if sink.wants_labels() {
            sink.label_state(&[node]);
        }
        Ok(())
    }

    fn inspect(&self, _: &mut (), state: &[u32], _depth: u32) -> Result<Inspection, Fault> {
        let node = self.node(state);
        if self.is(node, 6, self.faulty) {
            return Err(Fault::new(format!("no inspection of {node}")));
        }
        Ok(Inspection {
            expand: !(self.has_outside && self.about(node, 7).is_multiple_of(9)),
            violated: self.is(node, 8, self.bad).then_some((node % 3) as u32),
        })
    }
}

impl Portable for Graph {
    /// The values that have passed, by slot.
    type Sent = Vec<u32>;

    fn send(&self, slot: u32, seen: &mut Vec<u32>, bytes: &mut Vec<u8>) {
        match seen.iter().position(|&it| it == slot) {
            Some(at) if at < 100 => bytes.push(at as u8),
            _ => {
                bytes.push(255);
                bytes.extend((slot ^ self.mask).to_le_bytes());
                seen.push(slot);
            }
        }
    }

    fn hash(&self, vector: &[u32], is_key: bool) -> u64 {
        match is_key {
            true => self.key_hash(u64::from(vector[0] ^ self.mask)),
            false => mix(self.node(vector)),
        }
    }

    fn n_sent(&self, seen: &Vec<u32>) -> usize {
        seen.len()
    }

    fn receive(&self, _: &mut (), bytes: &mut &[u8], known: &mut Vec<u32>) -> Option<u32> {
        let (&head, rest) = bytes.split_first()?;
        *bytes = rest;
        if head < 100 {
            return known.get(head as usize).copied();
        }
        let (value, rest) = bytes.split_at_checked(4)?;
        *bytes = rest;
        let slot = u32::from_le_bytes(value.try_into().ok()?) ^ self.mask;
        known.push(slot);
        Some(slot)
    }
}

/// An outcome without what may differ, and with nodes in the place of slots.
pub fn told(graph: &Graph, outcome: &Outcome) -> String {
    let stats = &outcome.stats;
    let violations: Vec<String> = outcome
        .violations
        .iter()
        .map(|it| {
            let kind = match &it.kind {
                ViolationKind::Property(property) => format!("property {property}"),
                ViolationKind::Deadlock => "deadlock".to_owned(),
                ViolationKind::Fault { fault, at } => {
                    format!("{at:?} {:?}", fault.0.downcast_ref::<String>())
                }
            };
            let trace: Vec<(u64, u32)> = it
                .trace
                .iter()
                .map(|it| (graph.node(&it.state), it.action))
                .collect();
            format!("{kind}: {trace:?} {}", it.is_complete)
        })
        .collect();
    // Where there is a graph, every state of it can be told.
    let walks = outcome.graph.iter().flatten().flat_map(|it| {
        let states = (0..it.n_states()).step_by(97);
        states.map(|state| outcome.space.path_to(state))
    });
    let walks: Vec<Vec<u32>> = walks.collect();
    format!(
        "{:?} {:?} generated {} distinct {} initial {} queue {} depth {} {:?}\n{}\n{:?} {walks:?}",
        outcome.verdict,
        outcome.limit,
        stats.generated,
        stats.distinct,
        stats.initial,
        stats.queue,
        stats.depth,
        stats.actions,
        violations.join("\n"),
        outcome.graph,
    )
}

/// Has seen enough of the graph when it has so many states.
pub struct Enough(pub u32);

impl Halfway for Enough {
    fn is_decided(&self, graph: &StateGraph) -> bool {
        graph.n_states() >= self.0
    }
}

pub fn options<'a>(limits: Limits, violations_max: usize) -> Options<'a> {
    Options {
        limits,
        violations_max,
        ..Options::default()
    }
}

/// The addresses of so many processes: ports that were free a moment ago.
pub fn addresses(processes: usize) -> Vec<String> {
    let listeners: Vec<TcpListener> = (0..processes)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    listeners
        .iter()
        .map(|it| it.local_addr().unwrap().to_string())
        .collect()
}

/// Two tests must not get the same ports.
pub static PORTS: Mutex<()> = Mutex::new(());

pub fn engine(index: usize, hosts: Vec<String>, workers: usize, is_folder_shared: bool) -> Cluster {
    Cluster::new(Config {
        role: Role::Host { index, hosts },
        workers,
        version: "test".to_owned(),
        fingerprint: 1,
        is_folder_shared,
        patience: Duration::from_secs(20),
        join_time: Duration::from_secs(20),
        give_up: Arc::new(|failure| panic!("{failure:?}")),
    })
}

/// How many processes there are, with how many threads each, and whether they have one folder.
#[derive(Clone, Copy, Debug)]
pub struct Team {
    pub processes: usize,
    pub workers: usize,
    pub is_folder_shared: bool,
}

/// Searches with several processes, each with options of its own. Gives what came out at each of them.
pub fn in_processes<'o>(
    graph: &Graph,
    team: Team,
    options: impl Fn(usize) -> Options<'o> + Sync,
) -> Vec<(String, Outcome)> {
    let _alone = PORTS.lock().unwrap_or_else(|it| it.into_inner());
    let hosts = addresses(team.processes);
    std::thread::scope(|scope| {
        let run = |index: usize| {
            let (hosts, options) = (hosts.clone(), &options);
            let graph = Graph {
                mask: graph.mask ^ (index as u32) << 8,
                ..graph.clone()
            };
            move || {
                let engine = engine(index, hosts, team.workers, team.is_folder_shared);
                let outcome = engine.check(&graph, &options(index));
                assert_eq!(engine.failure(), None);
                (told(&graph, &outcome), outcome)
            }
        };
        let others: Vec<_> = (1..team.processes).map(|it| scope.spawn(run(it))).collect();
        let mut all = vec![run(0)()];
        let head = |it: &str| it.lines().next().unwrap_or_default().to_owned();
        for other in others {
            all.push(other.join().unwrap());
            let [first, .., other] = &all[..] else { continue };
            assert_eq!(
                head(&other.0),
                head(&first.0),
                "all know the verdict and the counts"
            );
        }
        all
    })
}

pub fn graph(seed: u64) -> Graph {
    let about = |what: u64| mix(seed ^ what << 50);
    let one_in = |what: u64| (about(what) % 3 == 0).then(|| 20 + about(what + 1) % 400);
    Graph {
        seed,
        nodes: 1 + about(1) % 3000,
        steps: 1 + about(2) as usize % 4,
        mask: 0x4000_0000,
        key: if about(3) % 3 == 0 { Key::Half } else { Key::None },
        has_outside: about(4) % 3 == 0,
        bad: one_in(5),
        bad_step: one_in(7),
        faulty: one_in(9).filter(|_| about(11) % 2 == 0),
        excluded: about(12) % 2 == 0,
        has_deadlocks: about(13) % 3 == 0,
    }
}

/// A graph with enough states and nothing wrong with it.
pub fn sound(seed: u64) -> Graph {
    Graph {
        nodes: 3000,
        steps: 3,
        bad: None,
        bad_step: None,
        faulty: None,
        has_deadlocks: false,
        ..graph(seed)
    }
}
