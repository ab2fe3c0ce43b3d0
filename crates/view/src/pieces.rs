//! Which piece is which: sets of points have no names, but a person wants to see one of them move.
//!
//! A piece that has not changed keeps its number. Of the others, each takes the number of the nearest one that has gone
//! and was of the same shape; what is left over is new. The rule reads the same backwards, so undoing a step gives the
//! same numbers again.

use crate::shape::Place;

#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces {
    known: Vec<(usize, Vec<Place>)>,
    n_given: usize,
}

impl Pieces {
    /// The number of each piece, given those of the state before.
    pub(crate) fn number(&mut self, pieces: &[&[Place]]) -> Vec<usize> {
        let mut numbers: Vec<Option<usize>> = vec![None; pieces.len()];
        let mut gone: Vec<(usize, Vec<Place>)> = vec![];
        for (number, places) in std::mem::take(&mut self.known) {
            match pieces.iter().position(|it| *it == places) {
                Some(same) => numbers[same] = Some(number),
                None => gone.push((number, places)),
            }
        }
        for (i, piece) in pieces.iter().enumerate() {
            if numbers[i].is_some() {
                continue;
            }
            let nearest = (0..gone.len())
                .filter(|&it| is_same_shape(&gone[it].1, piece))
                .min_by_key(|&it| (distance(&gone[it].1, piece), gone[it].0));
            numbers[i] = Some(match nearest {
                Some(it) => gone.remove(it).0,
                None => {
                    self.n_given += 1;
                    self.n_given - 1
                }
            });
        }
        let numbers: Vec<usize> = numbers.into_iter().flatten().collect();
        self.known = numbers
            .iter()
            .zip(pieces)
            .map(|(&number, piece)| (number, piece.to_vec()))
            .collect();
        // One that has gone for good may come back in another state of the same trace.
        self.known.extend(gone);
        numbers
    }
}

fn is_same_shape(a: &[Place], b: &[Place]) -> bool {
    let (Some(from), Some(to)) = (a.first(), b.first()) else {
        return a.len() == b.len();
    };
    let offset = (to.0 - from.0, to.1 - from.1);
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(it, other)| (it.0 + offset.0, it.1 + offset.1) == *other)
}

fn distance(a: &[Place], b: &[Place]) -> u64 {
    match (a.first(), b.first()) {
        (Some(from), Some(to)) => from.0.abs_diff(to.0) + from.1.abs_diff(to.1),
        _ => 0,
    }
}

/// `A`, `B`, … `Z`, `AA`, …
pub(crate) fn letter(number: usize) -> String {
    let mut text = vec![];
    let mut rest = number;
    loop {
        text.push(b'A' + (rest % 26) as u8);
        match (rest / 26).checked_sub(1) {
            Some(more) => rest = more,
            None => break,
        }
    }
    text.iter().rev().map(|&it| char::from(it)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_go_on() {
        assert_eq!([0, 25, 26, 27, 702].map(letter), ["A", "Z", "AA", "AB", "AAA"]);
    }

    #[test]
    fn a_piece_is_followed() {
        let mut pieces = Pieces::default();
        assert_eq!(
            pieces.number(&[&[(0, 0)], &[(0, 1)], &[(0, 2), (1, 2)]]),
            [0, 1, 2]
        );
        // The bar moves, and one dot; the order is another one.
        assert_eq!(
            pieces.number(&[&[(0, 0)], &[(0, 3), (1, 3)], &[(1, 1)]]),
            [0, 2, 1]
        );
        assert_eq!(
            pieces.number(&[&[(0, 0)], &[(0, 1)], &[(0, 2), (1, 2)]]),
            [0, 1, 2]
        );
    }
}
