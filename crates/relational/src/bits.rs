//! Integers as gates: two's complement of a fixed width, with a gate that tells when the width was not enough.
//!
//! Each operation is computed exactly, in as many bits as it needs, and then cut to the width ([`Arithmetic::fit`]).
//! What is cut off is either forgotten ([`Overflow::Wrap`]) or remembered in `undef` ([`Overflow::Forbid`]), which
//! spreads to whatever the value is used for.

use std::collections::VecDeque;

use crate::circuit::{Circuit, Gate};
use crate::logic::IntOp;

/// What an integer operation means when its result does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Overflow {
    /// The value is undefined, and no solution may depend on it.
    #[default]
    Forbid,
    /// The result is cut to the bit width, as in machine arithmetic.
    Wrap,
}

/// An integer: the bits from the lowest up; the last one is the sign and repeats for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bits {
    bits: Vec<Gate>,
    /// Holds when the value is meaningless.
    pub undef: Gate,
}

impl Bits {
    fn exact(bits: Vec<Gate>) -> Bits {
        debug_assert!(!bits.is_empty());
        Bits {
            bits,
            undef: Gate::FALSE,
        }
    }

    pub(crate) fn constant(value: i64) -> Bits {
        let width = 65
            - if value < 0 {
                (!value).leading_zeros()
            } else {
                value.leading_zeros()
            };
        Bits::exact(
            (0..width.min(64))
                .map(|i| Gate::constant(value >> i & 1 == 1))
                .collect(),
        )
    }

    fn width(&self) -> usize {
        self.bits.len()
    }

    fn bit(&self, i: usize) -> Gate {
        self.bits[i.min(self.bits.len() - 1)]
    }

    fn sign(&self) -> Gate {
        self.bit(usize::MAX)
    }

    /// Drops repeated signs at the top: less to compute with.
    fn trim(&mut self) {
        while let [.., a, b] = self.bits[..]
            && a == b
        {
            self.bits.pop();
        }
    }
}

pub(crate) struct Arithmetic<'c> {
    pub circuit: &'c mut Circuit,
    pub width: usize,
    pub overflow: Overflow,
}

impl Arithmetic<'_> {
    /// Cuts an exact result to the width, and says what that does to its meaning.
    fn fit(&mut self, mut exact: Bits, undef: impl IntoIterator<Item = Gate>) -> Bits {
        exact.trim();
        let lost = if exact.width() > self.width {
            let sign = exact.bits[self.width - 1];
            let differ: Vec<Gate> = exact.bits[self.width..].to_vec();
            let differ: Vec<Gate> = differ
                .into_iter()
                .map(|bit| self.circuit.xor(sign, bit))
                .collect();
            exact.bits.truncate(self.width);
            self.circuit.or_all(differ)
        } else {
            Gate::FALSE
        };
        exact.undef = match self.overflow {
            Overflow::Wrap => Gate::FALSE,
            Overflow::Forbid => self.circuit.or_all(undef.into_iter().chain([lost])),
        };
        exact
    }

    pub(crate) fn constant(&mut self, value: i64) -> Bits {
        self.fit(Bits::constant(value), [])
    }

    pub(crate) fn binary(&mut self, op: IntOp, a: &Bits, b: &Bits) -> Bits {
        match op {
            IntOp::Add => self.add(a, b),
            IntOp::Sub => self.sub(a, b),
            IntOp::Mul => self.mul(a, b),
            IntOp::Div => self.div(a, b),
            IntOp::Rem => self.rem(a, b),
            IntOp::Shl => self.shl(a, b),
            IntOp::Shr => self.shift_right(a, b, Gate::FALSE),
            IntOp::Sha => self.shift_right(a, b, a.sign()),
        }
    }

    pub(crate) fn choose(&mut self, holds: Gate, a: &Bits, fails: Gate, b: &Bits) -> Bits {
        let width = a.width().max(b.width());
        let mut bits = Vec::with_capacity(width);
        for i in 0..width {
            let (x, y) = (a.bit(i), b.bit(i));
            bits.push(if holds == !fails {
                self.circuit.ite(holds, x, y)
            } else {
                let x = self.circuit.and(holds, x);
                let y = self.circuit.and(fails, y);
                self.circuit.or(x, y)
            });
        }
        let undef_a = self.circuit.and(holds, a.undef);
        let undef_b = self.circuit.and(fails, b.undef);
        self.fit(Bits::exact(bits), [undef_a, undef_b])
    }

    /// Sum and carry of three bits.
    fn full_adder(&mut self, a: Gate, b: Gate, carry: Gate) -> (Gate, Gate) {
        let differ = self.circuit.xor(a, b);
        let sum = self.circuit.xor(differ, carry);
        let both = self.circuit.and(a, b);
        let passed = self.circuit.and(differ, carry);
        (sum, self.circuit.or(both, passed))
    }

    fn add_exact(&mut self, a: &Bits, b: &Bits, mut carry: Gate, width: usize) -> Bits {
        let mut bits = Vec::with_capacity(width);
        for i in 0..width {
            let (sum, next) = self.full_adder(a.bit(i), b.bit(i), carry);
            bits.push(sum);
            carry = next;
        }
        let mut sum = Bits::exact(bits);
        sum.trim();
        sum
    }

    fn plus_exact(&mut self, a: &Bits, b: &Bits) -> Bits {
        self.add_exact(a, b, Gate::FALSE, a.width().max(b.width()) + 1)
    }

    fn minus_exact(&mut self, a: &Bits, b: &Bits) -> Bits {
        let inverted = Bits::exact(b.bits.iter().map(|&bit| !bit).collect());
        self.add_exact(a, &inverted, Gate::TRUE, a.width().max(b.width()) + 1)
    }

    fn add(&mut self, a: &Bits, b: &Bits) -> Bits {
        let exact = self.plus_exact(a, b);
        self.fit(exact, [a.undef, b.undef])
    }

    fn sub(&mut self, a: &Bits, b: &Bits) -> Bits {
        let exact = self.minus_exact(a, b);
        self.fit(exact, [a.undef, b.undef])
    }

    /// The sum of many integers, each counted where its gate holds, cut only at the end.
    pub(crate) fn sum(&mut self, terms: Vec<(Gate, Bits)>) -> Bits {
        let mut undef = vec![];
        let mut layer: Vec<Bits> = vec![];
        for (gate, term) in terms {
            undef.push(self.circuit.and(gate, term.undef));
            let bits = term.bits.iter().map(|&bit| self.circuit.and(gate, bit)).collect();
            layer.push(Bits::exact(bits));
        }
        while layer.len() > 1 {
            let pairs = layer.chunks(2).map(|pair| match pair {
                [a, b] => self.plus_exact(a, b),
                [a] => a.clone(),
                _ => unreachable!("chunks of two"),
            });
            layer = pairs.collect();
        }
        let exact = layer.pop().unwrap_or(Bits::constant(0));
        self.fit(exact, undef)
    }

    /// How many of the gates hold: full adders fed with three gates of one weight, until each weight has one.
    pub(crate) fn count(&mut self, gates: Vec<Gate>, undef: Gate) -> Bits {
        let mut bits = vec![];
        let mut column = VecDeque::from(gates);
        while !column.is_empty() {
            let mut carries = VecDeque::new();
            while column.len() > 1 {
                let mut take = || column.pop_front().unwrap_or(Gate::FALSE);
                let (a, b, c) = (take(), take(), take());
                let (sum, carry) = self.full_adder(a, b, c);
                // The sum goes to the back of the queue: a balanced tree, not a chain.
                column.push_back(sum);
                if carry != Gate::FALSE {
                    carries.push_back(carry);
                }
            }
            bits.extend(column);
            column = carries;
        }
        bits.push(Gate::FALSE);
        self.fit(Bits::exact(bits), [undef])
    }

    fn mul_exact(&mut self, a: &Bits, b: &Bits) -> Bits {
        let width = a.width() + b.width();
        let mut product = Bits::constant(0);
        for i in 0..a.width() {
            let factor = a.bit(i);
            let mut row = vec![Gate::FALSE; i];
            for j in 0..width - i {
                row.push(self.circuit.and(factor, b.bit(j)));
            }
            let row = Bits::exact(row);
            // The highest bit of two's complement has negative weight.
            product = if i + 1 == a.width() {
                self.minus_exact(&product, &row)
            } else {
                self.plus_exact(&product, &row)
            };
            product.bits = (0..width).map(|k| product.bit(k)).collect();
        }
        product.trim();
        product
    }

    fn mul(&mut self, a: &Bits, b: &Bits) -> Bits {
        let exact = self.mul_exact(a, b);
        self.fit(exact, [a.undef, b.undef])
    }

    fn abs_exact(&mut self, a: &Bits) -> Bits {
        let negated = self.minus_exact(&Bits::constant(0), a);
        self.pick(a.sign(), &negated, a)
    }

    fn pick(&mut self, cond: Gate, a: &Bits, b: &Bits) -> Bits {
        let width = a.width().max(b.width());
        let mut picked = Bits::exact(
            (0..width)
                .map(|i| self.circuit.ite(cond, a.bit(i), b.bit(i)))
                .collect(),
        );
        picked.trim();
        picked
    }

    fn is_zero(&mut self, a: &Bits) -> Gate {
        self.circuit.and_all(a.bits.iter().map(|&bit| !bit))
    }

    /// Quotient and remainder of non-negative numbers: shift and subtract, from the highest bit down.
    fn divide_naturals(&mut self, a: &Bits, b: &Bits) -> (Bits, Bits) {
        let mut quotient = vec![Gate::FALSE; a.width() + 1];
        let mut rest = Bits::constant(0);
        for i in (0..a.width()).rev() {
            let mut shifted = vec![a.bit(i)];
            shifted.extend((0..b.width()).map(|k| rest.bit(k)));
            shifted.push(Gate::FALSE);
            let shifted = Bits::exact(shifted);
            let less = self.minus_exact(&shifted, b);
            quotient[i] = !less.sign();
            rest = self.pick(less.sign(), &shifted, &less);
        }
        let mut quotient = Bits::exact(quotient);
        quotient.trim();
        (quotient, rest)
    }

    /// Quotient and remainder, rounding towards zero. By zero, machine arithmetic gives -1 or 1, against the sign of
    /// the dividend (and 0 for 0), and leaves the dividend as remainder; that is also what Alloy documents.
    fn divide_exact(&mut self, a: &Bits, b: &Bits) -> (Bits, Bits, Gate) {
        let by_zero = self.is_zero(b);
        let (size_a, size_b) = (self.abs_exact(a), self.abs_exact(b));
        let (quotient, rest) = self.divide_naturals(&size_a, &size_b);
        let negated = self.minus_exact(&Bits::constant(0), &quotient);
        let signs_differ = self.circuit.xor(a.sign(), b.sign());
        let quotient = self.pick(signs_differ, &negated, &quotient);
        let negated = self.minus_exact(&Bits::constant(0), &rest);
        let rest = self.pick(a.sign(), &negated, &rest);
        let some = !self.is_zero(a);
        // 1 for a negative dividend, -1 for a positive one, 0 for zero.
        let against = Bits::exact(vec![some, self.circuit.and(some, !a.sign())]);
        let quotient = self.pick(by_zero, &against, &quotient);
        let rest = self.pick(by_zero, a, &rest);
        (quotient, rest, by_zero)
    }

    fn div(&mut self, a: &Bits, b: &Bits) -> Bits {
        let (quotient, _, by_zero) = self.divide_exact(a, b);
        self.fit(quotient, [a.undef, b.undef, by_zero])
    }

    fn rem(&mut self, a: &Bits, b: &Bits) -> Bits {
        let (_, rest, by_zero) = self.divide_exact(a, b);
        self.fit(rest, [a.undef, b.undef, by_zero])
    }

    /// How many bits of a shift distance count: enough to shift a whole word out but for one bit, as Kodkod does it.
    fn distance_bits(&self) -> usize {
        (usize::BITS - (self.width - 1).leading_zeros()) as usize
    }

    fn word(&self, a: &Bits) -> Vec<Gate> {
        (0..self.width).map(|i| a.bit(i)).collect()
    }

    fn shl(&mut self, a: &Bits, b: &Bits) -> Bits {
        let counted = self.distance_bits();
        let mut bits = self.word(a);
        for i in 0..counted {
            let shift = 1 << i;
            let sign = bits[bits.len() - 1];
            let longer = bits.len() + shift;
            let source = bits;
            let at = |k: usize| source.get(k).copied().unwrap_or(sign);
            bits = (0..longer)
                .map(|k| {
                    let moved = if k < shift { Gate::FALSE } else { at(k - shift) };
                    self.circuit.ite(b.bit(i), moved, at(k))
                })
                .collect();
        }
        // A distance with higher bits (or a negative one) shifts everything out: right only for zero.
        let far = self.circuit.or_all((counted..self.width).map(|i| b.bit(i)));
        let nonzero = self.circuit.or_all(a.bits.iter().copied());
        let lost = self.circuit.and(far, nonzero);
        self.fit(Bits::exact(bits), [a.undef, b.undef, lost])
    }

    fn shift_right(&mut self, a: &Bits, b: &Bits, fill: Gate) -> Bits {
        let mut bits = self.word(a);
        for i in 0..self.distance_bits() {
            let source = bits;
            let at = |k: usize| source.get(k).copied().unwrap_or(fill);
            bits = (0..self.width)
                .map(|k| self.circuit.ite(b.bit(i), at(k + (1 << i)), at(k)))
                .collect();
        }
        self.fit(Bits::exact(bits), [a.undef, b.undef])
    }

    pub(crate) fn equal(&mut self, a: &Bits, b: &Bits) -> Gate {
        let width = a.width().max(b.width());
        let mut parts = Vec::with_capacity(width);
        for i in 0..width {
            let same = self.circuit.iff(a.bit(i), b.bit(i));
            if same == Gate::FALSE {
                return Gate::FALSE;
            }
            parts.push(same);
        }
        self.circuit.and_all(parts)
    }

    /// `a < b`, or `a <= b` when `or_equal`: decided by the highest bit that differs.
    pub(crate) fn less(&mut self, a: &Bits, b: &Bits, or_equal: bool) -> Gate {
        let width = a.width().max(b.width());
        let mut less = Gate::constant(or_equal);
        for i in 0..width {
            let (mut x, mut y) = (a.bit(i), b.bit(i));
            if i + 1 == width {
                // The sign counts the other way round.
                (x, y) = (y, x);
            }
            let differ = self.circuit.xor(x, y);
            less = self.circuit.ite(differ, y, less);
        }
        less
    }
}

#[cfg(test)]
#[path = "bits_tests.rs"]
mod tests;
