//! The operator symbols of TLA+: spellings, precedence ranges and associativity, as in the table of
//! *Specifying Systems* (section 15.2.1), with the Unicode spellings of the tools. Where the tools read `SUBSET`, `UNION`
//! and `DOMAIN` more tightly (10-13) than the book prints (8-9), the tools are followed: specs rely on it.
//!
//! An operator's precedence is a range. Two operators may stand next to each other without parentheses only when
//! their ranges do not overlap (or it is one associative operator); the parser rests on this table alone.

use std::fmt;
use std::sync::OnceLock;

use util::Symbol;

use crate::ast::Fixity;

/// An operator symbol in one of its roles: `-` is two of them, infix minus and prefix `-.`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Op(u8);

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct OpInfo {
    /// The spelling that names the operator everywhere in Babbage.
    pub name: &'static str,
    /// Other spellings, ASCII first.
    pub aliases: &'static [&'static str],
    pub fixity: Fixity,
    pub low: u8,
    pub high: u8,
    /// `a op b op c` without parentheses is `(a op b) op c`.
    pub left_assoc: bool,
}

impl Op {
    pub fn info(self) -> &'static OpInfo {
        &TABLE[self.0 as usize]
    }

    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The canonical name as a symbol.
    pub fn symbol(self) -> Symbol {
        static SYMBOLS: OnceLock<Vec<Symbol>> = OnceLock::new();
        SYMBOLS.get_or_init(|| TABLE.iter().map(|row| Symbol::new(row.name)).collect())[self.0 as usize]
    }

    pub fn all() -> impl Iterator<Item = Op> {
        (0..TABLE.len() as u8).map(Op)
    }

    /// The operator with this canonical name and fixity.
    pub fn named(name: &str, fixity: Fixity) -> Option<Op> {
        Op::all().find(|op| op.name() == name && op.info().fixity == fixity)
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}", self.info().fixity, self.name())
    }
}

macro_rules! table {
    ($($const:ident $fixity:ident $name:literal $(| $alias:literal)* $low:literal - $high:literal $($left:ident)?;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u8)]
        enum Row { $($const),* }

        impl Op {
            $(pub const $const: Op = Op(Row::$const as u8);)*
        }

        static TABLE: &[OpInfo] = &[$(OpInfo {
            name: $name,
            aliases: &[$($alias),*],
            fixity: Fixity::$fixity,
            low: $low,
            high: $high,
            left_assoc: table!(@left $($left)?),
        }),*];
    };
    (@left left) => { true };
    (@left) => { false };
}

table! {
    NOT Prefix "~" | "\\lnot" | "\\neg" | "¬" 4-4;
    ENABLED Prefix "ENABLED" 4-15;
    UNCHANGED Prefix "UNCHANGED" 4-15;
    ALWAYS Prefix "[]" | "□" 4-15;
    EVENTUALLY Prefix "<>" | "◇" 4-15;
    SUBSET Prefix "SUBSET" 10-13;
    UNION Prefix "UNION" 10-13;
    DOMAIN Prefix "DOMAIN" 10-13;
    NEGATE Prefix "-." | "-" 12-12;

    IMPLIES Infix "=>" | "⇒" 1-1;
    GUARANTEES Infix "-+->" | "⇸" | "⥅" 2-2;
    EQUIV Infix "<=>" | "\\equiv" | "≡" | "⇔" 2-2;
    LEADS_TO Infix "~>" | "↝" | "⇝" 2-2;
    AND Infix "/\\" | "\\land" | "∧" 3-3 left;
    OR Infix "\\/" | "\\lor" | "∨" 3-3 left;
    NEQ Infix "#" | "/=" | "≠" 5-5;
    MINUS_BAR Infix "-|" | "⊣" 5-5;
    DEFINED_AS Infix "::=" | "⩴" 5-5;
    ASSIGN Infix ":=" | "≔" 5-5;
    LT Infix "<" 5-5;
    EQ Infix "=" 5-5;
    EQ_BAR Infix "=|" | "⫤" 5-5;
    GT Infix ">" 5-5;
    APPROX Infix "\\approx" | "≈" 5-5;
    ASYMP Infix "\\asymp" | "≍" 5-5;
    CONG Infix "\\cong" | "≅" 5-5;
    DOTEQ Infix "\\doteq" | "≐" 5-5;
    GEQ Infix ">=" | "\\geq" | "≥" 5-5;
    GG Infix "\\gg" | "≫" 5-5;
    IN Infix "\\in" | "∈" 5-5;
    NOTIN Infix "\\notin" | "∉" 5-5;
    LEQ Infix "<=" | "=<" | "\\leq" | "≤" 5-5;
    LL Infix "\\ll" | "≪" 5-5;
    PREC Infix "\\prec" | "≺" 5-5;
    PRECEQ Infix "\\preceq" | "⪯" | "≼" 5-5;
    PROPTO Infix "\\propto" | "∝" 5-5;
    SIM Infix "\\sim" | "∼" 5-5;
    SIMEQ Infix "\\simeq" | "≃" 5-5;
    SQSUBSET Infix "\\sqsubset" | "⊏" 5-5;
    SQSUBSETEQ Infix "\\sqsubseteq" | "⊑" 5-5;
    SQSUPSET Infix "\\sqsupset" | "⊐" 5-5;
    SQSUPSETEQ Infix "\\sqsupseteq" | "⊒" 5-5;
    SUBSET_OF Infix "\\subset" | "⊂" 5-5;
    SUBSETEQ Infix "\\subseteq" | "⊆" 5-5;
    SUCC Infix "\\succ" | "≻" 5-5;
    SUCCEQ Infix "\\succeq" | "⪰" | "≽" 5-5;
    SUPSET Infix "\\supset" | "⊃" 5-5;
    SUPSETEQ Infix "\\supseteq" | "⊇" 5-5;
    BAR_MINUS Infix "|-" | "⊢" 5-5;
    BAR_EQ Infix "|=" | "⊨" 5-5;
    CDOT Infix "\\cdot" | "⋅" 5-14 left;
    ATAT Infix "@@" 6-6 left;
    COLON_GT Infix ":>" | "⧁" 7-7;
    LT_COLON Infix "<:" | "⧀" 7-7;
    SETMINUS Infix "\\" | "\\setminus" | "∖" 8-8;
    CAP Infix "\\cap" | "\\intersect" | "∩" 8-8 left;
    CUP Infix "\\cup" | "\\union" | "∪" 8-8 left;
    DOTDOT Infix ".." | "‥" 9-9;
    DOTDOTDOT Infix "..." | "…" 9-9;
    BANGBANG Infix "!!" | "‼" 9-13;
    HASHHASH Infix "##" | "⧣" 9-13 left;
    DOLLAR Infix "$" 9-13 left;
    DOLLARDOLLAR Infix "$$" 9-13 left;
    QUERYQUERY Infix "??" | "⁇" 9-13 left;
    SQCAP Infix "\\sqcap" | "⊓" 9-13 left;
    SQCUP Infix "\\sqcup" | "⊔" 9-13 left;
    UPLUS Infix "\\uplus" | "⊎" 9-13 left;
    WR Infix "\\wr" | "≀" 9-14;
    OPLUS Infix "\\oplus" | "(+)" | "⊕" 10-10 left;
    PLUS Infix "+" 10-10 left;
    PLUSPLUS Infix "++" | "⧺" 10-10 left;
    PERCENT Infix "%" 10-11;
    PERCENTPERCENT Infix "%%" 10-11 left;
    BAR Infix "|" 10-11 left;
    BARBAR Infix "||" | "‖" 10-11 left;
    OMINUS Infix "\\ominus" | "(-)" | "⊖" 11-11 left;
    MINUS Infix "-" 11-11 left;
    MINUSMINUS Infix "--" 11-11 left;
    TIMES Infix "\\X" | "\\times" | "×" 10-13;
    AMP Infix "&" 13-13 left;
    AMPAMP Infix "&&" 13-13 left;
    ODOT Infix "\\odot" | "(.)" | "⊙" 13-13 left;
    OSLASH Infix "\\oslash" | "(/)" | "⊘" 13-13;
    OTIMES Infix "\\otimes" | "(\\X)" | "⊗" 13-13 left;
    STAR Infix "*" 13-13 left;
    STARSTAR Infix "**" 13-13 left;
    SLASH Infix "/" 13-13;
    SLASHSLASH Infix "//" | "⫽" 13-13;
    BIGCIRC Infix "\\bigcirc" | "◯" 13-13 left;
    BULLET Infix "\\bullet" | "●" 13-13 left;
    DIV Infix "\\div" | "÷" 13-13;
    O Infix "\\o" | "\\circ" | "∘" 13-13 left;
    ASTERISK Infix "\\star" | "⋆" 13-13 left;
    CARET Infix "^" 14-14;
    CARETCARET Infix "^^" 14-14;

    PRIME Postfix "'" | "′" 15-15;
    PLUS_POSTFIX Postfix "^+" | "⁺" 15-15;
    STAR_POSTFIX Postfix "^*" 15-15;
    HASH_POSTFIX Postfix "^#" 15-15;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_unique_within_a_fixity() {
        let mut seen = std::collections::BTreeSet::new();
        for op in Op::all() {
            let info = op.info();
            assert!(info.low <= info.high);
            for spelling in std::iter::once(&info.name).chain(info.aliases) {
                assert!(
                    seen.insert((format!("{:?}", info.fixity), *spelling)),
                    "{spelling} twice"
                );
            }
        }
    }
}
