//! What can be wrong with a choice of rules: one constructor per code, described in `diagnostics/<code>.md`.

use diag::Diagnostic;
use source::Span;
use tla_sema::model::Formula;

pub fn unknown_rule(name: &str, rules: &[&str], names: &[&str], is_defined: bool) -> Diagnostic {
    let unknown = Diagnostic::error("unknown-rule", format!("the specification has no rule `{name}`"));
    let unknown = match rules {
        [] => unknown.note("it has no rules: no `[][A]_v` is a conjunct of it"),
        _ => unknown.note(format!("its rules are {}", rules.join(", "))),
    };
    match diag::closest(name, names.iter().copied()) {
        Some(near) => unknown.hint(format!("did you mean `{near}`?")),
        None if is_defined => unknown.hint(format!("`--with {name}` adds a formula as a rule")),
        None => unknown.hint("`babbage rules SPEC` lists the rules; `--spec` names another specification"),
    }
}

pub fn no_rules() -> Diagnostic {
    Diagnostic::error(
        "no-rules",
        "there is no specification whose rules could be chosen",
    )
    .hint("name one: `--spec Spec`, or `--init Init --next Next`")
}

pub fn with_an_action(text: &str) -> Diagnostic {
    Diagnostic::error("rule-is-an-action", format!("`{text}` is an action, not a rule")).hint(format!(
        "a rule is a temporal formula: `--with '[][{text}]_vars'`"
    ))
}

pub fn too_many_rules(n: usize, n_max: usize) -> Diagnostic {
    Diagnostic::error(
        "too-many-rules",
        format!("{n} rules have too many subsets; all of them are looked at for {n_max} rules at most"),
    )
    .hint("without `--subsets` the prefixes are checked; `--only` leaves rules out")
}

pub fn other_rules(was: &str, other: &Formula) -> Diagnostic {
    Diagnostic::warning(
        "other-rules",
        format!(
            "`{was}` has not these rules, so `{}` is checked, which has them",
            other.name
        ),
    )
    .at(other.span, "a conjunction of the rules that are named")
    .hint(format!(
        "say `--spec {}` to mean it, or `--spec` with another one",
        other.name
    ))
}

pub fn one_rule(was: &str, other: &Formula) -> Diagnostic {
    Diagnostic::warning(
        "one-rule",
        format!(
            "`{was}` is no conjunction of rules, so those of `{}` are looked at",
            other.name
        ),
    )
    .at(other.span, "the largest conjunction of rules in the module")
    .hint("`--spec` names another specification")
}

/// `at` is a conjunct that restricts steps in another way, or what is checked.
pub fn no_steps(name: &str, at: Span) -> Diagnostic {
    Diagnostic::error(
        "no-next-state",
        format!("`{name}` does not say which steps there are: no `[][A]_v` is a conjunct of it"),
    )
    .at(at, "not a conjunction with `[][A]_v` in it")
    .note("without one every step is allowed, and there is no end to the states")
    .hint(
        "write `Init /\\ [][Next]_vars`, perhaps through definitions; fairness alone does not restrict steps",
    )
}

pub fn not_searched(span: Span) -> Diagnostic {
    Diagnostic::warning(
        "conjunct-not-searched",
        "a conjunct of the specification restricts steps, but only temporal properties take it into account",
    )
    .at(span, "not a conjunction of `[][A]_v`")
    .note("more states than there are may be found, and a violation may be none")
    .hint("write it as a conjunction of rules, or put the choice into the action: `[][A \\/ B]_v`")
}

pub fn too_many_conjuncts(span: Option<Span>) -> Diagnostic {
    let many = Diagnostic::error(
        "too-many-conjuncts",
        "the specification has too many conjuncts when its definitions are written out",
    )
    .hint("a quantifier says the same with one conjunct: `\\A n \\in S : R(n)`");
    match span {
        Some(span) => many.at(span, "too many"),
        None => many,
    }
}
