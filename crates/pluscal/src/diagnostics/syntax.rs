//! What the grammar does not allow.

use diag::Diagnostic;
use source::Span;

use super::Found;
use crate::ast::Name;
use crate::expr::Expr;

pub(crate) fn expected_word(word: &str, found: Found, after: Span) -> Diagnostic {
    let title = format!("`{word}` expected, but there is {}", found.describe());
    let wrong = Diagnostic::error("pluscal-expected", title).at(found.span(), format!("`{word}` expected"));
    let wrong = match found {
        // Without a token of its own the end is shown better by what comes before it.
        Found::End(_) => wrong.also(after, "after this"),
        Found::Text(..) => wrong,
    };
    match (word, found.text()) {
        ("then", _) => wrong.hint("the condition of `if` is followed by `then`"),
        ("do", _) => wrong.hint("the condition of `while`, and the values of `with`, are followed by `do`"),
        ("(", _) => wrong.hint("in this syntax conditions stand in parentheses"),
        ("begin", "{") => wrong.hint(
            "an algorithm in braces has one after its name too: `--algorithm Name { … }`; without, write `begin … end`",
        ),
        ("end", "}") => wrong.hint("this algorithm is written with `begin … end`, not with braces"),
        ("}", "end") => wrong.hint("this algorithm is written with braces, not with `begin … end`"),
        ("if" | "while" | "with" | "either" | "process" | "procedure" | "macro" | "define" | "algorithm", _) => {
            wrong.hint(format!("what starts with `{word}` ends with `end {word}`"))
        }
        _ => wrong,
    }
}

pub(crate) fn expected_name(what: &str, found: Found) -> Diagnostic {
    let title = format!("a name expected, but there is {}", found.describe());
    Diagnostic::error("pluscal-expected-name", title).at(found.span(), format!("the name of {what} expected"))
}

pub(crate) fn missing_expression(what: &str, found: Found, after: Span) -> Diagnostic {
    let title = format!("{what} is missing");
    Diagnostic::error("pluscal-missing-expression", title)
        .at(found.span(), "an expression expected before this")
        .also(after, "after this")
}

pub(crate) fn unmatched_bracket(found: Found) -> Diagnostic {
    Diagnostic::error(
        "pluscal-unmatched-bracket",
        format!("{} closes nothing", found.describe()),
    )
    .at(found.span(), "no bracket is open here")
}

pub(crate) fn unclosed_bracket(bracket: &str, open: Span, found: Found) -> Diagnostic {
    let wrong = Diagnostic::error(
        "pluscal-unclosed-bracket",
        format!("this `{bracket}` is not closed before {}", found.describe()),
    )
    .at(open, "opened here")
    .also(found.span(), "the expression ends before this");
    match found.text() {
        ";" | ":=" | "||" => wrong,
        word => wrong.hint(format!(
            "`{word}` is a word of PlusCal; inside of an expression it can only be the name of a field"
        )),
    }
}

pub(crate) fn not_in_expression(found: Found) -> Diagnostic {
    Diagnostic::error(
        "pluscal-not-in-expression",
        format!("{} is no part of an expression", found.describe()),
    )
    .at(found.span(), "the expression cannot go on here")
    .hint("is a `;` or the end of a comment missing before it?")
}

pub(crate) fn quantifier_without_body(quantifier: &str, span: Span, found: Found) -> Diagnostic {
    Diagnostic::error(
        "quantifier-without-body",
        format!("this `{quantifier}` has no `:`"),
    )
    .at(span, "what is said of all or some of the elements is missing")
    .also(found.span(), "the expression ends before this")
    .hint(format!("write `{quantifier} x \\in S : …`"))
}

pub(crate) fn declaration_order(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error("declaration-order", format!("`{word}` comes too late here"))
        .at(span, "something that must come after it is above")
        .hint("the order is: `variables`, `define`, `macro`, `procedure`, then processes or `begin`")
}

pub(crate) fn empty_body(what: &str, found: Found) -> Diagnostic {
    Diagnostic::error("empty-body", format!("{what} does nothing"))
        .at(found.span(), "a statement expected before this")
        .hint("a body without a purpose is `skip`")
}

pub(crate) fn parameter_in_set(name: Name, span: Span) -> Diagnostic {
    let title = format!("`{}` of a procedure cannot be one of a set", name.text);
    Diagnostic::error("procedure-variable-in-set", title)
        .at(span, "`=` expected")
        .hint(
            "a procedure's variables have one first value; choose in the body: `with (v \\in S) { x := v }`",
        )
}

pub(crate) fn expected_relation(found: Found) -> Diagnostic {
    let title = format!("`=` or `\\in` expected, but there is {}", found.describe());
    Diagnostic::error("expected-relation", title).at(found.span(), "`=` or `\\in` expected")
}

pub(crate) fn empty_block(open: Span, close: Span) -> Diagnostic {
    Diagnostic::error("empty-block", "there is no statement in these braces")
        .at(open.to(close), "a statement expected")
        .hint("to do nothing is `skip`")
}

pub(crate) fn two_labels(outer: Name, inner: Name) -> Diagnostic {
    let title = format!(
        "one statement has two labels, `{}` and `{}`",
        outer.text, inner.text
    );
    Diagnostic::error("two-labels", title)
        .at(inner.span, "the second label")
        .also(outer.span, "the first one")
        .hint("remove one of them")
}

pub(crate) fn label_in_macro(name: Name) -> Diagnostic {
    Diagnostic::error("label-in-macro", format!("label `{}` is in a macro", name.text))
        .at(
            name.span,
            "a macro is part of the step that calls it, so it has no labels",
        )
        .hint("make it a procedure, or put the label before the call")
}

pub(crate) fn reserved_label(name: Name) -> Diagnostic {
    Diagnostic::error("reserved-label", format!("`{}` cannot be a label", name.text))
        .at(name.span, "the translation uses this name")
        .hint("`Done` is where a process is at its end, `Error` where a procedure without `return` is")
}

pub(crate) fn missing_semicolon(found: Found, after: Span) -> Diagnostic {
    let title = format!("a `;` is missing before {}", found.describe());
    let wrong = Diagnostic::error("missing-semicolon", title)
        .at(found.span(), "the statement before must be ended first")
        .also(after, "its last word");
    match found.text() {
        "=" => wrong.hint("values are assigned by `:=`"),
        _ => wrong
            .hint("put a `;` between the two")
            .fix("put a `;` between the two", after.after(), ";"),
    }
}

/// Before the variable of the next assignment.
pub(crate) fn missing_semicolon_before(variable: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "missing-semicolon",
        format!("a `;` is missing before `{variable}`"),
    )
    .at(span, "here another statement starts")
    .hint("put a `;` before it")
}

pub(crate) fn empty_then(start: Span, end: Span) -> Diagnostic {
    Diagnostic::error("empty-then", "this `if` does nothing")
        .at(end, "a statement expected before this")
        .also(start, "in this `if`")
        .hint("to do nothing is `skip`")
}

pub(crate) fn empty_clause(start: Span, end: Span) -> Diagnostic {
    Diagnostic::error("empty-clause", "a clause of this `either` has no statement")
        .at(end, "a statement expected before this")
        .also(start, "in this `either`")
        .hint("to do nothing is `skip`")
}

pub(crate) fn either_without_or(start: Span) -> Diagnostic {
    Diagnostic::error("either-without-or", "this `either` has no `or`")
        .at(start, "there is nothing to choose from")
        .hint("add `or` and another clause, or remove `either`")
}

pub(crate) fn while_without_body(start: Span, end: Span) -> Diagnostic {
    Diagnostic::error("while-without-body", "this `while` has no body")
        .at(end, "a statement expected before this")
        .also(start, "in this `while`")
        .hint("to do nothing is `skip`")
}

pub(crate) fn with_without_body(start: Span, end: Span) -> Diagnostic {
    Diagnostic::error("with-without-body", "this `with` has no body")
        .at(start, "a value is chosen, and nothing done with it")
        .also(end, "a statement expected before this")
        .hint("to do nothing is `skip`")
}

pub(crate) fn second_colon(colon: Span, next: Found) -> Diagnostic {
    Diagnostic::error("second-colon", "a label ends with one `:`")
        .at(next.span(), "the statement comes right after it")
        .also(colon, "one `:` too many")
}

pub(crate) fn expected_statement(found: Found) -> Diagnostic {
    let title = format!("a statement expected, but there is {}", found.describe());
    Diagnostic::error("expected-statement", title)
        .at(found.span(), "no statement starts so")
        .hint("each part of `||` is an assignment; a `;` or `end` too many, or a bracket, may stand before")
}

pub(crate) fn expected_assignment(variable: Name, subscript: &Expr, found: Found) -> Diagnostic {
    let title = format!("`:=` expected, but there is {}", found.describe());
    let wrong = Diagnostic::error("expected-assignment", title)
        .at(found.span(), "`:=` expected")
        .also(variable.span, "taken for a variable that gets a value");
    match subscript.tokens().next().map(|it| it.text.as_str()) {
        Some("=") => {
            let equals = subscript.tokens().next().and_then(|it| it.span);
            let wrong = wrong.hint("`=` compares; a value is assigned by `:=`");
            match equals {
                Some(span) => wrong.fix("assign with `:=`", span, ":="),
                None => wrong,
            }
        }
        Some(":") => wrong.hint("a label is followed by a statement"),
        _ => wrong.hint("a statement that starts with a name is an assignment, a macro call or a label"),
    }
}
