//! Whole models, each small enough to be counted by hand.

#[path = "../../tla-eval/tests/support/mod.rs"]
mod support;

use support::load;
use tla_plain::{Interpreter, Limit, Options, Report, Surroundings, Verdict, ViolationKind, check};
use tla_sema::Model;

struct Nothing;

impl Surroundings for Nothing {}

/// A module; what follows its last line is the configuration.
fn model(text: &str) -> (tla_sema::Spec, Model) {
    let (module, config) = text.split_once("\n====\n").expect("a module and a configuration");
    let (mut spec, mut sources) = load("M.tla", &format!("{module}\n====\n"));
    let file = sources.add("M.cfg", config);
    let (parsed, wrong) = tla_syntax::config::parse(config, file);
    assert!(wrong.is_empty(), "{wrong:?}");
    let (model, wrong) = tla_sema::configure(&mut spec, &parsed, source::Span::new(file, 0, 0));
    assert!(wrong.iter().all(|it| !it.is_error()), "{wrong:?}");
    (spec, model)
}

fn run(text: &str) -> Report {
    let (spec, model) = model(text);
    let options = Options {
        deadlock: None,
        keeps_going: false,
        states_max: Some(1000),
        depth_max: None,
        nodes_max: None,
        fuel: 1_000_000,
        go_on: &|_| true,
        surroundings: &Nothing,
    };
    check(&spec, &model, &options)
}

/// The verdict, the counts, and the trace: each state as an action and values.
fn told(text: &str) -> String {
    let report = run(text);
    let (mut line, trace) = match &report.verdict {
        Verdict::Holds => ("holds".to_owned(), &[][..]),
        Verdict::Error(error, trace) => (format!("{error:?}"), &trace[..]),
        Verdict::Unknown(limit) => (format!("{limit:?}"), &[][..]),
        Verdict::Violated(it) => (format!("{:?} {}", it.kind, it.name), &it.trace[..]),
    };
    let counts = report.counts;
    line += &format!("; {}/{}/{}", counts.generated, counts.distinct, counts.depth);
    for step in trace {
        let values: Vec<String> = step.state.iter().map(|it| it.to_string()).collect();
        line += &format!("; {}: {}", step.action.name, values.join(", "));
    }
    line
}

/// Generated, distinct, depth: 0, 1 and 2, with two ways from each to the next.
#[test]
fn every_state_is_found_and_every_way_counted() {
    let counter = "---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Up == x' = (x + 1) % 3
Also == x < 9 /\\ x' = (x + 1) % 3
Next == Up \\/ Also
Small == x < 2
====
INIT Init
NEXT Next
";
    assert_eq!(told(counter), "holds; 7/3/3");
    let wrong = format!("{counter}INVARIANT Small\n");
    assert_eq!(told(&wrong), "Invariant Small; 4/3/3; Init: 0; Up: 1; Up: 2");
}

#[test]
fn a_state_without_steps_is_a_deadlock() {
    let ends = "---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Init == x \\in 1..2
Next == x < 2 /\\ x' = x + 1
====
INIT Init
NEXT Next
";
    assert_eq!(told(ends), "Deadlock ; 3/2/1; Init: 2");
    assert_eq!(told(&format!("{ends}CHECK_DEADLOCK FALSE\n")), "holds; 3/2/1");
}

/// In the order of the text: `y' \in S` before the disjunction, and `x'` waits for `y'`.
#[test]
fn successors_come_in_the_order_of_the_text() {
    let (spec, model) = model(
        "---- MODULE M ----
EXTENDS Naturals
VARIABLES x, y
Init == x = 0 /\\ y = 0
A(n) == x' = y' + n /\\ y' \\in {2, 1} /\\ (n = 1 \\/ n < 2)
Next == (\\E n \\in {2, 1} : A(n)) \\/ UNCHANGED <<x, y>>
====
INIT Init
NEXT Next
",
    );
    let interpreter = Interpreter::for_model(&spec, &model);
    let problem = interpreter.problem(&model).expect("a problem");
    let initial = interpreter.initial_states(&problem.init).expect("initial states");
    let steps = interpreter
        .successors(&problem.rules, &initial[0].state, 1)
        .expect("successors");
    let shown: Vec<String> = steps
        .iter()
        .map(|it| format!("{} {} {}", it.action.name, it.state[0], it.state[1]))
        .collect();
    assert_eq!(shown, ["A 2 1", "A 2 1", "A 3 2", "A 3 2", "Next 0 0"]);
}

#[test]
fn a_specification_behind_operators_is_the_same() {
    for formula in [
        "Init /\\ [][N(1)]_x",
        "LET F(k) == [][N(k)]_x IN Init /\\ F(1)",
        "LET id(a) == a IN id(Init /\\ [][N(1)]_x)",
        "Init /\\ \\A k \\in {1} : [][N(k)]_x",
        "Both(Init, [][N(1)]_x)",
        "Init /\\ []([][N(1)]_x /\\ TRUE)",
    ] {
        let text = format!(
            "---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
N(k) == x < 3 /\\ x' = x + k
Both(a, b) == a /\\ b
Spec == {formula}
Small == x < 2
====
SPECIFICATION Spec
INVARIANT Small
"
        );
        assert_eq!(run_kind(&text), Some(ViolationKind::Invariant), "{formula}");
    }
}

fn run_kind(text: &str) -> Option<ViolationKind> {
    match run(text).verdict {
        Verdict::Violated(it) => Some(it.kind),
        _ => None,
    }
}

const RING: &str = "---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Up == x < 2 /\\ x' = x + 1
Back == x = 2 /\\ x' = 0
Stop == x = 2 /\\ x' = 3
Next == Up \\/ Back \\/ Stop
Free == Init /\\ [][Next]_x
Weak == Free /\\ WF_x(Next)
Each == Free /\\ WF_x(Up) /\\ WF_x(Stop)
Strong == Free /\\ WF_x(Up) /\\ SF_x(Stop)
Two == <>(x = 2)
End == <>(x = 3)
Again == x = 1 ~> x = 2
Grows == [][x' > x]_x
Stays == x = 3 ~> [](x = 3)
====
CHECK_DEADLOCK FALSE
";

/// Who may stutter for ever reaches nothing; weak fairness of the whole reaches 2, but may go round; only strong fairness of
/// `Stop` ends.
#[test]
fn fairness_decides() {
    for (spec, property, expected) in [
        ("Free", "Two", "Liveness(0) Two; 5/4/4; Init: 0"),
        ("Weak", "Two", "holds; 5/4/4"),
        ("Weak", "End", "Liveness(0) End; 5/4/4; Init: 0; Up: 1; Up: 2"),
        ("Each", "End", "Liveness(0) End; 5/4/4; Init: 0; Up: 1; Up: 2"),
        ("Strong", "End", "holds; 5/4/4"),
        ("Free", "Again", "Liveness(1) Again; 5/4/4; Init: 0; Up: 1"),
        ("Weak", "Again", "holds; 5/4/4"),
        ("Weak", "Stays", "holds; 5/4/4"),
        (
            "Weak",
            "Grows",
            "ActionProperty Grows; 4/3/3; Init: 0; Up: 1; Up: 2; Back: 0",
        ),
    ] {
        let text = format!("{RING}SPECIFICATION {spec}\nPROPERTY {property}\n");
        assert_eq!(told(&text), expected, "{spec} => {property}");
    }
}

/// What the module calls `y` is the parity of `x`. A step of `Flip` is possible there in every state, whatever `x` can do.
#[test]
fn fairness_of_a_refined_module_is_its_own() {
    let text = |fairness: &str| {
        format!(
            "---- MODULE M ----
EXTENDS Naturals
---- MODULE Inner ----
EXTENDS Naturals
VARIABLE y
Flip == y' = 1 - y
Spec == y = 0 /\\ [][Flip]_y /\\ WF_y(Flip)
======================
VARIABLE x
Init == x = 0
Next == x' = (x + 1) % 4
Spec == Init /\\ [][Next]_x{fairness}
Abstract == INSTANCE Inner WITH y <- x % 2
Refines == Abstract!Spec
====
SPECIFICATION Spec
PROPERTY Refines
"
        )
    };
    assert_eq!(told(&text(" /\\ WF_x(Next)")), "holds; 5/4/4");
    assert_eq!(told(&text("")), "Liveness(0) Refines; 5/4/4; Init: 0");
}

#[test]
fn a_module_that_is_refined_by_an_instance_keeps_its_fairness() {
    let text = |fairness: &str| {
        format!(
            "---- MODULE M ----
EXTENDS Naturals
---- MODULE Inner ----
EXTENDS Naturals
VARIABLE y
Flip == y' = 1 - y
Spec == y = 0 /\\ [][Flip]_y /\\ WF_y(Flip)
======================
---- MODULE Middle ----
EXTENDS Naturals
VARIABLE z
Init == z = 0
Next == z' = (z + 1) % 4
Spec == Init /\\ [][Next]_z{fairness}
Abstract == INSTANCE Inner WITH y <- z % 2
Refines == Abstract!Spec
======================
VARIABLE x
INSTANCE Middle WITH z <- x
====
SPECIFICATION Spec
PROPERTY Refines
"
        )
    };
    assert_eq!(told(&text(" /\\ WF_z(Next)")), "holds; 5/4/4");
    assert_eq!(told(&text("")), "Liveness(0) Refines; 5/4/4; Init: 0");
}

#[test]
fn constraints_bound_what_is_counted() {
    let text = |more: &str| {
        format!(
            "---- MODULE M ----
EXTENDS Naturals, TLC
VARIABLE x
Init == x = 0
Next == x' \\in {{x + 1, x + 2}}
Few == x < 3
Odd == x' # x + 2
Level == TLCGet(\"level\") < 4
Small == x < 4
====
INIT Init
NEXT Next
{more}"
        )
    };
    // 0, 1, 2 are inside; 3 and 4 are looked at.
    assert_eq!(told(&text("CONSTRAINT Few\n")), "holds; 7/3/2");
    assert_eq!(
        told(&text("CONSTRAINT Few\nINVARIANT Small\n")),
        "Invariant Small; 7/3/2; Init: 0; Next: 2; Next: 4"
    );
    // One step of two is excluded.
    assert_eq!(
        told(&text("CONSTRAINT Few\nACTION_CONSTRAINT Odd\n")),
        "holds; 7/3/3"
    );
    // 0 | 1 2 | 3 4 | and then 5 6, which are outside.
    assert_eq!(told(&text("CONSTRAINT Level\n")), "holds; 11/5/3");
}

#[test]
fn what_has_no_value_is_told_with_its_trace() {
    let text = |next: &str| {
        format!(
            "---- MODULE M ----
EXTENDS Naturals, TLC
VARIABLES x, y
Init == x = 0 /\\ y = {{}}
Next == (x < 1 /\\ x' = x + 1 /\\ UNCHANGED y) \\/ (x = 1 /\\ {next})
====
INIT Init
NEXT Next
"
        )
    };
    let trace = "; Init: 0, {}; Next: 1, {}";
    for (next, expected) in [
        (
            "x' = x + y /\\ y' = y",
            "Undefined(\"{} is not an integer\"); 2/2/2",
        ),
        (
            "(\\E <<a, b>> \\in {<<1, 2, 3>>} : x' = a) /\\ y' = y",
            "Undefined(\"<<1, 2, 3>> is not a tuple of 2\"); 2/2/2",
        ),
        ("x' = 2", "Unassigned(1); 2/2/2"),
        (
            "Assert(x = 2, \"no\") /\\ UNCHANGED <<x, y>>",
            "Assertion no; 2/2/2",
        ),
    ] {
        assert_eq!(told(&text(next)), format!("{expected}{trace}"), "{next}");
    }
}

#[test]
fn what_depends_on_chance_is_refused() {
    let text = "---- MODULE M ----
EXTENDS Naturals, TLC
VARIABLE x
Init == x = RandomElement(1..3)
Next == x' = x
====
INIT Init
NEXT Next
";
    assert!(matches!(run(text).verdict, Verdict::Unknown(Limit::Refused(_))));
}

/// Registers are written in the order of the text, each state after the other.
#[test]
fn registers_count() {
    let text = "---- MODULE M ----
EXTENDS Naturals, TLC
VARIABLE x
ASSUME TLCSet(7, 0)
Init == x = 0
Next == TLCSet(7, TLCGet(7) + 1) /\\ x' = (x + 1) % 3
Post == TLCGet(7) = 3 /\\ TLCGet(\"distinct\") = 3
====
INIT Init
NEXT Next
POSTCONDITION Post
";
    assert_eq!(told(text), "holds; 4/3/3");
}

#[test]
fn limits_end_a_check() {
    let text = "---- MODULE M ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = x + 1
====
INIT Init
NEXT Next
";
    assert_eq!(told(text), "States; 1000/1000/1000");
}

/// Typed model values are compared with their own kind only.
#[test]
fn typed_model_values() {
    let text = |test: &str| {
        format!(
            "---- MODULE M ----
CONSTANTS a, b, c
VARIABLE x
Init == x = a
Next == {test} /\\ x' = x
====
INIT Init
NEXT Next
CONSTANTS a = t_1 b = u_1 c = plain
"
        )
    };
    assert_eq!(told(&text("x # c")), "holds; 2/1/1");
    assert!(matches!(run(&text("x # b")).verdict, Verdict::Error(..)));
    assert!(matches!(run(&text("x # \"t_1\"")).verdict, Verdict::Error(..)));
}
