//! The compiled evaluator against the plain one, on random expressions and on random small specifications.
//!
//! Both must give the same value, or both none; `PROPTEST_CASES=1000` looks longer.

#[path = "differential/generate.rs"]
mod generate;
mod support;

use generate::{Choices, expression, specification};
use proptest::prelude::*;
use support::load;
use tla_eval::compile::Compiler;
use tla_eval::effects::NoEffects;
use tla_eval::machine::Machine;
use tla_plain::{Error, Interpreter, Rule, State};
use tla_sema::Spec;
use tla_sema::ir::ExprId;
use util::Symbol;
use value::{Arena, Owned};

const HEADER: &str =
    "EXTENDS Integers, Sequences, FiniteSets, TLC, Bags, FiniteSetsExt, SequencesExt, Functions\n";

pub const OPERATORS: &str = "Twice(f(_), n) == f(f(n))
RECURSIVE Fact(_)
Fact(n) == IF n = 0 THEN 1 ELSE n * Fact(n - 1)
Down[n \\in Nat] == IF n = 0 THEN 0 ELSE 1 + Down[n - 1]
RECURSIVE Even(_), Odd(_)
Even(n) == n = 0 \\/ Odd(n - 1)
Odd(n) == n # 0 /\\ Even(n - 1)
";

/// Cases, unless the environment says how many.
fn cases(default: u32) -> ProptestConfig {
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() {
        ProptestConfig::default().cases
    } else {
        default
    };
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 2000,
        ..ProptestConfig::default()
    }
}

/// The definitions that the two do not agree on, with what each says.
fn disagreements(spec: &Spec, names: impl Iterator<Item = String>) -> Vec<(String, String)> {
    let (constants, effects) = (Arena::new(), NoEffects::default());
    let mut compiler = Compiler::new(spec, &constants);
    let mut compiled = vec![];
    for name in names {
        let body = spec
            .lookup_def(&name)
            .map(|it| spec.defs[it].body)
            .expect("defined");
        compiled.push((name.clone(), body, compiler.expression(body, Symbol::new(&name))));
    }
    let program = constants.alloc(compiler.program);
    let plain = Interpreter::new(spec);
    let mut wrong = vec![];
    for (name, body, proc) in compiled {
        let arena = Arena::new();
        let mut machine = Machine::new(program, &arena, &constants, &effects);
        let first = machine.run(proc);
        plain.refuel(200_000);
        let what = match (first, plain.value(body, None, None)) {
            (_, Err(Error::TooLong | Error::Effect(_))) | (Err(_), Err(_)) => continue,
            (Ok(first), Ok(second)) => match support::plain(first) {
                Some(value) if value.equals(&second) == Ok(true) => continue,
                None if matches!(second, tla_plain::Value::Large(_)) => continue,
                _ => format!("{first} and plainly {second}"),
            },
            // A set that nobody has listed yet may have elements that do not go together.
            (Ok(first), Err(_)) if support::plain(first).is_none() => continue,
            (Ok(first), Err(why)) => format!("{first} and plainly {why:?}"),
            (Err(_), Ok(second)) => format!("{:?} and plainly {second}", machine.error.map(|it| it.kind)),
        };
        wrong.push((name, what));
    }
    wrong
}

/// A module with an expression for each list of bytes.
fn module(all: &[Vec<u8>]) -> String {
    let kinds = ['I', 'B', 'S', 'F', 'Q', 'R', 'P', 'T'];
    let definition = |(i, bytes): (usize, &Vec<u8>)| {
        let kind = kinds[bytes.len() % kinds.len()];
        format!(
            "expression_{i} ==\n  {}\n",
            expression(kind, &vec![], 4, &mut Choices::new(bytes))
        )
    };
    let definitions: String = all.iter().enumerate().map(definition).collect();
    format!("---- MODULE Random ----\n{HEADER}{OPERATORS}{definitions}====\n")
}

proptest! {
    #![proptest_config(cases(15))]

    #[test]
    fn expressions_have_the_same_value(all in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 1..25)) {
        let text = module(&all);
        let (spec, _) = load("Random.tla", &text);
        let wrong = disagreements(&spec, (0..all.len()).map(|i| format!("expression_{i}")));
        prop_assert!(wrong.is_empty(), "{text}\n{wrong:#?}");
    }
}

/// A specification with both evaluators at hand.
struct Pair<'s> {
    spec: &'s Spec,
    plain: Interpreter<'s>,
}

impl Pair<'_> {
    fn body(&self, name: &str) -> ExprId {
        self.spec
            .lookup_def(name)
            .map(|it| self.spec.defs[it].body)
            .expect("defined")
    }

    /// The states that the compiled evaluator finds. Nothing for an error.
    fn initial(&self, name: &str) -> Option<Vec<Vec<Owned>>> {
        self.found(
            |compiler| compiler.expression(self.body(name), Symbol::new(name)),
            None,
        )
    }

    /// As [`Pair::initial`], for the successors of a state under all rules together.
    fn successors(&self, rules: &[Rule], state: &[Owned]) -> Option<Vec<Vec<Owned>>> {
        let rule = |it: &Rule| tla_eval::plan::Rule {
            name: None,
            action: it.action,
            subscript: it.subscript,
        };
        let rules: Vec<_> = rules.iter().map(rule).collect();
        self.found(|compiler| compiler.rules(&rules), Some(state))
    }

    fn found(
        &self,
        compile: impl FnOnce(&mut Compiler<'_, '_>) -> tla_eval::code::ProcId,
        from: Option<&[Owned]>,
    ) -> Option<Vec<Vec<Owned>>> {
        let (constants, arena, effects) = (Arena::new(), Arena::new(), NoEffects::default());
        let mut compiler = Compiler::new(self.spec, &constants);
        let proc = compile(&mut compiler);
        let program = constants.alloc(compiler.program);
        let mut machine = Machine::new(program, &arena, &constants, &effects);
        let mut states = vec![];
        let mut keep = |machine: &mut Machine<'_, '_>, _| {
            states.push(
                machine
                    .step
                    .next
                    .iter()
                    .flatten()
                    .map(|it| it.to_owned_value().expect("finite"))
                    .collect(),
            );
            Ok(false)
        };
        let result = match from {
            None => machine.initial(proc, self.spec.variables().count(), &mut keep),
            Some(state) => {
                machine.state.current = state
                    .iter()
                    .map(|it| it.copy_to(&arena).expect("a value"))
                    .collect();
                machine.successors(proc, &mut keep)
            }
        };
        result.is_ok().then_some(states)
    }

    /// What is found and what brute force allows among all states are the same; false when there was an error.
    fn check(
        &self,
        found: Option<&[Vec<Owned>]>,
        all: &[Vec<Owned>],
        allowed: impl Fn(&State) -> Allowed,
    ) -> bool {
        let Some(found) = found else { return false };
        let plain = |state: &Vec<Owned>| -> State {
            state
                .iter()
                .map(|it| tla_plain::Value::from_owned(it).expect("a value"))
                .collect()
        };
        for state in found {
            assert_ne!(allowed(&plain(state)), Ok(false), "found: {state:?}");
        }
        for state in all.iter().filter(|it| !found.contains(it)) {
            assert_ne!(allowed(&plain(state)), Ok(true), "missed: {state:?}");
        }
        true
    }
}

type Allowed = tla_plain::Result<bool>;

/// Compares initial states and the successors of all states; how often there was something to compare.
fn compare(text: &str) -> usize {
    let (spec, _) = load("Random.tla", text);
    let pair = Pair {
        spec: &spec,
        plain: Interpreter::new(&spec),
    };
    pair.plain.refuel(20_000_000);
    let all = pair.initial("STATES").expect("there are states");
    let init = [pair.body("INIT")];
    let mut compared = usize::from(pair.check(pair.initial("INIT").as_deref(), &all, |it| {
        pair.plain.is_initial(&init, it)
    }));
    let rule = |action: &str, subscript: Option<&str>| {
        Rule::new(pair.body(action), subscript.map(|it| pair.body(it)))
    };
    let one = vec![rule("NEXT", None)];
    let two = vec![rule("NEXT", Some("vars")), rule("SECOND", Some("part"))];
    for state in &all {
        let from: State = state
            .iter()
            .map(|it| tla_plain::Value::from_owned(it).expect("a value"))
            .collect();
        for rules in [&one, &two] {
            let next = pair.successors(rules, state);
            compared +=
                usize::from(pair.check(next.as_deref(), &all, |it| pair.plain.is_step(rules, &from, it)));
        }
    }
    compared
}

proptest! {
    #![proptest_config(cases(15))]

    #[test]
    fn successors_are_those_of_brute_force(
        next in prop::collection::vec(any::<u8>(), 0..80),
        second in prop::collection::vec(any::<u8>(), 0..40),
        init in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        compare(&specification(&next, &second, &init));
    }
}
