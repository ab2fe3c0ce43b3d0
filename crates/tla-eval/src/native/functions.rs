//! `Functions`: ranges, inverses, and the functions that take every value at most or at least once.

use bumpalo::collections::Vec as ArenaVec;
use num_bigint::BigUint;
use tla_sema::ir::ExprId;
use value::{Arena, Value};

use super::{Given, Row, row};
use crate::error::Fault;
use crate::machine::{Machine, Res};

pub(super) const ROWS: &[Row] = &[
    row("Functions", "Range", "v", |machine, given, at| {
        let function = machine.value_arg(given, 0);
        let values: Vec<Value<'_>> = machine.graph(function, at)?.iter().map(|&(_, it)| it).collect();
        machine.set_of(&values, at)
    }),
    row("Functions", "AntiFunction", "v", |machine, given, at| {
        let function = machine.value_arg(given, 0);
        let mut pairs = machine.graph(function, at)?;
        // Of several arguments with one value, the least is chosen: it comes first.
        let mut mismatch = None;
        pairs.sort_by(|&(_, a), &(_, b)| {
            value::compare(a, b).unwrap_or_else(|trouble| {
                mismatch = Some((trouble, a, b));
                std::cmp::Ordering::Equal
            })
        });
        if let Some((trouble, a, b)) = mismatch {
            return Err(machine.trouble(trouble, &[a, b], at));
        }
        pairs.dedup_by(|&mut (_, later), &mut (_, kept)| value::equal(later, kept) == Ok(true));
        for pair in &mut pairs {
            *pair = (pair.1, pair.0);
        }
        machine.function_of(pairs, at)
    }),
    row("Functions", "IsInjective", "v", |machine, given, at| {
        let function = machine.value_arg(given, 0);
        let values: Vec<Value<'_>> = machine.graph(function, at)?.iter().map(|&(_, it)| it).collect();
        let range = machine.set_of(&values, at)?;
        Ok(Value::bool(machine.items(range, at)?.len() == values.len()))
    }),
    row("Functions", "Injection", "vv", |machine, given, at| {
        let jection = Jection::of(machine, given, at)?;
        jection.all(machine, true, false, at)
    }),
    row("Functions", "Surjection", "vv", |machine, given, at| {
        let jection = Jection::of(machine, given, at)?;
        jection.all(machine, false, true, at)
    }),
    row("Functions", "Bijection", "vv", |machine, given, at| {
        let jection = Jection::of(machine, given, at)?;
        jection.all(machine, true, true, at)
    }),
    row("Functions", "ExistsInjection", "vv", |machine, given, at| {
        let (from, to) = sizes(machine, given, at)?;
        Ok(Value::bool(from <= to))
    }),
    row("Functions", "ExistsSurjection", "vv", |machine, given, at| {
        let (from, to) = sizes(machine, given, at)?;
        let zero = BigUint::from(0u8);
        // Nothing maps to the empty set but the empty function.
        Ok(Value::bool(if to == zero { from == zero } else { from >= to }))
    }),
    row("Functions", "ExistsBijection", "vv", |machine, given, at| {
        let (from, to) = sizes(machine, given, at)?;
        Ok(Value::bool(from == to))
    }),
    row("Apalache", "SetAsFun", "v", |machine, given, at| {
        let set = machine.value_arg(given, 0);
        let mut pairs: ArenaVec<'_, (Value<'_>, Value<'_>)> = ArenaVec::new_in(machine.arena);
        // Pairs are sorted, so of several values for one argument the least comes first, as CHOOSE picks it.
        for &pair in machine.items(set, at)? {
            match machine.sequence(pair, at)? {
                &[key, value] => match pairs.last() {
                    Some(&(last, _)) if machine.same(last, key, at)? => {}
                    _ => pairs.push((key, value)),
                },
                _ => return Err(machine.wrong("a pair", pair, at)),
            }
        }
        machine.function_of(pairs, at)
    }),
];

fn sizes<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    given: &[Given<'t, 'i>],
    at: ExprId,
) -> Result<(BigUint, BigUint), Fault> {
    let [from, to] = machine.values(given);
    let mut size = |set: Value<'t>| value::cardinality(set).map_err(|it| machine.trouble(it, &[set], at));
    Ok((size(from)?, size(to)?))
}

/// Functions from one set to another, made argument by argument.
struct Jection<'t> {
    domain: &'t value::Set<'t>,
    from: &'t [Value<'t>],
    to: &'t [Value<'t>],
}

impl<'t> Jection<'t> {
    fn of<'i: 't>(
        machine: &mut Machine<'t, 'i>,
        given: &[Given<'t, 'i>],
        at: ExprId,
    ) -> Result<Jection<'t>, Fault> {
        let [from, to] = machine.values(given);
        let domain = value::enumerate(from, machine.arena).map_err(|it| machine.trouble(it, &[from], at))?;
        Ok(Jection {
            domain,
            from: domain.items,
            to: machine.items(to, at)?,
        })
    }

    /// The functions that take each value at most once, at least once, or both.
    fn all<'i: 't>(&self, machine: &mut Machine<'t, 'i>, once: bool, onto: bool, at: ExprId) -> Res<'t> {
        let (n, m) = (self.from.len(), self.to.len());
        if once && n > m || onto && n < m {
            return Ok(Value::empty_set());
        }
        let size = match once {
            true => (m - n + 1..=m).fold(BigUint::from(1u8), |product, i| product * i),
            false => BigUint::from(m).pow(n as u32),
        };
        machine.check_size(&size, Value::Set(self.domain), at)?;
        let arena: &'t Arena = machine.arena;
        let mut all = ArenaVec::new_in(arena);
        let mut taken = vec![0usize; m];
        let mut picks = vec![];
        self.extend(&mut picks, &mut taken, once, onto, arena, &mut all);
        machine.make_set(all, at)
    }

    fn extend(
        &self,
        picks: &mut Vec<usize>,
        taken: &mut [usize],
        once: bool,
        onto: bool,
        arena: &'t Arena,
        all: &mut ArenaVec<'t, Value<'t>>,
    ) {
        let left = self.from.len() - picks.len();
        if left == 0 {
            let values = arena.alloc_slice_fill_iter(picks.iter().map(|&i| self.to[i]));
            all.push(Value::function(self.domain, values, arena));
            return;
        }
        let missing = taken.iter().filter(|&&it| it == 0).count();
        for i in 0..self.to.len() {
            let fresh = taken[i] == 0;
            // Every value that is still missing needs an argument of its own.
            if once && !fresh || onto && missing - usize::from(fresh) > left - 1 {
                continue;
            }
            taken[i] += 1;
            picks.push(i);
            self.extend(picks, taken, once, onto, arena, all);
            picks.pop();
            taken[i] -= 1;
        }
    }
}
