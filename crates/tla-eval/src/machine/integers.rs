//! Arithmetic: machine integers in registers as long as they last.

use super::*;

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// The machine integer that an expression gives; results of this type stay in registers. Whatever else it gives is put
    /// aside in `odd.1`.
    fn int(&mut self, code: &'i Code<'i>) -> Result<i64, Odd> {
        let value = match &code.kind {
            Kind::Const(_) | Kind::Local(_) if let Some(Value::Int(it)) = self.peek(code) => return Ok(*it),
            Kind::Arith(op @ (Arith::Add | Arith::Sub | Arith::Mul | Arith::Div | Arith::Mod), two) => {
                match self.ints(two) {
                    Ok((x, y)) => match int_arithmetic(*op, x, y) {
                        Some(it) => return Ok(it),
                        None => self.wide_arithmetic(*op, Value::Int(x), Value::Int(y), code.at),
                    },
                    Err(Odd::Fault(fault)) => Err(fault),
                    Err(Odd::Value) => self.wide_arithmetic(*op, self.odd.0, self.odd.1, code.at),
                }
            }
            Kind::Apply(two) if !self.tracking && matches!(two[1].kind, Kind::Const(_)) => {
                if let Some(it) = self.item_of_local(two) {
                    return Ok(it);
                }
                match (self.operand(&two[0]), &two[1].kind) {
                    (Ok(Value::Tuple(it)), Kind::Const(Value::Int(n)))
                        if *n >= 1 && *n as usize <= it.items.len() =>
                    {
                        Ok(it.items[*n as usize - 1])
                    }
                    (Ok(function), Kind::Const(arg)) => self.apply(function, *arg, code.at),
                    (Err(Fault::Error), _) if self.met_no_end() => self.value_written(code, code.at),
                    (other, _) => other,
                }
            }
            _ => self.operand(code),
        };
        match value {
            Ok(Value::Int(it)) => Ok(it),
            Ok(other) => {
                self.odd.1 = other;
                Err(Odd::Value)
            }
            Err(fault) => Err(Odd::Fault(fault)),
        }
    }

    /// `x[n]` for a tuple that a name of this frame holds.
    #[inline]
    fn item_of_local(&self, two: &[Code<'i>; 2]) -> Option<i64> {
        let (Some(Value::Tuple(tuple)), Kind::Const(Value::Int(n))) = (self.peek(&two[0]), &two[1].kind)
        else {
            return None;
        };
        match tuple.items.get((*n as usize).wrapping_sub(1)) {
            Some(Value::Int(it)) => Some(*it),
            _ => None,
        }
    }

    /// Two machine integers; if one of them is none, both values are put aside in `odd`.
    #[inline(always)]
    fn ints(&mut self, two: &'i [Code<'i>; 2]) -> Result<(i64, i64), Odd> {
        let x = match self.int(&two[0]) {
            Ok(x) => x,
            Err(Odd::Value) => {
                let a = self.odd.1;
                let b = self.operand(&two[1]).map_err(Odd::Fault)?;
                self.odd = (a, b);
                return Err(Odd::Value);
            }
            Err(fault) => return Err(fault),
        };
        let y = self.int(&two[1]).inspect_err(|_| self.odd.0 = Value::Int(x))?;
        Ok((x, y))
    }

    /// `<` and the like.
    pub(super) fn in_order(&mut self, op: Arith, two: &'i [Code<'i>; 2], at: ExprId) -> Result<bool, Fault> {
        let order = match self.ints(two) {
            Ok((x, y)) => x.cmp(&y),
            Err(Odd::Fault(fault)) => return Err(fault),
            Err(Odd::Value) => {
                let (a, b) = self.odd;
                if a.kind() != value::Kind::Integer || b.kind() != value::Kind::Integer {
                    return Err(self.trouble(Trouble::NotAnInteger, &[a, b], at));
                }
                value::int_cmp(a, b)
            }
        };
        Ok(match op {
            Arith::Lt => order.is_lt(),
            Arith::Gt => order.is_gt(),
            Arith::Le => order.is_le(),
            _ => order.is_ge(),
        })
    }

    pub(super) fn arithmetic(&mut self, op: Arith, two: &'i [Code<'i>; 2], at: ExprId) -> Res<'t> {
        match (op, self.ints(two)) {
            (Arith::Range, Ok((x, y))) => Ok(Value::interval(x, y, self.arena)),
            (_, Ok((x, y))) => match int_arithmetic(op, x, y) {
                Some(it) => Ok(Value::Int(it)),
                None => self.wide_arithmetic(op, Value::Int(x), Value::Int(y), at),
            },
            (_, Err(Odd::Fault(fault))) => Err(fault),
            (_, Err(Odd::Value)) => self.wide_arithmetic(op, self.odd.0, self.odd.1, at),
        }
    }

    /// Arithmetic on values of any size, and on what are no numbers.
    #[cold]
    fn wide_arithmetic(&mut self, op: Arith, a: Value<'t>, b: Value<'t>, at: ExprId) -> Res<'t> {
        let arena = self.arena;
        let result = match op {
            Arith::Add => value::add(a, b, arena),
            Arith::Sub => value::subtract(a, b, arena),
            Arith::Mul => value::multiply(a, b, arena),
            Arith::Div => value::divide(a, b, arena),
            Arith::Mod => value::modulo(a, b, arena),
            Arith::Pow => value::power(a, b, arena),
            Arith::Lt | Arith::Gt | Arith::Le | Arith::Ge => Err(Trouble::Unsupported),
            Arith::Range => match (a.kind(), b.kind()) {
                (value::Kind::Integer, value::Kind::Integer) => Err(Trouble::TooMany),
                _ => Err(Trouble::NotAnInteger),
            },
        };
        result.map_err(|it| match it {
            Trouble::TooMany => self.fail(
                ErrorKind::Unsupported {
                    what: "a number with so many digits",
                },
                at,
            ),
            _ => self.trouble(it, &[a, b], at),
        })
    }
}

/// Why a machine integer was not found.
enum Odd {
    Fault(Fault),
    /// It is another value.
    Value,
}

/// Arithmetic on machine integers; nothing where the result is none, or there is a rule to be kept.
#[inline]
fn int_arithmetic(op: Arith, x: i64, y: i64) -> Option<i64> {
    match op {
        Arith::Add => x.checked_add(y),
        Arith::Sub => x.checked_sub(y),
        Arith::Mul => x.checked_mul(y),
        Arith::Div if y > 0 => Some(x.div_euclid(y)),
        Arith::Mod if y > 0 => Some(x.rem_euclid(y)),
        _ => None,
    }
}
