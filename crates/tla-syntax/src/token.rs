//! What the lexer hands to the parser: kinds of tokens and the tables that map spellings to them.
//!
//! The operator symbols come from the one table in [`crate::op`]; only what is not an operator is spelled here.

use std::sync::OnceLock;

use util::{FxHashMap, Symbol};

use crate::ast::Fixity;
use crate::op::Op;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Tok {
    Eof,
    /// Text that is no token; the lexer has already said why.
    Invalid,
    /// Stands for any token at or left of the bullets of the junction list being read (see `Parser::kind`).
    Outdent,

    Ident,
    Number,
    Str,
    /// `<1>2a.`, `<*>`, `<+>`
    Step,

    // Operator symbols, by the positions in which they may stand.
    Prefix,
    Infix,
    Postfix,
    /// `/\` and `\/`: infix, or a bullet. (`\land` is only infix.)
    Bullet,
    /// `[]`: prefix, or the separator of the arms of `CASE`.
    Box,
    /// `-`: infix, or prefix.
    Minus,
    /// `-.`: the name of prefix minus.
    MinusDot,

    // Punctuation
    Comma,
    Colon,
    ColonColon,
    Dot,
    Underscore,
    EqEq,
    Bang,
    Arrow,
    LeftArrow,
    MapsTo,
    At,
    LParen,
    RParen,
    LBracket,
    RBracket,
    /// `]_`
    RBracketUnder,
    LBrace,
    RBrace,
    LAngle,
    RAngle,
    /// `>>_`
    RAngleUnder,
    /// `----`
    Separator,
    /// `====`
    EndModule,
    Forall,
    Exists,
    TemporalForall,
    TemporalExists,
    /// `WF_`
    WF,
    /// `SF_`
    SF,

    // Keywords
    Action,
    Assume,
    /// `[]ASSUME`
    BoxAssume,
    /// `ASSUMPTION`, `AXIOM`
    Assumption,
    By,
    Case,
    Choose,
    Constant,
    Def,
    Define,
    Else,
    Except,
    Extends,
    Have,
    Hide,
    If,
    /// `IN` of `LET`
    In,
    Instance,
    Lambda,
    Let,
    Local,
    Module,
    New,
    Obvious,
    Omitted,
    Only,
    Other,
    Pick,
    Proof,
    Prove,
    /// `[]PROVE`
    BoxProve,
    Qed,
    Recursive,
    State,
    Suffices,
    Take,
    Temporal,
    Then,
    /// `THEOREM`, `LEMMA`, `PROPOSITION`, `COROLLARY`
    Theorem,
    Use,
    Variable,
    With,
    Witness,
}

impl Tok {
    /// A reserved word, spelled in letters.
    pub(crate) fn is_keyword(self) -> bool {
        self as u8 >= Tok::Action as u8 && !matches!(self, Tok::BoxAssume | Tok::BoxProve)
    }

    /// Any token that spells an operator.
    pub(crate) fn is_operator(self) -> bool {
        use Tok::*;
        matches!(self, Prefix | Infix | Postfix | Bullet | Box | Minus | MinusDot)
    }

    pub(crate) fn is_bracket(self) -> bool {
        (Tok::LParen as u8..=Tok::RAngleUnder as u8).contains(&(self as u8))
    }

    /// May stand between two operands.
    pub(crate) fn is_infix(self) -> bool {
        matches!(self, Tok::Infix | Tok::Bullet | Tok::Minus)
    }
}

/// Twenty bytes, copied freely. `column` counts from 1, in characters, tabs moving to the next multiple of eight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub start: u32,
    pub end: u32,
    pub column: u32,
    /// The text of names, numbers, strings (without quotes, escapes resolved), steps and keywords.
    pub name: Symbol,
    pub kind: Tok,
    /// Meaningful for operators only. For [`Tok::Minus`] the infix one.
    pub op: Op,
    /// Nothing but blanks and comments stands before it on its line.
    pub first: bool,
}

const KEYWORDS: &[(&str, Tok)] = &[
    ("ACTION", Tok::Action),
    ("ACTIONS", Tok::Action),
    ("ASSUME", Tok::Assume),
    ("ASSUMPTION", Tok::Assumption),
    ("AXIOM", Tok::Assumption),
    ("BY", Tok::By),
    ("CASE", Tok::Case),
    ("CHOOSE", Tok::Choose),
    ("CONSTANT", Tok::Constant),
    ("CONSTANTS", Tok::Constant),
    ("COROLLARY", Tok::Theorem),
    ("DEF", Tok::Def),
    ("DEFINE", Tok::Define),
    ("DEFS", Tok::Def),
    ("ELSE", Tok::Else),
    ("EXCEPT", Tok::Except),
    ("EXTENDS", Tok::Extends),
    ("HAVE", Tok::Have),
    ("HIDE", Tok::Hide),
    ("IF", Tok::If),
    ("IN", Tok::In),
    ("INSTANCE", Tok::Instance),
    ("LAMBDA", Tok::Lambda),
    ("LEMMA", Tok::Theorem),
    ("LET", Tok::Let),
    ("LOCAL", Tok::Local),
    ("MODULE", Tok::Module),
    ("NEW", Tok::New),
    ("OBVIOUS", Tok::Obvious),
    ("OMITTED", Tok::Omitted),
    ("ONLY", Tok::Only),
    ("OTHER", Tok::Other),
    ("PICK", Tok::Pick),
    ("PROOF", Tok::Proof),
    ("PROPOSITION", Tok::Theorem),
    ("PROVE", Tok::Prove),
    ("QED", Tok::Qed),
    ("RECURSIVE", Tok::Recursive),
    ("STATE", Tok::State),
    ("SUFFICES", Tok::Suffices),
    ("TAKE", Tok::Take),
    ("TEMPORAL", Tok::Temporal),
    ("TEMPORALS", Tok::Temporal),
    ("THEN", Tok::Then),
    ("THEOREM", Tok::Theorem),
    ("USE", Tok::Use),
    ("VARIABLE", Tok::Variable),
    ("VARIABLES", Tok::Variable),
    ("WITH", Tok::With),
    ("WITNESS", Tok::Witness),
];

const PUNCTUATION: &[(&str, Tok)] = &[
    (",", Tok::Comma),
    (":", Tok::Colon),
    ("::", Tok::ColonColon),
    ("∷", Tok::ColonColon),
    (".", Tok::Dot),
    ("==", Tok::EqEq),
    ("≜", Tok::EqEq),
    ("!", Tok::Bang),
    ("->", Tok::Arrow),
    ("→", Tok::Arrow),
    ("⟶", Tok::Arrow),
    ("<-", Tok::LeftArrow),
    ("←", Tok::LeftArrow),
    ("⟵", Tok::LeftArrow),
    ("|->", Tok::MapsTo),
    ("↦", Tok::MapsTo),
    ("⟼", Tok::MapsTo),
    ("@", Tok::At),
    ("(", Tok::LParen),
    (")", Tok::RParen),
    ("[", Tok::LBracket),
    ("]", Tok::RBracket),
    ("]_", Tok::RBracketUnder),
    ("{", Tok::LBrace),
    ("}", Tok::RBrace),
    ("<<", Tok::LAngle),
    ("⟨", Tok::LAngle),
    (">>", Tok::RAngle),
    ("⟩", Tok::RAngle),
    (">>_", Tok::RAngleUnder),
    ("⟩_", Tok::RAngleUnder),
    ("\\A", Tok::Forall),
    ("\\forall", Tok::Forall),
    ("∀", Tok::Forall),
    ("\\E", Tok::Exists),
    ("\\exists", Tok::Exists),
    ("∃", Tok::Exists),
    ("\\AA", Tok::TemporalForall),
    ("∀∀", Tok::TemporalForall),
    ("\\EE", Tok::TemporalExists),
    ("∃∃", Tok::TemporalExists),
    ("[]ASSUME", Tok::BoxAssume),
    ("[]PROVE", Tok::BoxProve),
];

/// A spelling and what it stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spelling {
    pub text: &'static str,
    pub kind: Tok,
    pub op: Op,
}

pub(crate) struct Tables {
    /// Symbols by their first byte, longest first: the first that matches is the token.
    pub symbols: [Vec<Spelling>; 256],
    /// `\in`, `\A`, … by the letters after the backslash.
    pub words: FxHashMap<&'static str, Spelling>,
    /// Keywords and operators spelled in letters.
    pub keywords: Vec<Spelling>,
}

pub(crate) fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(Tables::new)
}

impl Tables {
    fn new() -> Tables {
        let mut symbols: [Vec<Spelling>; 256] = [const { Vec::new() }; 256];
        let mut words = FxHashMap::default();
        let mut keywords: Vec<Spelling> = vec![];
        let plain = |&(text, kind)| Spelling {
            text,
            kind,
            op: Op::EQ,
        };
        let all = operators()
            .chain(PUNCTUATION.iter().map(plain))
            .chain(KEYWORDS.iter().map(plain));
        for spelling in all {
            let bytes = spelling.text.as_bytes();
            match bytes[0] {
                b'\\' if bytes.len() > 1 && bytes[1].is_ascii_alphabetic() => {
                    words.insert(&spelling.text[1..], spelling);
                }
                b'A'..=b'Z' => keywords.push(spelling),
                first => symbols[first as usize].push(spelling),
            }
        }
        for list in &mut symbols {
            list.sort_by_key(|it| (std::cmp::Reverse(it.text.len()), it.text));
        }
        Tables {
            symbols,
            words,
            keywords,
        }
    }
}

fn operators() -> impl Iterator<Item = Spelling> {
    Op::all().flat_map(|op| {
        let info = op.info();
        let spelling = move |text| Spelling {
            text,
            kind: kind_of(op, text),
            op,
        };
        std::iter::once(info.name)
            .chain(info.aliases.iter().copied())
            // `-` is listed with infix minus; the parser turns it into prefix minus where no operand precedes.
            .filter(move |&text| !(op == Op::NEGATE && text == "-"))
            .map(spelling)
    })
}

fn kind_of(op: Op, text: &str) -> Tok {
    match op {
        Op::ALWAYS => Tok::Box,
        Op::NEGATE => Tok::MinusDot,
        Op::MINUS => Tok::Minus,
        Op::AND | Op::OR if !text.starts_with("\\l") => Tok::Bullet,
        _ => match op.info().fixity {
            Fixity::Prefix => Tok::Prefix,
            Fixity::Postfix => Tok::Postfix,
            Fixity::Infix | Fixity::Nonfix => Tok::Infix,
        },
    }
}
