//! From the text of a translation back to the algorithm.
//!
//! Two layers: *tokens* that were copied from the algorithm, each with its place there, and *regions*, the text that a statement, a
//! declaration or a step became. What was copied is pointed at exactly; what was added belongs to the innermost region around it.

use std::ops::Range;

use source::Span;

/// A place in the algorithm; in a macro also the call that it is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    pub span: Span,
    pub call: Option<Span>,
}

impl From<Span> for Origin {
    fn from(span: Span) -> Origin {
        Origin { span, call: None }
    }
}

/// A piece of the translation and where it comes from. Offsets count bytes from the start of the translation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    pub start: u32,
    pub end: u32,
    pub origin: Origin,
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
    ///
    /// What starts with a copied token is an expression of the algorithm, or what became of one: `x[self]` is `x`. Everything else,
    /// such as `x' = x[self] + 1`, is what its statement became.
    pub fn source(&self, range: Range<u32>) -> Option<Origin> {
        let region = self.region(range.clone());
        let first = self.tokens.partition_point(|it| it.end <= range.start);
        let inside = self.tokens[first..].iter().take_while(|it| it.start < range.end);
        let mut copied = inside.filter(|it| it.end <= range.end);
        let Some(token) = copied.next().filter(|it| it.start == range.start) else {
            return region;
        };
        // Tokens of the statement are not joined with those from elsewhere, such as the arguments of a macro.
        let is_near =
            |it: Span| region.is_none_or(|all| all.span.start <= it.start && it.end <= all.span.end);
        let place = token.origin.span;
        let joined = copied.try_fold(place, |all, it| {
            let span = it.origin.span;
            (is_near(span) == is_near(place)).then(|| all.to(span))
        });
        match joined {
            Some(span) => Some(Origin {
                span,
                call: region.and_then(|it| it.call),
            }),
            None => region,
        }
    }

    /// The innermost statement, declaration or step that a range lies in.
    pub fn region(&self, range: Range<u32>) -> Option<Origin> {
        let before = self.regions.partition_point(|it| it.start <= range.start);
        let around = self.regions[..before].iter().rev().find(|it| it.contains(&range));
        around.map(|it| it.origin)
    }

    pub fn tokens(&self) -> &[Piece] {
        &self.tokens
    }

    pub fn regions(&self) -> &[Piece] {
        &self.regions
    }
}
