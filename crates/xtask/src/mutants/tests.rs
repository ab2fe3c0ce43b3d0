//! Mutants of small texts, and the text with all of them.

use super::find::find;
use super::site::rewrite;

/// What stands in the place of what, for each mutant of a function body.
fn mutants(body: &str) -> Vec<String> {
    let text = format!("fn f(a: bool, b: bool, n: u32, v: &mut Vec<u32>) -> Unknown {{\n{body}\n}}\n");
    let sites = find(&text, 0).expect("it is Rust");
    let all = sites.iter().flat_map(|it| &it.mutants);
    all.map(|it| format!("{} -> {}", it.original, it.replacement))
        .collect()
}

#[test]
fn comparisons_move_their_boundary_and_turn_around() {
    assert_eq!(mutants("g(n < 1)"), ["n < 1 -> n <= 1", "n < 1 -> n >= 1"]);
    assert_eq!(mutants("g(n == 1)"), ["n == 1 -> n != 1"]);
    // Always true and never are stronger than turned around.
    assert_eq!(
        mutants("if n < 1 { g() }"),
        ["n < 1 -> true", "n < 1 -> false", "n < 1 -> n <= 1"]
    );
}

#[test]
fn parts_of_a_chain_are_left_out() {
    assert_eq!(mutants("g(a && b && c)"), ["a -> true", "b -> true", "c -> true"]);
    assert_eq!(
        mutants("if a || b { g() }"),
        ["a || b -> true", "a -> false", "b -> false"]
    );
    assert_eq!(mutants("if let Some(x) = y && a { g() }"), ["a -> true"]);
}

#[test]
fn statements_are_left_out() {
    assert_eq!(
        mutants("v.push(1); n += 1; let m = 1; g();"),
        ["v.push(1); -> ", "n += 1; -> "]
    );
}

#[test]
fn what_no_answer_depends_on_has_no_mutants() {
    assert_eq!(
        mutants("assert!(a && b); const N: u32 = 1 + 2; let x: [u8; 1 + 2];"),
        Vec::<String>::new()
    );
    let text = "#[cfg(test)] mod tests { fn f() -> bool { 1 == 2 } } const fn g() -> bool { 1 == 2 }";
    assert!(find(text, 0).expect("it is Rust").is_empty());
}

#[test]
fn bodies_are_constants_of_their_type() {
    let of = |result: &str| {
        let sites = find(&format!("fn f() -> {result} {{ g() }}"), 0).expect("it is Rust");
        let all = sites.into_iter().flat_map(|it| it.mutants);
        all.map(|it| it.replacement).collect::<Vec<_>>()
    };
    assert_eq!(of("Result<bool, Fault>"), ["Ok(true)", "Ok(false)"]);
    assert_eq!(of("Result<(), Fault>"), ["Ok(())"]);
    assert_eq!(of("Option<u32>"), ["None"]);
    assert_eq!(of("usize"), ["0", "1"]);
    assert_eq!(of("Unknown"), Vec::<String>::new());
}

#[test]
fn all_mutants_are_in_one_text() {
    let text = "fn f(a: u32) -> bool {\n    !(a == 1 // one\n        && g(a))\n}\n";
    let sites = find(text, 7).expect("it is Rust");
    let new = rewrite(text, &sites.iter().collect::<Vec<_>>()).text;
    assert_eq!(new.lines().count(), text.lines().count());
    assert_eq!(
        new.lines().next(),
        Some(
            "fn f(a: u32) -> bool { if ::mutant::on(7) { return true; } if ::mutant::on(8) { return false; }"
        )
    );
    // It is Rust again, with the mutants of the first text inside of it.
    assert!(syn::parse_file(&new).is_ok(), "{new}");
}
