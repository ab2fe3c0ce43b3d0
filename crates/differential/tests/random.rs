//! Random specifications and models, always the same ones: one answer each, whatever way it is found.
//!
//! About a minute; `cargo xtask fuzz --minutes N` looks at others for longer, and shrinks what it finds.

use differential::alloy;
use differential::compare;
use differential::modes::{Mode, load};
use testkit::specification;

/// Checks the specifications of some seeds in every mode.
fn have_one_answer(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let it = specification(seed);
        // Starting processes takes longer than everything else.
        let modes: &[Mode] = if seed % 10 == 0 { &Mode::ALL } else { &Mode::QUICK };
        if let Some(difference) = compare(&it, modes).difference {
            let [a, b] = difference.answers;
            panic!(
                "seed {seed}, {} differs between {:?}:\n{a}\n{b}\n`cargo xtask fuzz --show {seed}` shows the specification",
                difference.what, difference.modes
            );
        }
    }
}

#[test]
fn specifications_have_one_answer() {
    have_one_answer(0..50);
}

#[test]
fn more_specifications_have_one_answer() {
    have_one_answer(1_000_000..1_000_050);
}

/// What is generated can be read: nothing but evaluation finds fault with it.
#[test]
fn specifications_make_sense() {
    for seed in 0..300 {
        let it = specification(seed);
        let file = load(&it);
        let errors: Vec<&str> = file
            .diagnostics
            .iter()
            .filter(|it| it.is_error())
            .map(|it| it.title.as_str())
            .collect();
        assert!(errors.is_empty(), "seed {seed}: {errors:?}\n{}", it.modules[0].1);
        assert_eq!(it, specification(seed));
    }
}

#[test]
fn alloy_models_have_the_answers_of_brute_force() {
    for seed in 0..150 {
        let model = alloy::generate::model(seed);
        if let Some(found) = alloy::compare(&model) {
            let small = alloy::shrink::shrink(&model, |it| alloy::compare(it).is_some());
            panic!(
                "seed {seed}: {found:?}\n{}\nmade small:\n{}",
                model.text(),
                small.text()
            );
        }
    }
}
