//! Recursion over trees that users may nest as deep as they like.

/// Stack that must be left before a recursive step; the frames between two calls of [`deep`] fit into it.
const RED_ZONE: usize = 128 * 1024;
/// What is added when the red zone is reached. Large, because a spec that nests once nests often.
const GROWTH: usize = 8 * 1024 * 1024;

/// Runs `step` with enough stack for it, moving to a new segment when the current one is nearly used up.
///
/// Every function that recurses over a user's expression calls this once per level, so that nesting ends in a
/// diagnostic (or in a result) and never in a stack overflow.
#[inline]
pub fn deep<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, GROWTH, step)
}

#[cfg(test)]
mod tests {
    use super::deep;

    fn depth(n: u64) -> u64 {
        deep(|| if n == 0 { 0 } else { 1 + depth(n - 1) })
    }

    #[test]
    fn a_million_levels_fit() {
        assert_eq!(depth(1_000_000), 1_000_000);
    }
}
