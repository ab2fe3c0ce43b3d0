//! A place of the program that has mutants, as edits of its text.
//!
//! All mutants are in the program at the same time, each behind a question to the switch (mutant schemata, Untch, Offutt and
//! Harrold 1993). Edits put text around what is there and add no line, so places in messages stay what they are.

use std::ops::Range;

/// Where text is put, and in the place of what.
#[derive(Clone, Debug)]
pub struct Edit {
    pub range: Range<usize>,
    pub text: String,
    /// It closes what an earlier edit of its site has opened.
    pub closes: bool,
}

#[derive(Clone, Debug)]
pub struct Mutant {
    /// The number that the switch knows it by.
    pub id: u32,
    /// What stands there, and what stands there in the mutant.
    pub original: String,
    pub replacement: String,
}

#[derive(Clone, Debug)]
pub struct Site {
    pub line: usize,
    pub column: usize,
    /// The function that it is in, with the type or trait around it.
    pub function: String,
    /// The line as it stands in the file, without the blanks around it.
    pub source: String,
    pub mutants: Vec<Mutant>,
    pub edits: Vec<Edit>,
}

/// A file with its edits applied.
pub struct Rewritten {
    pub text: String,
    /// Where each site is in it, by the place of the site in the list.
    pub ranges: Vec<Range<usize>>,
}

/// Applies the edits of sites that were found in the order of an outside-in walk.
pub fn rewrite(text: &str, sites: &[&Site]) -> Rewritten {
    // At one place, what closes comes before what opens; outer sites open first and close last.
    let mut edits: Vec<((usize, bool, isize), &Edit)> = vec![];
    for (number, site) in sites.iter().enumerate() {
        for edit in &site.edits {
            let order = number as isize * if edit.closes { -1 } else { 1 };
            edits.push(((edit.range.start, !edit.closes, order), edit));
        }
    }
    // Stable: the edits of one site stay in their order.
    edits.sort_by_key(|it| it.0);
    let mut ranges: Vec<Option<Range<usize>>> = vec![None; sites.len()];
    let mut result = String::with_capacity(text.len() * 2);
    let mut at = 0;
    for ((_, _, order), edit) in edits {
        result.push_str(&text[at..edit.range.start]);
        let start = result.len();
        result.push_str(&edit.text);
        at = edit.range.end;
        let range = &mut ranges[order.unsigned_abs()];
        let first = range.as_ref().map_or(start, |it| it.start);
        *range = Some(first..result.len());
    }
    result.push_str(&text[at..]);
    let ranges = ranges.into_iter().map(Option::unwrap_or_default).collect();
    Rewritten { text: result, ranges }
}
