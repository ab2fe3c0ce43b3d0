//! Calls followed by `return` that lose a parameter.
//!
//! Such a call takes the frame of its procedure off the stack and puts back the procedure's variables, but `pcal.trans` does not put
//! back its parameters, and a translation is to be the same text. Only a procedure that is entered again before it returned can see
//! the difference: then the outer one goes on with the parameters of the inner one.

use diag::Diagnostic;
use source::Span;
use util::{FxHashMap, Symbol};

use crate::ast::{AfterCall, Algorithm, Stmt, StmtKind, walk};
use crate::diagnostics as errors;

/// Warns of each, in an algorithm without macros.
pub(crate) fn lost_parameters(algorithm: &Algorithm) -> Vec<Diagnostic> {
    let calls: FxHashMap<Symbol, Vec<Call>> = algorithm
        .procedures
        .iter()
        .map(|it| (it.name.text, calls(&it.body)))
        .collect();
    let mut found = vec![];
    for procedure in algorithm.procedures.iter().filter(|it| !it.params.is_empty()) {
        let own = &calls[&procedure.name.text];
        let lost = own.iter().filter(|it| it.returns && it.to != procedure.name.text);
        if is_reentered(procedure.name.text, &calls) {
            let params = procedure.params.iter().map(|it| it.name.text.as_str());
            let params: Vec<&str> = params.collect();
            found.extend(lost.map(|it| errors::parameters_not_restored(it.span, procedure.name, &params)));
        }
    }
    found
}

struct Call {
    to: Symbol,
    /// A `return` follows.
    returns: bool,
    span: Span,
}

fn calls(body: &[Stmt]) -> Vec<Call> {
    let mut calls = vec![];
    walk(body, &mut |stmt| {
        if let StmtKind::Call { procedure, then, .. } = &stmt.kind {
            calls.push(Call {
                to: procedure.text,
                returns: *then == AfterCall::Return,
                span: stmt.call.map_or(stmt.span, |it| it.span),
            });
        }
    });
    calls
}

/// Whether a procedure can be called while it waits for a call of its own to return.
fn is_reentered(procedure: Symbol, calls: &FxHashMap<Symbol, Vec<Call>>) -> bool {
    let waiting = calls[&procedure].iter().filter(|it| !it.returns);
    let mut reached: Vec<Symbol> = waiting.map(|it| it.to).collect();
    let mut i = 0;
    while i < reached.len() {
        for it in calls.get(&reached[i]).into_iter().flatten() {
            if !reached.contains(&it.to) {
                reached.push(it.to);
            }
        }
        i += 1;
    }
    reached.contains(&procedure)
}
