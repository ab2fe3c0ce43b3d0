//! Every form of paragraph, read and printed in one normal form.

use expect_test::{Expect, expect};
use source::FileId;

#[track_caller]
fn check(text: &str, expected: Expect) {
    let (tree, diagnostics) = alloy_syntax::parse(FileId(0), text);
    let said: String = diagnostics.iter().map(|it| format!("! {}\n", it.title)).collect();
    expected.assert_eq(&format!("{said}{}", alloy_syntax::print_file(&tree)));
}

#[test]
fn headers_and_opens() {
    check(
        "module a/b[exactly A, B]\nprivate open util/ordering[this/A, univ] as o open x/y open z[seq/Int, Int]",
        expect![[r#"
            module a/b[exactly A, B]
            private open util/ordering[this/A, univ] as o
            open x/y
            open z[seq/Int, Int]
        "#]],
    );
}

#[test]
fn signatures() {
    check(
        "sig A {}
         private abstract one sig B, C extends m/A { , f: A , , g, h: lone B -> set C, }
         var lone sig D in A + B { var private disj x, y: disj some A } { some x }
         some sig E = A { z = x + y }
         abstract sig F extends univ {}
         enum G { H, _, I' }",
        expect![[r#"
            sig A {  }
            private abstract one sig B, C extends m/A { f: A, g, h: lone B -> C }
            var lone sig D in A + B { var private disj x, y: disj some A } {
            some x }
            some sig E = A { z = x + y }
            abstract sig F extends univ {  }
            enum G { H, _, I' }
        "#]],
    );
}

#[test]
fn facts_functions_and_macros() {
    check(
        "fact {} fact named { some A } fact \"in words\" { no A }
         assert { some A } assert b { some B }
         pred p {} pred p() {} private pred A.q[x: B, disj y, z: lone C] { x in y }
         fun f: A { A } fun univ.g(x: A): set A -> B { x } fun h[]: lone A { none }
         let m = A let n[x, y] = x + y private let k(x) { some x }",
        expect![[r#"
            fact { }
            fact "named" {
            some A }
            fact "in words" {
            no A }
            assert {
            some A }
            assert "b" {
            some B }
            pred p[] { }
            pred p[] { }
            private pred A.q[x: B, disj y, z: lone C] {
            x in y }
            fun f[]: A {
            A }
            fun univ.g[x: A]: set A -> B {
            x }
            fun h[]: lone A {
            none }
            let m = A
            let n[x, y] = x + y
            private let k[x] = {
            some x }
        "#]],
    );
}

#[test]
fn commands_and_scopes() {
    check(
        "run p check q run {} check { some A }
         run p for 3 run p for 3 but 2 A, exactly 4 m/B
         a: run p for 5 int, 3 seq, exactly 2 String, 10 steps expect 0
         b: check { no A } for 2 but 4 Int, 1..5 A, exactly 2..6:2 B, 1.. steps, 3:2 C expect 1
         run label p for 2 run label { some A }
         run p for 3
         next: check q => check q for 5
         run this/p",
        expect![[r#"
            run p
            check q
            run { }
            check {
            some A }
            run p for 3
            run p for 3 but 2 A, exactly 4 m/B
            run a p for 5 int, 3 seq, exactly 2 String, 10 steps expect 0
            check b {
            no A } for 2 but 4 int, 1..5 A, exactly 2..6:2 B, 1.. steps, 3:2 C expect 1
            run label p for 2
            run label {
            some A }
            run p for 3
            check next q
            => check q for 5
            run this/p
        "#]],
    );
}

#[test]
fn temporal_words_are_names_where_they_are_declared() {
    check(
        "sig Time { after: set Time, steps: Int }
         pred once[before, until: Time] { until in before.after and once[until, before] }
         sig since {}
         run once for 3 since",
        expect![[r#"
            sig Time { after: set Time, steps: Int }
            pred once[before, until: Time] {
            until in before.after and once[until, before] }
            sig since {  }
            run once for 3 since
        "#]],
    );
    check(
        "var sig A { var f: A }\nfact { always after some A until once some f }\nrun {} for 3 but 5 steps, 2 A",
        expect![[r#"
            var sig A { var f: A }
            fact {
            always after some A until once some f }
            run { } for 3 but 5 steps, 2 A
        "#]],
    );
}

#[test]
fn only_the_fences_of_markdown_are_code() {
    let markdown = "---\ntitle: x\n---\n# Text\n```alloy\nsig A {}\n```\nmore\n```\nsig B {}\n```\n~~~ alloy\nrun {}\n~~~\n";
    let code = alloy_syntax::code("model.md", markdown);
    assert_eq!(code.len(), markdown.len());
    check(
        &code,
        expect![[r#"
            sig A {  }
            run { }
        "#]],
    );
    assert_eq!(alloy_syntax::code("model.als", "sig A {}"), "sig A {}");
}

#[test]
fn what_follows_an_error_is_read() {
    check(
        "sig A { f: , g: set A }
         sig B { f }
         pred p[x: ] { some x }
         fact { some A + ]
           no A
           x y = }
         sig C {}",
        expect![[r#"
            ! expected an expression, found `,`
            ! expected `:`, found `}`
            ! expected an expression, found `]`
            ! expected an expression, found `]`
            ! expected an expression, found `}`
            sig A { f: _error_, g: set A }
            sig B {  }
            pred p[x: _error_] {
            some x }
            fact {
            _error_
            no A
            x
            _error_ }
            sig C {  }
        "#]],
    );
}
