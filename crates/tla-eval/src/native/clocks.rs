//! `VectorClocks`: a log in an order that respects what happened before what.

use tla_sema::ir::ExprId;
use value::Value;

use super::{Row, row};
use crate::error::Fault;
use crate::machine::Machine;

pub(super) const ROWS: &[Row] = &[row(
    "VectorClocks",
    "CausalOrder",
    "v111",
    |machine, given, at| {
        let (log, clock) = (machine.value_arg(given, 0), machine.operator_arg(given, 1));
        let entries = machine.sequence(log, at)?;
        let mut clocks = vec![];
        for &entry in entries {
            clocks.push(machine.call_closure(clock, &[entry])?);
        }
        // Entry i stands before entry j unless it is ahead of it somewhere.
        let n = entries.len();
        let mut before = vec![vec![]; n];
        let mut n_before = vec![0; n];
        for i in 0..n {
            for j in 0..n {
                if i != j && !is_ahead(machine, clocks[i], clocks[j], at)? {
                    before[i].push(j);
                    n_before[j] += 1;
                }
            }
        }
        let mut ordered = vec![];
        let mut done = vec![false; n];
        while ordered.len() < n {
            let Some(next) = (0..n).find(|&i| !done[i] && n_before[i] == 0) else {
                return Err(machine.undefined("CausalOrder", "two entries have the same clock", at));
            };
            done[next] = true;
            before[next].iter().for_each(|&j| n_before[j] -= 1);
            ordered.push(entries[next]);
        }
        Ok(machine.tuple(&ordered))
    },
)];

/// Whether some node has come further in `a` than in `b`; a node that a clock does not know counts as 0.
fn is_ahead<'t, 'i: 't>(
    machine: &mut Machine<'t, 'i>,
    a: Value<'t>,
    b: Value<'t>,
    at: ExprId,
) -> Result<bool, Fault> {
    for (node, time) in machine.graph(a, at)? {
        let other = match value::apply(b, node) {
            Ok(time) => time,
            Err(value::Trouble::NotInDomain) => Value::Int(0),
            Err(trouble) => return Err(machine.trouble(trouble, &[b, node], at)),
        };
        for time in [time, other] {
            if time.kind() != value::Kind::Integer {
                return Err(machine.wrong("an integer", time, at));
            }
        }
        if value::int_cmp(other, time).is_lt() {
            return Ok(true);
        }
    }
    Ok(false)
}
