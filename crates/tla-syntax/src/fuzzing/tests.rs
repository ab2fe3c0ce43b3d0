//! A second of each fuzz target: random bytes, and mutations of text that looks like TLA+.

use std::time::{Duration, Instant};

use proptest::prelude::*;

const SEED: &str = "---- MODULE M ----\nEXTENDS Naturals\nCONSTANTS N, _ \\prec _\nVARIABLE x\n\
f[i \\in 1 .. N, <<a, b>> \\in S] == IF i = 0 THEN {} ELSE {y \\in S : P(y)}\n\
Init == /\\ x = [a |-> 1, b |-> \"s\\n\"]\n        /\\ \\/ x.a = 2\n           \\/ \\E i \\in 1..N : x' = [x EXCEPT !.a = @ + 1]\n\
Spec == Init /\\ [][Next]_<<x>> /\\ WF_x(Next) (* c (* d *) *)\n\
LET_ == LET RECURSIVE g(_) g(n) == CASE n = 0 -> 1 [] OTHER -> n * g(n - 1) IN g(3) \\* end\n\
I(y) == INSTANCE Other WITH x <- y, + <- LAMBDA a, b : a\n\
THEOREM T == ASSUME NEW c \\in S, c > 0 PROVE c >= 0\n<1>1. TAKE i \\in S\n<1>2. CASE i = 1 BY <1>1 DEF Init\n<1> QED OBVIOUS\n\
∀∃ ≜ ∀ a ∈ S : ∃ b : ⟨a, b⟩ ∉ T ∧ ¬(a ≤ b)\n====\n";

const CONFIG: &str = "SPECIFICATION Spec\nINVARIANTS A B\nCONSTANTS\n  N = 3\n  S = {a, b, {\"c\", -1}}\n  Op <- [M] Def\nCHECK_DEADLOCK FALSE\n";

/// A small generator of its own: these runs are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// Runs `target` on mutations of `seed` until a second has passed or enough was tried.
fn smoke(seed: &str, target: fn(&[u8])) {
    let mut random = Random(1);
    let until = Instant::now() + Duration::from_secs(1);
    for _ in 0..20_000 {
        if Instant::now() > until {
            return;
        }
        let mut data = seed.as_bytes().to_vec();
        for _ in 0..1 + random.below(4) {
            mutate(&mut data, &mut random);
        }
        target(&data);
    }
}

fn mutate(data: &mut Vec<u8>, random: &mut Random) {
    if data.is_empty() {
        return;
    }
    let at = random.below(data.len());
    let len = random.below(30).min(data.len() - at);
    match random.below(6) {
        0 => drop(data.drain(at..at + len)),
        1 => data[at] = random.below(256) as u8,
        2 => data[at] = b"/\\()[]{}<>=-_'!:.,\"*| \n\t"[random.below(24)],
        3 => {
            let part = data[at..at + len].to_vec();
            let to = random.below(data.len());
            data.splice(to..to, part);
        }
        4 => data.truncate(at),
        _ => data.insert(at, b" \n/\\(*=x"[random.below(8)]),
    }
}

#[test]
fn parse_smoke() {
    smoke(SEED, super::parse);
}

#[test]
fn config_smoke() {
    smoke(CONFIG, super::config);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn any_tree_survives_printing(data in prop::collection::vec(any::<u8>(), 0..400)) {
        super::print_parse(&data);
    }
}
