//! "Did you mean": the nearest known name, when one is near enough.

/// The candidate that `name` was probably meant to be: a change of case, or a few edits in proportion to its length.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let edits_max = match name.chars().count() {
        0 | 1 => return None,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    };
    candidates
        .into_iter()
        .filter(|&it| it != name)
        .map(|it| {
            let edits = if it.eq_ignore_ascii_case(name) { 0 } else { strsim::damerau_levenshtein(name, it) };
            (edits, it)
        })
        .filter(|&(edits, _)| edits <= edits_max)
        // Ties go to the alphabetically first, so that the message does not depend on the order of declarations.
        .min()
        .map(|(_, it)| it)
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn suggests_only_what_is_near() {
        let names = ["winningPosition", "WinningPositions", "board"];
        assert_eq!(closest("winningPostion", names), Some("winningPosition"));
        assert_eq!(closest("BOARD", names), Some("board"));
        assert_eq!(closest("player", names), None);
        assert_eq!(closest("x", ["y"]), None);
    }
}
