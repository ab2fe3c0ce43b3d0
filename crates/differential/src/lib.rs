//! One question asked in every way: a specification is checked with each store, layout and number of workers, by one process
//! and by several, in one go and with an interruption, and all answers must be the same.
//!
//! [`compare`] is the judge, [`shrink`] makes what it found small, and `main` does both for as long as one likes.

pub mod alloy;
pub mod answer;
pub mod modes;
pub mod peer;
pub mod shrink;

use testkit::Specification;

use answer::Answer;
use modes::Mode;

/// Two answers to one question.
#[derive(Clone, Debug)]
pub struct Difference {
    pub modes: [Mode; 2],
    /// The first thing they differ in, such as `verdict` or `distinct`.
    pub what: &'static str,
    pub answers: [String; 2],
}

/// What came of one specification.
#[derive(Clone, Debug)]
pub struct Compared {
    /// As the plainest mode says.
    pub answer: Answer,
    pub difference: Option<Difference>,
    pub n_modes: usize,
}

/// Checks a specification in all these modes; the first is what the others are compared with. To read and to resolve it is the same for all
/// of them, so that it is refused there is a difference from what the language allows.
pub fn compare(specification: &Specification, modes: &[Mode]) -> Compared {
    let plain = modes::run(specification, modes[0]);
    let mut compared = Compared {
        answer: plain.clone(),
        difference: None,
        n_modes: 1,
    };
    if let Some(refusal) = plain.refusal() {
        compared.difference = Some(Difference {
            modes: [modes[0]; 2],
            what: "refused",
            answers: [refusal, "the language allows it".into()],
        });
        return compared;
    }
    for &mode in &modes[1..] {
        if !mode.is_possible(&specification.config) {
            continue;
        }
        compared.n_modes += 1;
        let answer = modes::run(specification, mode);
        if let Some((what, answers)) = plain.difference(&answer, mode) {
            compared.difference = Some(Difference {
                modes: [modes[0], mode],
                what,
                answers,
            });
            break;
        }
    }
    compared
}
