//! Counterexamples of every kind are confirmed, and what is none is refuted.

use std::time::Duration;

use tla_eval::effects::NoEffects;
use value::Arena;

use super::*;
use crate::{CheckOptions, CheckReport, Host, TlaFile, Unreadable, Verdict, check, open, parse_tla};

const SPEC: &str = r"---- MODULE Spec ----
EXTENDS Integers, Sequences, FiniteSets, TLC
CONSTANTS N, Procs, Limit(_)
VARIABLES x, at
vars == <<x, <<at>>>>
Init == x = 0 /\ at \in [Procs -> {0}]
Up == x' = x + 1 /\ x' <= N /\ UNCHANGED at
Move(p) == at' = [at EXCEPT ![p] = @ + 1] /\ at'[p] < Limit(p) /\ x' = x
Next == Up \/ \E p \in Procs : Move(p)
Spec == Init /\ [][Next]_vars
Conjoined == Init /\ [][Up]_x /\ [][\E p \in Procs : Move(p)]_at
Two(p) == 2
Small == x < 3
Still == \A p \in Procs : at[p] = 0
Growing == [][x' >= x + 1]_x
Later == [][x' = x]_vars
Started == x = 1
Asserted == Assert(x # 2, <<x, at>>)
Broken == x # 2 \/ Head(<< >>) = 1
Lucky == x < 2 \/ TLCGet(1) = 1
Sym == Permutations(Procs)
View == <<x, Cardinality({p \in Procs : at[p] > 0})>>
Inside == x < 2
Tick == x' = (x + 1) % 3 /\ UNCHANGED at
Clock == Init /\ [][Tick]_vars /\ WF_vars(Tick)
Rests == <>[](x = 0)
Grows == <>(x = 4)
====";

struct Files(String);

impl Host for Files {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        match path {
            "Spec.tla" => Ok(SPEC.into()),
            "Spec.cfg" => Ok(self.0.clone().into()),
            _ => Err(Unreadable::Missing),
        }
    }
}

/// A search that is never stopped.
struct Unhurried;

impl explore::Observer for Unhurried {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn load(config: &str) -> TlaFile {
    let constants = "CONSTANTS N = 4 Procs = {p, q} Limit <- Two\n";
    let host = Files(format!("{constants}{config}"));
    let opened = open("Spec.tla", &host).unwrap_or_else(|_| panic!("there is a file"));
    let mut file = parse_tla(opened, &host, false);
    file.configure("Spec.cfg", &host);
    assert!(!file.has_errors(), "{:?}", file.diagnostics);
    file
}

fn run(config: &str) -> CheckReport {
    check(
        &load(config),
        &CheckOptions::default(),
        &NoEffects::default(),
        &Unhurried,
    )
}

fn confirmed(config: &str, states: usize) {
    let report = run(config);
    assert_eq!(
        report.replay,
        Replay::Confirmed,
        "{config}\n{:?}",
        report.diagnostics
    );
    assert_eq!(report.trace.len(), states, "{config}");
}

#[test]
fn counterexamples_of_every_kind_are_confirmed() {
    confirmed("SPECIFICATION Spec INVARIANT Small", 4);
    confirmed("SPECIFICATION Conjoined INVARIANT Small CHECK_DEADLOCK FALSE", 4);
    confirmed("INIT Init NEXT Next INVARIANT Still", 2);
    confirmed("SPECIFICATION Spec PROPERTY Later", 2);
    confirmed("SPECIFICATION Spec PROPERTY Started", 1);
    confirmed("SPECIFICATION Spec PROPERTY Growing", 7);
    confirmed("SPECIFICATION Spec", 7);
    confirmed("SPECIFICATION Spec INVARIANT Asserted", 3);
    confirmed("SPECIFICATION Spec INVARIANT Broken", 3);
    confirmed("SPECIFICATION Spec INVARIANT Still SYMMETRY Sym", 2);
    confirmed("SPECIFICATION Spec INVARIANT Small VIEW View", 4);
    confirmed("SPECIFICATION Spec INVARIANT Still CONSTRAINT Inside", 2);
    confirmed("SPECIFICATION Clock PROPERTY Rests", 3);
    confirmed("SPECIFICATION Spec PROPERTY Grows CHECK_DEADLOCK FALSE", 1);
}

#[test]
fn what_depends_on_more_than_states_is_not_replayed() {
    let report = run("SPECIFICATION Spec INVARIANT Lucky");
    // The register is never set: the search fails there, and the steps up to it are still steps.
    assert_eq!(
        (report.verdict, report.replay),
        (Verdict::Error, Replay::Confirmed)
    );
    let file = load("SPECIFICATION Spec INVARIANT Lucky");
    let outcome = play(&file, &[state(0), state(1), state(2)], |plan| {
        End::State(plan.invariants[0].name, plan.invariants[0].expr)
    });
    assert!(
        matches!(outcome, Replay::NotReplayed(ref why) if why.contains("TLCGet")),
        "{outcome:?}"
    );
}

fn state(x: i64) -> State {
    let at = |name: &str| {
        (
            tla_plain::Value::Model(value::Text::new(name)),
            tla_plain::Value::int(0),
        )
    };
    vec![
        tla_plain::Value::int(x),
        tla_plain::Value::function(vec![at("p"), at("q")]).expect("a function"),
    ]
}

fn play(file: &TlaFile, states: &[State], end: impl Fn(&Plan<'_>) -> End) -> Replay {
    let arena = Arena::new();
    let model = file.model.as_ref().expect("a model");
    let plan = Plan::new(&file.spec, model, &arena).expect("a plan");
    replay(&file.spec, model, &plan, states, end(&plan))
}

#[test]
fn what_is_no_counterexample_is_refuted() {
    let file = load("SPECIFICATION Spec INVARIANT Small PROPERTY Later");
    let small = |plan: &Plan<'_>| End::State(plan.invariants[0].name, plan.invariants[0].expr);
    let later = |plan: &Plan<'_>| End::Step(plan.action_properties[0].0.name, plan.action_properties[0].1);
    let refuted = |outcome: Replay, part: &str| match outcome {
        Replay::Refuted(what) => assert!(what.contains(part), "{what}"),
        other => panic!("{other:?}"),
    };
    refuted(play(&file, &[state(1)], small), "not an initial state");
    refuted(play(&file, &[state(0), state(2)], small), "the step from state 1");
    refuted(
        play(&file, &[state(0), state(1)], small),
        "does not break `Small`",
    );
    refuted(play(&file, &[state(0)], later), "no step breaks `Later`");
    refuted(
        play(&file, &[state(0), state(1)], |_| End::Deadlock),
        "has a successor",
    );
    assert_eq!(play(&file, &[0, 1, 2, 3].map(state), small), Replay::Confirmed);
}

#[test]
fn a_lasso_must_be_fair_and_break_its_property() {
    let file = load("SPECIFICATION Clock PROPERTY Rests");
    let lasso = |states: &[State], loop_start: usize, end: &str| {
        let outcome = play(&file, states, |_| End::Lasso(loop_start, Symbol::new("Rests")));
        match (outcome, end) {
            (Replay::Confirmed, "") => {}
            (Replay::Refuted(what), part) if !part.is_empty() => assert!(what.contains(part), "{what}"),
            (other, _) => panic!("{other:?}"),
        }
    };
    lasso(&[0, 1, 2].map(state), 0, "");
    // It stays in its first state for ever, which weak fairness forbids.
    lasso(&[state(0)], 0, "does not meet an assumption");
    lasso(&[0, 1, 2].map(state), 1, "closes the loop");
    let file = load("SPECIFICATION Spec PROPERTY Grows CHECK_DEADLOCK FALSE");
    let grows = |states: &[State]| {
        let last = states.len() - 1;
        play(&file, states, |_| End::Lasso(last, Symbol::new("Grows")))
    };
    assert_eq!(grows(&[0, 1, 2].map(state)), Replay::Confirmed);
    let Replay::Refuted(what) = grows(&[0, 1, 2, 3, 4].map(state)) else {
        panic!("it grows")
    };
    assert!(what.contains("does not break `Grows`"), "{what}");
}
