//! The algebra of sets: `\cup`, `\cap`, `\`, `UNION`, and what can be said of them without making every set on the way.

use super::*;

impl<'t, 'i: 't> Machine<'t, 'i> {
    pub(super) fn cup(&mut self, two: &'i [Code<'i>; 2], at: ExprId) -> Res<'t> {
        let [left, right] = two;
        let Some(item) = right.only_item() else {
            let (a, b) = self.both(two)?;
            return self.union(a, b, at);
        };
        if let Kind::Minus(inner) = &left.kind
            && let Some(out) = inner[1].only_item()
        {
            let set = self.operand(&inner[0])?;
            let out = self.operand(out)?;
            let item = self.operand(item)?;
            if let Some(made) = value::replaced(set, out, item, self.arena) {
                return Ok(made);
            }
            let rest = self.without(set, out, left.at)?;
            return self.with(rest, item, at);
        }
        let set = self.operand(left)?;
        let item = self.operand(item)?;
        self.with(set, item, at)
    }

    pub(super) fn minus(&mut self, two: &'i [Code<'i>; 2], at: ExprId) -> Res<'t> {
        let Some(item) = two[1].only_item() else {
            let (a, b) = self.both(two)?;
            return self.difference(a, b, at);
        };
        let set = self.operand(&two[0])?;
        let item = self.operand(item)?;
        self.without(set, item, at)
    }

    pub(super) fn union_all(&mut self, sets: Value<'t>, at: ExprId) -> Res<'t> {
        value::union_all(sets, self.arena).map_err(|it| match (it, sets.kind()) {
            (Trouble::NotASet, value::Kind::Set) => {
                let got = shown(sets);
                self.fail(
                    ErrorKind::WrongKind {
                        need: "a set of sets",
                        got,
                    },
                    at,
                )
            }
            _ => self.trouble(it, &[sets], at),
        })
    }

    /// `a \cap b = {}`.
    pub(super) fn are_apart(&mut self, two: &'i [Code<'i>; 2], at: ExprId) -> Result<bool, Fault> {
        let [left, right] = two;
        let a = self.operand(left)?;
        let b = match (&right.kind, a) {
            (Kind::Union(parts), Value::Bits(few)) => {
                let (all, except) = match &parts.kind {
                    Kind::Minus(two) if let Some(item) = two[1].only_item() => {
                        (self.operand(&two[0])?, Some(self.operand(item)?))
                    }
                    _ => (self.operand(parts)?, None),
                };
                if let Some(known) = value::is_apart_from_all(few, all, except) {
                    return Ok(known);
                }
                let sets = match except {
                    Some(item) => self.without(all, item, parts.at)?,
                    None => all,
                };
                self.union_all(sets, right.at)?
            }
            _ => self.operand(right)?,
        };
        match (a, b) {
            (Value::Bits(a), Value::Bits(b)) if let Some(known) = a.is_apart(b) => Ok(known),
            _ => {
                let both = self.intersection(a, b, at)?;
                value::equal(both, Value::empty_set()).map_err(|it| self.trouble(it, &[both], at))
            }
        }
    }

    pub(super) fn intersection(&mut self, a: Value<'t>, b: Value<'t>, at: ExprId) -> Res<'t> {
        match value::intersection(a, b, self.arena) {
            Err(Trouble::Filtered) if value::is_finite(a) == Ok(true) => self.kept(a, b, true, at),
            Err(Trouble::Filtered) => self.kept(b, a, true, at),
            other => other.map_err(|it| self.trouble(it, &[a, b], at)),
        }
    }

    /// A set with its elements listed, if there is an end to them.
    pub(super) fn listed_set(&mut self, code: &'i Code<'i>, at: ExprId) -> Res<'t> {
        let set = self.set(code)?;
        match set {
            Value::Symbolic(it)
                if !matches!(it, Symbolic::Interval(..)) && value::is_finite(set) == Ok(true) =>
            {
                value::spell_out(set, self.arena).map_err(|it| self.trouble(it, &[set], at))
            }
            _ => Ok(set),
        }
    }

    fn union(&mut self, a: Value<'t>, b: Value<'t>, at: ExprId) -> Res<'t> {
        value::union(a, b, self.arena).map_err(|it| self.trouble(it, &[a, b], at))
    }

    fn difference(&mut self, a: Value<'t>, b: Value<'t>, at: ExprId) -> Res<'t> {
        match value::difference(a, b, self.arena) {
            Err(Trouble::Filtered) => self.kept(a, b, false, at),
            other => other.map_err(|it| self.trouble(it, &[a, b], at)),
        }
    }

    /// `set \cup {item}`.
    #[inline]
    fn with(&mut self, set: Value<'t>, item: Value<'t>, at: ExprId) -> Res<'t> {
        match value::with(set, item, self.arena) {
            Some(made) => Ok(made),
            None => {
                let one = self.make_set(bumpalo::vec![in self.arena; item], at)?;
                self.union(set, one, at)
            }
        }
    }

    /// `set \ {item}`.
    #[inline]
    fn without(&mut self, set: Value<'t>, item: Value<'t>, at: ExprId) -> Res<'t> {
        match value::without(set, item, self.arena) {
            Some(made) => Ok(made),
            None => {
                let one = self.make_set(bumpalo::vec![in self.arena; item], at)?;
                self.difference(set, one, at)
            }
        }
    }
}
