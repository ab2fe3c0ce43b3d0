//! Theorems and proofs.

use diag::Diagnostic;
use source::Span;

use super::Found;
use crate::ast::Ident;

pub(crate) fn missing_prove(assume: Span, found: Found) -> Diagnostic {
    Diagnostic::error("missing-prove", "this ASSUME has no PROVE")
        .at(found.span(), format!("expected `,` or PROVE, found {}", found.describe()))
        .also(assume, "the assumptions start here")
        .hint("the form is `ASSUME A, NEW x \\in S PROVE B`; to assume a fact of the whole module leave out the THEOREM")
}

pub(crate) fn new_in_set(name: Ident, span: Span) -> Diagnostic {
    Diagnostic::error(
        "new-in-set",
        format!("`{}` cannot be introduced as an element of a set", name.name),
    )
    .at(span, "no set can be given here")
    .also(name.span, "an operator with arguments, or not a constant")
    .hint("only `NEW x \\in S` and `NEW CONSTANT x \\in S` have a set")
}

pub(crate) fn missing_qed(first: Option<Ident>, found: Found) -> Diagnostic {
    let it = Diagnostic::error("missing-qed", "this proof has no QED step").at(
        found.span(),
        format!("expected the next step, found {}", found.describe()),
    );
    match first {
        Some(first) => it
            .also(first.span, "the first step of the proof")
            .hint(format!("the last step of a proof is `{} QED`", level_of(first))),
        None => it,
    }
}

fn level_of(step: Ident) -> &'static str {
    let text = step.name.as_str();
    &text[..=text.find('>').unwrap_or(text.len() - 1)]
}

pub(crate) fn wrong_step_level(token: Ident, expected: u32, outer: Option<u32>) -> Diagnostic {
    let it = Diagnostic::error(
        "wrong-step-level",
        format!("`{}` is a step of the wrong level", token.name),
    )
    .at(
        token.span,
        format!("the steps of this proof have level {expected}"),
    );
    match outer {
        Some(outer) => it.hint(format!(
            "a proof of a step of level {outer} has steps of a higher level and ends with its own QED"
        )),
        None => it.hint(format!(
            "write `<{expected}>`; the level changes only after a step that needs a proof, or after QED"
        )),
    }
}

pub(crate) fn step_takes_no_proof(step: Span, proof: Span) -> Diagnostic {
    Diagnostic::error("step-takes-no-proof", "a proof follows a step that takes none")
        .at(proof, "the proof starts here")
        .also(step, "there is nothing to prove in this step")
        .hint("only assertions, SUFFICES, CASE, PICK and QED have proofs")
}

pub(crate) fn local_in_proof(span: Span) -> Diagnostic {
    Diagnostic::error("local-in-proof", "definitions in a proof cannot be LOCAL")
        .at(span, "not allowed here")
        .hint("what a step defines is local already; remove the word")
}

pub(crate) fn deeper_step_cited(span: Span) -> Diagnostic {
    Diagnostic::error("deeper-step-cited", "`<+>` cannot be cited")
        .at(span, "this only starts the steps of a deeper proof")
        .hint("cite a step by its level and name, such as `<1>2`")
}

pub(crate) fn step_outside_proof(span: Span) -> Diagnostic {
    Diagnostic::error("step-outside-proof", "a proof step is named outside of a proof")
        .at(span, "no proof is open here")
        .hint("to compare numbers put blanks around `<` and `>`")
}

pub(crate) fn step_without_proof(found: Found) -> Diagnostic {
    Diagnostic::error(
        "step-without-proof",
        format!("the step {} belongs to no proof", found.describe()),
    )
    .at(found.span(), "no proof is open here")
    .hint("the proof before it has ended with its QED, or no THEOREM precedes it")
}
