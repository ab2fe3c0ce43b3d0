//! Text that is no token.

use diag::Diagnostic;
use source::Span;

pub(crate) fn unclosed_comment(span: Span) -> Diagnostic {
    Diagnostic::error("pluscal-unclosed-comment", "this comment is never closed")
        .at(span, "the rest of the file belongs to it")
        .hint("comments nest: each `(*` needs a `*)` of its own")
}

pub(crate) fn unterminated_string(span: Span) -> Diagnostic {
    Diagnostic::error("pluscal-unterminated-string", "this string has no closing `\"`")
        .at(span, "a string ends on the line where it starts")
        .hint("add the `\"`")
}

pub(crate) fn unexpected_character(c: char, span: Span) -> Diagnostic {
    Diagnostic::error(
        "pluscal-unexpected-character",
        format!("`{c}` means nothing here"),
    )
    .at(span, "no symbol of PlusCal or TLA+ starts with it")
    .hint("names consist of ASCII letters, digits and `_`")
}
