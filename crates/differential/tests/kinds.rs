//! Every kind of compiled code in every position, right and wrong: the same answer in every mode.
//!
//! The table is made here: rows are the kinds of `tla_eval::code`, columns the positions in which a formula can stand. A kind
//! that nobody has written a formula for does not compile, and a formula that has another kind than it is there for fails.

#[path = "kinds/snippets.rs"]
mod snippets;

use differential::compare;
use differential::modes::{Mode, load};
use snippets::{DEFINITIONS, SNIPPETS, Snippet};
use testkit::Specification;
use tla_eval::code::Kind;
use tla_eval::compiled::Compiled;
use tla_eval::effects::NoEffects;
use tla_eval::plan::Plan;
use value::Arena;

macro_rules! kinds {
    ($($name:ident)*) => {
        /// What a kind is called. A new kind does not compile until it is in the list.
        #[allow(dead_code, reason = "the match alone is what counts")]
        fn name(kind: &Kind<'_>) -> &'static str {
            match kind {
                $(Kind::$name { .. } => stringify!($name),)*
            }
        }

        const KINDS: &[&str] = &[$(stringify!($name)),*];
    };
}

kinds! {
    Const Cached Local Var NextVar Prime Call Inlined Kept CallParam Native And Or Not Implies Equiv Eq Neq In NotIn
    InFilter SubsetEq Cup Cap Minus PowerSet Set Union Domain Arith If Case Let Forall Exists Choose SetEnum Filter Map
    FnLiteral ApplyRecursive WholeRecursive Apply ApplyRow FnSet Record RecordSet Select Except Tuple Times BoxAction AngleAction
    Unchanged UnchangedVars EqShape InShape Enabled Compose Fail
}

/// Where a formula stands.
#[derive(Clone, Copy, Debug)]
enum Position {
    Guard,
    AfterAssignment,
    Enabled,
    Subscript,
    Invariant,
    Label,
    Value,
    Constraint,
    StepProperty,
}

/// A specification with a formula in a position. Where no step is at hand, an action is asked whether it is enabled.
fn specification(position: Position, formula: &str, is_action: bool) -> Specification {
    let formula = &format!("({formula})");
    let tick = "x' = (x + 1) % 3 /\\ UNCHANGED <<f, s, q>>";
    let now = match is_action {
        true => format!("(ENABLED ({tick} /\\ {formula}))"),
        false => format!("({formula})"),
    };
    let (mut next, mut checks, mut config) = (format!("({tick})"), String::new(), String::new());
    let mut check = |kind: &str, text: String| {
        checks = format!("Checked == {text}\n");
        config = format!("{kind} Checked\n");
    };
    match position {
        Position::Guard => next = format!("({formula} /\\ {tick})"),
        Position::AfterAssignment => next = format!("({tick} /\\ {formula})"),
        Position::Enabled => next = format!("(ENABLED ({tick} /\\ {formula}) /\\ {tick})"),
        Position::Subscript => check("PROPERTY", format!("[][x' # 7]_<<{now}, x>>")),
        Position::Invariant => check("INVARIANT", now),
        Position::Label if is_action => check("PROPERTY", format!("[]<><<{formula}>>_<<x, f, s, q>>")),
        Position::Label => check("PROPERTY", format!("[]<>{now}")),
        Position::Value => {
            next = format!("(x' = (IF {now} THEN (x + 1) % 3 ELSE x) /\\ UNCHANGED <<f, s, q>>)")
        }
        Position::Constraint if is_action => check("ACTION_CONSTRAINT", format!("({formula}) \\/ x = 0")),
        Position::Constraint => check("CONSTRAINT", format!("{now} \\/ x = 0")),
        Position::StepProperty => check("PROPERTY", format!("[][{formula} \\/ x' = 0]_<<x, s>>")),
    }
    let text = format!(
        "---- MODULE M ----
EXTENDS Integers, Sequences, FiniteSets, TLC
VARIABLES x, f, s, q
{DEFINITIONS}
Init == x = 0 /\\ f = <<0, 0>> /\\ s = {{}} /\\ q = <<>>
Turn == f' = [f EXCEPT ![1] = 1 - @] /\\ UNCHANGED <<x, s, q>>
Grow == Len(q) < 1 /\\ q' = Append(q, x) /\\ s' = s \\cup {{x}} /\\ UNCHANGED <<x, f>>
Next == {next} \\/ Turn \\/ Grow
Spec == Init /\\ [][Next]_<<x, f, s, q>> /\\ WF_<<x, f, s, q>>(Next)
{checks}====
"
    );
    Specification {
        modules: vec![("M".to_owned(), text)],
        config: format!("SPECIFICATION Spec\nCHECK_DEADLOCK FALSE\n{config}"),
        is_standard: true,
    }
}

/// The compiled program as text, in which every node says its kind.
fn compiled(specification: &Specification) -> String {
    let file = load(specification);
    let errors: Vec<&str> = file.diagnostics.iter().map(|it| it.title.as_str()).collect();
    assert!(!file.has_errors(), "{errors:?}\n{}", specification.modules[0].1);
    let model = file.model.as_ref().expect("a model");
    let constants = Arena::new();
    let plan = Plan::new(&file.spec, model, &constants).expect("a plan");
    let effects = NoEffects::default();
    let compiled = Compiled::new(&file.spec, &plan, &constants, &effects);
    format!("{:?}", compiled.program)
}

const MODES: [Mode; 4] = [Mode::Plain, Mode::Default, Mode::Hostile, Mode::Reference];

/// What is wrong with a cell of the table.
fn cell(snippet: &Snippet, position: Position, formula: &str) -> Option<String> {
    let it = specification(position, formula, snippet.is_action);
    let kind = format!("kind: {}", snippet.kind);
    let has_kind = |text: &str| text.split(&kind).skip(1).any(|it| it.starts_with(['(', ' ']));
    if !has_kind(&compiled(&it)) {
        return Some(format!("{position:?}: `{formula}` has no {}", snippet.kind));
    }
    let compared = compare(&it, &MODES);
    // `A \\cdot B` is taken, not tested: the engine says so, and the reference can.
    if compared.answer.errors.iter().any(|it| it.0 == "eval-unsupported") {
        return None;
    }
    let difference = compared.difference?;
    Some(format!(
        "{position:?}: `{formula}`, {} differs, {:?}: {} and {}",
        difference.what, difference.modes, difference.answers[0], difference.answers[1]
    ))
}

#[test]
fn every_kind_has_a_formula() {
    for kind in KINDS {
        assert!(
            SNIPPETS.iter().any(|it| it.kind == *kind),
            "{kind} has no formula"
        );
    }
}

/// A column of the table. They are tests of their own, so that they run side by side.
fn column(position: Position) {
    let mut wrong = vec![];
    for snippet in SNIPPETS {
        for formula in [snippet.right, snippet.wrong] {
            wrong.extend(cell(snippet, position, formula));
        }
    }
    assert!(wrong.is_empty(), "{} cells:\n{}", wrong.len(), wrong.join("\n"));
}

macro_rules! columns {
    ($($name:ident $position:ident,)*) => {
        $(#[test]
        fn $name() {
            column(Position::$position);
        })*
    };
}

columns! {
    every_kind_as_a_guard Guard,
    every_kind_after_an_assignment AfterAssignment,
    every_kind_in_enabled Enabled,
    every_kind_in_a_subscript Subscript,
    every_kind_in_an_invariant Invariant,
    every_kind_in_a_mark Label,
    every_kind_in_a_value Value,
    every_kind_in_a_constraint Constraint,
    every_kind_in_a_property_of_steps StepProperty,
}

/// A wrong formula is an error in one of these positions, and a right one in none.
#[test]
fn right_is_right_and_wrong_is_wrong() {
    for snippet in SNIPPETS.iter().filter(|it| it.kind != "Fail") {
        let verdicts = |formula: &str| -> Vec<String> {
            let all = [
                Position::Guard,
                Position::AfterAssignment,
                Position::Invariant,
                Position::Label,
            ]
            .iter()
            .map(|&it| specification(it, formula, snippet.is_action));
            all.map(|it| compare(&it, &[Mode::Plain]).answer.verdict)
                .collect()
        };
        let (right, wrong) = (verdicts(snippet.right), verdicts(snippet.wrong));
        assert!(
            !right.contains(&"error".to_owned()) || snippet.kind == "Compose",
            "{}: {right:?}",
            snippet.kind
        );
        assert!(wrong.contains(&"error".to_owned()), "{}: {wrong:?}", snippet.kind);
    }
}
