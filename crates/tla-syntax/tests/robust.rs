//! Input that nobody should write: it gives a diagnostic, or a tree, and neither a crash nor a long wait.

use std::time::{Duration, Instant};

use source::FileId;
use tla_syntax::Notation;

/// Reads a module with this body, prints and dumps what was read, and returns the codes of the diagnostics.
fn codes(body: &str) -> Vec<&'static str> {
    codes_of_file(&format!("---- MODULE M ----\n{body}\n====\n"))
}

fn codes_of_file(text: &str) -> Vec<&'static str> {
    let start = Instant::now();
    let (tree, diagnostics) = tla_syntax::parse(text, FileId(0));
    tla_syntax::print(&tree, Notation::Ascii);
    tla_syntax::dump(&tree);
    assert!(
        start.elapsed() < Duration::from_secs(20),
        "this took {:?}",
        start.elapsed()
    );
    diagnostics.iter().map(|it| it.code).collect()
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("A == {}{inner}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn nesting_without_end_is_refused() {
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("<<", ">>"),
        ("f[", "]"),
        ("F(", ")"),
        ("[a |-> ", "]"),
        ("[x EXCEPT ![", "] = 1]"),
        ("IF a THEN b ELSE ", ""),
        ("IF ", " THEN b ELSE c"),
        ("LET a == 1 IN ", ""),
        ("LET a == ", " IN a"),
        ("\\E x : ", ""),
        ("CHOOSE x \\in ", " : x"),
        ("CASE a -> ", ""),
        ("lab :: ", ""),
        ("F(LAMBDA x : ", ")"),
        ("WF_(", ")(x)"),
        ("/\\ ", ""),
        ("\\/ /\\ ", ""),
        ("~", ""),
        ("[]", ""),
        ("- ", ""),
        ("a => (", ")"),
    ] {
        let codes = codes(&nested(open, "1", close, 30_000));
        assert_eq!(codes, ["nested-too-deeply"], "{open}");
    }
    assert_eq!(codes(&nested("(", "1", ")", 1_000_000)), ["nested-too-deeply"]);
}

#[test]
fn a_deep_expression_below_the_limit_is_read() {
    for (open, close) in [
        ("(", ")"),
        ("~", ""),
        ("\\E x : ", ""),
        ("LET a == ", " IN a"),
        ("/\\ ", ""),
    ] {
        let found = codes(&nested(open, "1", close, 5_000));
        assert!(found.is_empty(), "{open} gives {found:?}");
    }
}

#[test]
fn unclosed_nesting_ends_in_one_message() {
    for open in [
        "(",
        "{",
        "<<",
        "[",
        "F(",
        "[a |-> ",
        "IF ",
        "LET a == ",
        "\\E x : ",
        "CASE ",
    ] {
        let found = codes(&format!("A == {}", open.repeat(30_000)));
        assert_eq!(found.len(), 1, "{open} gives {found:?}");
    }
}

#[test]
fn long_chains_are_read_or_refused() {
    for op in ["+", "/\\", "\\cup", "\\o"] {
        let chain = |n: usize| format!("A == 1{}", format!(" {op} 1").repeat(n));
        assert_eq!(codes(&chain(15_000)), [""; 0], "{op}");
        assert_eq!(codes(&chain(30_000)), ["nested-too-deeply"], "{op}");
    }
    assert_eq!(codes(&format!("A == 1{}", " \\X 1".repeat(50_000))), [""; 0]);
    assert_eq!(codes(&format!("A == {{1{}}}", ", 1".repeat(200_000))), [""; 0]);
    assert_eq!(
        codes(&format!("A == x{}", "'".repeat(30_000))),
        ["nested-too-deeply"]
    );
    assert_eq!(
        codes(&format!("A == x{}", ".a".repeat(30_000))),
        ["nested-too-deeply"]
    );
    assert_eq!(codes(&format!("A == x{}", "!a".repeat(30_000))), [""; 0]);
    assert_eq!(codes(&format!("A ==\n{}", "  /\\ x\n".repeat(100_000))), [""; 0]);
}

#[test]
fn modules_and_proofs_nest_within_limits() {
    let headers = "---- MODULE M ----\n".repeat(5_000);
    let found = codes_of_file(&headers);
    assert!(found.contains(&"nested-too-deeply"), "{found:?}");
    let steps: String = (1..2_000).map(|i| format!("<{i}>1. x\n")).collect();
    assert_eq!(codes(&format!("THEOREM x\n{steps}")), ["nested-too-deeply"]);
    let assumes = "ASSUME ".repeat(30_000);
    assert_eq!(codes(&format!("THEOREM {assumes} x")), ["nested-too-deeply"]);
}

#[test]
fn comments_nest_without_recursion() {
    let deep = format!("{}{}\nA == 1", "(*".repeat(300_000), "*)".repeat(300_000));
    assert_eq!(codes(&deep), [""; 0]);
    assert_eq!(codes(&"(*".repeat(300_000)), ["unclosed-comment"]);
}

#[test]
fn odd_characters_are_told() {
    assert_eq!(codes("A == \0"), ["unexpected-character"]);
    assert_eq!(codes("A == \u{fffd}"), ["unexpected-character"]);
    assert_eq!(codes("A == \u{1f600}"), ["unexpected-character"]);
    assert_eq!(codes("A == \"\u{1f600}\u{0}\""), [""; 0]);
    assert_eq!(codes("A ==\u{c}1\u{b}+\u{a0}2"), [""; 0]);
    assert_eq!(codes(&format!("A == 1{}+ 2", "\u{a0}".repeat(300_000))), [""; 0]);
    assert_eq!(
        codes_of_file("\u{feff}---- MODULE M ----\r\nA == /\\ 1\r\n     /\\ 2\r\n====\r\n"),
        [""; 0]
    );
}

#[test]
fn half_a_token_at_the_end_is_told() {
    for tail in [
        "\"", "\"\\", "(*", "<", "<1", "<1>", "\\", "\\b", "[", "WF_", "_", ".", "!", "-", "=", "\\* x",
    ] {
        let text = format!("---- MODULE M ----\nA == x {tail}");
        let found = codes_of_file(&text);
        assert!(!found.is_empty(), "{tail:?}");
    }
}

#[test]
fn files_without_a_module_are_told() {
    for text in ["", " ", "----", "MODULE", "---- MODUL", "\u{feff}", "x == 1"] {
        assert_eq!(codes_of_file(text), ["no-module"], "{text:?}");
    }
    assert_eq!(
        codes_of_file("---- MODULE"),
        ["module-header", "missing-module-end"]
    );
}

#[test]
fn messages_do_not_pile_up() {
    let errors = "A == (\n".repeat(10_000);
    assert_eq!(codes(&errors).len(), 100);
    let long = "x".repeat(1_000_000);
    assert_eq!(codes(&format!("A == {long}")), [""; 0]);
    assert_eq!(codes(&format!("A == 1 {long}")), ["missing-operator"]);
}

#[test]
fn garbage_is_skipped_in_linear_time() {
    for line in [
        "x(\n",
        "/\\ (\n",
        "x <1>(\n",
        "\"\n",
        "(* \n",
        "; \u{e9} \n",
        "[]x == \n",
        "LET\n",
        "<1>1. \n",
    ] {
        let found = codes(&format!("A == (\n{}", line.repeat(100_000)));
        assert!(!found.is_empty() && found.len() <= 100, "{line:?}");
    }
}

#[test]
fn tabs_stand_for_columns_up_to_the_next_multiple_of_eight() {
    // The second bullet is under the first only when the tab counts as eight columns.
    let (tree, diagnostics) = tla_syntax::parse(
        "---- MODULE M ----\nA == \n\t/\\ 1\n        /\\ 2\n====",
        FileId(0),
    );
    assert!(diagnostics.is_empty());
    assert!(tla_syntax::dump(&tree).contains("list of /\\\n      number 1\n      number 2"));
}
