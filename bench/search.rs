//! The loop that the searches by hand share: breadth first over states of 64 bits, one hash set, one queue.

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// Mixes one word by a multiplication and folds the high half down, where the table takes its bits from.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, _: &[u8]) {
        unreachable!("states are single words")
    }

    fn write_u64(&mut self, state: u64) {
        let wide = u128::from(state) * 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
        self.0 = (wide >> 64) as u64 ^ wide as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Visits every state and prints `D distinct, G generated`, repetitions and the initial state being counted as TLC does; or
/// prints the first state that breaks the invariant.
pub fn search(start: u64, mut successors: impl FnMut(u64, &mut Vec<u64>), holds: impl Fn(u64) -> bool) {
    let mut known: HashSet<u64, BuildHasherDefault<Mix>> = HashSet::default();
    let mut queue = VecDeque::new();
    let mut found = vec![start];
    let mut generated = 0;
    loop {
        generated += found.len();
        for next in found.drain(..) {
            if known.insert(next) {
                if !holds(next) {
                    println!("violated in {next:#x}");
                    return;
                }
                queue.push_back(next);
            }
        }
        let Some(state) = queue.pop_front() else { break };
        successors(state, &mut found);
    }
    println!("{} distinct, {generated} generated", known.len());
}
