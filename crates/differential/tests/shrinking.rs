//! What is found is made small: nothing stays that is not needed.

use differential::shrink::shrink;
use source::Sources;
use testkit::{Specification, specification};

/// What is left of a specification in which only a text matters.
fn left(it: &Specification, needed: &str) -> Specification {
    shrink(it, |it| {
        let text = &it.modules[0].1;
        let file = Sources::new().add("M.tla", text.clone());
        text.contains(needed) && tla_syntax::parse(text, file).1.is_empty()
    })
}

#[test]
fn only_what_is_needed_stays() {
    let text = "---- MODULE M ----\nVARIABLES x, y\nF(a) == {a, x}\nInit == x = 0 /\\ y = {1, 2}\nNext ==\n  /\\ x' = x + 1\n  /\\ \\E v \\in F(3) : y' = {v}\n====\n";
    let it = Specification {
        modules: vec![("M".into(), text.into())],
        config: "INIT Init\nNEXT Next\n".into(),
        is_standard: true,
    };
    let small = left(&it, "y' = {v}");
    assert_eq!(small.config, "");
    let lines: Vec<&str> = small.modules[0].1.lines().filter(|it| !it.is_empty()).collect();
    assert_eq!(lines, ["---- MODULE M ----", "Next ==", "  (y' = {v})", "===="]);
}

#[test]
fn generated_specifications_shrink() {
    let (mut before, mut after) = (0, 0);
    for seed in 0..10 {
        let it = specification(seed);
        before += it.modules[0].1.len();
        after += left(&it, "Next ==").modules[0].1.len();
    }
    assert!(after * 10 < before, "{before} to {after}");
}
