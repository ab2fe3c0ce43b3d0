//! Every operation, on every pair of four-bit integers, against plain arithmetic.

use super::*;

const WIDTH: u32 = 4;
const MIN: i64 = -8;
const MAX: i64 = 7;

fn wrapped(value: i64) -> i64 {
    (value - MIN).rem_euclid(16) + MIN
}

fn value(bits: &Bits) -> i64 {
    let bit = |gate: Gate| {
        assert!(gate.is_constant(), "constants fold");
        i64::from(gate == Gate::TRUE)
    };
    let top = bits.width() - 1;
    let low: i64 = (0..top).map(|i| bit(bits.bit(i)) << i).sum();
    low - (bit(bits.bit(top)) << top)
}

/// `exact` gives the mathematical result, or none where there is none; `wrap` is what machine arithmetic then says.
fn check(op: IntOp, exact: impl Fn(i64, i64) -> Option<i64>, wrap: impl Fn(i64, i64) -> i64) {
    for a in MIN..=MAX {
        for b in MIN..=MAX {
            for overflow in [Overflow::Forbid, Overflow::Wrap] {
                let mut circuit = Circuit::new();
                let mut arithmetic = Arithmetic {
                    circuit: &mut circuit,
                    width: WIDTH as usize,
                    overflow,
                };
                let (x, y) = (arithmetic.constant(a), arithmetic.constant(b));
                let got = arithmetic.binary(op, &x, &y);
                let fits = exact(a, b).filter(|value| (MIN..=MAX).contains(value));
                match (overflow, fits) {
                    (Overflow::Forbid, None) => assert_eq!(got.undef, Gate::TRUE, "{a} {b}"),
                    (_, Some(fits)) => {
                        assert_eq!(got.undef, Gate::FALSE, "{a} {b}");
                        assert_eq!(value(&got), fits, "{a} {b}");
                    }
                    (Overflow::Wrap, None) => {
                        assert_eq!(got.undef, Gate::FALSE);
                        assert_eq!(value(&got), wrapped(wrap(a, b)), "{a} {b}");
                    }
                }
            }
        }
    }
}

#[test]
fn sums_and_products() {
    check(IntOp::Add, |a, b| Some(a + b), |a, b| a + b);
    check(IntOp::Sub, |a, b| Some(a - b), |a, b| a - b);
    check(IntOp::Mul, |a, b| Some(a * b), |a, b| a * b);
}

#[test]
fn quotients_and_remainders() {
    check(
        IntOp::Div,
        |a, b| a.checked_div(b),
        |a, b| if b == 0 { -a.signum() } else { a / b },
    );
    check(IntOp::Rem, |a, b| a.checked_rem(b), |a, _| a);
}

#[test]
fn shifts() {
    let distance = |b: i64| (b & 3) as u32;
    let unsigned = |b: i64| (b & 15) as u32;
    check(IntOp::Shl, |a, b| Some(a << unsigned(b)), |a, b| a << distance(b));
    check(IntOp::Sha, |a, b| Some(a >> distance(b)), |_, _| unreachable!());
    check(
        IntOp::Shr,
        |a, b| Some(wrapped((a & 15) >> distance(b))),
        |_, _| unreachable!(),
    );
}

#[test]
fn order() {
    for a in MIN..=MAX {
        for b in MIN..=MAX {
            let mut circuit = Circuit::new();
            let mut arithmetic = Arithmetic {
                circuit: &mut circuit,
                width: WIDTH as usize,
                overflow: Overflow::Forbid,
            };
            let (x, y) = (arithmetic.constant(a), arithmetic.constant(b));
            assert_eq!(arithmetic.less(&x, &y, false), Gate::constant(a < b));
            assert_eq!(arithmetic.less(&x, &y, true), Gate::constant(a <= b));
            assert_eq!(arithmetic.equal(&x, &y), Gate::constant(a == b));
        }
    }
}

#[test]
fn counts_and_guarded_sums() {
    for n in 0..12 {
        let mut circuit = Circuit::new();
        let mut arithmetic = Arithmetic {
            circuit: &mut circuit,
            width: WIDTH as usize,
            overflow: Overflow::Forbid,
        };
        let gates = (0..12).map(|i| Gate::constant(i < n)).collect();
        let count = arithmetic.count(gates, Gate::FALSE);
        assert_eq!(count.undef, Gate::constant(n > MAX));
        if n <= MAX {
            assert_eq!(value(&count), n);
        }
        // 7 + 7 - 7 - 7 + … overflows on the way, but not in the end.
        let terms = (0..n)
            .map(|i| (Gate::TRUE, arithmetic.constant(if i % 4 < 2 { 7 } else { -7 })))
            .collect();
        let sum = arithmetic.sum(terms);
        let exact: i64 = (0..n).map(|i| if i % 4 < 2 { 7 } else { -7 }).sum();
        assert_eq!(sum.undef, Gate::constant(exact > MAX));
    }
}
