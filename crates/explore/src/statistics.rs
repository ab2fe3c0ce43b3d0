//! What many walks say together: how they end, how far they get, which actions they take, how many states they see.
//!
//! Everything here is a sum or a maximum over walks, so the order in which walks are added does not matter.

use std::collections::BTreeMap;

use crate::simulate::Ending;

/// What a model notes of a walk beside its length.
#[derive(Clone, Debug, Default)]
pub struct WalkNotes {
    /// The action of each step.
    pub actions: Vec<u32>,
    /// Content hashes of the states, where the model makes them.
    pub hashes: Vec<u64>,
    /// What was asked of the last state.
    pub sample: Option<Sample>,
    /// The first state that met the goal, counted from 1.
    pub goal_at: Option<u32>,
}

/// A value to be counted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sample {
    Int(i64),
    /// Anything else, as text.
    Text(String),
}

/// Sums over walks. Those that something outside cut short count for actions and states only.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// By length in states, how many walks have it.
    pub depths: BTreeMap<u32, u64>,
    /// Walks that ended because there was no way on.
    pub stuck: u64,
    /// By property, and nothing for a deadlock: walks that ended with its violation.
    pub violated: BTreeMap<Option<u32>, u64>,
    /// By action, how often it was taken.
    pub actions: BTreeMap<u32, u64>,
    /// By value, on how many walks the last state has it.
    pub samples: BTreeMap<Sample, u64>,
    /// By the number of states up to there, how many walks met the goal.
    pub goals: BTreeMap<u32, u64>,
    /// Walks that something outside cut short.
    pub cut: u64,
    states: Sketch,
}

impl Statistics {
    pub(crate) fn count(&mut self, depth: u32, end: Ending, notes: &WalkNotes) {
        for &action in &notes.actions {
            *self.actions.entry(action).or_default() += 1;
        }
        notes.hashes.iter().for_each(|&it| self.states.add(it));
        match end {
            Ending::Cut => {
                self.cut += 1;
                return;
            }
            Ending::Depth => {}
            Ending::Stuck => self.stuck += 1,
            Ending::Violated(property) => *self.violated.entry(property).or_default() += 1,
        }
        *self.depths.entry(depth).or_default() += 1;
        if let Some(sample) = &notes.sample {
            *self.samples.entry(sample.clone()).or_default() += 1;
        }
        if let Some(at) = notes.goal_at {
            *self.goals.entry(at).or_default() += 1;
        }
    }

    pub(crate) fn merge(&mut self, other: &Statistics) {
        add(&mut self.depths, &other.depths);
        add(&mut self.violated, &other.violated);
        add(&mut self.actions, &other.actions);
        add(&mut self.samples, &other.samples);
        add(&mut self.goals, &other.goals);
        self.stuck += other.stuck;
        self.cut += other.cut;
        self.states.merge(&other.states);
    }

    /// Walks that came to their own end: what frequencies are fractions of.
    pub fn walks(&self) -> u64 {
        self.depths.values().sum()
    }

    /// About how many different states the walks saw; nothing where the model tells no hashes.
    pub fn distinct(&self) -> Option<u64> {
        self.states.estimate()
    }
}

fn add<K: Ord + Clone>(to: &mut BTreeMap<K, u64>, from: &BTreeMap<K, u64>) {
    for (key, n) in from {
        *to.entry(key.clone()).or_default() += n;
    }
}

/// The interval that holds the probability of something that happened on `n` of `of` independent walks, with a confidence of 95%: Wilson's
/// score interval (1927), which stays inside 0..1 and makes sense where nothing happened at all.
pub fn confidence(n: u64, of: u64) -> (f64, f64) {
    /// The 97.5th percentile of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    if of == 0 {
        return (0.0, 1.0);
    }
    let (all, z2) = (of as f64, Z * Z);
    let p = n as f64 / all;
    let middle = (p + z2 / (2.0 * all)) / (1.0 + z2 / all);
    let half = Z * (p * (1.0 - p) / all + z2 / (4.0 * all * all)).sqrt() / (1.0 + z2 / all);
    // At the ends the formula is exact, but its rounding is not.
    let low = if n == 0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if n == of { 1.0 } else { (middle + half).min(1.0) };
    (low, high)
}

/// Counts different hashes in a few kilobytes: HyperLogLog (Flajolet, Fusy, Gandouet, Meunier 2007), with linear counting while
/// many registers are empty. The standard error is 1.04 / sqrt(registers), here 0.8%.
#[derive(Clone, Debug, Default)]
struct Sketch {
    /// For each bucket of hashes, the most leading zeros seen, plus one; empty before the first hash.
    registers: Vec<u8>,
}

const BUCKET_BITS: u32 = 14;

impl Sketch {
    fn add(&mut self, hash: u64) {
        self.registers.resize(1 << BUCKET_BITS, 0);
        // Hashes of small values differ in few bits.
        let hash = crate::random::mix(hash);
        let bucket = (hash >> (64 - BUCKET_BITS)) as usize;
        let rank = (hash << BUCKET_BITS).leading_zeros().min(64 - BUCKET_BITS) + 1;
        self.registers[bucket] = self.registers[bucket].max(rank as u8);
    }

    fn merge(&mut self, other: &Sketch) {
        if self.registers.len() < other.registers.len() {
            self.registers.resize(other.registers.len(), 0);
        }
        for (own, &its) in self.registers.iter_mut().zip(&other.registers) {
            *own = (*own).max(its);
        }
    }

    fn estimate(&self) -> Option<u64> {
        let m = self.registers.len() as f64;
        if self.registers.is_empty() {
            return None;
        }
        let sum: f64 = self.registers.iter().map(|&it| 0.5f64.powi(it.into())).sum();
        let raw = 0.7213 / (1.0 + 1.079 / m) * m * m / sum;
        let empty = self.registers.iter().filter(|&&it| it == 0).count();
        let estimate = match empty {
            1.. if raw <= 2.5 * m => m * (m / empty as f64).ln(),
            _ => raw,
        };
        Some(estimate.round() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_hashes_are_counted_nearly() {
        for n in [1u64, 10, 1000, 50_000, 1_000_000] {
            let (mut one, mut two) = (Sketch::default(), Sketch::default());
            for i in 0..n {
                one.add(i);
                // Known hashes change nothing.
                two.add(i / 2);
            }
            two.merge(&one);
            assert_eq!(two.estimate(), one.estimate());
            let estimate = one.estimate().expect("there are hashes") as f64;
            assert!((estimate - n as f64).abs() <= 0.03 * n as f64, "{n}: {estimate}");
        }
        assert_eq!(Sketch::default().estimate(), None);
    }

    #[test]
    fn intervals_are_those_of_wilson() {
        let near = |(low, high): (f64, f64), (a, b): (f64, f64)| {
            assert!((low - a).abs() < 5e-4 && (high - b).abs() < 5e-4, "{low} {high}");
        };
        // Brown, Cai and DasGupta (2001) tabulate such intervals.
        near(confidence(0, 10), (0.0, 0.2775));
        near(confidence(10, 10), (0.7225, 1.0));
        near(confidence(5, 10), (0.2366, 0.7634));
        near(confidence(50, 100), (0.4038, 0.5962));
        assert_eq!(confidence(0, 0), (0.0, 1.0));
    }
}
