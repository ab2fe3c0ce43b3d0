//! Modules, declarations and names.

use diag::{Diagnostic, closest};
use source::Span;

use super::{Candidates, plural, with_candidates};

// ---- modules ----

pub(crate) fn module_not_found(name: &str, span: Span) -> Diagnostic {
    let it = Diagnostic::error("alloy-module-not-found", format!("there is no module `{name}`"))
        .at(span, "neither a file nor a utility module");
    match closest(name, alloy_library::names()) {
        Some(near) => it.hint(format!("did you mean `{near}`?")),
        None => it.hint("modules are found from the folder of the file that opens them, as `.als` or `.md`"),
    }
}

pub(crate) fn cyclic_open(files: &[&str], span: Span) -> Diagnostic {
    let circle = files.join("\n  opens ");
    Diagnostic::error("cyclic-open", "modules open each other in a circle")
        .at(span, "this closes the circle")
        .note(format!("{circle}\n  opens {}", files[0]))
        .hint("move what both need into a module of its own")
}

pub(crate) fn alias_taken(alias: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        "alias-taken",
        format!("`{alias}` already stands for another module"),
    )
    .at(span, "")
    .also(first, format!("`{alias}` is this one"))
    .hint("give one of them another alias with `as`")
}

pub(crate) fn open_arguments(module: &str, n_params: usize, n_args: usize, span: Span) -> Diagnostic {
    let needs = plural(n_params, "signature");
    Diagnostic::error(
        "open-arguments",
        format!("`{module}` takes {needs}, not {n_args}"),
    )
    .at(span, "")
    .hint(match n_params {
        0 => format!("write `open {module}`"),
        1 => format!("write `open {module}[A]` with a signature `A`"),
        _ => format!("pass {needs} in brackets"),
    })
}

pub(crate) fn too_many_errors(count: usize) -> Diagnostic {
    Diagnostic::error("too-many-errors", format!("stopped after {count} errors"))
}

pub(crate) fn too_many_modules(max: usize, span: Span) -> Diagnostic {
    Diagnostic::error(
        "too-many-modules",
        format!("more than {max} instances of modules"),
    )
    .at(span, "stopped here")
}

pub(crate) fn exact_parameter(sig: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "exact-variable",
        format!("`{sig}` varies, but a module wants its size exact"),
    )
    .at(span, "declared `var` here")
    .hint("a module such as util/ordering takes signatures that do not vary")
}

// ---- declarations ----

pub(crate) fn duplicate_sig(name: &str, span: Span, first: Option<Span>) -> Diagnostic {
    let it = Diagnostic::error(
        "duplicate-sig",
        format!("the signature `{name}` is declared twice"),
    )
    .at(span, "again here");
    match first {
        Some(first) => it.also(first, "first here"),
        None => it,
    }
}

pub(crate) fn sig_is_parameter(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "duplicate-sig",
        format!("`{name}` is already a parameter of this module"),
    )
    .at(span, "")
}

pub(crate) fn duplicate_field(name: &str, owner: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        "alloy-duplicate-field",
        format!("`{owner}` has two fields named `{name}`"),
    )
    .at(span, "again here")
    .also(first, "first here")
}

pub(crate) fn field_clash(name: &str, owner: &str, span: Span, other_owner: &str, other: Span) -> Diagnostic {
    Diagnostic::error(
        "field-clash",
        format!("`{owner}` and `{other_owner}` overlap, and both have a field `{name}`"),
    )
    .at(span, format!("a field of `{owner}`"))
    .also(other, format!("a field of `{other_owner}`"))
    .hint("an element of both would have two meanings of the name; rename one")
}

pub(crate) fn duplicate_parameter(name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        "duplicate-parameter",
        format!("the parameter `{name}` is declared twice"),
    )
    .at(span, "again here")
    .also(first, "first here")
}

pub(crate) fn duplicate_macro(name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        "alloy-duplicate-macro",
        format!("the macro `{name}` is declared twice"),
    )
    .at(span, "again here")
    .also(first, "first here")
    .hint("predicates and functions may share a name, macros may not")
}

pub(crate) fn duplicate_assert(name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::error(
        "duplicate-assert",
        format!("the assertion `{name}` is declared twice"),
    )
    .at(span, "again here")
    .also(first, "first here")
}

pub(crate) fn cyclic_inheritance(names: &[String], span: Span) -> Diagnostic {
    Diagnostic::error(
        "cyclic-inheritance",
        format!("`{}` is its own ancestor", names[0]),
    )
    .at(span, "")
    .note(format!("{} -> {}", names.join(" -> "), names[0]))
}

pub(crate) fn conflicting_multiplicities(
    name: &str,
    a: &str,
    first: Span,
    b: &str,
    second: Span,
) -> Diagnostic {
    Diagnostic::error(
        "conflicting-multiplicity",
        format!("`{name}` cannot be both `{a}` and `{b}`"),
    )
    .at(second, "")
    .also(first, "already said here")
}

pub(crate) fn extends_builtin(name: &str, parent: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "extends-builtin",
        format!("`{name}` cannot extend the built-in `{parent}`"),
    )
    .at(span, "")
    .hint(format!("a subset is possible: `sig {name} in {parent}`"))
}

pub(crate) fn extends_subset(name: &str, parent: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "extends-subset",
        format!("`{name}` extends `{parent}`, which is a subset signature"),
    )
    .at(span, "")
    .hint(format!(
        "only signatures declared without `in` can be extended; write `sig {name} in {parent}`"
    ))
}

pub(crate) fn abstract_subset(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "abstract-subset",
        format!("the subset signature `{name}` cannot be abstract"),
    )
    .at(span, "")
    .hint("`abstract` means: only what extends it, and nothing can extend a subset")
}

pub(crate) fn extends_enum(name: &str, parent: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "extends-enum",
        format!("`{name}` would be a further atom of the enumeration `{parent}`"),
    )
    .at(span, "")
    .hint(format!(
        "write `one sig {name} extends {parent}`, or add it to the enumeration"
    ))
}

pub(crate) fn extends_enum_atom(name: &str, parent: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "extends-enum",
        format!("`{name}` cannot extend `{parent}`, an atom of an enumeration"),
    )
    .at(span, "")
}

// ---- names ----

pub(crate) fn sig_not_found(name: &str, span: Span, known: &[&str]) -> Diagnostic {
    let it = Diagnostic::error("unknown-sig", format!("there is no signature `{name}`")).at(span, "");
    match closest(name, known.iter().copied()) {
        Some(near) => it.hint(format!("did you mean `{near}`?")),
        None => it,
    }
}

pub(crate) fn name_not_found(
    name: &str,
    span: Span,
    known: &[&str],
    later: Option<Span>,
    hidden: Option<Span>,
) -> Diagnostic {
    let it = Diagnostic::error("unknown-name", format!("the name `{name}` is not declared")).at(span, "");
    if let Some(later) = later {
        return it
            .also(later, "declared only here")
            .hint("a field may mention the fields before it; change the order");
    }
    if let Some(hidden) = hidden {
        return it.also(hidden, "this one is private to its module");
    }
    match closest(name, known.iter().copied()) {
        Some(near) => it.hint(format!("did you mean `{near}`?")),
        None => it,
    }
}

pub(crate) fn no_this(span: Span) -> Diagnostic {
    Diagnostic::error("no-this", "there is no `this` here")
        .at(span, "")
        .hint("`this` stands in the fields and facts of a signature, and in `pred A.p` or `fun A.f`")
}

pub(crate) fn ambiguous_name(name: &str, span: Span, candidates: &Candidates) -> Diagnostic {
    let it = Diagnostic::error("ambiguous-name", format!("`{name}` has several meanings")).at(span, "");
    with_candidates(it, candidates).hint("say which with a path such as `module/name`")
}

pub(crate) fn ambiguous_use(span: Span, candidates: &Candidates) -> Diagnostic {
    let it = Diagnostic::error("ambiguous-name", "this has several meanings that all fit here").at(span, "");
    with_candidates(it, candidates)
        .hint("say which with a path `module/name`, or `A <: f` for the field `f` of `A`")
}

pub(crate) fn no_relevant_meaning(span: Span, wanted: &str, candidates: &Candidates) -> Diagnostic {
    let it = Diagnostic::error("no-meaning-fits", "no meaning of this name can matter here")
        .at(span, format!("only {wanted} is relevant here"));
    with_candidates(it, candidates)
}

/// Why a call or join has no sound meaning at all.
pub(crate) fn no_meaning_fits(span: Span, candidates: &Candidates, reasons: &[String]) -> Diagnostic {
    let mut it =
        Diagnostic::error("no-meaning-fits", "no meaning of this name fits how it is used").at(span, "");
    for ((text, place), reason) in candidates.iter().zip(reasons) {
        it = match place {
            Some(place) => it.also(*place, format!("{text}: {reason}")),
            None => it.note(format!("{text}: {reason}")),
        };
    }
    it
}

pub(crate) fn wrong_arguments(
    is_pred: bool,
    name: &str,
    declared: Span,
    params: &[(String, String)],
    args: &[(Span, String)],
    span: Span,
) -> Diagnostic {
    let word = if is_pred { "predicate" } else { "function" };
    let wants: Vec<String> = params.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    let wants = if wants.is_empty() {
        "none".to_owned()
    } else {
        wants.join(", ")
    };
    let title = match args.len() == params.len() {
        true => format!("these arguments do not fit the {word} `{name}`"),
        false => format!(
            "the {word} `{name}` takes {}, {} given",
            plural(params.len(), "argument"),
            if args.len() == 1 {
                "1 is".to_owned()
            } else {
                format!("{} are", args.len())
            }
        ),
    };
    let mut it = Diagnostic::error("wrong-arguments", title)
        .at(span, "")
        .also(declared, format!("takes {wants}"));
    if args.len() == params.len() {
        for (place, ty) in args {
            it = it.also(*place, format!("this is {ty}"));
        }
    }
    it
}

pub(crate) fn call_in_declaration(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "call-in-declaration",
        format!("`{name}` cannot be called in a declaration"),
    )
    .at(span, "")
    .hint("declare a wider bound and state the rest as a fact")
}

pub(crate) fn builtin_without_arguments(span: Span) -> Diagnostic {
    Diagnostic::error("wrong-arguments", "this needs arguments in brackets").at(span, "")
}

pub(crate) fn macro_arguments(
    name: &str,
    n_params: usize,
    n_args: usize,
    span: Span,
    declared: Span,
) -> Diagnostic {
    let needs = plural(n_params, "argument");
    Diagnostic::error(
        "wrong-arguments",
        format!("the macro `{name}` takes {needs}, {n_args} given"),
    )
    .at(span, "")
    .also(declared, "declared here")
}

pub(crate) fn macro_too_deep(name: &str, span: Span, declared: Span) -> Diagnostic {
    Diagnostic::error(
        "macro-too-deep",
        format!("expanding the macro `{name}` does not come to an end"),
    )
    .at(span, "")
    .also(declared, "declared here")
    .hint("a macro is replaced by its body before anything is computed, so it cannot use itself")
}

// ---- commands ----

pub(crate) fn command_target(
    what: &str,
    name: &str,
    span: Span,
    known: &[&str],
    other: Option<&str>,
) -> Diagnostic {
    let it = Diagnostic::error("unknown-command-target", format!("there is no {what} `{name}`")).at(span, "");
    if let Some(word) = other {
        return it.hint(format!("write `{word} {name}`"));
    }
    match closest(name, known.iter().copied()) {
        Some(near) => it.hint(format!("did you mean `{near}`?")),
        None => it,
    }
}

/// `steps`: the functions of the circle, each calling the next.
pub(crate) fn recursion(steps: &[(String, Span)], span: Span) -> Diagnostic {
    let title = match steps {
        [(only, _)] => format!("`{only}` calls itself"),
        _ => format!("`{}` calls itself through others", steps[0].0),
    };
    let mut it = Diagnostic::error("recursion", title).at(span, "this command needs it");
    for (i, (_, place)) in steps.iter().enumerate() {
        let (next, _) = &steps[(i + 1) % steps.len()];
        it = it.also(*place, format!("calls `{next}`"));
    }
    it.hint("use a closure (`^r`) instead, or allow a number of rounds")
}
