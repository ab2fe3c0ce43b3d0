//! `Bakery.tla` searched by hand: a floor for `babbage check`.
//!
//!     rustc -O bench/bakery.rs && ./bakery 5
//!
//! A process is its number (three bits), a flag, and the set of those that it has seen (a bit each). It has seen itself
//! exactly while it waits or is critical, so that bit and the flag tell the four places apart.

mod search;

const LIMIT: u64 = 4;

#[derive(Clone, Copy, PartialEq)]
enum Place {
    Idle,
    Choosing,
    Waiting,
    Critical,
}

#[derive(Clone, Copy)]
struct Bakery {
    n: u32,
}

impl Bakery {
    fn shift(self, p: u32) -> u32 {
        p * (self.n + 4)
    }

    fn number(self, state: u64, p: u32) -> u64 {
        state >> self.shift(p) & 7
    }

    fn seen(self, state: u64, p: u32) -> u64 {
        state >> (self.shift(p) + 4) & ((1 << self.n) - 1)
    }

    fn place(self, state: u64, p: u32) -> Place {
        match (self.seen(state, p) >> p & 1, state >> (self.shift(p) + 3) & 1) {
            (0, 0) => Place::Idle,
            (0, _) => Place::Choosing,
            (_, 0) => Place::Waiting,
            _ => Place::Critical,
        }
    }

    fn with(self, state: u64, p: u32, number: u64, flag: u64, seen: u64) -> u64 {
        let mask = ((1 << (self.n + 4)) - 1) << self.shift(p);
        state & !mask | (number | flag << 3 | seen << 4) << self.shift(p)
    }

    fn successors(self, state: u64, found: &mut Vec<u64>) {
        let everybody = (1 << self.n) - 1;
        for p in 0..self.n {
            let (number, seen) = (self.number(state, p), self.seen(state, p));
            match self.place(state, p) {
                Place::Idle => found.push(self.with(state, p, number, 1, seen)),
                Place::Choosing => {
                    let max = (0..self.n).map(|q| self.number(state, q)).max().unwrap_or(0);
                    if max < LIMIT {
                        found.push(self.with(state, p, max + 1, 0, 1 << p));
                    }
                }
                Place::Waiting if seen == everybody => found.push(self.with(state, p, number, 1, seen)),
                Place::Waiting => {
                    for q in (0..self.n).filter(|q| seen >> q & 1 == 0) {
                        let other = self.number(state, q);
                        let is_behind = other == 0 || (other, q) >= (number, p);
                        if is_behind && self.place(state, q) != Place::Choosing {
                            found.push(self.with(state, p, number, 0, seen | 1 << q));
                        }
                    }
                }
                Place::Critical => found.push(self.with(state, p, 0, 0, 0)),
            }
        }
    }

    /// Numbers stay in their range, and at most one process is critical.
    fn holds(self, state: u64) -> bool {
        let critical = (0..self.n).filter(|&p| self.place(state, p) == Place::Critical);
        critical.count() <= 1 && (0..self.n).all(|p| self.number(state, p) <= LIMIT)
    }
}

fn main() {
    let n = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(5);
    assert!((1..=6).contains(&n), "a state of {n} processes does not fit into 64 bits");
    let it = Bakery { n };
    search::search(0, |state, found| it.successors(state, found), |state| it.holds(state));
}
