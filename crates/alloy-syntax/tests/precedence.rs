//! Which operator binds tighter, what associates how, and how words with several roles are told apart.

mod support;

use source::FileId;
use support::shape;

/// The shape of an expression, or its first error.
fn read(text: &str) -> String {
    let (exprs, expr, diagnostics) = alloy_syntax::parse_expr(FileId(0), text);
    match (expr, &diagnostics[..]) {
        (Some(expr), []) => shape(&exprs, expr),
        (_, [first, ..]) => format!("error: {}", first.title),
        _ => "nothing".to_owned(),
    }
}

#[track_caller]
fn same(a: &str, b: &str) {
    assert_eq!(read(a), read(b), "{a}   and   {b}");
    assert!(!read(a).starts_with("error"), "{a}: {}", read(a));
}

#[test]
fn each_level_binds_tighter_than_the_one_before() {
    let ladder = [
        ("a ; b", ";"),
        ("a or b", "or"),
        ("a iff b", "iff"),
        ("a => b", "=>"),
        ("a and b", "and"),
        ("a until b", "until"),
        ("a in b", "in"),
        ("a << b", "<<"),
        ("a + b", "+"),
        ("a fun/mul b", "fun/mul"),
        ("a ++ b", "++"),
        ("a & b", "&"),
        ("a -> b", "->"),
        ("a <: b", "<:"),
        ("a :> b", ":>"),
        ("a.b", "."),
    ];
    for (i, (_, loose)) in ladder.iter().enumerate() {
        for (_, tight) in &ladder[i + 1..] {
            same(
                &format!("x {loose} y {tight} z"),
                &format!("x {loose} (y {tight} z)"),
            );
            same(
                &format!("x {tight} y {loose} z"),
                &format!("(x {tight} y) {loose} z"),
            );
        }
    }
}

#[test]
fn associativity() {
    for left in [
        "or", "iff", "and", "until", "since", "in", "=", "<<", ">>", ">>>", "+", "-", "++", "&", "<:", ":>",
        ".",
    ] {
        same(&format!("a {left} b {left} c"), &format!("(a {left} b) {left} c"));
    }
    for right in ["=>", "->", ";", "some -> lone", "implies"] {
        same(
            &format!("a {right} b {right} c"),
            &format!("a {right} (b {right} c)"),
        );
    }
    same("a - b + c", "(a - b) + c");
    same("a.b[c].d", "((a.b)[c]).d");
    same("a.b.c", "(a.b).c");
}

#[test]
fn prefix_operators() {
    same("not a = b", "not (a = b)");
    same("not a and b", "(not a) and b");
    same("always a until b", "(always a) until b");
    same("always some a", "always (some a)");
    same("no a.b & c", "no ((a.b) & c)");
    same("some a + b and c", "(some (a + b)) and c");
    same("#a & b", "#(a & b)");
    same("#a + b", "(#a) + b");
    same("#a.b = 2", "(#(a.b)) = 2");
    same("~a.b", "(~a).b");
    same("^a.*b", "(^a).(*b)");
    same("a.^b", "a.(^b)");
    same("~^*a", "~(^(*a))");
    same("sum a + b", "(sum a) + b");
    same("int a.b > 1", "(int (a.b)) > 1");
}

#[test]
fn loose_prefixes_need_parentheses_after_tight_operators() {
    for text in [
        "x in one A",
        "a = not b",
        "a & #b",
        "a.#b",
        "a -> no b",
        "a + some b",
        "x = always p",
    ] {
        let said = read(text);
        assert!(
            said.ends_with("binds less tightly than the operator before it"),
            "{text}: {said}"
        );
    }
    for text in [
        "a + #b",
        "a and not b",
        "a until always b",
        "a << #b",
        "#a = #b",
        "a.~b",
        "a & ~b",
    ] {
        assert!(!read(text).starts_with("error"), "{text}");
    }
}

#[test]
fn else_belongs_to_the_nearest_implication() {
    same("a => b else c", "a => (b) else (c)");
    same("a => b => c else d", "a => (b => c else d)");
    same("a => b else c => d else e", "a => b else (c => d else e)");
    assert_eq!(read("a implies b else c"), "(If a b c)");
    same("a => b else c and d", "a => b else (c and d)");
    same("x = a => b else c", "(x = a) => b else c");
}

#[test]
fn binders_reach_as_far_right_as_possible() {
    same("a and all x: A | b or c", "a and (all x: A | (b or c))");
    same("a => some x: A | b => c", "a => (some x: A | (b => c))");
    same("let x = a | x + b", "let x = a | (x + b)");
    same("a + sum x: A | x + b", "a + (sum x: A | (x + b))");
    same("not all x: A | b and c", "not (all x: A | (b and c))");
    same("all x: A { a\n b }", "all x: A | { a\n b }");
    same("all x: A | a ; b", "(all x: A | a) ; b");
    same("let x = a, y = b | c", "let x = a | let y = b | c");
    same("a = let x = b | x", "a = (let x = b | x)");
}

#[test]
fn words_with_several_roles() {
    assert_eq!(read("some x"), "(Some x)");
    assert_eq!(read("some x: A | p"), "(Some x: A | p)");
    assert_eq!(read("some disj x, y: A | p"), "(Some disj x,y: A | p)");
    assert_eq!(read("all x: some A, y: B | p"), "(All x: (SomeOf A) y: B | p)");
    assert_eq!(read("a -> some b"), "(->some a b)");
    assert_eq!(read("a some -> b"), "(some-> a b)");
    assert_eq!(read("a one->lone b"), "(one->lone a b)");
    assert_eq!(read("a set -> set b"), "(-> a b)");
    assert_eq!(read("x in (some A)"), "(In x (SomeOf A))");
    assert_eq!(read("sum x: A | 1"), "(Sum x: A | 1)");
    assert_eq!(read("sum[a]"), "(Sum[a])");
    assert_eq!(read("a.sum"), "(Join a Sum)");
    assert_eq!(read("int[a] + a.int"), "(Union (Int[a]) (Join a Int))");
    assert_eq!(read("disj[a, b]"), "(Disj[a b])");
    assert_eq!(read("pred/totalOrder[a, b, c]"), "(TotalOrder[a b c])");
    assert_eq!(read("{ x: A }"), "(Set x: A | )");
    assert_eq!(read("{ x, y: A, z: B | p }"), "(Set x,y: A z: B | p)");
    assert_eq!(read("{ x }"), "{x}");
    assert_eq!(read("seq A"), "(SeqOf A)");
    assert_eq!(read("seq/Int"), "SeqInt");
    assert_eq!(read("seq/first[a]"), "(seq/first[a])");
    assert_eq!(read("this/a"), "this/a");
    assert_eq!(read("m/n/a"), "m/n/a");
    assert_eq!(read("@a.b"), "(Join @a b)");
    assert_eq!(read("fun/max"), "IntMax");
    assert_eq!(read("fun/next[a]"), "(IntNext[a])");
}

#[test]
fn comparisons_and_their_negations() {
    assert_eq!(read("a != b"), "(NotEqual a b)");
    assert_eq!(read("a not = b"), "(NotEqual a b)");
    assert_eq!(read("a ! in b"), "(NotIn a b)");
    assert_eq!(read("a not in b"), "(NotIn a b)");
    assert_eq!(read("a =< b"), "(Le a b)");
    assert_eq!(read("a <= b"), "(Le a b)");
    assert_eq!(read("a !<= b"), "(NotLe a b)");
    assert_eq!(read("a not >= b"), "(NotGe a b)");
    assert_eq!(read("a <=> b"), "(Iff a b)");
    assert_eq!(read("a::b"), "(Join a b)");
}

#[test]
fn numbers() {
    assert_eq!(read("-3"), "-3");
    assert_eq!(read("a -3"), "(Difference a 3)");
    assert_eq!(read("a = -3"), "(Equal a -3)");
    assert_eq!(read("0x1F + 0b101 + 1_000"), "(Union (Union 31 5) 1000)");
    assert_eq!(read("-2147483648"), "-2147483648");
    assert_eq!(
        read("2147483648"),
        "error: `2147483648` does not fit into 32 bits"
    );
    assert_eq!(read("3x"), "error: `3x` is neither a number nor a name");
}

#[test]
fn primes() {
    assert_eq!(read("a'"), "a'");
    assert_eq!(read("a''"), "a''");
    assert_eq!(read("(a)'"), "(Prime a)");
    assert_eq!(read("a.b'"), "(Join a b')");
    assert_eq!(read("(a.b)'"), "(Prime (Join a b))");
    assert_eq!(read("this'"), "(Prime This)");
    assert_eq!(read("(~a)'"), "(Prime (Transpose a))");
    assert_eq!(read("a[b]'"), "(Prime (a[b]))");
    assert_eq!(read("x'in y"), "(In x' y)");
    assert_eq!(read("a’ + b"), "(Union a' b)");
    assert_eq!(read("a'b + a\"b"), "(Union a'b a\"b)");
    assert_eq!(read("_ + _'"), "(Union _ _')");
}

#[test]
fn comments_and_strings() {
    same(
        "a -- one\n + b // two\n + /* three\n */ c /** four */",
        "a + b + c",
    );
    assert_eq!(read(r#""a\"b\\c\n""#), r#""a\"b\\c\n""#);
    assert_eq!(read("a - -b"), "error: expected an expression, found `-`");
    assert_eq!(read(r#""""#), "error: a string cannot be empty");
    assert_eq!(
        read("\"a\nb"),
        "error: this string has no closing quotation mark on its line"
    );
}

#[test]
fn temporal_words() {
    assert_eq!(
        read("always a and eventually b"),
        "(And (Always a) (Eventually b))"
    );
    assert_eq!(read("a until b releases c"), "(Releases (Until a b) c)");
    assert_eq!(read("a ; b ; c"), "(Then a (Then b c))");
    assert_eq!(
        read("historically once before after a"),
        "(Historically (Once (Before (After a))))"
    );
    assert_eq!(read("a triggered b since c"), "(Since (Triggered a b) c)");
}
