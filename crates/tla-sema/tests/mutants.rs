//! Specifications with mistakes that nobody would make: words left out, doubled or exchanged. Whatever comes out of the
//! parser is resolved, configured and shown, without a panic.

mod support;

use std::path::Path;

use diag::Style;
use support::Files;

/// How many mutants an ordinary test run looks at. `MUTANTS=1000000` is for a long night.
const MUTANTS: u64 = 1_500;

#[test]
fn no_mutant_brings_the_resolver_down() {
    let n_mutants = std::env::var("MUTANTS")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(MUTANTS);
    let seeds = seeds();
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..n_mutants {
        let text = mutate(&seeds[random.below(seeds.len())], &mut random);
        let outcome = std::panic::catch_unwind(|| try_out(&text));
        assert!(outcome.is_ok(), "this brings the resolver down:\n{text}");
    }
}

fn try_out(text: &str) {
    let resolved = Files::of(text).resolve();
    for diagnostic in &resolved.diagnostics {
        let shown = diag::render(diagnostic, &resolved.sources, Style::Plain);
        assert!(!shown.is_empty());
    }
    let mut levels = tla_sema::Levels::new(&resolved.spec);
    for (def, _) in resolved.spec.defs.iter() {
        levels.of_def(def);
    }
}

/// The examples of all pages: they have a bit of everything.
fn seeds() -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seeds = vec![];
    for folder in ["tests/resolution", "diagnostics"] {
        for path in testkit::files(&here.join(folder), "md") {
            let page = std::fs::read_to_string(&path).expect("a readable page");
            let fences = page
                .split("```tla\n")
                .skip(1)
                .filter_map(|it| it.split("\n```").next());
            seeds.extend(fences.map(str::to_string));
        }
    }
    seeds
}

/// Leaves out, doubles or exchanges a few words, but no header: there is always a module.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', '(', ')', ',', '!']).collect();
    for _ in 0..1 + random.below(4) {
        let (a, b) = (random.below(words.len()), random.below(words.len()));
        if words[a].contains("--") || words[b].contains("--") || words[a].contains("MODULE") {
            continue;
        }
        match random.below(4) {
            0 => words[a] = "",
            1 => words.insert(a, words[b]),
            2 => words.swap(a, b),
            _ => words[a] = words[b],
        }
    }
    let text = words.concat();
    if text.starts_with("---- MODULE") {
        text
    } else {
        format!("---- MODULE M ----\n{text}")
    }
}

/// A small generator of the xorshift family: the same mutants on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}
