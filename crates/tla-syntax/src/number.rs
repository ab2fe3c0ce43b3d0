//! The value of number literals: `42`, `\b1010`, `\o17`, `\hFF`.

/// The digits of a literal in their base. Of any size: a caller with big integers reads `digits` itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numeral<'a> {
    /// 2, 8, 10 or 16.
    pub radix: u32,
    /// At least one; no sign.
    pub digits: &'a str,
}

impl Numeral<'_> {
    /// The value, when it fits.
    pub fn to_u64(self) -> Option<u64> {
        u64::from_str_radix(self.digits, self.radix).ok()
    }
}

/// Takes apart the text of an [`ExprKind::Number`](crate::ast::ExprKind::Number).
pub fn number(literal: &str) -> Numeral<'_> {
    let radix = match literal.as_bytes() {
        [b'\\', b'b' | b'B', ..] => 2,
        [b'\\', b'o' | b'O', ..] => 8,
        [b'\\', b'h' | b'H', ..] => 16,
        _ => {
            return Numeral {
                radix: 10,
                digits: literal,
            };
        }
    };
    Numeral {
        radix,
        digits: &literal[2..],
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn every_base_has_its_value() {
        for (literal, value) in [
            ("0", 0),
            ("0042", 42),
            ("\\b1010", 10),
            ("\\O17", 15),
            ("\\hfF", 255),
        ] {
            assert_eq!(number(literal).to_u64(), Some(value), "{literal}");
        }
        let huge = "9".repeat(40);
        assert_eq!(number(&huge).to_u64(), None);
        assert_eq!(number(&huge).digits, huge);
    }
}
