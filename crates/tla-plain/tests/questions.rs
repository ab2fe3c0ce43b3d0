//! The questions that a replay asks: is this state initial, is this pair a step, and what if that cannot be told.

#[path = "../../tla-eval/tests/support/mod.rs"]
mod support;

use support::load;
use tla_plain::{Error, Interpreter, Meaning, Rule, State, Value};
use tla_sema::Spec;
use tla_sema::ir::ExprId;

const COUNTER: &str = r"---- MODULE Counter ----
EXTENDS Integers, Sequences, TLC
CONSTANT N
VARIABLES x, s
vars == <<x, <<s>>>>
Init == x \in 0..N /\ s = << >>
Up(d) == x' = x + d /\ x' \in 0..1000000000000
Push == LET top == x' IN s' = Append(s, top) /\ x < N /\ Up(1)
Pop == s # << >> /\ s' = Tail(s) /\ UNCHANGED x
Never == x' = x + 1 /\ x' = x /\ s' = s
Twice == Push \cdot Push
Odd == [n \in 1..3 |-> n]
Reset == CASE x = 0 -> UNCHANGED vars [] x > 0 -> x' = 0 /\ s' = << >>
fact[n \in Nat] == IF n = 0 THEN 1 ELSE n * fact[n - 1]
RECURSIVE Forever(_)
Forever(n) == Forever(n + 1)
Many == \A y \in 1..1000000 : y > 0
Fails == x' = Odd[x + 7] /\ s' = s
Lucky == RandomElement({1, 2}) = 1
====";

fn body(spec: &Spec, name: &str) -> ExprId {
    spec.lookup_def(name)
        .map(|it| spec.defs[it].body)
        .expect("defined")
}

fn state(x: i64, s: &[i64]) -> State {
    vec![
        Value::int(x),
        Value::tuple(s.iter().map(|&it| Value::int(it)).collect()),
    ]
}

/// Asks about the counter with `N = 3`.
fn ask<T>(question: impl FnOnce(&Spec, &Interpreter<'_>) -> T) -> T {
    let (spec, _) = load("Counter.tla", COUNTER);
    let mut plain = Interpreter::new(&spec);
    plain.set_constant(spec.constants().next().expect("N"), Meaning::Value(Value::int(3)));
    question(&spec, &plain)
}

fn steps(action: &str, from: (i64, &[i64]), to: (i64, &[i64])) -> Result<bool, Error> {
    ask(|spec, plain| {
        let rule = Rule::new(body(spec, action), None);
        plain.is_step(&[rule], &state(from.0, from.1), &state(to.0, to.1))
    })
}

#[test]
fn initial_states_are_those_that_the_predicate_allows() {
    ask(|spec, plain| {
        let init = [body(spec, "Init")];
        assert_eq!(plain.is_initial(&init, &state(3, &[])), Ok(true));
        assert_eq!(plain.is_initial(&init, &state(4, &[])), Ok(false));
        assert_eq!(plain.is_initial(&init, &state(0, &[0])), Ok(false));
    });
}

#[test]
fn steps_are_pairs_of_states_that_satisfy_the_action() {
    assert_eq!(steps("Push", (0, &[]), (1, &[1])), Ok(true));
    assert_eq!(steps("Push", (0, &[]), (1, &[0])), Ok(false));
    assert_eq!(steps("Push", (3, &[]), (4, &[4])), Ok(false));
    assert_eq!(steps("Pop", (0, &[7, 8]), (0, &[8])), Ok(true));
    assert_eq!(steps("Pop", (0, &[]), (0, &[])), Ok(false));
    assert_eq!(steps("Reset", (0, &[5]), (0, &[5])), Ok(true));
    assert_eq!(steps("Reset", (2, &[5]), (0, &[])), Ok(true));
}

#[test]
fn two_steps_composed_are_one() {
    assert_eq!(steps("Twice", (0, &[]), (2, &[1, 2])), Ok(true));
    assert_eq!(steps("Twice", (0, &[]), (1, &[1])), Ok(false));
    assert_eq!(steps("Twice", (2, &[]), (4, &[3, 4])), Ok(false));
}

#[test]
fn a_rule_allows_its_subscript_to_stay() {
    ask(|spec, plain| {
        let rule = [Rule::new(body(spec, "Never"), Some(body(spec, "vars")))];
        assert_eq!(plain.is_step(&rule, &state(1, &[2]), &state(1, &[2])), Ok(true));
        assert_eq!(plain.is_step(&rule, &state(1, &[2]), &state(2, &[2])), Ok(false));
    });
}

#[test]
fn a_recursive_function_is_applied_where_it_is_asked() {
    ask(|spec, plain| {
        let fact = plain.value(body(spec, "fact"), None, None);
        assert!(matches!(fact, Err(Error::Undefined(_))), "{fact:?}");
    });
    let (spec, _) = load(
        "Six.tla",
        "---- MODULE Six ----\nEXTENDS Naturals\nf[n \\in Nat] == IF n = 0 THEN 1 ELSE n * f[n - 1]\nsix == f[3]\n====",
    );
    let six = Interpreter::new(&spec).value(body(&spec, "six"), None, None);
    assert!(six.is_ok_and(|it| it.equals(&Value::int(6)) == Ok(true)));
}

#[test]
fn what_takes_too_long_ends() {
    ask(|spec, plain| {
        let many = body(spec, "Many");
        plain.refuel(100_000);
        assert_eq!(plain.holds(many, &state(0, &[])), Err(Error::TooLong));
        let (endless, _) = load(
            "Endless.tla",
            "---- MODULE Endless ----\nEXTENDS Integers\nRECURSIVE F(_)\nF(n) == F(n + 1) + 1\nit == F(0)\n====",
        );
        let it = Interpreter::new(&endless).value(body(&endless, "it"), None, None);
        assert_eq!(it.err(), Some(Error::TooLong));
    });
}

#[test]
fn what_has_no_value_says_why() {
    let error = steps("Fails", (0, &[]), (0, &[]));
    assert_eq!(
        error,
        Err(Error::Undefined(
            "7 is not in the domain of <<1, 2, 3>>".to_owned()
        ))
    );
    ask(|spec, plain| {
        let lucky = plain.holds(body(spec, "Lucky"), &state(0, &[]));
        assert_eq!(lucky, Err(Error::Effect("TLC!RandomElement".to_owned())));
    });
}
