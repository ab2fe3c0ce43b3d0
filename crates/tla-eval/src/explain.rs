//! Evaluation errors in words: what, where, with which values, and through which definitions.

use diag::Diagnostic;
use tla_sema::Spec;

use crate::error::{ErrorKind, EvalError};

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
        ErrorKind::DivisionByZero => Diagnostic::error("eval-division-by-zero", "division by zero").at(span, "here"),
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
                .hint("replace the set by a finite one: `CONSTANT Nat <- …` in the configuration, or a bound in the spec")
        }
        ErrorKind::TooMany { set } => {
            Diagnostic::error("eval-too-many", "a set is too large to be enumerated")
                .at(span, "too many elements")
                .note(format!("the set is {set}"))
        }
        ErrorKind::Undefined { operator, why } => {
            Diagnostic::error("eval-undefined", format!("`{operator}` is not defined here")).at(span, why.clone())
        }
        ErrorKind::Assertion { message } => {
            Diagnostic::error("assertion", format!("an assertion failed: {}", message.trim_end_matches('.')))
                .at(span, "this is FALSE")
        }
        ErrorKind::Unassigned { variable } => {
            Diagnostic::error("eval-unassigned", format!("`{variable}'` is used, but nothing gives it a value"))
                .at(span, "needs a next value")
                .hint(format!("add `{variable}' = …` or `UNCHANGED {variable}`"))
        }
        ErrorKind::Incomplete { variables } => {
            let names = list(variables);
            Diagnostic::error("eval-incomplete-step", format!("a step leaves {names} without a next value"))
                .at(span, "this action")
                .hint("give every variable a next value, or say that it is UNCHANGED")
        }
        ErrorKind::Unsupported { what } => {
            Diagnostic::error("eval-unsupported", format!("{what} cannot be evaluated")).at(span, "no value can be computed")
        }
        ErrorKind::Pattern { value, n } => {
            Diagnostic::error("eval-pattern", format!("a tuple of {n} is needed"))
                .at(span, "elements are taken apart here")
                .note(format!("the element is {value}"))
        }
        ErrorKind::NoConstant { name } => {
            Diagnostic::error("eval-no-constant", format!("the constant `{name}` has no value")).at(span, "used here")
        }
        ErrorKind::TooDeep { depth_max } => {
            Diagnostic::error("eval-too-deep", "the recursion does not end")
                .at(span, format!("still called after {depth_max} calls within calls"))
                .hint("a recursive definition needs a case that does not call itself, and every call must come closer to it")
        }
    };
    for (i, &(name, at)) in error.chain.iter().enumerate() {
        let place = spec.exprs[at].span;
        // The innermost calls tell most; a long chain is cut.
        if i < 4 {
            diagnostic = diagnostic.also(place, format!("in `{name}`, called here"));
        }
    }
    diagnostic
}
