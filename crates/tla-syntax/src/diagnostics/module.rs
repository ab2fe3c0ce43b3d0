//! Files, modules, declarations and definitions.

use diag::Diagnostic;
use source::{FileId, Span};

use super::{Found, quoted};
use crate::ast::Ident;

pub(crate) fn file_too_large(size: usize, max: usize) -> Diagnostic {
    Diagnostic::error("file-too-large", "the file is too large to be read")
        .note(format!("it has {size} bytes; at most {max} are read"))
        .hint("split the module, or compute large constants instead of spelling them out")
}

pub(crate) fn no_module(text: &str, file: FileId) -> Diagnostic {
    let it = Diagnostic::error("no-module", "there is no module in this file");
    let it = match text.find("MODULE") {
        Some(at) => it.at(
            Span::new(file, at as u32, at as u32 + 6),
            "no four dashes before it",
        ),
        None => it.at(Span::new(file, 0, 0), "no `---- MODULE` here or below"),
    };
    it.hint("a module starts with `---- MODULE Name ----` and ends with `====`")
}

pub(crate) fn nested_too_deeply(span: Span, max: u32) -> Diagnostic {
    Diagnostic::error("nested-too-deeply", format!("more than {max} levels of nesting"))
        .at(span, "this is too deep")
        .hint("name a part of it by a definition of its own")
}

pub(crate) fn module_header(expected: &str, found: Found, module: Span) -> Diagnostic {
    Diagnostic::error(
        "module-header",
        format!("expected {expected}, found {}", found.describe()),
    )
    .at(found.span(), format!("expected {expected}"))
    .also(module, "the module starts here")
    .hint("the first line of a module is `---- MODULE Name ----`, with at least four dashes on each side")
}

pub(crate) fn missing_module_end(name: Ident, end: Span) -> Diagnostic {
    Diagnostic::error("missing-module-end", format!("module `{}` has no end", name.name))
        .at(end, "the file ends before the module does")
        .also(name.span, "this module")
        .hint("end it with a line of at least four `=`")
}

pub(crate) fn misplaced_extends(span: Span) -> Diagnostic {
    Diagnostic::error("misplaced-extends", "EXTENDS stands in the middle of the module")
        .at(span, "only the first thing in a module can be EXTENDS")
        .hint("move it below the `---- MODULE` line; a module has one EXTENDS, with commas between the names")
}

pub(crate) fn keyword_as_name(word: &str, expected: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "keyword-as-name",
        format!("`{word}` is a keyword and cannot be a name"),
    )
    .at(span, format!("expected {expected}"))
    .hint(format!(
        "keywords are all in capitals; `{}` is free",
        word.to_lowercase()
    ))
}

pub(crate) fn primed_declaration(name: Ident, prime: Span) -> Diagnostic {
    Diagnostic::error(
        "primed-declaration",
        format!("`{}` is declared with a prime", name.name),
    )
    .at(prime, "a prime belongs to expressions")
    .hint(format!(
        "declare `{0}`; then `{0}'` is its value in the next state",
        name.name
    ))
}

pub(crate) fn declaration_with_value(what: &str, name: Ident, op: Found) -> Diagnostic {
    let name = name.name;
    let hint = match what {
        "variable" => {
            format!("say it in the initial predicate, such as `Init == {name} = 0`, or in a type invariant")
        }
        _ => format!(
            "give the value in the configuration of the model; a fact about it is `ASSUME {name} \\in Nat`"
        ),
    };
    Diagnostic::error(
        "declaration-with-value",
        format!("the declaration of the {what} `{name}` cannot say more than its name"),
    )
    .at(op.span(), "the declaration ends before this")
    .hint(hint)
}

pub(crate) fn named_parameter(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "named-parameter",
        "a declared operator has no names for its arguments",
    )
    .at(span, format!("expected `_`, found `{name}`"))
    .hint("write one `_` for each argument, such as `F(_, _)`")
}

pub(crate) fn empty_parameters(span: Span) -> Diagnostic {
    Diagnostic::error(
        "empty-parameters",
        "there is no parameter between these parentheses",
    )
    .at(span, "nothing between them")
    .hint("an operator without parameters is defined and used without parentheses")
}

pub(crate) fn local_not_allowed(local: Span, text: &str, span: Span) -> Diagnostic {
    Diagnostic::error("local-not-allowed", format!("{} cannot be LOCAL", quoted(text)))
        .at(span, "neither a definition nor an instance")
        .also(local, "declared LOCAL here")
        .hint("only definitions and INSTANCE can be LOCAL; remove the word")
}

pub(crate) fn not_in_let(text: &str, span: Span, opener: Span) -> Diagnostic {
    let hint = match text {
        "LOCAL" => "what LET defines is local already; remove the word",
        "INSTANCE" => "give the instance a name: `I == INSTANCE M`",
        _ => "only definitions, named instances and RECURSIVE may stand there",
    };
    Diagnostic::error("not-in-let", format!("{} cannot stand in LET", quoted(text)))
        .at(span, "not allowed here")
        .also(opener, "in this LET")
        .hint(hint)
}

pub(crate) fn equals_for_definition(op: &str, span: Span, name: Ident) -> Diagnostic {
    Diagnostic::error(
        "equals-for-definition",
        format!("`{}` is defined with `{op}`", name.name),
    )
    .at(span, "a definition has `==` here")
    .hint("write `==`; `=` compares two values")
}

pub(crate) fn missing_body(defined: Span, found: Found) -> Diagnostic {
    Diagnostic::error("missing-body", "this definition has no body")
        .at(defined, format!("followed by {}", found.describe()))
        .hint("write what the name stands for after `==`")
}

pub(crate) fn not_a_definition(found: Found) -> Diagnostic {
    Diagnostic::error(
        "not-a-definition",
        format!("{} starts no definition", found.describe()),
    )
    .at(
        found.span(),
        "expected a definition, a declaration or the end of the module",
    )
    .hint("a definition has the form `Name == ...`, `Name(x) == ...` or `name[x \\in S] == ...`")
}

pub(crate) fn pluscal_outside_comment(word: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "pluscal-outside-comment",
        format!("{} looks like PlusCal outside of a comment", quoted(word)),
    )
    .at(span, "not a unit of a TLA+ module")
    .hint(
        "a PlusCal algorithm stands in a comment, `(* --algorithm Name ... *)`; its translation is the TLA+",
    )
}

pub(crate) fn not_a_substitution(name: Ident, found: Found) -> Diagnostic {
    Diagnostic::error(
        "not-a-substitution",
        format!("expected `<-` after `{}`, found {}", name.name, found.describe()),
    )
    .at(found.span(), "expected `<-` and what takes the place of the name")
    .hint(format!("write `{} <- e`", name.name))
}
