//! Where algorithms, translations and options stand in a file.

use diag::Diagnostic;
use source::Span;

use crate::options::{LINE_WIDTH_MIN, WrongOption};

pub(crate) fn unended_translation(begin: Span) -> Diagnostic {
    Diagnostic::error("unended-translation", "this translation has no end")
        .at(begin, "the translation begins here")
        .hint("after its last line add a line `\\* END TRANSLATION`, or delete the translation and this line")
}

pub(crate) fn not_in_comment(head: Span) -> Diagnostic {
    Diagnostic::error(
        "algorithm-not-in-comment",
        "this algorithm is in no closed comment",
    )
    .at(head, "the algorithm begins here")
    .hint("write an algorithm between `(*` and `*)`")
}

pub(crate) fn text_after_comment(rest: Span) -> Diagnostic {
    Diagnostic::error("text-after-algorithm", "there is no place for the translation")
        .at(
            rest,
            "the translation goes below the line in which the algorithm's comment ends",
        )
        .hint("move this to a line of its own")
}

pub(crate) fn second_algorithm(first: Span, second: Span) -> Diagnostic {
    Diagnostic::warning(
        "second-algorithm",
        "this algorithm is not looked at: there is another one before it",
    )
    .at(second, "the second algorithm")
    .also(first, "this one is translated and checked")
    .hint("put it into a module of its own")
}

pub(crate) fn options_without_parenthesis(found: Span) -> Diagnostic {
    Diagnostic::error(
        "options-without-parenthesis",
        "`PlusCal options` has no list of options",
    )
    .at(found, "`(` expected")
    .hint("write for example `PlusCal options (-label, -wf)`")
}

pub(crate) fn unclosed_options(open: Span) -> Diagnostic {
    Diagnostic::error("unclosed-options", "the list of options is never closed")
        .at(open, "no `)` follows")
        .hint("write for example `PlusCal options (-label, -wf)`")
}

pub(crate) fn wrong_option(word: &str, why: WrongOption, span: Span) -> Diagnostic {
    let known = "wf sf wfNext nof termination label labelRoot lineWidth noDoneDisjunct version";
    match why {
        WrongOption::Unknown => {
            let unknown = Diagnostic::error("unknown-option", format!("`{word}` is no option of PlusCal"))
                .at(span, "not known");
            let near = diag::closest(word.trim_start_matches('-'), known.split(' '));
            match near {
                Some(near) => unknown
                    .hint(format!("did you mean `-{near}`?"))
                    .fix(format!("write `-{near}`"), span, format!("-{near}")),
                None => unknown.hint(format!("the options are: {known}")),
            }
        }
        WrongOption::SecondFairness => {
            Diagnostic::error("second-fairness-option", "there are two options about fairness")
                .at(span, "the second one")
                .hint("leave one of `-wf`, `-sf`, `-wfNext` and `-nof`")
        }
        WrongOption::NoValue => {
            Diagnostic::error("option-without-value", format!("`{word}` needs a value"))
                .at(span, "nothing follows")
                .hint("the value is the next word: `-labelRoot L`, `-lineWidth 100`, `-version 1.8`")
        }
        WrongOption::BadValue => {
            Diagnostic::error("wrong-option-value", format!("`{word}` is no value for this option"))
                .at(span, "not allowed here")
                .hint(format!(
                    "`-labelRoot` takes a name, `-lineWidth` a number from {LINE_WIDTH_MIN}, `-version` one up to 1.903"
                ))
        }
    }
}
