//! `TwoPhase.tla` searched by hand: a floor for `babbage check`.
//!
//!     rustc -O bench/two_phase.rs && ./two_phase 8
//!
//! One bit for each participant in each of five sets: prepared, committed, aborted, who said yes, whose yes was counted. A
//! participant in none of the first three is working. Two bits are the leader; they also say which decision is on the wire.

mod search;

const PREPARED: u32 = 0;
const COMMITTED: u32 = 1;
const ABORTED: u32 = 2;
const SAID_YES: u32 = 3;
const COUNTED: u32 = 4;

const WAITS: u64 = 0;
const COMMIT: u64 = 1;
const ABORT: u64 = 2;

#[derive(Clone, Copy)]
struct TwoPhase {
    n: u32,
}

impl TwoPhase {
    fn everybody(self) -> u64 {
        (1 << self.n) - 1
    }

    fn set(self, state: u64, which: u32) -> u64 {
        state >> (which * self.n) & self.everybody()
    }

    fn bit(self, which: u32, p: u32) -> u64 {
        1 << (which * self.n + p)
    }

    fn leader(self, state: u64) -> u64 {
        state >> (5 * self.n)
    }

    /// Participant `p` moves to one of the first three sets.
    fn moved(self, state: u64, p: u32, to: u32) -> u64 {
        let places = self.bit(PREPARED, p) | self.bit(COMMITTED, p) | self.bit(ABORTED, p);
        state & !places | self.bit(to, p)
    }

    fn successors(self, state: u64, found: &mut Vec<u64>) {
        let leader = self.leader(state);
        if leader == WAITS {
            if self.set(state, COUNTED) == self.everybody() {
                found.push(state | COMMIT << (5 * self.n));
            }
            found.push(state | ABORT << (5 * self.n));
        }
        let busy = self.set(state, PREPARED) | self.set(state, COMMITTED) | self.set(state, ABORTED);
        for p in 0..self.n {
            if busy >> p & 1 == 0 {
                found.push(self.moved(state, p, PREPARED) | self.bit(SAID_YES, p));
                found.push(self.moved(state, p, ABORTED));
            }
            match leader {
                WAITS if state & self.bit(SAID_YES, p) != 0 => found.push(state | self.bit(COUNTED, p)),
                COMMIT => found.push(self.moved(state, p, COMMITTED)),
                ABORT => found.push(self.moved(state, p, ABORTED)),
                _ => {}
            }
        }
    }

    /// The leader is in one of its three places, and not one participant committed while another aborted.
    fn holds(self, state: u64) -> bool {
        self.leader(state) <= ABORT && (self.set(state, COMMITTED) == 0 || self.set(state, ABORTED) == 0)
    }
}

fn main() {
    let n = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(8);
    assert!((1..=12).contains(&n), "a state of {n} participants does not fit into 64 bits");
    let it = TwoPhase { n };
    search::search(0, |state, found| it.successors(state, found), |state| it.holds(state));
}
