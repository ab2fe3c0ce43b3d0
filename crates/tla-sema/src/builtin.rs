//! Which operator symbols belong to the language, and which module defines a name that is often forgotten.

use std::sync::OnceLock;

use util::{FxHashMap, Symbol};

use crate::ir::Builtin;

/// The built-in operator with this canonical name, if it is one.
pub fn builtin(name: Symbol) -> Option<Builtin> {
    static BY_NAME: OnceLock<FxHashMap<Symbol, Builtin>> = OnceLock::new();
    let by_name = BY_NAME.get_or_init(|| WRITTEN.iter().map(|&it| (Symbol::new(it.name()), it)).collect());
    by_name.get(&name).copied()
}

/// Whether the name belongs to the language and cannot be declared.
pub fn is_builtin(name: Symbol) -> bool {
    matches!(name.as_str(), "TRUE" | "FALSE" | "BOOLEAN" | "STRING") || builtin(name).is_some()
}

/// Those that are written as operators; `BOOLEAN` and `STRING` are words.
const WRITTEN: &[Builtin] = {
    use Builtin::*;
    &[
        And, Or, Not, Implies, Equiv, Eq, Neq, In, NotIn, SubsetEq, Cup, Cap, SetMinus, PowerSet, Union,
        Domain, Prime, Enabled, Unchanged, Always, Eventually, LeadsTo, Guarantees, Compose, Product,
    ]
};

impl Builtin {
    pub fn arity(self) -> usize {
        use Builtin::*;
        match self {
            Boolean | StringSet => 0,
            Not | PowerSet | Union | Domain | Prime | Enabled | Unchanged | Always | Eventually => 1,
            And | Or | Implies | Equiv | Eq | Neq | In | NotIn | SubsetEq | Cup | Cap | SetMinus
            | LeadsTo | Guarantees | Compose | Product => 2,
        }
    }

    /// The canonical spelling.
    pub fn name(self) -> &'static str {
        use Builtin::*;
        match self {
            And => "/\\",
            Or => "\\/",
            Not => "~",
            Implies => "=>",
            Equiv => "<=>",
            Eq => "=",
            Neq => "#",
            In => "\\in",
            NotIn => "\\notin",
            SubsetEq => "\\subseteq",
            Cup => "\\cup",
            Cap => "\\cap",
            SetMinus => "\\",
            PowerSet => "SUBSET",
            Union => "UNION",
            Domain => "DOMAIN",
            Boolean => "BOOLEAN",
            StringSet => "STRING",
            Prime => "'",
            Enabled => "ENABLED",
            Unchanged => "UNCHANGED",
            Always => "[]",
            Eventually => "<>",
            LeadsTo => "~>",
            Guarantees => "-+->",
            Compose => "\\cdot",
            Product => "\\X",
        }
    }
}

/// The standard module that defines `name`, for a hint when a spec forgot to extend it.
pub fn defining_module(name: Symbol) -> Option<&'static str> {
    const NAMES: &[(&str, &[&str])] = &[
        (
            "Naturals",
            &[
                "+", "-", "*", "^", "<", ">", "<=", ">=", "%", "\\div", "..", "Nat",
            ],
        ),
        ("Integers", &["-.", "Int"]),
        ("Reals", &["/", "Real", "Infinity"]),
        (
            "Sequences",
            &[
                "\\o",
                "Seq",
                "Len",
                "Append",
                "Head",
                "Tail",
                "SubSeq",
                "SelectSeq",
            ],
        ),
        ("FiniteSets", &["Cardinality", "IsFiniteSet"]),
        (
            "Bags",
            &[
                "(+)",
                "(-)",
                "\\oplus",
                "\\ominus",
                "BagToSet",
                "SetToBag",
                "EmptyBag",
                "BagCardinality",
                "CopiesIn",
            ],
        ),
        (
            "TLC",
            &[
                ":>",
                "@@",
                "Print",
                "PrintT",
                "Assert",
                "Permutations",
                "SortSeq",
                "ToString",
                "TLCGet",
                "TLCSet",
            ],
        ),
        (
            "FiniteSetsExt",
            &[
                "FoldSet",
                "SumSet",
                "Max",
                "Min",
                "Quantify",
                "ReduceSet",
                "kSubset",
            ],
        ),
        (
            "SequencesExt",
            &[
                "ToSet",
                "SetToSeq",
                "FoldLeft",
                "FoldRight",
                "FoldSeq",
                "IsPrefix",
                "Contains",
                "Reverse",
            ],
        ),
        (
            "Functions",
            &[
                "Range",
                "Inverse",
                "Injection",
                "Surjection",
                "Bijection",
                "Restrict",
                "FoldFunction",
            ],
        ),
    ];
    NAMES
        .iter()
        .find(|(_, names)| names.contains(&name.as_str()))
        .map(|&(module, _)| module)
}
