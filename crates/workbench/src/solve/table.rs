//! Every state as a row, with how far it is from the goal.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use explore::{Observer, Progress};
use solve::{UNREACHED, Unfolding, distances};
use tla_eval::model::TlaModel;

use super::costs::Costs;
use crate::check::Checker;

/// Where rows go: a file of some format, behind a front end.
pub trait Rows {
    /// Called once, before the first row.
    fn begin(&mut self, columns: &[Column]) -> ControlFlow<()>;

    /// As many cells as there are columns. `Break` says that no more rows can be taken.
    fn row(&mut self, cells: &[Cell]) -> ControlFlow<()>;
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    /// Integers, or else texts; any cell may be empty.
    pub is_integer: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    Integer(i64),
    Text(String),
    Empty,
}

/// How many states are how far away.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Distance and number of states, in ascending order.
    pub bars: Vec<(u64, u64)>,
    /// States from which the goal cannot be reached.
    pub unreached: u64,
    pub rows: u64,
    /// Rows could not be written.
    pub is_cut: bool,
}

/// Columns of our own, renamed where the specification has such a name.
pub(crate) fn columns(own: &[(&str, bool)], checker: &Checker<'_, '_>) -> Vec<Column> {
    let variables: Vec<&str> = checker
        .model
        .compiled
        .program
        .variables
        .iter()
        .map(|it| it.as_str())
        .collect();
    let free = |name: &str| match variables.contains(&name) {
        true => format!("_{name}"),
        false => name.to_owned(),
    };
    let own = own.iter().map(|&(name, is_integer)| Column {
        name: free(name),
        is_integer,
    });
    let rest = variables.iter().map(|&name| Column {
        name: name.to_owned(),
        is_integer: false,
    });
    own.chain(rest).collect()
}

/// Tells how far the writing is.
pub(crate) fn tell(observer: &dyn Observer, done: u32, all: u32) {
    if done.is_multiple_of(1024) {
        observer.progress(&Progress {
            generated: u64::from(all),
            distinct: u64::from(all),
            queue: u64::from(all - done),
            ..Progress::default()
        });
    }
}

/// Writes all nodes of a graph that was unfolded as a whole.
pub(super) fn write(
    graph: &Unfolding<'_, TlaModel<'_>, Costs<'_, '_>>,
    checker: &Checker<'_, '_>,
    observer: &dyn Observer,
    rows: &mut dyn Rows,
) -> Histogram {
    let n_nodes = graph.n_nodes();
    let distances = distances(graph, n_nodes);
    let mut histogram = Histogram::default();
    let mut bars: BTreeMap<u64, u64> = BTreeMap::new();
    let mut own = vec![("state", true), ("distance", true)];
    let has_memory = n_nodes > 0 && graph.memory_of(0).is_some();
    if has_memory {
        own.push(("cost_state", false));
    }
    let mut flow = rows.begin(&columns(&own, checker));
    for node in 0..n_nodes {
        tell(observer, node, n_nodes);
        let distance = distances[node as usize];
        match distance {
            UNREACHED => histogram.unreached += 1,
            it => *bars.entry(it).or_default() += 1,
        }
        if flow.is_break() {
            histogram.is_cut = true;
            continue;
        }
        let state = graph.state_of(node);
        let mut cells = vec![Cell::Integer(i64::from(state) + 1)];
        cells.push(match distance {
            UNREACHED => Cell::Empty,
            it => Cell::Integer(it.min(i64::MAX as u64) as i64),
        });
        cells.extend(
            graph
                .memory_of(node)
                .map(|it| Cell::Text(graph.weights().state_text(it))),
        );
        let arena = value::Arena::new();
        let values = checker.model.decode(graph.states.get(state), &arena);
        cells.extend(values.iter().map(|it| Cell::Text(it.to_string())));
        flow = rows.row(&cells);
        histogram.rows += 1;
    }
    histogram.bars = bars.into_iter().collect();
    histogram
}
