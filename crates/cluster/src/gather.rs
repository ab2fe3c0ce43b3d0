//! The graph of states, gathered by the first worker.
//!
//! No worker sees a step from both ends: who expands the source knows the labels, who owns the target knows its number. So for
//! each slice both tell the first worker what they know (`Sighting`, `Labels`), as numbers; it ranks all new states itself and so
//! knows the numbers of those too. What it puts together, state after state in the order of the search, is what one process
//! records ([`explore::Gathered`]), so that every question about the graph has the answer that one process gives.

use explore::{EdgeBlock, Gathered, GraphFailure, Options, StateGraph, StateId};

use crate::batch::{after, ahead};
use crate::bytes::{Damaged, read_number, write_number};
use crate::rank::Source;

/// What a step leads to, as the owner of the target knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A state of a slice before.
    Known(StateId),
    /// One of the owner's new states of this slice.
    New(u32),
}

/// A step that arrived at the owner of its target. Steps to states outside the constraints are not told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    pub source: Source,
    pub target: Target,
}

/// Writes sightings, sorted by source.
fn write_sightings(bytes: &mut Vec<u8>, sightings: &[Sighting]) {
    write_number(bytes, sightings.len() as u64);
    let mut before = StateId::NONE;
    for Sighting {
        source: (parent, step),
        target,
    } in sightings
    {
        write_number(bytes, ahead(*parent, before));
        write_number(bytes, u64::from(*step));
        write_number(
            bytes,
            match target {
                Target::Known(StateId(number)) => number << 1,
                Target::New(index) => u64::from(*index) << 1 | 1,
            },
        );
        before = *parent;
    }
}

fn read_sightings(bytes: &mut &[u8]) -> Result<Vec<Sighting>, Damaged> {
    let n = read_number(bytes)?;
    let mut before = StateId::NONE;
    let mut sightings = vec![];
    for _ in 0..n {
        before = after(before, read_number(bytes)?)?;
        let step = read_number(bytes)?.try_into().map_err(|_| Damaged)?;
        let target = read_number(bytes)?;
        sightings.push(Sighting {
            source: (before, step),
            target: match target & 1 {
                0 => Target::Known(StateId(target >> 1)),
                _ => Target::New((target >> 1).try_into().map_err(|_| Damaged)?),
            },
        });
    }
    Ok(sightings)
}

/// What the model said of the states that a worker expanded, and of their steps.
///
/// Invariant: the numbers of steps add up to the length of `steps`; `step_labels` has as many words for each of those, and
/// `state_labels` for each element of `states`, which ascend.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    pub has_keys: bool,
    /// The states, and how many steps each has.
    states: Vec<(StateId, u32)>,
    /// Which steps these are: those that lead nowhere are left out.
    steps: Vec<u32>,
    state_labels: Vec<u64>,
    step_labels: Vec<u64>,
}

impl Labels {
    pub fn begin_state(&mut self, number: StateId) {
        self.states.push((number, 0));
    }

    pub fn step(&mut self, step: u32) {
        if let Some((_, n_steps)) = self.states.last_mut() {
            self.steps.push(step);
            *n_steps += 1;
        }
    }

    pub fn label_step(&mut self, labels: &[u64]) {
        self.step_labels.extend_from_slice(labels);
    }

    pub fn label_state(&mut self, labels: &[u64]) {
        self.state_labels.extend_from_slice(labels);
    }

    pub fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<(StateId, u32)>()
            + self.steps.capacity() * 4
            + (self.state_labels.capacity() + self.step_labels.capacity()) * 8
    }

    fn state_words(&self) -> usize {
        self.state_labels
            .len()
            .checked_div(self.states.len())
            .unwrap_or(0)
    }

    fn step_words(&self) -> usize {
        self.step_labels.len().checked_div(self.steps.len()).unwrap_or(0)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        write_number(bytes, u64::from(self.has_keys));
        write_number(bytes, self.states.len() as u64);
        let mut before = StateId::NONE;
        for &(number, n_steps) in &self.states {
            write_number(bytes, ahead(number, before));
            write_number(bytes, u64::from(n_steps));
            before = number;
        }
        self.steps
            .iter()
            .for_each(|&it| write_number(bytes, u64::from(it)));
        for labels in [&self.state_labels, &self.step_labels] {
            write_number(bytes, labels.len() as u64);
            labels.iter().for_each(|&it| write_number(bytes, it));
        }
    }

    fn read(bytes: &mut &[u8]) -> Result<Labels, Damaged> {
        let mut read = Labels {
            has_keys: read_number(bytes)? == 1,
            ..Labels::default()
        };
        let n_states = read_number(bytes)?;
        let (mut before, mut n_steps) = (StateId::NONE, 0);
        for _ in 0..n_states {
            before = after(before, read_number(bytes)?)?;
            let n = read_number(bytes)?.try_into().map_err(|_| Damaged)?;
            read.states.push((before, n));
            n_steps += u64::from(n);
        }
        for _ in 0..n_steps {
            read.steps
                .push(read_number(bytes)?.try_into().map_err(|_| Damaged)?);
        }
        for labels in [&mut read.state_labels, &mut read.step_labels] {
            let n = read_number(bytes)?;
            for _ in 0..n {
                labels.push(read_number(bytes)?);
            }
        }
        Ok(read)
    }
}

/// What one worker tells of the graph in a slice.
#[derive(Clone, Debug, Default)]
pub struct Part {
    pub sightings: Vec<Sighting>,
    pub labels: Labels,
}

impl Part {
    pub fn write(&self, bytes: &mut Vec<u8>) {
        write_sightings(bytes, &self.sightings);
        self.labels.write(bytes);
    }

    pub fn read(bytes: &mut &[u8]) -> Result<Part, Damaged> {
        Ok(Part {
            sightings: read_sightings(bytes)?,
            labels: Labels::read(bytes)?,
        })
    }
}

/// The first worker's graph.
#[derive(Default)]
pub struct Gathering {
    pub gathered: Gathered,
    /// Of the present slice, what each worker told, and where its new states come from.
    parts: Vec<Part>,
    sources: Vec<Vec<Source>>,
    /// The graph, if it decided the search.
    pub decided: Option<StateGraph>,
}

impl Gathering {
    pub fn bytes(&self) -> usize {
        self.gathered.bytes() + self.parts.iter().map(|it| it.labels.bytes()).sum::<usize>()
    }

    /// Everyone has been heard about the slice.
    pub fn hear(&mut self, parts: Vec<Part>, sources: Vec<Vec<Source>>) {
        (self.parts, self.sources) = (parts, sources);
    }

    /// The slice counts: its new states get the numbers from `total` on.
    pub fn insert(&mut self, total: u64) {
        let mut new: Vec<(Source, usize)> = vec![];
        for (owner, sources) in self.sources.iter().enumerate() {
            new.extend(sources.iter().map(|&it| (it, owner)));
        }
        new.sort();
        let mut numbers: Vec<Vec<u32>> = vec![vec![]; self.sources.len()];
        for (&(_, owner), number) in new.iter().zip(total..) {
            numbers[owner].push(number as u32);
        }
        self.gathered.found(new.iter().map(|it| it.0));
        let block = block(&self.parts, &numbers);
        self.gathered.expanded(&block);
        self.hear(vec![], vec![]);
    }

    /// Whether someone has seen enough of the graph.
    pub fn look(
        &mut self,
        n_initial: u32,
        memory: usize,
        options: &Options<'_>,
    ) -> Result<bool, GraphFailure> {
        let Some(halfway) = options.halfway else {
            return Ok(false);
        };
        match self.gathered.to_graph(n_initial, memory, options) {
            Ok(graph) if halfway.is_decided(&graph) => {
                self.decided = Some(graph);
                Ok(true)
            }
            Err(failure @ GraphFailure::Disk(_)) => Err(failure),
            // A graph that does not fit is not looked at; the search goes on and comes to its own limit.
            Ok(_) | Err(GraphFailure::Limit(_)) => Ok(false),
        }
    }
}

/// Puts together the states of a slice, in the order of their numbers. `numbers` are those of each owner's new states.
fn block(parts: &[Part], numbers: &[Vec<u32>]) -> EdgeBlock {
    let mut steps: Vec<(Source, u32)> = vec![];
    for (part, numbers) in parts.iter().zip(numbers) {
        steps.extend(part.sightings.iter().map(|it| {
            let number = match it.target {
                Target::Known(StateId(number)) => number as u32,
                Target::New(index) => numbers[index as usize],
            };
            (it.source, number)
        }));
    }
    steps.sort();
    let mut sighted = steps.into_iter().peekable();
    let mut expanded: Vec<Expanded<'_>> = parts.iter().flat_map(|it| expanded(&it.labels)).collect();
    expanded.sort_by_key(|it| it.number);
    let has_keys = parts.iter().any(|it| it.labels.has_keys);
    let mut block = EdgeBlock::default();
    for state in &expanded {
        let target = |&step: &u32| {
            let it = sighted.next_if(|it| it.0 == (state.number, step))?;
            Some(it.1)
        };
        let targets: Vec<Option<u32>> = state.steps.iter().map(target).collect();
        let number = state.number.0 as u32;
        block.push(number, state.state_labels, &targets, state.step_labels, has_keys);
    }
    block
}

/// One state of a worker's labels.
struct Expanded<'m> {
    number: StateId,
    steps: &'m [u32],
    state_labels: &'m [u64],
    step_labels: &'m [u64],
}

fn expanded(labels: &Labels) -> impl Iterator<Item = Expanded<'_>> {
    let (state_words, step_words) = (labels.state_words(), labels.step_words());
    let mut first = 0;
    labels
        .states
        .iter()
        .enumerate()
        .map(move |(i, &(number, n_steps))| {
            let steps = first..first + n_steps as usize;
            first = steps.end;
            Expanded {
                number,
                state_labels: &labels.state_labels[i * state_words..(i + 1) * state_words],
                step_labels: &labels.step_labels[steps.start * step_words..steps.end * step_words],
                steps: &labels.steps[steps],
            }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cross_the_wire() {
        let sightings: Vec<Sighting> = (0..100u64)
            .map(|it| Sighting {
                source: (StateId(it / 3), it as u32 % 3 * 200),
                target: match it % 2 {
                    0 => Target::Known(StateId(it * 1000)),
                    _ => Target::New(it as u32),
                },
            })
            .collect();
        let mut bytes = vec![];
        write_sightings(&mut bytes, &sightings);
        assert_eq!(read_sightings(&mut &bytes[..]), Ok(sightings));
        let mut labels = Labels::default();
        for number in [4, 5, 900] {
            labels.begin_state(StateId(number));
            for step in 0..number as u32 % 3 {
                labels.step(step * 2);
                labels.label_step(&[7, u64::MAX]);
            }
            labels.label_state(&[number]);
        }
        let mut bytes = vec![];
        labels.write(&mut bytes);
        let read = Labels::read(&mut &bytes[..]).unwrap();
        assert_eq!(format!("{read:?}"), format!("{labels:?}"));
        assert_eq!((read.state_words(), read.step_words()), (1, 2));
    }
}
