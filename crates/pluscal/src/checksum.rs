//! The checksums in the first line of a translation: `\* BEGIN TRANSLATION (chksum(pcal) = "…" /\ chksum(tla) = "…")`.
//!
//! The first is of the algorithm (see [`crate::digest`]), the second of the translated lines, both CRC-32.

use std::ops::Range;

/// Where the two checksums stand in the text. Nothing where the line says `\in STRING`: then none is wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checksums {
    pub algorithm: Option<Range<usize>>,
    pub translation: Option<Range<usize>>,
}

impl Checksums {
    /// Those of a line that starts at `start`.
    pub fn find(line: &str, start: usize) -> Option<Checksums> {
        let mut scanner = Scanner {
            rest: line[line.find("\\* BEGIN TRANSLATION")? + "\\* BEGIN TRANSLATION".len()..].trim_start(),
        };
        let place = |it: &str| {
            let from = it.as_ptr() as usize - line.as_ptr() as usize + start;
            from..from + it.len()
        };
        scanner.word("(")?;
        scanner.any(&["chksum", "checksum"])?;
        scanner.any(&["(pcal)", "(pluscal)"])?;
        let algorithm = scanner.value()?.map(place);
        scanner.word("/\\")?;
        scanner.any(&["chksum", "checksum"])?;
        scanner.any(&["(tla+)", "(tla)"])?;
        let translation = scanner.value()?.map(place);
        scanner.word(")")?;
        Some(Checksums {
            algorithm,
            translation,
        })
    }
}

struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn word(&mut self, word: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(word)?.trim_start();
        Some(())
    }

    /// One of some words, in any case.
    fn any(&mut self, words: &[&str]) -> Option<()> {
        let found = words.iter().find(|it| {
            let start = self.rest.get(..it.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(it))
        })?;
        self.rest = self.rest[found.len()..].trim_start();
        Some(())
    }

    /// `= "hex"`, or `\in STRING`.
    fn value(&mut self) -> Option<Option<&'a str>> {
        if self.word("\\in").is_some() {
            self.word("STRING")?;
            return Some(None);
        }
        self.word("=")?;
        let quoted = self.rest.strip_prefix('"')?;
        let end = quoted.find('"')?;
        let value = &quoted[..end];
        if !value.chars().all(|it| it.is_ascii_hexdigit()) {
            return None;
        }
        self.rest = quoted[end + 1..].trim_start();
        Some(Some(value))
    }
}

/// CRC-32 as zip files have it, in hexadecimal without leading zeros.
pub fn checksum<'a>(pieces: impl IntoIterator<Item = &'a str>) -> String {
    let mut crc = !0u32;
    for byte in pieces.into_iter().flat_map(|it| it.bytes()) {
        crc = (crc >> 8) ^ TABLE[((crc ^ u32::from(byte)) & 0xff) as usize];
    }
    format!("{:x}", !crc)
}

const TABLE: [u32; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut crc = i as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ 0xedb8_8320
            } else {
                crc >> 1
            };
            bit += 1;
        }
        table[i] = crc;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_checksum() {
        assert_eq!(checksum(["1234", "56789"]), "cbf43926");
    }

    #[test]
    fn checksums_are_found_in_their_line() {
        let line = "\\* BEGIN TRANSLATION (chksum(pcal) = \"1a\" /\\ chksum(tla) = \"2b\")";
        let found = Checksums::find(line, 100).expect("both");
        let at = |it: Option<Range<usize>>| it.map(|it| &line[it.start - 100..it.end - 100]);
        assert_eq!(
            (at(found.algorithm), at(found.translation)),
            (Some("1a"), Some("2b"))
        );
        let ignored = "\\* BEGIN TRANSLATION (ChkSum(PlusCal) \\in STRING /\\ checksum(TLA+) = \"\")";
        let found = Checksums::find(ignored, 0).expect("one");
        assert_eq!(
            (found.algorithm, found.translation.map(|it| it.len())),
            (None, Some(0))
        );
        assert_eq!(Checksums::find("\\* BEGIN TRANSLATION", 0), None);
    }
}
