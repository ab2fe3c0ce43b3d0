//! The graph of all states, for questions about infinite behaviours.
//!
//! It is recorded on the way, because the search generates every step anyway: for each expanded state the number that each step
//! leads to (what stands for the target in the visited set) and the marks that the model puts on states and steps. Which
//! state a number belongs to is known only later, so numbers are exchanged for states at the end. A search that is not
//! asked for the graph records nothing.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::options::{Limit, Options};

/// States by number and the steps between them, with the model's marks.
///
/// Steps to states outside the constraints are not in it, nor are excluded ones. A step from a state to itself is left
/// out, unless states have keys: there it may be a step between different states with one key.
#[derive(Debug, Default)]
pub struct StateGraph {
    /// The initial states are `0..n_initial`.
    pub n_initial: u32,
    /// The steps of state s are `offsets[s]..offsets[s + 1]`.
    pub offsets: Vec<u32>,
    pub targets: Vec<u32>,
    /// Words of marks for each state.
    pub state_words: usize,
    pub state_marks: Vec<u64>,
    /// Words of marks for each step.
    pub step_words: usize,
    pub step_marks: Vec<u64>,
}

impl StateGraph {
    pub fn n_states(&self) -> u32 {
        self.offsets.len().saturating_sub(1) as u32
    }

    pub fn bytes(&self) -> usize {
        (self.offsets.capacity() + self.targets.capacity()) * 4
            + (self.state_marks.capacity() + self.step_marks.capacity()) * 8
    }
}

/// What expanding some neighbouring states showed of the graph, and what stands for the states that were new there.
///
/// Invariant: `n_steps` adds up to the length of `numbers`; `step_marks` has as many words for each number, and
/// `state_marks` for each element of `n_steps`.
#[derive(Clone, Default)]
pub(crate) struct Log {
    pub(crate) is_on: bool,
    /// States are told apart by keys.
    pub(crate) has_keys: bool,
    n_steps: Vec<u32>,
    numbers: Vec<u64>,
    state_marks: Vec<u64>,
    step_marks: Vec<u64>,
    /// Numbers of the states that became part of the space.
    found: Vec<u64>,
}

impl Log {
    pub(crate) fn clear(&mut self) {
        self.n_steps.clear();
        self.numbers.clear();
        self.state_marks.clear();
        self.step_marks.clear();
        self.found.clear();
    }

    pub(crate) fn bytes(&self) -> usize {
        self.n_steps.capacity() * 4
            + (self.numbers.capacity() + self.found.capacity()) * 8
            + (self.state_marks.capacity() + self.step_marks.capacity()) * 8
    }

    pub(crate) fn begin_state(&mut self) {
        if self.is_on {
            self.n_steps.push(0);
        }
    }

    #[inline]
    pub(crate) fn step(&mut self, number: u64) {
        if self.is_on {
            self.numbers.push(number);
            if let Some(last) = self.n_steps.last_mut() {
                *last += 1;
            }
        }
    }

    pub(crate) fn mark_step(&mut self, marks: &[u64]) {
        self.step_marks.extend_from_slice(marks);
    }

    pub(crate) fn mark_state(&mut self, marks: &[u64]) {
        self.state_marks.extend_from_slice(marks);
    }

    #[inline]
    pub(crate) fn found(&mut self, number: u64) {
        if self.is_on {
            self.found.push(number);
        }
    }

    fn len(&self) -> usize {
        self.n_steps.len()
    }
}

/// All logs of a search, in its order.
#[derive(Clone, Default)]
pub(crate) struct Logs {
    logs: Vec<Log>,
    bytes: usize,
    has_keys: bool,
}

impl Logs {
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes over what a chunk recorded.
    pub(crate) fn append(&mut self, log: &mut Log) {
        if !log.is_on || log.len() == 0 && log.found.is_empty() {
            return;
        }
        let on = Log {
            is_on: true,
            ..Log::default()
        };
        let mut log = std::mem::replace(log, on);
        log.n_steps.shrink_to_fit();
        log.numbers.shrink_to_fit();
        log.state_marks.shrink_to_fit();
        log.step_marks.shrink_to_fit();
        log.found.shrink_to_fit();
        self.bytes += log.bytes();
        self.has_keys |= log.has_keys;
        self.logs.push(log);
    }

    /// The graph of the states that were expanded. `memory` is what is held besides the logs.
    pub(crate) fn into_graph(
        self,
        n_initial: u32,
        memory: usize,
        options: &Options<'_>,
    ) -> Result<StateGraph, Limit> {
        let n_states: usize = self.logs.iter().map(Log::len).sum();
        let n_steps: usize = self.logs.iter().map(|it| it.numbers.len()).sum();
        let needed = n_states * 20 + n_steps * 4 + self.bytes * 2;
        if options.limits.memory.is_some_and(|it| memory + needed > it) || n_steps >= u32::MAX as usize {
            return Err(Limit::Memory);
        }
        let directory = Directory::new(&self.logs, n_states as u32);
        let mut first_state = 0;
        let jobs: Vec<Mutex<Job>> = self
            .logs
            .into_iter()
            .map(|log| {
                let job = Job {
                    first_state,
                    log,
                    targets: vec![],
                };
                first_state += job.log.len() as u32;
                Mutex::new(job)
            })
            .collect();
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let work = || {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if options.interruption().is_some() {
                        return;
                    }
                    let mut job = job.lock().unwrap_or_else(|it| it.into_inner());
                    job.resolve(&directory, self.has_keys);
                }
            };
            let others = options.workers.max(1).min(jobs.len().max(1)) - 1;
            let handles: Vec<_> = (0..others).map(|_| scope.spawn(work)).collect();
            work();
            drop(handles);
        });
        if let Some(limit) = options.interruption() {
            return Err(limit);
        }
        Ok(joined(jobs, n_initial.min(n_states as u32), n_states, n_steps))
    }
}

fn joined(jobs: Vec<Mutex<Job>>, n_initial: u32, n_states: usize, n_steps: usize) -> StateGraph {
    let mut graph = StateGraph {
        n_initial,
        offsets: Vec::with_capacity(n_states + 1),
        targets: Vec::with_capacity(n_steps),
        ..StateGraph::default()
    };
    graph.offsets.push(0);
    let mut end = 0;
    for job in jobs {
        let Job { log, targets, .. } = job.into_inner().unwrap_or_else(|it| it.into_inner());
        if log.len() > 0 {
            graph.state_words = log.state_marks.len() / log.len();
        }
        if !targets.is_empty() {
            graph.step_words = log.step_marks.len() / targets.len();
        }
        for n in log.n_steps {
            end += n;
            graph.offsets.push(end);
        }
        graph.targets.extend(targets);
        graph.state_marks.extend(log.state_marks);
        graph.step_marks.extend(log.step_marks);
    }
    graph
}

/// One log on its way into the graph.
struct Job {
    first_state: u32,
    log: Log,
    targets: Vec<u32>,
}

impl Job {
    /// Exchanges numbers for states, and drops steps that lead nowhere or occur twice.
    fn resolve(&mut self, directory: &Directory, has_keys: bool) {
        let log = &mut self.log;
        let words = match log.numbers.len() {
            0 => 0,
            n => log.step_marks.len() / n,
        };
        let mut read = 0;
        for (i, n_steps) in log.n_steps.iter_mut().enumerate() {
            let source = self.first_state + i as u32;
            let first = self.targets.len();
            for step in read..read + *n_steps as usize {
                let Some(target) = directory.find(log.numbers[step]) else {
                    continue;
                };
                if target == source && !has_keys {
                    continue;
                }
                let marks = step * words..(step + 1) * words;
                let is_known = (first..self.targets.len()).any(|it| {
                    self.targets[it] == target
                        && log.step_marks[it * words..(it + 1) * words] == log.step_marks[marks.clone()]
                });
                if !is_known {
                    log.step_marks.copy_within(marks, self.targets.len() * words);
                    self.targets.push(target);
                }
            }
            read += *n_steps as usize;
            *n_steps = (self.targets.len() - first) as u32;
        }
        log.step_marks.truncate(self.targets.len() * words);
        log.numbers = vec![];
    }
}

/// From numbers to states: open addressing; numbers are well mixed.
struct Directory {
    numbers: Vec<u64>,
    states: Vec<u32>,
    /// States from here on were not expanded, and are not told.
    end: u32,
}

const FREE: u32 = u32::MAX;

impl Directory {
    fn new(logs: &[Log], end: u32) -> Directory {
        let numbers: Vec<u64> = logs.iter().flat_map(|it| it.found.iter().copied()).collect();
        let capacity = (numbers.len() * 3 / 2 + 1).next_power_of_two();
        let mut states = vec![FREE; capacity];
        for (state, &number) in numbers.iter().enumerate() {
            let mut place = number as usize & (capacity - 1);
            while states[place] != FREE {
                place = (place + 1) & (capacity - 1);
            }
            states[place] = state as u32;
        }
        Directory { numbers, states, end }
    }

    #[inline]
    fn find(&self, number: u64) -> Option<u32> {
        let mask = self.states.len() - 1;
        let mut place = number as usize & mask;
        loop {
            match self.states[place] {
                FREE => return None,
                state if self.numbers[state as usize] == number => {
                    return (state < self.end).then_some(state);
                }
                _ => place = (place + 1) & mask,
            }
        }
    }
}
