//! Random expressions and actions as text, from templates.
//!
//! A template is TLA+ with holes: `«I»` is filled with an integer, `«B»` a Boolean, `«S»` a set of integers, `«M»` a small one,
//! `«P»` a set of sets, `«F»` a function from integers to integers, `«Q»` a sequence, `«R»` a record, `«T»` a set of pairs, `«*»`
//! anything. `α` is a fresh name for an integer, `β` for a set of integers, `φ` for a function, `σ` for a sequence, `ρ` for
//! something that holes do not use; a hole that mentions
//! the letter, as `«Bα»`, may use the name. Choices come from bytes and the first templates of a list are its simplest, so that
//! shrinking the bytes shrinks the text.

/// Bytes that decide. When none is left, every choice is the first.
pub struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
    names: u32,
    /// For an initial predicate.
    pub initial: bool,
}

impl<'b> Choices<'b> {
    pub fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices {
            bytes: bytes.iter(),
            names: 0,
            initial: false,
        }
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.bytes.next().map_or(0, |&it| it as usize) % n
    }

    pub fn one<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len())]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }
}

/// Names that a hole may use, with the letter of their kind.
pub type Scope = Vec<(char, String)>;

const INTS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "-1",
    "7",
    "(«I» + «I»)",
    "(«I» - «I»)",
    "(«I» * «I»)",
    "(«I» \\div «I»)",
    "((«I») % «I»)",
    "(«I» ^ 2)",
    "(2 ^ ((«I») % 4))",
    "(-«I»)",
    "(IF «B» THEN «I» ELSE «I»)",
    "(CASE «B» -> «I» [] «B» -> «I» [] OTHER -> «I»)",
    "(CASE «B» -> «I» [] «B» -> «I»)",
    "(LET α == «I» IN «Iα»)",
    "(LET α(ρ) == ρ + «I» IN α(«I») * α(«I»))",
    "(LET β == «S» IN Cardinality(β \\cup «Sβ»))",
    "(LET φ[α \\in «M»] == «Iα» IN φ[«I»])",
    "(LET φ[α \\in 0..4] == IF α = 0 THEN «I» ELSE φ[α - 1] + «Iα» IN φ[(«I») % 5])",
    "(CHOOSE α \\in «S» : «Bα»)",
    "(CHOOSE α \\in «S» : TRUE)",
    "Cardinality(«S»)",
    "Cardinality(«P»)",
    "Cardinality(«T»)",
    "Cardinality([«M» -> «M»])",
    "Cardinality(SUBSET «M»)",
    "(«F»)[«I»]",
    "(«F»)[1]",
    "(«Q»)[1]",
    "(«Q»)[«I»]",
    "«R».a",
    "(«R»)[\"a\"]",
    "Head(«Q»)",
    "Last(«Q»)",
    "Len(«Q»)",
    "Max(«S»)",
    "Min(«S»)",
    "SumSet(«S»)",
    "FoldSet(LAMBDA a, b : a + b + 1, «I», «S»)",
    "FoldSeq(LAMBDA a, b : a - b, «I», «Q»)",
    "FoldLeft(LAMBDA a, b : a * 2 - b, «I», «Q»)",
    "FoldFunction(LAMBDA a, b : a + b, «I», «F»)",
    "Quantify(«S», LAMBDA α : «Bα»)",
    "Twice(LAMBDA α : «Iα», «I»)",
    "Fact((«I») % 5)",
    "Down[(«I») % 9]",
    "[<<i, j>> \\in «M» \\X «M» |-> i - j][«I», «I»]",
    "[i, j \\in «M» |-> i * 3 + j][1, «I»]",
    "(CHOOSE ρ \\in «T» : «B»)[2]",
    "BagCardinality(SetToBag(«S»))",
    "CopiesIn(«I», SetToBag(«S») (+) SetToBag(«S»))",
];

const BOOLS: &[&str] = &[
    "TRUE",
    "FALSE",
    "«I» < «I»",
    "«I» <= «I»",
    "«I» = «I»",
    "«I» # «I»",
    "«I» \\in «S»",
    "«I» \\notin «S»",
    "«S» \\subseteq «S»",
    "«S» = «S»",
    "(«B» /\\ «B»)",
    "(«B» \\/ «B»)",
    "~(«B»)",
    "(«B» => «B»)",
    "(«B» <=> «B»)",
    "(IF «B» THEN «B» ELSE «B»)",
    "(\\E α \\in «S» : «Bα»)",
    "(\\A α \\in «S» : «Bα»)",
    "(\\A α \\in «S», β \\in «P» : «Bαβ»)",
    "(\\A α \\in «S», β \\in «P» : «Bα» => «Bαβ»)",
    "(\\A α \\in «S», β \\in «P» : «Bα» \\/ «Bβ» \\/ «Bαβ»)",
    "(\\E α \\in «S», β \\in «P» : «Bα» /\\ «Bβ» /\\ «Bαβ»)",
    "(\\E α, ρ \\in «S» : α # 1 /\\ «Bα» /\\ ρ = α + 1)",
    "(\\E β \\in «P» : «Bβ»)",
    "(\\E φ \\in [1..2 -> «S»] : φ[2] = «I» /\\ (\\A ρ \\in 1..2 : φ[ρ] # «I») /\\ «Bφ»)",
    "(\\A φ \\in [«S» -> «M»] : φ[1] # «I» /\\ «B» => «Bφ»)",
    "(\\E ρ \\in [a : «S», b : BOOLEAN] : ρ.a = «I» /\\ ρ.b = «B» /\\ ρ.a < 2)",
    "(\\E φ \\in [«M» -> «M»] : «Bφ»)",
    "(\\A <<i, j>> \\in «T» : i # j)",
    "(LET ρ == «I» IN \\A α \\in «S» : α # ρ => «Bα»)",
    "(LET ρ == «I» IN \\E β \\in «P» : ρ \\in β /\\ «Bβ»)",
    "(LET ρ == «I» IN \\A β \\in «P» : ρ \\in β => «Bβ»)",
    "(LET ρ == «S» IN \\A α \\in «S» : α \\notin ρ \\/ «Bα»)",
    "(LET ρ == «I» IN \\A α \\in «S» : α = ρ \\/ «Bα»)",
    "(LET ρ == «S» IN \\E α \\in «S» : α \\in ρ)",
    "(LET ρ == «I» IN \\A β \\in «P» : ρ \\notin β)",
    "(LET β == «S» IN «Bβ»)",
    "«F» = «F»",
    "«Q» = «Q»",
    "«R» = «R»",
    "«P» = «P»",
    "«T» = «T»",
    "«S» \\in «P»",
    "«P» \\subseteq «P»",
    "«P» \\subseteq SUBSET «S»",
    "«S» \\in SUBSET «S»",
    "«S» \\subseteq Nat",
    "«I» \\in Int \\ «S»",
    "«I» \\in {ρ \\in Nat : ρ # «I»}",
    "«S» \\subseteq {n \\in Int : n > 0}",
    "«F» \\in [«S» -> «S»]",
    "«F» \\in [«M» -> Nat]",
    "[«M» -> «M»] = [«M» -> «M»]",
    "[«M» -> «M»] \\subseteq [«S» -> Int]",
    "«R» \\in [a : «S», b : BOOLEAN]",
    "[a : «M», b : {TRUE}] \\subseteq [a : «S», b : BOOLEAN]",
    "«Q» \\in Seq(«S»)",
    "{«Q»} \\subseteq Seq(Int)",
    "<<«I», «I»>> \\in «S» \\X «S»",
    "«M» \\X «S» = «T»",
    "«T» \\subseteq Nat \\X Int",
    "«R».b",
    "IsFiniteSet(«S»)",
    "IsInjective(«F»)",
    "IsPrefix(«Q», «Q»)",
    "Range(«F») = «S»",
    "(CHOOSE ρ \\in BOOLEAN : ρ = «B»)",
    "«*» = «*»",
    "ToString(«*») = ToString(«*»)",
    "Even((«I») % 7)",
    "DOMAIN «F» = «S»",
    "UNION «P» = «S»",
    "{«*», «*»} = {«*»}",
];

const SETS: &[&str] = &[
    "{}",
    "{1}",
    "{1, 2}",
    "(0..2)",
    "(-1..3)",
    "{«I»}",
    "{«I», «I», «I»}",
    "(((«I») % 3)..((«I») % 5))",
    "(«S» \\cup «S»)",
    "(«S» \\cap «S»)",
    "(«S» \\ «S»)",
    "{α \\in «S» : «Bα»}",
    "{«Iα» : α \\in «S»}",
    "{i + j : i \\in «S», j \\in «M»}",
    "{i * j : <<i, j>> \\in «T»}",
    "(UNION «P»)",
    "(DOMAIN «F»)",
    "(DOMAIN «Q»)",
    "(IF «B» THEN «S» ELSE «S»)",
    "(LET β == «S» IN «Sβ»)",
    "(CHOOSE β \\in «P» : «Bβ»)",
    "(LET ρ == «I» IN CHOOSE β \\in «P» : ρ \\in β /\\ «Bβ»)",
    "(LET ρ == <<«I», «I»>> IN {i[1] : i \\in {j \\in «T» : j # ρ}})",
    "(LET ρ == «S» IN {α \\in «S» : α \\notin ρ /\\ «Bα»})",
    "(«S» \\cup {«I»})",
    "(«S» \\ {«I»})",
    "(«S» \\cap Nat)",
    "(«S» \\ Nat)",
    "({ρ \\in Nat : ρ < «I»} \\cap «S»)",
    "Range(«F»)",
    "ToSet(«Q»)",
    "SymDiff(«S», «S»)",
    "{pair[1] : pair \\in «T»}",
    "{r.a : r \\in [a : «M», b : {«B»}]}",
    "{Len(q) : q \\in SeqOf(«M», 1)}",
    "{φ[1] : φ \\in [{1} -> «M»]}",
];

const SMALL: &[&str] = &[
    "{}",
    "{1}",
    "{1, 2}",
    "0..1",
    "1..3",
    "{α \\in 1..3 : «Bα»}",
    "{«I», «I»}",
    "{-1, 5}",
];

const SETS_OF_SETS: &[&str] = &[
    "{}",
    "{{}}",
    "{{1}}",
    "{{}, {1, 2}}",
    "(SUBSET «M»)",
    "{«S», «S»}",
    "{«Sα» : α \\in «M»}",
    "{β \\in SUBSET «M» : «Bβ»}",
    "(«P» \\cup «P»)",
    "(«P» \\cap SUBSET «S»)",
    "(«P» \\ {«S»})",
    "{«S» \\cup β : β \\in «P»}",
    "(SUBSET «M» \\ SUBSET «M»)",
    "{DOMAIN φ : φ \\in {«F», «F»}}",
];

const FUNCTIONS: &[&str] = &[
    "[α \\in {1} |-> α]",
    "[α \\in 0..1 |-> 1]",
    "[α \\in «M» |-> «Iα»]",
    "[«F» EXCEPT ![«I»] = «I»]",
    "[«F» EXCEPT ![«I»] = @ + «I», ![1] = @ * 2]",
    "(«F» @@ «F»)",
    "(«I» :> «I»)",
    "(«I» :> «I» @@ «I» :> «I»)",
    "(CHOOSE φ \\in [«M» -> «M»] : «Bφ»)",
    "(IF «B» THEN «F» ELSE «F»)",
    "(LET φ == «F» IN «Fφ»)",
    "Restrict(«F», «M»)",
    "SetToBag(«S»)",
    "«Q»",
    "[α \\in «S» |-> «Iα»]",
];

const SEQUENCES: &[&str] = &[
    "<<>>",
    "<<1>>",
    "<<1, 2>>",
    "<<«I», «I»>>",
    "Append(«Q», «I»)",
    "(«Q» \\o «Q»)",
    "Tail(«Q»)",
    "SubSeq(«Q», («I») % 3, («I») % 4)",
    "SelectSeq(«Q», LAMBDA α : «Bα»)",
    "[α \\in 1..((«I») % 4) |-> «Iα»]",
    "Reverse(«Q»)",
    "Front(«Q»)",
    "[«Q» EXCEPT ![«I»] = «I»]",
    "SortSeq(«Q», LAMBDA a, b : a < b)",
    "(LET σ == «Q» IN «Qσ»)",
    "SetToSortSeq(«S», LAMBDA a, b : a > b)",
    "(CHOOSE σ \\in SeqOf(«M», 2) : «Bσ»)",
    "(IF «B» THEN «Q» ELSE «Q»)",
];

const RECORDS: &[&str] = &[
    "[a |-> 1, b |-> TRUE]",
    "[b |-> FALSE, a |-> 0]",
    "[a |-> «I», b |-> «B»]",
    "[«R» EXCEPT !.a = «I»]",
    "[«R» EXCEPT !.a = @ + 1, !.b = ~@]",
    "[«R» EXCEPT ![\"a\"] = «I»]",
    "(\"a\" :> «I» @@ «R»)",
    "(CHOOSE ρ \\in [a : «M», b : BOOLEAN] : ρ.a = «I»)",
    "[ρ \\in {\"a\", \"b\"} |-> IF ρ = \"a\" THEN «I» ELSE «B»]",
    "(IF «B» THEN «R» ELSE [a |-> «I»])",
];

const PAIRS: &[&str] = &[
    "{}",
    "{<<1, 2>>}",
    "({1} \\X «M»)",
    "(«M» \\X «M»)",
    "{<<«I», «I»>>}",
    "{<<i, j>> \\in «M» \\X «M» : i <= j}",
    "{<<α, «Iα»>> : α \\in «M»}",
    "{φ \\in [1..2 -> «M»] : (\\A ρ \\in 1..2 : φ[ρ] \\in «S») /\\ φ[1] # φ[2]}",
    "(«T» \\cup «T»)",
    "(«T» \\cap («M» \\X Nat))",
    "[1..2 -> «M»]",
];

const OTHERS: &[&str] = &[
    "\"a\"",
    "\"b\"",
    "<<«I», «B»>>",
    "{«*»}",
    "[c |-> «*»]",
    "Nat",
    "<<«S», «R»>>",
    "{<<«I»>>, <<>>}",
];

/// An expression of a kind.
pub fn expression(kind: char, scope: &Scope, depth: u32, choices: &mut Choices<'_>) -> String {
    // Now and then something of another kind: what has no value here must have none there.
    if kind != '*' && depth > 0 && choices.below(60) == 59 {
        return expression('*', scope, depth - 1, choices);
    }
    let known: Vec<&String> = scope.iter().filter(|it| it.0 == kind).map(|it| &it.1).collect();
    if !known.is_empty() && choices.below(3) == 0 {
        let place = choices.below(known.len());
        return known[known.len() - 1 - place].clone();
    }
    let list = match kind {
        'I' => INTS,
        'B' => BOOLS,
        'S' => SETS,
        'M' => SMALL,
        'P' => SETS_OF_SETS,
        'F' => FUNCTIONS,
        'Q' => SEQUENCES,
        'R' => RECORDS,
        'T' => PAIRS,
        _ => match choices.below(8) {
            7 => OTHERS,
            other => {
                let kind = ['I', 'B', 'S', 'F', 'R', 'Q', 'P'][other];
                return expression(kind, scope, depth.saturating_sub(1), choices);
            }
        },
    };
    // At the bottom, only what has no holes.
    let list = match depth {
        0 => &list[..list.iter().position(|it| it.contains('«')).unwrap_or(list.len())],
        _ => list,
    };
    let list = if list.is_empty() { &["1"] } else { list };
    let template = choices.one(list);
    fill(template, scope, depth, choices)
}

/// The template with its holes filled.
pub fn fill(template: &str, scope: &Scope, depth: u32, choices: &mut Choices<'_>) -> String {
    const LETTERS: [(char, char); 5] = [('α', 'I'), ('β', 'S'), ('φ', 'F'), ('σ', 'Q'), ('ρ', '-')];
    let names: Vec<(char, char, String)> = LETTERS
        .iter()
        .filter(|it| template.contains(it.0))
        .map(|it| (it.0, it.1, choices.name()))
        .collect();
    let mut text = String::new();
    let mut rest = template;
    while let Some(start) = rest.find('«') {
        let end = rest.find('»').expect("a closed hole");
        text.push_str(&rest[..start]);
        let hole = &rest[start + '«'.len_utf8()..end];
        let mut letters = hole.chars();
        let kind = letters.next().expect("a kind");
        let mut inner = scope.clone();
        for letter in letters {
            let (_, kind, name) = names
                .iter()
                .find(|it| it.0 == letter)
                .expect("a letter of the template");
            inner.push((*kind, name.clone()));
        }
        let inside = expression(kind, &inner, depth.saturating_sub(1), choices);
        let simple = inside.chars().all(char::is_alphanumeric);
        text.push_str(&if simple { inside } else { format!("({inside})") });
        rest = &rest[end + '»'.len_utf8()..];
    }
    text.push_str(rest);
    for (letter, _, name) in &names {
        text = text.replace(*letter, name);
    }
    text
}

/// Three variables with small domains: `x \in 0..2`, `y \in BOOLEAN`, `f \in [1..2 -> 0..1]`.
const VARIABLES: [&str; 3] = ["x", "y", "f"];

/// What a variable can be given, and tests. `'` is left out in initial predicates; `o'` is the next value of one of the others.
const GIVEN: [&[&str]; 3] = [
    &[
        "x' = 0",
        "x' = 1",
        "x' \\in 0..2",
        "UNCHANGED x",
        "x' = (x + 1) % 3",
        "x' \\in {«I» % 3, 2}",
        "x' = f[1] + f'[2]",
        "x' = IF y' THEN 1 ELSE «I» % 3",
        "1 = x'",
        "x' \\in {α \\in 0..2 : «Bα»}",
        "(x' = 1 \\/ x' = 2)",
        "(y' => x' = 1) /\\ (~y' => x' \\in {0, 2})",
        "(\\E α \\in «M» : x' = α % 3)",
        "(LET nx == «I» % 3 IN x' = nx)",
        "(x' \\in 0..2 /\\ x' # x)",
        "Same(x)",
        "GiveX(«I» % 3)",
        "(\\A α \\in {1} : x' = α)",
        "(CASE y -> x' = 1 [] OTHER -> x' = 0)",
        "(x' >= 0 /\\ x' \\in {0, 2})",
        "[x' = 2]_x",
        "x' = Cardinality({α \\in 1..2 : f'[α] = 1})",
    ],
    &[
        "y' = TRUE",
        "y' = FALSE",
        "y' \\in BOOLEAN",
        "UNCHANGED y",
        "y' = ~y",
        "y' = (x' > 0)",
        "y' = «B»",
        "(y' = TRUE \\/ y' = (f'[1] = 0))",
        "Same(y)",
        "(IF x = 0 THEN y' = FALSE ELSE UNCHANGED <<y>>)",
        "y' \\in {α = 1 : α \\in «M»}",
        "<<y>>' = <<«B»>>",
        "y' = (\\E α \\in 0..2 : α = x' /\\ f[1] = 0)",
        "(x' = 0 => y' = TRUE) /\\ (x' # 0 => y' = FALSE)",
        "<<y' = TRUE>>_y",
    ],
    &[
        "f' = f",
        "f' = <<0, 0>>",
        "f' = [f EXCEPT ![1] = 1 - @]",
        "f' \\in [1..2 -> 0..1]",
        "UNCHANGED <<f>>",
        "f' = [α \\in 1..2 |-> IF x' = α THEN 1 ELSE 0]",
        "(\\E α \\in 1..2 : f' = [f EXCEPT ![α] = x % 2])",
        "f' = [f EXCEPT ![1] = 0, ![2] = @]",
        "f' \\in {φ \\in [1..2 -> 0..1] : φ[1] = 0}",
        "(\\E φ \\in [1..2 -> {0, 1}] : f' = φ /\\ φ[2] # x')",
        "f' = <<(«I») % 2, f[1]>>",
        "Same(f)",
        "f' \\in {<<0, 1>>, <<1, 1>>}",
        "f' \\in [1..2 -> 0..1] /\\ f'[1] = x % 2",
        "f' \\in [1..2 -> 0..1] /\\ (\\A α \\in {2} : f'[α] = f[α]) /\\ f'[1] # f[2]",
        "f' \\in [1..2 -> 0..1] /\\ UNCHANGED x /\\ f'[2] = 1 /\\ f'[1] = x'",
        "(\\E φ \\in [1..2 -> {0, 1}] : φ[1] = 1 /\\ f' = φ /\\ φ[2] # x')",
    ],
];

const GUARDS: &[&str] = &[
    "TRUE",
    "x = 0",
    "x < 2",
    "y",
    "~y",
    "f[1] = 1",
    "«B»",
    "x' # 2",
    "x' # x",
    "y' \\/ y",
    "f'[1] <= f'[2]",
    "f' # f",
    "<<x, y>>' # <<x, y>>",
    "\\E α \\in 1..2 : f[α] = x",
    "\\A α \\in 1..2 : f'[α] = 0 \\/ «Bα»",
    "x' \\in {0, 1}",
    "~(x' = 1)",
    "(y' <=> x' = 0)",
    "x + x' < 4",
    "ENABLED (x' = x + 1 /\\ x' < 2)",
    "~ENABLED (x' \\in 1..x /\\ y)",
    "ENABLED (\\E α \\in «M» : «Bα» /\\ f' = [f EXCEPT ![1] = α] /\\ f'[1] # 1)",
    "ENABLED <<x' = f[1]>>_x",
    "ENABLED (y' = ~y' \\/ UNCHANGED <<x, f>>)",
];

const SEVERAL: &[&str] = &[
    "UNCHANGED <<x, y>>",
    "UNCHANGED <<x, <<y, f>>>>",
    "UNCHANGED vars",
    "vars' = vars",
    "<<x, y>>' = <<(x + 1) % 3, ~y>>",
    "<<x', y'>> \\in (0..1) \\X {TRUE}",
    "<<x', f'>> = <<1, f>>",
    "<<x', y'>> \\in {<<0, TRUE>>, <<1, FALSE>>}",
];

/// An action that gives every variable of `vars` a next value.
pub fn action(vars: &[usize], scope: &Scope, depth: u32, choices: &mut Choices<'_>) -> String {
    if depth == 0 {
        return conjunction(vars, scope, choices);
    }
    let go = |vars: &[usize], choices: &mut Choices<'_>| action(vars, scope, depth - 1, choices);
    match choices.below(11) {
        0 | 1 => conjunction(vars, scope, choices),
        2 => format!("({} \\/ {})", go(vars, choices), go(vars, choices)),
        3 => {
            let name = choices.name();
            let set = expression('M', scope, 1, choices);
            let mut inner = scope.clone();
            inner.push(('I', name.clone()));
            format!(
                "(\\E {name} \\in ({set}) : {})",
                action(vars, &inner, depth - 1, choices)
            )
        }
        4 => {
            let guard = guard(scope, choices);
            format!(
                "(IF {guard} THEN {} ELSE {})",
                go(vars, choices),
                go(vars, choices)
            )
        }
        5 => {
            let guard = guard(scope, choices);
            format!(
                "(CASE {guard} -> {} [] OTHER -> {})",
                go(vars, choices),
                go(vars, choices)
            )
        }
        6 => {
            let name = choices.name();
            let value = expression('I', scope, 2, choices);
            let mut inner = scope.clone();
            inner.push(('I', name.clone()));
            format!(
                "(LET {name} == {value} IN {})",
                action(vars, &inner, depth - 1, choices)
            )
        }
        7 if vars.len() > 1 => {
            let (a, b) = vars.split_at(1 + choices.below(vars.len() - 1));
            let (a, b) = (go(a, choices), go(b, choices));
            if choices.below(2) == 0 {
                format!("({a} /\\ {b})")
            } else {
                format!("({b} /\\ {a})")
            }
        }
        8 => {
            let name = choices.name();
            format!("(LET {name} == {} IN {name})", go(vars, choices))
        }
        9 if vars.len() == 3 && !choices.initial => format!("[{}]_vars", go(vars, choices)),
        10 if vars.len() == 3 && !choices.initial => {
            format!("({} \\cdot {})", go(vars, choices), go(vars, choices))
        }
        _ => format!("({} /\\ {})", guard(scope, choices), go(vars, choices)),
    }
}

fn guard(scope: &Scope, choices: &mut Choices<'_>) -> String {
    let template = choices.one(GUARDS);
    match choices.initial {
        true if STEPS_ONLY.iter().any(|it| template.contains(it)) => "TRUE".to_owned(),
        true => format!("({})", fill(&template.replace('\'', ""), scope, 2, choices)),
        false => format!("({})", fill(template, scope, 2, choices)),
    }
}

/// Conjuncts in any order, with a guard here and there.
fn conjunction(vars: &[usize], scope: &Scope, choices: &mut Choices<'_>) -> String {
    let mut parts: Vec<String> = vec![];
    for &var in vars {
        let template = given(var, choices.initial, choices);
        parts.push(fill(&template, scope, 2, choices));
    }
    if vars.len() == 3 && choices.below(4) == 3 && !choices.initial {
        parts.push(choices.one(SEVERAL).to_owned());
    }
    for _ in 0..choices.below(3) {
        parts.push(guard(scope, choices));
    }
    for i in (1..parts.len()).rev() {
        parts.swap(i, choices.below(i + 1));
    }
    format!(
        "({})",
        parts
            .iter()
            .map(|it| format!("({it})"))
            .collect::<Vec<_>>()
            .join(" /\\ ")
    )
}

/// What has no meaning without a step.
const STEPS_ONLY: &[&str] = &[
    "ENABLED",
    "UNCHANGED",
    "Same",
    "GiveX",
    "]_",
    ">>_",
    "f' = f",
    "vars",
];

/// A template about one variable; in an initial predicate, names without primes.
fn given(var: usize, initial: bool, choices: &mut Choices<'_>) -> String {
    let any = ["x' \\in 0..2", "y' \\in BOOLEAN", "f' \\in [1..2 -> 0..1]"];
    let template = choices.one(GIVEN[var]);
    match initial {
        false => template.to_owned(),
        true if STEPS_ONLY.iter().any(|it| template.contains(it)) => any[var].replace('\'', ""),
        true => template.replace('\'', ""),
    }
}

/// A module with an action, another one about `y` and `f` alone, and an initial predicate.
pub fn specification(next: &[u8], second: &[u8], init: &[u8]) -> String {
    let all = [0, 1, 2];
    let next = action(&all, &vec![], 3, &mut Choices::new(next));
    let second = action(&all[1..], &vec![], 2, &mut Choices::new(second));
    let init = action(
        &all,
        &vec![],
        2,
        &mut Choices {
            initial: true,
            ..Choices::new(init)
        },
    );
    format!(
        "---- MODULE Random ----\nEXTENDS Integers, FiniteSets, Sequences, TLC, SequencesExt, FiniteSetsExt, Functions, Bags\n\
         {}VARIABLES {}\n\
         vars == <<x, <<y, f>>>>\nSame(v) == v' = v\nGiveX(e) == x' = e\n\
         NEXT ==\n  {next}\nSECOND ==\n  {second}\npart == <<y, f>>\nINIT ==\n  {init}\n\
         STATES == x \\in 0..2 /\\ y \\in BOOLEAN /\\ f \\in [1..2 -> 0..1]\n====\n",
        crate::OPERATORS,
        VARIABLES.join(", ")
    )
}
