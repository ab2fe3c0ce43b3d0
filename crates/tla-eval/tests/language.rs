//! The language, page by page: what each construct means, with the values that it must give.
//!
//! A page is prose with fences. A ```` ```tla ```` fence is the body of a module (its `EXTENDS` included) for the fences
//! that follow it. ```` ```eval ```` holds entries: `> expression` (continued by lines with `+ `), then its value. After
//! `eval`, a predicate says in which state. ```` ```initial ```` holds predicates and the states that satisfy them,
//! ```` ```steps predicate ```` actions and the next states of the state that the predicate gives. Expected lines are
//! written anew with `UPDATE_EXPECT=1`, and read in the diff.

mod support;

use support::load;
use testkit::files;
use tla_eval::compile::Compiler;
use tla_eval::effects::NoEffects;
use tla_eval::machine::Machine;
use tla_eval::{ErrorKind, EvalError, Fault};
use tla_sema::Spec;
use util::Symbol;
use value::{Arena, Value};

const DEFAULT: &str = "EXTENDS Integers, Sequences, FiniteSets, TLC\n";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fence {
    Module,
    Eval,
    Initial,
    Steps,
    Other,
}

/// The page as it should be.
fn answered(page: &str) -> String {
    let mut module = DEFAULT.to_owned();
    let mut answered = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        answered.push_str(line);
        answered.push('\n');
        let Some(info) = line.strip_prefix("```") else {
            continue;
        };
        let (word, state) = info.split_once(' ').unwrap_or((info, ""));
        let fence = match word {
            "tla" => Fence::Module,
            "eval" => Fence::Eval,
            "initial" => Fence::Initial,
            "steps" => Fence::Steps,
            _ => Fence::Other,
        };
        let mut inside = vec![];
        for line in lines.by_ref().take_while(|it| *it != "```") {
            inside.push(line);
        }
        match fence {
            Fence::Module | Fence::Other => {
                let text: String = inside.iter().map(|it| format!("{it}\n")).collect();
                answered.push_str(&text);
                if fence == Fence::Module {
                    module = text;
                }
            }
            _ => answered.push_str(&run(&module, fence, state, &entries(&inside))),
        }
        answered.push_str("```\n");
    }
    answered
}

/// Expressions, each with the lines it was written in.
fn entries<'l>(lines: &[&'l str]) -> Vec<Vec<&'l str>> {
    let mut entries: Vec<Vec<&str>> = vec![];
    for &line in lines {
        if line.starts_with("> ") {
            entries.push(vec![line]);
        } else if let (Some(entry), true) = (entries.last_mut(), line.starts_with("+ ")) {
            entry.push(line);
        }
    }
    entries
}

fn run(module: &str, fence: Fence, state: &str, entries: &[Vec<&str>]) -> String {
    let mut text = format!("---- MODULE Page ----\n{module}");
    for (i, entry) in entries.iter().enumerate() {
        let expression: Vec<&str> = entry.iter().map(|it| &it[2..]).collect();
        text.push_str(&format!("entry_{i} ==\n  {}\n", expression.join("\n  ")));
    }
    if !state.is_empty() {
        text.push_str(&format!("given_state == {state}\n"));
    }
    text.push_str("====\n");
    let (spec, _) = load("Page.tla", &text);
    let mut answer = String::new();
    for (i, entry) in entries.iter().enumerate() {
        for line in entry {
            answer.push_str(line);
            answer.push('\n');
        }
        for line in outcome(&spec, &format!("entry_{i}"), fence, !state.is_empty()) {
            answer.push_str(&line);
            answer.push('\n');
        }
    }
    answer
}

/// What one entry gives, in lines.
fn outcome(spec: &Spec, name: &str, fence: Fence, in_state: bool) -> Vec<String> {
    let constants = Arena::new();
    let arena = Arena::new();
    let mut compiler = Compiler::new(spec, &constants);
    let entry = spec.lookup_def(name).expect("defined above");
    let entry = compiler.expression(spec.defs[entry].body, Symbol::new(name));
    let given = spec.lookup_def("given_state").filter(|_| in_state);
    let given = given.map(|it| compiler.expression(spec.defs[it].body, Symbol::new("given_state")));
    let n_variables = spec.variables().count();
    let program = constants.alloc(compiler.program);
    let effects = NoEffects::default();
    let mut machine = Machine::new(program, &arena, &constants, &effects);
    let mut states: Vec<Vec<Value<'_>>> = vec![];
    if let Some(given) = given {
        let found = machine.initial(given, n_variables, &mut |machine, _| {
            states.push(machine.step.next.iter().flatten().copied().collect());
            Ok(true)
        });
        assert!(found.is_ok() && states.len() == 1, "{:?}", machine.error);
        machine.state.current = states.pop().unwrap_or_default().into();
        machine.state.level = 1;
    }
    let show = |state: &[Value<'_>]| -> String {
        let parts: Vec<String> = program
            .variables
            .iter()
            .zip(state)
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        parts.join(" /\\ ")
    };
    let mut lines = vec![];
    let mut found = |machine: &mut Machine<'_, '_>, _| {
        let state: Vec<Value<'_>> = machine.step.next.iter().flatten().copied().collect();
        lines.push(show(&state));
        Ok(false)
    };
    let result = match fence {
        Fence::Eval => machine.run(entry).map(Some),
        Fence::Initial => machine.initial(entry, n_variables, &mut found).map(|_| None),
        _ => machine.successors(entry, &mut found).map(|_| None),
    };
    if fence == Fence::Eval {
        let state: Vec<Value<'_>> = (0..machine.state.current.len())
            .map(|it| machine.state.current[it])
            .collect();
        second_opinion(spec, name, &state, result.ok().flatten());
    }
    match result {
        Ok(Some(value)) => lines.push(value.to_string()),
        Ok(None) if lines.is_empty() => lines.push("none".to_owned()),
        Ok(None) => {}
        Err(fault) => {
            let at = program.procs[entry].body.at;
            machine.unassigned(fault, at);
            let error: Option<Box<EvalError>> = machine.error.take();
            assert!(
                error.is_some() || fault != Fault::Error,
                "an error without a story"
            );
            lines.push(error.map_or("error".to_owned(), |it| match &it.kind {
                // Without the places.
                ErrorKind::Incomplete { variables, .. } => {
                    format!("error: Incomplete {{ variables: {variables:?} }}")
                }
                kind => format!("error: {kind:?}"),
            }));
        }
    }
    lines
}

/// The plain evaluator has the same value, or none either.
fn second_opinion(spec: &Spec, name: &str, state: &[Value<'_>], value: Option<Value<'_>>) {
    let plain = tla_plain::Interpreter::new(spec);
    plain.refuel(1_000_000);
    let expr = spec
        .lookup_def(name)
        .map(|it| spec.defs[it].body)
        .expect("defined above");
    let state: Vec<tla_plain::Value> = state
        .iter()
        .map(|&it| support::plain(it).expect("states are finite"))
        .collect();
    let second = plain.value(expr, (!state.is_empty()).then_some(&state), None);
    match (value, second) {
        (_, Err(tla_plain::Error::Effect(_) | tla_plain::Error::TooLong)) | (None, Err(_)) => {}
        (Some(value), Ok(second)) => {
            if let Some(first) = support::plain(value) {
                assert!(
                    first.equals(&second).unwrap_or(false),
                    "{name}: {value} and plainly {second}"
                );
            }
        }
        (first, second) => panic!(
            "{name} {:?}: {first:?} and plainly {second:?}",
            spec.exprs[expr].span
        ),
    }
}

#[test]
fn every_page_says_what_is_true() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language");
    for path in files(&folder, "md") {
        let page = std::fs::read_to_string(&path).expect("a readable page");
        expect_test::expect_file![&path].assert_eq(&answered(&page));
    }
}
