//! Integers without bound: machine words on the fast path, never a silent wrap-around.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Pow, Signed, Zero};

use crate::{Arena, Trouble, Value};

fn to_big(value: Value<'_>) -> Result<BigInt, Trouble> {
    match value {
        Value::Int(it) => Ok(BigInt::from(it)),
        Value::Big(it) => Ok(it.clone()),
        _ => Err(Trouble::NotAnInteger),
    }
}

/// The order of two integers; anything else is equal, so ask only for integers.
pub fn int_cmp(a: Value<'_>, b: Value<'_>) -> Ordering {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(&b),
        (Value::Big(a), Value::Big(b)) => a.cmp(b),
        // A big integer lies outside the machine word: its sign decides.
        (Value::Big(a), _) => {
            if a.is_negative() {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (_, Value::Big(b)) => {
            if b.is_negative() {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        _ => Ordering::Equal,
    }
}

macro_rules! arithmetic {
    ($(#[$doc:meta])* $name:ident, $checked:ident, $operator:tt) => {
        $(#[$doc])*
        #[inline]
        pub fn $name<'v>(a: Value<'v>, b: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
            if let (Value::Int(a), Value::Int(b)) = (a, b)
                && let Some(result) = a.$checked(b)
            {
                return Ok(Value::Int(result));
            }
            Ok(Value::big(to_big(a)? $operator to_big(b)?, arena))
        }
    };
}

arithmetic!(add, checked_add, +);
arithmetic!(subtract, checked_sub, -);
arithmetic!(multiply, checked_mul, *);

pub fn negate<'v>(a: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    subtract(Value::Int(0), a, arena)
}

/// `a \div b`, rounded towards minus infinity: `a = b * (a \div b) + (a % b)` with `0 <= a % b < b` for positive `b`.
pub fn divide<'v>(a: Value<'v>, b: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    match (a, b) {
        (_, Value::Int(0)) => Err(Trouble::DivisionByZero),
        (Value::Int(a), Value::Int(b)) if (a, b) != (i64::MIN, -1) => {
            Ok(Value::Int(Integer::div_floor(&a, &b)))
        }
        _ => Ok(Value::big(to_big(a)?.div_floor(&to_big(b)?), arena)),
    }
}

/// `a % b` for positive `b`.
pub fn modulo<'v>(a: Value<'v>, b: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    match (a, b) {
        (_, Value::Int(b)) if b <= 0 => Err(Trouble::NotPositive),
        (Value::Int(a), Value::Int(b)) => Ok(Value::Int(Integer::mod_floor(&a, &b))),
        _ => Ok(Value::big(to_big(a)?.mod_floor(&to_big(b)?), arena)),
    }
}

/// `a ^ b` for `b >= 0`, not both 0.
pub fn power<'v>(a: Value<'v>, b: Value<'v>, arena: &'v Arena) -> Result<Value<'v>, Trouble> {
    /// A result of more bits than this is refused rather than computed.
    const BITS_MAX: u64 = 1 << 24;
    let (base, exponent) = (to_big(a)?, to_big(b)?);
    if exponent.is_negative() {
        return Err(Trouble::NegativeExponent);
    }
    if exponent.is_zero() {
        // 0^0 is not specified.
        return if base.is_zero() {
            Err(Trouble::ZeroToZero)
        } else {
            Ok(Value::Int(1))
        };
    }
    let small = u32::try_from(&exponent);
    match small {
        Ok(exponent) if base.bits().saturating_mul(u64::from(exponent)) <= BITS_MAX => {
            Ok(Value::big(base.pow(exponent), arena))
        }
        _ if base.bits() <= 1 => {
            // -1, 0 and 1 have powers of any size.
            let odd = exponent.is_odd();
            Ok(Value::big(
                if base.is_negative() && !odd { -base } else { base },
                arena,
            ))
        }
        _ => Err(Trouble::TooMany),
    }
}
