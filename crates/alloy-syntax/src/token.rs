//! The words of Alloy.

use std::fmt;

/// A word and where it stands. `start..end` are bytes of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: T,
    pub start: u32,
    pub end: u32,
    /// For names: how many primes end it (they are part of `start..end`).
    pub primes: u8,
    /// It is the first word of its line; recovery resumes there.
    pub first_on_line: bool,
}

macro_rules! tokens {
    ($( $name:ident $text:literal ),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum T { $( $name ),* }

        impl fmt::Display for T {
            /// As messages name it: `` `sig` ``, `a name`.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $( T::$name => $text ),* })
            }
        }
    };
}

tokens! {
    Name "a name", Number "a number", Str "a string", End "the end of the file", Bad "a character without meaning",
    LParen "`(`", RParen "`)`", LBracket "`[`", RBracket "`]`", LBrace "`{`", RBrace "`}`",
    Not "`!`", Hash "`#`", AndAnd "`&&`", Amp "`&`", Star "`*`", PlusPlus "`++`", Plus "`+`", Comma "`,`", Arrow "`->`",
    Minus "`-`", Dot "`.`", Slash "`/`", Range "`:>`", Colon "`:`", Iff "`<=>`", Le "`<=`", Domain "`<:`", Shl "`<<`", Lt "`<`",
    Implies "`=>`", Equal "`=`", Shr "`>>>`", Sha "`>>`", Ge "`>=`", Gt "`>`", At "`@`", Caret "`^`", OrOr "`||`", Bar "`|`",
    Tilde "`~`", Semi "`;`", Prime "`'`",
    Abstract "`abstract`", All "`all`", And "`and`", Assert "`assert`", As "`as`", But "`but`", Check "`check`", Disj "`disj`",
    Else "`else`", Enum "`enum`", Exactly "`exactly`", Expect "`expect`", Extends "`extends`", Fact "`fact`", For "`for`",
    Fun "`fun`", Iden "`iden`", IffWord "`iff`", ImpliesWord "`implies`", SigInt "`Int`", Int "`int`", In "`in`", Let "`let`",
    Lone "`lone`", Module "`module`", None "`none`", NotWord "`not`", No "`no`", One "`one`", Open "`open`", Or "`or`",
    Pred "`pred`", Private "`private`", Run "`run`", Seq "`seq`", Set "`set`", Sig "`sig`", Some "`some`", String "`String`",
    Sum "`sum`", This "`this`", Univ "`univ`",
    Always "`always`", After "`after`", Eventually "`eventually`", Historically "`historically`", Before "`before`",
    Once "`once`", Releases "`releases`", Until "`until`", Since "`since`", Triggered "`triggered`", Var "`var`", Steps "`steps`",
}

/// The keyword that a word is, if any.
pub(crate) fn keyword(word: &str) -> Option<T> {
    Some(match word {
        "abstract" => T::Abstract,
        "all" => T::All,
        "and" => T::And,
        "assert" => T::Assert,
        "as" => T::As,
        "but" => T::But,
        "check" => T::Check,
        "disj" => T::Disj,
        "else" => T::Else,
        "enum" => T::Enum,
        "exactly" => T::Exactly,
        "expect" => T::Expect,
        "extends" => T::Extends,
        "fact" => T::Fact,
        "for" => T::For,
        "fun" => T::Fun,
        "iden" => T::Iden,
        "iff" => T::IffWord,
        "implies" => T::ImpliesWord,
        "Int" => T::SigInt,
        "int" => T::Int,
        "in" => T::In,
        "let" => T::Let,
        "lone" => T::Lone,
        "module" => T::Module,
        "none" => T::None,
        "not" => T::NotWord,
        "no" => T::No,
        "one" => T::One,
        "open" => T::Open,
        "or" => T::Or,
        "pred" => T::Pred,
        "private" => T::Private,
        "run" => T::Run,
        "seq" => T::Seq,
        "set" => T::Set,
        "sig" => T::Sig,
        "some" => T::Some,
        "String" => T::String,
        "sum" => T::Sum,
        "this" => T::This,
        "univ" => T::Univ,
        "always" => T::Always,
        "after" => T::After,
        "eventually" => T::Eventually,
        "historically" => T::Historically,
        "before" => T::Before,
        "once" => T::Once,
        "releases" => T::Releases,
        "until" => T::Until,
        "since" => T::Since,
        "triggered" => T::Triggered,
        "var" => T::Var,
        "steps" => T::Steps,
        _ => return None,
    })
}

impl T {
    /// A keyword of Alloy 6 that was an ordinary name in Alloy 5.
    pub fn is_soft_keyword(self) -> bool {
        matches!(
            self,
            T::Always
                | T::After
                | T::Eventually
                | T::Historically
                | T::Before
                | T::Once
                | T::Releases
                | T::Until
                | T::Since
                | T::Triggered
                | T::Var
                | T::Steps
        )
    }

    pub fn is_keyword(self) -> bool {
        (self as u8) >= (T::Abstract as u8)
    }
}
