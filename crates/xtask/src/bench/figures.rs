//! Means, and how to compare what is measured now with what was before.

/// None of nothing.
pub fn mean(figures: &[f64]) -> Option<f64> {
    (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / figures.len() as f64)
}

/// The mean of ratios: a twofold gain and a twofold loss are no change. None of nothing.
pub fn geometric_mean(figures: &[f64]) -> Option<f64> {
    let logarithms: Vec<f64> = figures.iter().map(|it| it.ln()).collect();
    mean(&logarithms).map(f64::exp)
}

pub fn least(figures: &[f64]) -> Option<f64> {
    figures.iter().copied().reduce(f64::min)
}

/// What became of a figure of which less is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    Loss,
    Same,
    Gain,
}

/// Whether a figure changed by more than `tolerance` of a hundred.
pub fn change(before: u64, now: u64, tolerance: u64) -> Change {
    let [before, now, tolerance] = [before, now, tolerance].map(u128::from);
    match now * 100 {
        it if it > before * (100 + tolerance) => Change::Loss,
        it if it < before * (100 - tolerance) => Change::Gain,
        _ => Change::Same,
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, change, geometric_mean, least, mean};

    #[test]
    fn means() {
        assert_eq!(mean(&[1.0, 2.0, 6.0]), Some(3.0));
        assert_eq!(geometric_mean(&[]), None);
        let ratio = geometric_mean(&[2.0, 8.0, 0.5]).unwrap();
        assert!((ratio - 2.0).abs() < 1e-12, "{ratio}");
        assert_eq!(least(&[3.0, 0.5, 7.0]), Some(0.5));
    }

    #[test]
    fn two_of_a_hundred_are_no_change() {
        assert_eq!(change(1000, 1020, 2), Change::Same);
        assert_eq!(change(1000, 1021, 2), Change::Loss);
        assert_eq!(change(1000, 980, 2), Change::Same);
        assert_eq!(change(1000, 979, 2), Change::Gain);
    }
}
