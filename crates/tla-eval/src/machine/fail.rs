//! Errors: from trouble with values to what is told, away from the fast path.

use super::*;

impl<'t, 'i: 't> Machine<'t, 'i> {
    #[cold]
    #[inline(never)]
    pub(crate) fn fail(&mut self, kind: ErrorKind, at: ExprId) -> Fault {
        if self.error.is_none() {
            self.error = Some(Box::new(EvalError {
                kind,
                at,
                chain: vec![],
            }));
        }
        Fault::Error
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn wrong(&mut self, need: &'static str, got: Value<'t>, at: ExprId) -> Fault {
        let got = shown(got);
        self.fail(ErrorKind::WrongKind { need, got }, at)
    }

    /// Turns trouble with one set into an error.
    #[cold]
    #[inline(never)]
    pub(crate) fn trouble(&mut self, trouble: Trouble, values: &[Value<'t>], at: ExprId) -> Fault {
        // A union whose elements cannot be compared is met where they would have to be: the two sides tell more than the whole.
        let sides = values.iter().find_map(|&it| union_sides(it));
        let values = match (trouble, &sides) {
            (Trouble::Mismatch, Some(sides)) => &sides[..],
            _ => values,
        };
        let text = |i: usize| values.get(i).map_or(String::new(), |&it| shown(it));
        let kind = match trouble {
            Trouble::Mismatch => ErrorKind::Mismatch {
                a: text(0),
                b: text(1),
            },
            Trouble::NotASet => {
                let got = values
                    .iter()
                    .find(|it| it.kind() != value::Kind::Set)
                    .map_or(text(0), |&it| shown(it));
                ErrorKind::WrongKind { need: "a set", got }
            }
            Trouble::NotAFunction => ErrorKind::WrongKind {
                need: "a function",
                got: text(0),
            },
            Trouble::NotInDomain => ErrorKind::NotInDomain {
                function: text(0),
                arg: text(1),
            },
            Trouble::NotAnInteger => {
                let got = values
                    .iter()
                    .find(|it| it.kind() != value::Kind::Integer)
                    .map_or(text(0), |&it| shown(it));
                ErrorKind::WrongKind {
                    need: "an integer",
                    got,
                }
            }
            Trouble::Infinite => ErrorKind::Infinite { set: text(0) },
            Trouble::TooMany => ErrorKind::TooMany { set: text(0) },
            Trouble::DivisionByZero => ErrorKind::DivisionByZero,
            Trouble::NotPositive => ErrorKind::NotPositive { got: text(1) },
            Trouble::ZeroToZero => ErrorKind::Undefined {
                operator: "^",
                why: "0^0 has no value".to_owned(),
            },
            Trouble::NegativeExponent => ErrorKind::NegativeExponent { got: text(1) },
            Trouble::Unsupported | Trouble::Filtered => ErrorKind::Unsupported {
                what: "this combination of values",
            },
        };
        self.fail(kind, at)
    }

    /// Notes on the way out of an error through which definition it went.
    #[cold]
    #[inline(never)]
    pub(crate) fn called(&mut self, proc: ProcId, at: ExprId) {
        /// Deep recursion is told by its first and last calls.
        const CHAIN_MAX: usize = 64;
        let name: Symbol = self.program.procs[proc].name;
        if let Some(error) = &mut self.error
            && error.chain.len() < CHAIN_MAX
        {
            error.chain.push((name, at));
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn not_contained(
        &mut self,
        trouble: Trouble,
        set: Value<'t>,
        item: Value<'t>,
        at: ExprId,
    ) -> Fault {
        match trouble {
            Trouble::Mismatch => self.trouble(trouble, &[item, set], at),
            _ => self.trouble(trouble, &[set, item], at),
        }
    }
}

/// What a union that could not be listed is a union of.
fn union_sides(value: Value<'_>) -> Option<[Value<'_>; 2]> {
    match value {
        Value::Symbolic(Symbolic::Union(a, b)) => Some([*a, *b]),
        _ => None,
    }
}

/// A value in a message: long ones are cut.
pub(crate) fn shown(value: Value<'_>) -> String {
    value::text_up_to(value, 400)
}
