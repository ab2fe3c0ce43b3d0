//! Text that is no token.

use diag::Diagnostic;
use source::Span;

use super::quoted;

pub(crate) fn unterminated_string(span: Span) -> Diagnostic {
    Diagnostic::error("unterminated-string", "this string has no closing `\"`")
        .at(span, "a string ends on the line where it starts")
        .hint("add the `\"`; a line break inside of a string is written `\\n`")
}

pub(crate) fn unknown_escape(c: char, span: Span) -> Diagnostic {
    Diagnostic::warning("unknown-escape", format!("`\\{c}` is no escape sequence"))
        .at(span, "taken as a backslash and what follows it")
        .hint(format!(
            "for a backslash write `\\\\`; escapes are `\\\"` `\\\\` `\\n` `\\t` `\\r` `\\f`, not `\\{c}`"
        ))
}

/// `suspect` is the last comment that was opened inside of this one.
pub(crate) fn unclosed_comment(span: Span, suspect: Option<Span>) -> Diagnostic {
    let it = Diagnostic::error("unclosed-comment", "this comment is never closed")
        .at(span, "the rest of the file belongs to it")
        .hint("comments nest: each `(*` needs a `*)` of its own");
    match suspect {
        Some(span) => it.also(span, "the last comment opened inside of it"),
        None => it,
    }
}

pub(crate) fn comment_not_open(span: Span) -> Diagnostic {
    Diagnostic::error("comment-not-open", "this `*)` closes no comment")
        .at(span, "no `(*` is open here")
        .hint("a comment inside of a comment has its own `*)`; remove this one or add the `(*`")
}

pub(crate) fn unexpected_character(c: char, text: &str, span: Span) -> Diagnostic {
    if c.is_alphabetic() {
        return Diagnostic::error("unexpected-character", format!("{} is no name", quoted(text)))
            .at(span, format!("`{c}` is not an ASCII letter"))
            .hint("names consist of ASCII letters, digits and `_`");
    }
    let what = if c.is_control() {
        format!("the character U+{:04X}", c as u32)
    } else {
        quoted(text)
    };
    let it = Diagnostic::error("unexpected-character", format!("{what} cannot stand here"))
        .at(span, "not a symbol of TLA+");
    match hint_for(c) {
        Some(hint) => it.hint(hint),
        None => it,
    }
}

/// What people mean by characters that TLA+ does not have.
fn hint_for(c: char) -> Option<String> {
    Some(match c {
        ';' => {
            "TLA+ has no `;`; PlusCal has it, inside of a comment that starts with `(* --algorithm`".into()
        }
        '`' | '‘' | '’' => "a prime is the ASCII character `'`".into(),
        '“' | '”' | '„' | '«' | '»' => "strings stand between ASCII quotes: `\"`".into(),
        '–' | '—' | '−' => "minus and the dashes around a module are the ASCII character `-`".into(),
        '?' => "`??` is an operator, `?` is none".into(),
        '\0' => "the file may not be text, or not be UTF-8".into(),
        '\u{fffd}' => "the file is not valid UTF-8 here".into(),
        c if c.is_ascii() => return None,
        c => format!(
            "this is U+{:04X}; only the operators of TLA+ may be written in Unicode",
            c as u32
        ),
    })
}
