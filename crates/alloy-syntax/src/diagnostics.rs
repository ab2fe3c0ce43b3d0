//! What can be wrong with a text, in words. One constructor for each code; no message is written elsewhere.

use diag::Diagnostic;
use source::Span;

pub(crate) fn bad_character(c: char, span: Span) -> Diagnostic {
    let it = Diagnostic::error("bad-character", format!("`{c}` has no meaning in Alloy")).at(span, "");
    match c {
        '“' | '”' => it.hint("write a straight quotation mark: `\"`"),
        '–' | '—' | '−' => it.hint("write a plain minus: `-`"),
        '→' => it.hint("write an arrow as `->`"),
        '\\' => it.hint("difference of sets is `-`"),
        '%' => it.hint("the remainder is `rem[a, b]` of util/integer"),
        _ => it,
    }
}

pub(crate) fn unclosed_comment(span: Span) -> Diagnostic {
    Diagnostic::error("alloy-unclosed-comment", "this comment never ends")
        .at(span, "opened here")
        .hint("end it with `*/`")
}

pub(crate) fn unclosed_string(span: Span) -> Diagnostic {
    Diagnostic::error(
        "unclosed-string",
        "this string has no closing quotation mark on its line",
    )
    .at(span, "")
}

pub(crate) fn bad_escape(c: char, span: Span) -> Diagnostic {
    Diagnostic::error("bad-escape", format!("`\\{c}` is not an escape"))
        .at(span, "")
        .hint("a string knows `\\\\`, `\\n` and `\\\"`")
}

pub(crate) fn empty_string(span: Span) -> Diagnostic {
    Diagnostic::error("empty-string", "a string cannot be empty")
        .at(span, "")
        .hint("an absent string is an empty set: `none`")
}

pub(crate) fn name_starts_with_digit(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error("bad-name", format!("`{word}` is neither a number nor a name"))
        .at(span, "a name cannot start with a digit")
}

pub(crate) fn number_too_large(literal: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "number-too-large",
        format!("`{literal}` does not fit into 32 bits"),
    )
    .at(span, "")
}

pub(crate) fn unexpected(found: &str, wanted: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "alloy-unexpected-token",
        format!("expected {wanted}, found {found}"),
    )
    .at(span, "not expected here")
}

pub(crate) fn needs_parentheses(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "needs-parentheses",
        format!("{word} binds less tightly than the operator before it"),
    )
    .at(span, "this needs parentheses here")
    .hint("multiplicities and tests are not part of a value: perhaps `one x & A` instead of `x in one A`")
}

/// `word` is a keyword where a name should be.
pub(crate) fn keyword_as_name(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "alloy-keyword-as-name",
        format!("`{word}` is a keyword and cannot be a name"),
    )
    .at(span, "a name was expected")
    .hint(format!("choose another name, such as `{word}_`"))
}

pub(crate) fn unclosed(open: &str, open_span: Span, found: &str, span: Span) -> Diagnostic {
    Diagnostic::error("alloy-unclosed-bracket", format!("{open} is never closed"))
        .at(span, format!("expected its counterpart, found {found}"))
        .also(open_span, "opened here")
}

pub(crate) fn inline_conjunction(span: Span) -> Diagnostic {
    Diagnostic::warning(
        "inline-conjunction",
        "two formulas stand on one line with nothing between them",
    )
    .at(span, "the second starts here")
    .hint("they are taken as a conjunction; write `and` if that is meant")
}

pub(crate) fn stray_close(bracket: &str, span: Span) -> Diagnostic {
    Diagnostic::error("stray-bracket", format!("{bracket} closes nothing")).at(span, "")
}

pub(crate) fn not_a_paragraph(found: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "alloy-unexpected-token",
        format!("expected a declaration, found {found}"),
    )
    .at(span, "no paragraph starts like this")
    .hint("a paragraph starts with `sig`, `enum`, `fact`, `pred`, `fun`, `assert`, `let`, `run` or `check`")
}

pub(crate) fn nesting_too_deep(max: u32, span: Span) -> Diagnostic {
    Diagnostic::error(
        "nesting-too-deep",
        format!("expressions nest deeper than {max} levels"),
    )
    .at(span, "the limit is reached here")
}

pub(crate) fn dollar_in_name(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "dollar-in-name",
        format!("the declared name `{name}` contains a `$`"),
    )
    .at(span, "")
    .hint("`$` is reserved for meta atoms and for the atoms of an instance")
}

pub(crate) fn slash_in_name(name: &str, what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("slash-in-name", format!("{what} cannot be a path: `{name}`")).at(span, "")
}

pub(crate) fn header_not_first(span: Span) -> Diagnostic {
    Diagnostic::error(
        "module-not-first",
        "`module` must be the first declaration of a file",
    )
    .at(span, "")
}

pub(crate) fn second_header(span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("module-not-first", "a file has one `module` line")
        .at(span, "the second")
        .also(first, "the first")
}

pub(crate) fn open_too_late(span: Span, earlier: Span) -> Diagnostic {
    Diagnostic::error("open-too-late", "`open` must come before every other declaration")
        .at(span, "")
        .also(earlier, "the first declaration")
        .hint("move the `open` to the top of the file")
}

pub(crate) fn duplicate_qualifier(word: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("duplicate-qualifier", format!("`{word}` is given twice"))
        .at(span, "")
        .also(first, "first here")
}

pub(crate) fn empty_enum(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("empty-enum", format!("the enumeration `{name}` has no atoms"))
        .at(span, "")
        .hint("list at least one name between the braces")
}

pub(crate) fn defined_disjoint(span: Span) -> Diagnostic {
    Diagnostic::error("defined-field-disjoint", "a defined field cannot be `disj`")
        .at(span, "")
        .hint("its value is given by `=`; state disjointness as a fact")
}

pub(crate) fn parameter_modifier(word: &str, what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-modifier", format!("`{word}` has no meaning on {what}")).at(span, "")
}

pub(crate) fn too_many_errors(count: usize) -> Diagnostic {
    Diagnostic::error(
        "too-many-syntax-errors",
        format!("stopped after {count} errors in this file"),
    )
}
