//! Evaluation errors in words: what, where, with which values, and through which definitions.

use diag::Diagnostic;
use tla_sema::Spec;

use crate::error::{ErrorKind, EvalError};

/// Calls that are told.
const CALLS_MAX: usize = 4;

/// The diagnostic for an error, without the trace to the state where it happened.
pub fn explain(error: &EvalError, spec: &Spec) -> Diagnostic {
    let span = spec.exprs[error.at].span;
    let list = |names: &[util::Symbol]| {
        names
            .iter()
            .map(|it| format!("`{it}`"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut diagnostic = match &error.kind {
        ErrorKind::Mismatch { a, b } => Diagnostic::error("eval-mismatch", "values of different kinds are compared")
            .at(span, "these cannot be equal or different")
            .note(format!("one is {a}"))
            .note(format!("the other is {b}"))
            .hint("compare values of one kind; model values compare with everything"),
        ErrorKind::WrongKind { need, got } => Diagnostic::error("eval-wrong-kind", format!("{need} is needed here"))
            .at(span, format!("needs {need}"))
            .note(format!("the value is {got}")),
        ErrorKind::NotInDomain { function, arg } => {
            Diagnostic::error("eval-not-in-domain", "a function is applied outside its domain")
                .at(span, format!("applied to {arg}"))
                .note(format!("the function is {function}"))
        }
        ErrorKind::NoField { record, field } => {
            Diagnostic::error("eval-no-field", format!("the record has no field `{field}`"))
                .at(span, "no such field")
                .note(format!("the record is {record}"))
        }
        ErrorKind::NoWitness { set } => Diagnostic::error("eval-no-witness", "CHOOSE finds no element")
            .at(span, "no element satisfies this")
            .note(format!("the set is {set}"))
            .hint("guard it with the condition that there is one"),
        ErrorKind::NoCase => Diagnostic::error("eval-no-case", "no guard of this CASE holds")
            .at(span, "no arm applies")
            .hint("add an `OTHER` arm"),
        ErrorKind::DivisionByZero => Diagnostic::error("eval-division-by-zero", "division by zero").at(span, "the divisor is 0"),
        ErrorKind::NotPositive { got } => {
            Diagnostic::error("eval-not-positive", "the second argument of `%` must be positive")
                .at(span, format!("it is {got}"))
        }
        ErrorKind::NegativeExponent { got } => {
            Diagnostic::error("eval-negative-exponent", "an exponent must not be negative").at(span, format!("it is {got}"))
        }
        ErrorKind::Infinite { set } => {
            Diagnostic::error("eval-infinite", "an infinite set would have to be enumerated")
                .at(span, "infinitely many elements")
                .note(format!("the set is {set}"))
                .hint(match set.as_str() {
                    "Nat" | "Int" => "use an interval such as `0..N`, or replace the set in the configuration: `CONSTANT Nat <- Few`",
                    _ if set.starts_with("Seq(") => "bound the length: `UNION {[1..n -> S] : n \\in 0..N}`",
                    _ => "use a finite set in its place; `x \\in S` alone does not enumerate S",
                })
        }
        ErrorKind::TooMany { set } => {
            Diagnostic::error("eval-too-many", "a set is too large to be enumerated")
                .at(span, "too many elements")
                .note(format!("the set is {set}"))
                .hint("make it smaller, perhaps by smaller constants; `x \\in S`, `S \\subseteq T` and `Cardinality(S)` alone do not enumerate")
        }
        ErrorKind::Undefined { operator, why } => {
            Diagnostic::error("eval-undefined", format!("`{operator}` has no value here")).at(span, why.clone())
        }
        ErrorKind::Assertion { message } => {
            Diagnostic::error("assertion", format!("an assertion failed: {}", message.trim_end_matches('.')))
                .at(span, "this is FALSE")
        }
        ErrorKind::Unassigned { variable } => {
            Diagnostic::error("eval-unassigned", format!("`{variable}'` is used, but nothing gives it a value"))
                .at(span, "needs a next value")
                .hint(format!(
                    "`{variable}' = …`, `{variable}' \\in …` and `UNCHANGED {variable}` give it one, without using it"
                ))
        }
        ErrorKind::Incomplete {
            variables,
            action,
            last,
            initial,
        } => {
            let names = list(variables);
            let branch = spec.exprs[*last].span;
            let (title, label, hint) = match initial {
                true => (
                    format!("the initial predicate leaves {names} without a value"),
                    "says nothing about it",
                    "give every variable a value: `x = …` or `x \\in …`",
                ),
                false => (
                    format!("a step of `{action}` leaves {names} without a next value"),
                    "this action",
                    "give every variable a next value in every branch, or say that it is UNCHANGED",
                ),
            };
            let incomplete = Diagnostic::error("eval-incomplete-step", title).at(span, label).hint(hint);
            if branch == span { incomplete } else { incomplete.also(branch, "the branch ends here") }
        }
        ErrorKind::Unsupported { what } => {
            Diagnostic::error("eval-unsupported", format!("{what} cannot be evaluated")).at(span, "no value can be computed")
        }
        ErrorKind::Pattern { value, n } => {
            Diagnostic::error("eval-pattern", format!("a tuple of {n} is needed"))
                .at(span, "elements are taken apart here")
                .note(format!("the element is {value}"))
        }
        ErrorKind::Interrupted => {
            // Nothing is wrong with the specification.
            Diagnostic::warning("eval-interrupted", "the evaluation was stopped before it had a value")
                .at(span, "this takes long")
                .hint("is a set enumerated here that has very many elements?")
        }
        ErrorKind::TooDeep { depth_max } => {
            Diagnostic::error("eval-too-deep", "the recursion does not end")
                .at(span, format!("still called after {depth_max} calls within calls"))
                .hint("a recursive definition needs a case that does not call itself, and every call must come closer to it")
        }
    };
    // The innermost calls tell most; a long chain is cut, and a recursion is told once.
    let mut told = vec![];
    for &(name, at) in &error.chain {
        let call = (name, spec.exprs[at].span);
        if told.contains(&call) {
            continue;
        }
        told.push(call);
        diagnostic = diagnostic.also(call.1, format!("in `{name}`, called here"));
        if told.len() == CALLS_MAX {
            break;
        }
    }
    diagnostic
}
