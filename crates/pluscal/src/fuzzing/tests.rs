//! A second of each fuzz target: grown algorithms, and mutations of text that looks like PlusCal.

use std::time::{Duration, Instant};

use proptest::prelude::*;

const P: &str = "---- MODULE M ----\nEXTENDS Integers, TLC\n(* PlusCal options (-label -termination)\n\
--fair algorithm Two\nvariables x = 0, y \\in 1..2;\ndefine\n  Big == /\\ x > 1\n         /\\ y > 1\nend define;\n\
macro inc(v, by) begin v := v + by; end macro;\n\
procedure p(a = 1) variables b; begin p1: b := a || x := 2; if b > 1 then call p(a - 1); else return end if; p2: return; end procedure;\n\
fair+ process q \\in {1, 2} variables z = self;\nbegin\n  l1:+ while z < 3 do\n    either inc(z, 1); or await \\A i \\in 1..2 : i < x; with w = x + 1 do y := w; end with; end either;\n\
  end while;\n  l2:- goto Done;\nend process;\nprocess r = \"r\" begin s: print <<x, y>>; call p(2); assert x = 2; t: skip; end process;\n\
end algorithm *)\n\\* BEGIN TRANSLATION (chksum(pcal) = \"0\" /\\ chksum(tla) = \"1\")\n\\* END TRANSLATION\n====\n";

const C: &str = "---- MODULE M ----\n(* --algorithm Braces { variables x = [i \\in 1..3 |-> 0];\n\
  macro set(v) { x[v] := 1 }\n  process (p \\in 1..3) variable y = {}; {\n   a: while (TRUE) { set(self);\n\
      if (x[1] = 0) { b: y := y \\cup {self} } else if (x[2] = 1) skip; else { either { c: skip } or { goto a } } }\n  }\n} *)\n====\n";

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

/// Runs the target on mutations of `seed` until a second has passed or enough was tried.
fn smoke(seed: &str) {
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
        super::translate(&data);
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
        2 => data[at] = b"/\\()[]{}<>=-_'!:.,\"*| \n\t;+"[random.below(26)],
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
fn translate_smoke() {
    smoke(P);
    smoke(C);
}

/// Public algorithms with a few places changed.
#[test]
fn mutations_of_public_algorithms_do_not_panic() {
    let Some(folder) = testkit::corpus("pluscal") else {
        return;
    };
    let mut random = Random(7);
    for path in testkit::files(&folder, "tla") {
        if path.ends_with("expected.tla") {
            continue;
        }
        let data = std::fs::read(&path).expect("readable");
        let mut data = data;
        for _ in 0..1 + random.below(5) {
            mutate(&mut data, &mut random);
        }
        super::translate(&data);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_algorithm_survives_printing(data in prop::collection::vec(any::<u8>(), 0..300)) {
        super::print_parse(&data);
    }
}
