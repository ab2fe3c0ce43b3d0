//! Where a file has its algorithm, its translation, and its options.
//!
//! All three are found by looking for words in lines, in comments or not: that is what files in the world rely on.

use std::ops::Range;

use diag::Diagnostic;
use source::{FileId, Span};

use crate::checksum::Checksums;
use crate::diagnostics as errors;
use crate::options::Options;

/// Where an algorithm stands, and where its translation does or will stand.
#[derive(Clone, Debug)]
pub struct Located {
    /// `--algorithm`, or `--fair`.
    pub head: Range<usize>,
    pub fair: bool,
    pub translation: Slot,
}

/// The place of the translation in the text.
#[derive(Clone, Debug)]
pub enum Slot {
    /// Between a line with `BEGIN TRANSLATION` and one with `END TRANSLATION`.
    Between {
        /// The lines between, with their line breaks.
        body: Range<usize>,
        checksums: Option<Checksums>,
    },
    /// There is none: after the line in which the comment ends.
    After(usize),
}

/// A text as lines without line breaks.
struct Lines<'a> {
    text: &'a str,
    ranges: Vec<Range<usize>>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        let mut start = 0;
        let ranges = text.split_inclusive('\n').map(|line| {
            let range = start..start + line.trim_end_matches(['\n', '\r']).len();
            start += line.len();
            range
        });
        Lines {
            text,
            ranges: ranges.collect(),
        }
    }

    fn get(&self, line: usize) -> &'a str {
        &self.text[self.ranges[line].clone()]
    }

    fn len(&self) -> usize {
        self.ranges.len()
    }

    /// The first line from `from` on with two words after each other.
    fn find_pair(&self, from: usize, first: &str, second: &str) -> Option<usize> {
        (from..self.len()).find(|&line| {
            let line = self.get(line);
            line.find(first).is_some_and(|at| {
                let after = &line[at + first.len()..];
                let blanks = after.len() - after.trim_start_matches(' ').len();
                line.find(second) == Some(at + first.len() + blanks)
            })
        })
    }
}

/// Finds the algorithm of a file. Nothing, and no diagnostics, when there is none.
pub fn locate(text: &str, file: FileId) -> (Option<Located>, Vec<Diagnostic>) {
    // Most files have no algorithm, and should not pay for those that do.
    if !text.contains("--algorithm") && !text.contains("--fair") {
        return (None, vec![]);
    }
    let span = |it: &Range<usize>| Span::new(file, it.start as u32, it.end as u32);
    let lines = Lines::new(text);
    let begin = lines.find_pair(0, "BEGIN", "TRANSLATION");
    let mut slot = None;
    let mut inside = 0..0;
    if let Some(begin) = begin {
        let Some(end) = lines.find_pair(begin + 1, "END", "TRANSLATION") else {
            return (
                None,
                vec![errors::unended_translation(span(&lines.ranges[begin]))],
            );
        };
        inside = begin + 1..end;
        let first = lines.ranges[begin].clone();
        let from = lines.ranges[begin + 1].start;
        slot = Some(Slot::Between {
            checksums: Checksums::find(&text[first.clone()], first.start),
            body: from..lines.ranges[end].start,
        });
    }
    let outside = (0..lines.len()).filter(|it| !inside.contains(it));
    let Some((head, fair)) = outside
        .filter_map(|it| find_head(lines.get(it), lines.ranges[it].start))
        .next()
    else {
        return (None, vec![]);
    };
    let translation = match slot {
        Some(slot) => slot,
        None => match comment_end(text, head.end) {
            None => return (None, vec![errors::not_in_comment(span(&head))]),
            Some(end) => {
                let line_end = text[end..].find('\n').map_or(text.len(), |it| end + it);
                let rest = text[end..line_end].trim();
                if !rest.is_empty() && !rest.starts_with("\\*") {
                    let wrong = errors::text_after_comment(span(&(end..line_end)));
                    return (None, vec![wrong]);
                }
                Slot::After(text.len().min(line_end + 1))
            }
        },
    };
    let located = Located {
        head,
        fair,
        translation,
    };
    (Some(located), vec![])
}

fn find_head(line: &str, start: usize) -> Option<(Range<usize>, bool)> {
    let find = |word: &str| {
        let at = start + line.find(word)?;
        Some(at..at + word.len())
    };
    match find("--algorithm") {
        Some(head) => Some((head, false)),
        None => find("--fair").map(|it| (it, true)),
    }
}

/// The head of another algorithm from an offset on: its name is followed by what begins one. Comments that only speak of algorithms
/// have no such thing.
pub fn another(text: &str, from: usize) -> Option<Range<usize>> {
    const BEGINNINGS: [&str; 10] = [
        "{",
        "begin",
        "variable",
        "variables",
        "define",
        "macro",
        "procedure",
        "process",
        "processes",
        "fair",
    ];
    let rest = text.get(from..)?;
    rest.match_indices("algorithm").find_map(|(at, word)| {
        let before = rest[..at].trim_end_matches([' ', '\t']);
        let before = before
            .strip_suffix("fair")
            .filter(|_| before.len() < at)
            .unwrap_or(before);
        let start = before.strip_suffix("--").filter(|it| !it.ends_with('-'))?.len();
        let named = rest[at + word.len()..]
            .strip_prefix([' ', '\t', '\r', '\n'])?
            .trim_start();
        let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let name_end = named.find(|it| !is_name(it)).filter(|it| *it > 0)?;
        let body = named[name_end..].trim_start();
        let first = body.find(|it| !is_name(it)).unwrap_or(body.len());
        let first = if body.starts_with('{') {
            "{"
        } else {
            &body[..first]
        };
        let end = rest.len() - named.len() + name_end;
        BEGINNINGS.contains(&first).then(|| from + start..from + end)
    })
}

/// Behind the `*)` of the comment that `from` lies in.
fn comment_end(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 1u32;
    let mut at = from;
    while let Some(two) = bytes.get(at..at + 2) {
        match two {
            b"(*" => {
                depth += 1;
                at += 2;
            }
            b"*)" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// Takes what `PlusCal options (…)` in the text says.
pub fn file_options(text: &str, file: FileId, options: &mut Options) -> Vec<Diagnostic> {
    let Some(open) = find_options(text) else {
        return vec![];
    };
    let span = |it: Range<usize>| Span::new(file, it.start as u32, it.end as u32);
    if !text[open..].starts_with('(') {
        let end = open + text[open..].chars().next().map_or(0, char::len_utf8);
        return vec![errors::options_without_parenthesis(span(open..end))];
    }
    let Some(close) = text[open..].find(')').map(|it| open + it) else {
        return vec![errors::unclosed_options(span(open..open + 1))];
    };
    let inside = &text[open + 1..close];
    let words: Vec<&str> = inside
        .split(|it: char| it == ',' || it.is_ascii_whitespace())
        .filter(|it| !it.is_empty())
        .collect();
    let place = |word: &str| {
        let from = word.as_ptr() as usize - text.as_ptr() as usize;
        from..from + word.len()
    };
    options
        .take(&words)
        .into_iter()
        .map(|(i, why)| errors::wrong_option(words[i], why, span(place(words[i]))))
        .collect()
}

/// What follows the words `PlusCal options`.
fn find_options(text: &str) -> Option<usize> {
    let is_blank = |it: char| it.is_ascii_whitespace();
    let mut from = 0;
    while let Some(at) = text[from..].find("PlusCal").map(|it| from + it) {
        from = at + "PlusCal".len();
        let starts = text[..at].chars().next_back().is_none_or(is_blank);
        let rest = &text[from..];
        let ends = !rest.starts_with(|it: char| it.is_alphabetic() || it == '_');
        let Some(options) = rest.trim_start_matches(is_blank).strip_prefix("options") else {
            continue;
        };
        let is_word = |it: char| it.is_alphanumeric() || it == '_';
        if starts && ends && !options.starts_with(is_word) {
            let after = options.trim_start_matches(is_blank);
            return Some(text.len() - after.len()).filter(|&it| it < text.len());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::another;

    #[test]
    fn another_algorithm_is_one_that_begins() {
        let found = |text: &str| another(text, 0).map(|it| text[it].to_owned());
        let is = |text: &str, head: &str| assert_eq!(found(text).as_deref(), Some(head), "{text}");
        is("(* --algorithm A {", "--algorithm A");
        is("x\n--fair  algorithm B1\r\nvariables x", "--fair  algorithm B1");
        is("--algorithm is nothing\n--algorithm C begin", "--algorithm C");
        for none in [
            "see --algorithm",
            "write --algorithm Name and then",
            "the --algorithm beginner",
            "---algorithm A {",
            "algorithm A {",
            "-- algorithms A {",
            "end algorithm A begin",
            "--algorithm \u{e9} {",
        ] {
            assert_eq!(found(none), None, "{none}");
        }
    }
}
