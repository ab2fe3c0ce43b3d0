//! For each kind of compiled code, a formula that has it and means something, and one that has it and is wrong.
//!
//! The variables are `x`, a number; `f`, a function from `1..2` to numbers; `s`, a set of numbers; `q`, a sequence. A
//! formula that is an action is labelled: it stands where a step is at hand, or inside of `ENABLED`.

/// Formulas for one kind of code.
pub struct Snippet {
    pub kind: &'static str,
    pub right: &'static str,
    pub wrong: &'static str,
    pub is_action: bool,
}

const fn state(kind: &'static str, right: &'static str, wrong: &'static str) -> Snippet {
    Snippet {
        kind,
        right,
        wrong,
        is_action: false,
    }
}

const fn action(kind: &'static str, right: &'static str, wrong: &'static str) -> Snippet {
    Snippet {
        kind,
        right,
        wrong,
        is_action: true,
    }
}

/// What the formulas use.
pub const DEFINITIONS: &str = "
Inc(n) == n + 1
RECURSIVE Sum(_)
Sum(n) == IF n <= 0 THEN 0 ELSE n + Sum(n - 1)
RECURSIVE Bad(_)
Bad(n) == IF n <= 0 THEN n[1] ELSE Bad(n - 1)
Long(F(_), n) == LET a == F(n) b == F(a) c == F(b) d == F(c) IN {a, b, c, d, F(d), F(F(n)), F(F(F(n)))}
Down[n \\in 0..3] == IF n = 0 THEN 0 ELSE 1 + Down[n - 1]
Row[i \\in 0..3] == [j \\in 0..i + 1 |-> IF j = 0 THEN x ELSE Row[i][j - 1] + 1]
Hole[n \\in 0..3] == IF n = 0 THEN x[1] ELSE 1 + Hole[n - 1]
";

pub const SNIPPETS: &[Snippet] = &[
    state("Const", "x = 1", "x = \"a\""),
    state(
        "Cached",
        "Cardinality(SUBSET {1, 2, 3}) > x + 6",
        "(1 \\div Cardinality({n \\in {1, 2} : n > 2})) = x",
    ),
    state("Local", "\\E v \\in s : v = x", "\\E v \\in {x, 5} : v.a = 1"),
    state("Var", "x = 1 \\/ s = {0}", "x"),
    action("NextVar", "x' = 1 \\/ x' = x", "x' = \"a\""),
    action("Prime", "(f[1] + x)' # 2", "(f[x + 1])' = 1"),
    state("Call", "Sum(x) = 1", "Bad(x) = 1"),
    state("Inlined", "Inc(x) = 2", "Inc(s) = 2"),
    state(
        "Kept",
        "\\E v \\in {x, 1} : {w \\in 0..6 : w > v} # {2}",
        "\\E v \\in {x, 1} : {w \\in 0..6 : w > v[1]} # {}",
    ),
    state(
        "CallParam",
        "2 \\in Long(LAMBDA n : (n + x) % 5, x)",
        "2 \\in Long(LAMBDA n : q[n], x)",
    ),
    state("Native", "Len(q) > x", "Len(x) > 1"),
    state("And", "(x = 1 /\\ s # {})", "(x < 2 /\\ x)"),
    state("Or", "(x = 1 \\/ s # {})", "(x = 1 \\/ x)"),
    state("Not", "~(x \\in s)", "~x"),
    state("Implies", "(x = 1 => s = {})", "(x = 1 => s)"),
    state("Equiv", "(x = 1 <=> s = {})", "(x = 1 <=> s)"),
    state("Eq", "x = f[1]", "x = s"),
    state("Neq", "x # f[1]", "x # q"),
    state("In", "x \\in s", "x \\in q"),
    state("NotIn", "x \\notin s", "x \\notin f"),
    state(
        "InFilter",
        "x \\in {v \\in Nat : v # f[1]}",
        "x \\in {v \\in Nat : v}",
    ),
    state("SubsetEq", "s \\subseteq {x, 1}", "s \\subseteq x"),
    state("Cup", "1 \\in s \\cup {x}", "1 \\in s \\cup x"),
    state("Cap", "1 \\in s \\cap {x, 1}", "1 \\in x \\cap s"),
    state("Minus", "1 \\in s \\ {x}", "1 \\in s \\ x"),
    state("PowerSet", "s \\in SUBSET {x, 0}", "s \\in SUBSET x"),
    state(
        "Set",
        "x \\in DOMAIN [v \\in {1, x + 1} |-> v]",
        "x \\in DOMAIN [v \\in x |-> v]",
    ),
    state("Union", "1 \\in UNION {s, {x}}", "1 \\in UNION s"),
    state("Domain", "x \\in DOMAIN q", "x \\in DOMAIN s"),
    state("Arith", "x + f[1] * 2 > 2", "x + s > 2"),
    state(
        "If",
        "(IF x = 1 THEN s = {} ELSE f[1] = 0)",
        "(IF x THEN s = {} ELSE f[1] = 0)",
    ),
    state(
        "Case",
        "(CASE x = 0 -> s = {} [] x = 1 -> TRUE [] OTHER -> f[1] = 0)",
        "(CASE x = 0 -> s = {} [] x = 1 -> TRUE)",
    ),
    state(
        "Let",
        "(LET a == x + f[1] b == a * 2 IN a + b + a > 2)",
        "(LET a == x + f[1] b == a[1] IN a + b + a > 2)",
    ),
    state("Forall", "\\A v \\in s : v < 2", "\\A v \\in s : v"),
    state(
        "Exists",
        "\\E v \\in s, w \\in {x, 1} : v = w",
        "\\E <<v, w>> \\in {<<x, 1>>, <<1>>} : v = w + 7",
    ),
    state(
        "Choose",
        "(CHOOSE v \\in {0, 1, 2} : v # x) = 0",
        "(CHOOSE v \\in s : v = x) = 0",
    ),
    state("SetEnum", "{x, 1} = {1}", "{x, \"a\"} = {1}"),
    state("Filter", "{v \\in s : v < x} = {}", "{v \\in s : v.a < x} = {}"),
    state(
        "Map",
        "{v + x : v \\in s} = {1}",
        "{v + x : <<v, w>> \\in {<<x, 1>>, <<1, 2, 3>>}} = {1}",
    ),
    state(
        "FnLiteral",
        "[v \\in s |-> v + x] = <<>>",
        "[v \\in s |-> v[x]] = <<>>",
    ),
    state("ApplyRecursive", "Down[x] = 1", "Down[x + 3] = 1"),
    state(
        "WholeRecursive",
        "Down = [n \\in 0..3 |-> IF x = 1 THEN n ELSE 0]",
        "Hole = f",
    ),
    state("Apply", "f[1] = x", "f[x] = 0"),
    state("ApplyRow", "Row[x][1] = 1", "Row[x][5] = 1"),
    state("FnSet", "f \\in [1..2 -> {x, 0}]", "f \\in [x -> {0}]"),
    state(
        "Record",
        "[a |-> x, b |-> f[1]] = [a |-> 1, b |-> 0]",
        "[a |-> x, b |-> f[3]] = [a |-> 1, b |-> 0]",
    ),
    state("RecordSet", "[a |-> x] \\in [a : s]", "[a |-> x] \\in [a : x]"),
    state("Select", "[a |-> x].a = 1", "[a |-> x].b = 1"),
    state(
        "Except",
        "[f EXCEPT ![1] = @ + x][1] = 1",
        "[f EXCEPT ![1] = @ + q][1] = 1",
    ),
    state("Tuple", "<<x, f[1]>> = <<1, 0>>", "<<x, f[1]>> = s"),
    state(
        "Times",
        "<<x, 1>> \\in s \\X {1, 2}",
        "<<x, 1>> \\in x \\X {1, 2}",
    ),
    action("BoxAction", "[x' = 1]_f", "[x']_f"),
    action("AngleAction", "<<x' # 1>>_x", "<<x'>>_x"),
    action("Unchanged", "UNCHANGED (f[1] + x)", "UNCHANGED f[x]"),
    action(
        "UnchangedVars",
        "UNCHANGED <<f, <<s, q>>>>",
        "(UNCHANGED <<f, <<s, q>>>> /\\ x)",
    ),
    action("EqShape", "<<x, f>>' = <<(x + 1) % 3, f>>", "<<x, f>>' = x"),
    action(
        "InShape",
        "<<x, f>>' \\in {<<0, f>>, <<1, f>>}",
        "<<x, f>>' \\in x",
    ),
    state(
        "Enabled",
        "ENABLED (x' = 1 /\\ x = 0 /\\ UNCHANGED <<f, s, q>>)",
        "ENABLED (x' = 1 /\\ x)",
    ),
    action(
        "Compose",
        "((x' = 1 /\\ UNCHANGED <<f, s, q>>) \\cdot (x' = x /\\ UNCHANGED <<f, s, q>>))",
        "((x' = 1 /\\ x) \\cdot (x' = x))",
    ),
    state("Fail", "x = 1 \\/ (\\E v : v = x)", "(\\E v : v = x)"),
];
