//! `Statistics`: Pearson's goodness-of-fit test, in floating point like every table of it.

use value::Value;

use super::{Row, row};

pub(super) const ROWS: &[Row] = &[row("Statistics", "ChiSquare", "vvv", |machine, given, at| {
    let [expected, actual, alpha] = machine.values(given);
    let text = machine.string(alpha, at)?;
    let Some(alpha) = text
        .as_str()
        .trim()
        .parse::<f64>()
        .ok()
        .filter(|it| *it > 0.0 && *it <= 0.5)
    else {
        let why = format!("the level of significance is a number above 0 and at most 0.5, not {alpha}");
        return Err(machine.undefined("ChiSquare", why, at));
    };
    let (expected, actual) = (machine.graph(expected, at)?, machine.graph(actual, at)?);
    if expected.len() != actual.len() || expected.len() < 2 {
        return Err(machine.undefined(
            "ChiSquare",
            "both functions need the same two or more arguments",
            at,
        ));
    }
    let mut counts = vec![];
    for (&(_, expected), &(_, actual)) in expected.iter().zip(&actual) {
        let (expected, actual) = (machine.integer(expected, at)?, machine.integer(actual, at)?);
        if expected <= 0 || actual < 0 {
            let why = "the expected numbers must be positive, the counted ones not negative";
            return Err(machine.undefined("ChiSquare", why, at));
        }
        counts.push((expected as f64, actual as f64));
    }
    Ok(Value::bool(p_value(&counts) >= alpha))
})];

/// The probability of a deviation at least as large, when the expectation (scaled to the same total) is right.
fn p_value(counts: &[(f64, f64)]) -> f64 {
    let (expected, actual) = counts.iter().fold((0.0, 0.0), |(a, b), &(expected, actual)| {
        (a + expected, b + actual)
    });
    let ratio = actual / expected;
    let deviation =
        |&(expected, actual): &(f64, f64)| (actual - ratio * expected).powi(2) / (ratio * expected);
    let statistic: f64 = if ratio == 0.0 {
        0.0
    } else {
        counts.iter().map(deviation).sum()
    };
    1.0 - gamma_p((counts.len() - 1) as f64 / 2.0, statistic / 2.0)
}

/// The regularized lower incomplete gamma function, by its series below the bend and by the continued fraction of
/// its complement above it (Numerical Recipes, 6.2).
fn gamma_p(a: f64, x: f64) -> f64 {
    const STEPS_MAX: usize = 10_000;
    const TINY: f64 = 1e-300;
    if x <= 0.0 {
        return 0.0;
    }
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for n in 1..STEPS_MAX {
            term *= x / (a + n as f64);
            sum += term;
            if term < sum * f64::EPSILON {
                break;
            }
        }
        return sum * scale;
    }
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for n in 1..STEPS_MAX {
        let n = n as f64;
        let factor = -n * (n - a);
        b += 2.0;
        d = 1.0 / not_zero(factor * d + b);
        c = not_zero(b + factor / c);
        fraction *= d * c;
        if (d * c - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    fn not_zero(it: f64) -> f64 {
        if it.abs() < TINY { TINY } else { it }
    }
    1.0 - fraction * scale
}

/// Stirling's series, after the argument was shifted to where it is exact enough.
fn ln_gamma(x: f64) -> f64 {
    let mut shift = 0.0;
    let mut x = x;
    while x < 15.0 {
        shift += x.ln();
        x += 1.0;
    }
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series - shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distribution_has_its_known_values() {
        // Quantiles from the tables: chi-square 3.841 with 1, 11.070 with 5, 124.342 with 100 degrees of freedom at 0.05.
        for (freedom, statistic) in [(1.0, 3.841_459), (5.0, 11.070_498), (100.0, 124.342_113)] {
            let p = 1.0 - gamma_p(freedom / 2.0, statistic / 2.0);
            assert!((p - 0.05).abs() < 1e-6, "{freedom}: {p}");
        }
    }
}
