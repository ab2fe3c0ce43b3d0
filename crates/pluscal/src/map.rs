//! From the text of a translation back to the algorithm.
//!
//! Two layers: *tokens* that were copied from the algorithm, each with its place there, and *regions*, the text that a statement, a
//! declaration or a step became. What was copied is pointed at exactly; what was added belongs to the innermost region around it.

use std::ops::Range;

use source::Span;

/// A piece of the translation and where it comes from. Offsets count bytes from the start of the translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    pub start: u32,
    pub end: u32,
    pub span: Span,
}

impl Piece {
    fn contains(&self, range: &Range<u32>) -> bool {
        self.start <= range.start && range.end <= self.end
    }
}

#[derive(Clone, Default, Debug)]
pub struct Map {
    /// In the order of the text, without overlaps.
    tokens: Vec<Piece>,
    /// Sorted by start, outer ones first.
    regions: Vec<Piece>,
}

impl Map {
    pub(crate) fn new(tokens: Vec<Piece>, mut regions: Vec<Piece>) -> Map {
        regions.sort_by_key(|it| (it.start, std::cmp::Reverse(it.end)));
        Map { tokens, regions }
    }

    /// Where a range of the translation comes from. Nothing for what belongs to the algorithm as a whole.
    pub fn source(&self, range: Range<u32>) -> Option<Span> {
        let region = self.region(range.clone());
        let first = self.tokens.partition_point(|it| it.end <= range.start);
        let inside = self.tokens[first..].iter().take_while(|it| it.start < range.end);
        let mut copied = inside.filter(|it| range.start <= it.start && it.end <= range.end);
        // Tokens from elsewhere, such as the arguments of a macro, are not joined with those of the statement.
        let joined = copied.try_fold(None, |all: Option<Span>, it| {
            let is_near =
                region.is_none_or(|region| region.start <= it.span.start && it.span.end <= region.end);
            is_near.then(|| Some(all.map_or(it.span, |all| all.to(it.span))))
        });
        match joined {
            Some(Some(span)) => Some(span),
            Some(None) | None => region,
        }
    }

    /// The innermost statement, declaration or step that a range lies in.
    pub fn region(&self, range: Range<u32>) -> Option<Span> {
        let before = self.regions.partition_point(|it| it.start <= range.start);
        let around = self.regions[..before].iter().rev().find(|it| it.contains(&range));
        around.map(|it| it.span)
    }

    pub fn tokens(&self) -> &[Piece] {
        &self.tokens
    }

    pub fn regions(&self) -> &[Piece] {
        &self.regions
    }
}
