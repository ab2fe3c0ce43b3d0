//! All valuations within the scope, one after the other.

use super::evaluate::{State, Trace, Tuples};
use super::model::{Field, Formula, Model, Multiplicity, Origin, Sig};

/// The number of instances of a model's command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counted {
    /// For traces, 1 stands for any number but none.
    Exactly(usize),
    /// More valuations than anyone wants to try.
    TooMany,
}

/// Valuations that are tried at most.
const STATES_MAX: usize = 20_000;
const TRACES_MAX: usize = 60_000;

pub fn count(model: &Model) -> Counted {
    let Some(states) = states(model) else {
        return Counted::TooMany;
    };
    let orders = orders(model);
    match model.is_temporal() {
        true => traces(model, &states),
        false => {
            let is_instance = |it: &&State| orders.iter().any(|order| is_instance(model, &[it], 0, order));
            Counted::Exactly(states.iter().filter(is_instance).count())
        }
    }
}

/// Whether a trace satisfies the facts, and what is asked for.
fn is_instance(model: &Model, states: &[&State], loop_to: usize, order: &[u8]) -> bool {
    let trace = Trace {
        states,
        loop_to,
        order,
    };
    // An ordered sig is exact in every state.
    if let Some(ordered) = model.ordered
        && states.iter().any(|it| it.sigs[ordered].len() != order.len())
    {
        return false;
    }
    let goal = |it: &Formula| trace.satisfies(it) != model.is_check;
    model.facts.iter().all(|it| trace.satisfies(it)) && model.goal.as_ref().is_none_or(goal)
}

fn orders(model: &Model) -> Vec<Vec<u8>> {
    let Some(ordered) = model.ordered else {
        return vec![vec![]];
    };
    let mut all = vec![vec![]];
    let atoms = atoms(model, ordered);
    for _ in 0..atoms.len() {
        let longer = all.iter().flat_map(|it: &Vec<u8>| {
            let rest = atoms.iter().filter(|atom| !it.contains(atom));
            rest.map(|&atom| [&it[..], &[atom]].concat()).collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}

/// Atoms of a sig at the top.
fn atoms(model: &Model, sig: usize) -> Vec<u8> {
    let before: usize = (0..sig).map(|it| scope(model, it)).sum();
    (before..before + scope(model, sig)).map(|it| it as u8).collect()
}

/// How many atoms a sig at the top may have. The Analyzer raises what a command says to what the `one` sigs that extend it need.
fn scope(model: &Model, sig: usize) -> usize {
    let is_needed =
        |it: &&Sig| it.origin == Origin::Extends(sig) && it.multiplicity == Multiplicity::One && !it.is_var;
    let n_needed = model.sigs.iter().filter(is_needed).count();
    model.sigs[sig].scope.max(n_needed)
}

fn subsets(items: &[Vec<u8>]) -> Option<Vec<Tuples>> {
    if items.len() > 12 {
        return None;
    }
    let subset = |bits: usize| {
        let chosen = items.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
        chosen.map(|it| it.1.clone()).collect()
    };
    Some((0..1 << items.len()).map(subset).collect())
}

/// How many atoms each sig may have, where that is less than its parent has. The Analyzer's rule: the only child of an abstract sig for
/// which nothing is said has what `one` and `lone` siblings leave over, whether or not these have an atom.
fn sizes(model: &Model) -> Vec<Option<usize>> {
    let mut sizes: Vec<Option<usize>> = model.sigs.iter().map(size_said).collect();
    // Parents stand before those who extend them, so what is known of a sig is known when its children are looked at.
    for (parent, sig) in model.sigs.iter().enumerate() {
        let children: Vec<usize> = (0..model.sigs.len())
            .filter(|&it| model.sigs[it].origin == Origin::Extends(parent))
            .collect();
        let Some(size) = sizes[parent] else { continue };
        let missing: Vec<usize> = children
            .iter()
            .copied()
            .filter(|&it| sizes[it].is_none())
            .collect();
        let sum: usize = children.iter().filter_map(|&it| sizes[it]).sum();
        match missing[..] {
            [one] if sig.is_abstract => sizes[one] = Some(size.saturating_sub(sum)),
            _ => missing.iter().for_each(|&it| sizes[it] = Some(size)),
        }
    }
    sizes
}

fn size_said(sig: &Sig) -> Option<usize> {
    let is_at_most_one = matches!(sig.multiplicity, Multiplicity::One | Multiplicity::Lone);
    match sig.origin {
        Origin::Top => Some(sig.scope),
        Origin::Extends(_) if is_at_most_one && !sig.is_var => Some(1),
        Origin::Extends(_) | Origin::In(_) => None,
    }
}

/// All states, or nothing when there are too many.
fn states(model: &Model) -> Option<Vec<State>> {
    let mut states = vec![State::default()];
    let sizes = sizes(model);
    for (i, sig) in model.sigs.iter().enumerate() {
        let mut longer = vec![];
        for state in &states {
            let within: Vec<Vec<u8>> = match sig.origin {
                Origin::Top => atoms(model, i).into_iter().map(|it| vec![it]).collect(),
                Origin::Extends(it) | Origin::In(it) => state.sigs[it].iter().cloned().collect(),
            };
            for value in subsets(&within)? {
                let is_top = sig.origin == Origin::Top;
                let is_whole = !is_top || !sig.is_exact || value.len() == scope(model, i);
                let fits = is_top || sizes[i].is_none_or(|it| value.len() <= it);
                if is_whole && fits && sig.multiplicity.allows(value.len()) {
                    let mut state = state.clone();
                    state.sigs.push(value);
                    longer.push(state);
                }
            }
        }
        states = longer;
        if states.len() > STATES_MAX {
            return None;
        }
    }
    states.retain(|it| is_partitioned(model, it));
    for field in &model.fields {
        let mut longer = vec![];
        for state in &states {
            for value in subsets(&space(field, state))? {
                if has_multiplicities(field, state, &value) {
                    let mut state = state.clone();
                    state.fields.push(value);
                    longer.push(state);
                }
                if longer.len() > STATES_MAX {
                    return None;
                }
            }
        }
        states = longer;
    }
    Some(states)
}

/// Whether sigs that extend another are disjoint, and are all of it if it is abstract.
fn is_partitioned(model: &Model, state: &State) -> bool {
    (0..model.sigs.len()).all(|parent| {
        let children: Vec<usize> = (0..model.sigs.len())
            .filter(|&it| model.sigs[it].origin == Origin::Extends(parent))
            .collect();
        let n: usize = children.iter().map(|&it| state.sigs[it].len()).sum();
        let mut all = Tuples::new();
        children
            .iter()
            .for_each(|&it| all.extend(state.sigs[it].iter().cloned()));
        // An abstract sig that nobody extends is like any other.
        let is_all = !model.sigs[parent].is_abstract || children.is_empty() || all == state.sigs[parent];
        n == all.len() && is_all
    })
}

/// All tuples that a field may have.
fn space(field: &Field, state: &State) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = state.sigs[field.owner].iter().cloned().collect();
    for &column in &field.columns {
        let longer = all.iter().flat_map(|it| {
            let column = state.sigs[column].iter();
            column
                .map(|atom| [&it[..], &atom[..]].concat())
                .collect::<Vec<_>>()
        });
        all = longer.collect();
    }
    all
}

fn has_multiplicities(field: &Field, state: &State, value: &Tuples) -> bool {
    let [last, before] = field.multiplicities;
    let count = |start: &[u8], end: &[u8]| {
        value
            .iter()
            .filter(|it| it.starts_with(start) && it.ends_with(end))
            .count()
    };
    state.sigs[field.owner]
        .iter()
        .all(|owner| match field.columns[..] {
            [_] => last.allows(count(owner, &[])),
            [one, two] => {
                let ones = state.sigs[one]
                    .iter()
                    .all(|it| last.allows(count(&[owner[0], it[0]], &[])));
                ones && state.sigs[two].iter().all(|it| {
                    let here = value
                        .iter()
                        .filter(|tuple| tuple[0] == owner[0] && tuple[2] == it[0])
                        .count();
                    before.allows(here)
                })
            }
            _ => true,
        })
}

/// Whether the part of a state that does not vary is the same in another.
fn is_same_world(model: &Model, a: &State, b: &State) -> bool {
    let sigs = (0..model.sigs.len()).all(|it| varies(model, it) || a.sigs[it] == b.sigs[it]);
    sigs && (0..model.fields.len()).all(|it| model.fields[it].is_var || a.fields[it] == b.fields[it])
}

/// Whether the atoms of a sig come and go. The Analyzer's rule: an atom that is ever in a sig which extends another one is never in the rest
/// of that one, so `var` says nothing where that one does not vary.
fn varies(model: &Model, sig: usize) -> bool {
    let sig = &model.sigs[sig];
    sig.is_var && !matches!(sig.origin, Origin::Extends(parent) if !model.sigs[parent].is_var)
}

/// Whether some trace is an instance.
fn traces(model: &Model, states: &[State]) -> Counted {
    let orders = orders(model);
    let mut n_tried = 0;
    for first in states {
        let world: Vec<&State> = states
            .iter()
            .filter(|it| is_same_world(model, first, it))
            .collect();
        let mut traces: Vec<Vec<&State>> = vec![vec![first]];
        for length in 1..=model.steps_max {
            for trace in &traces {
                for loop_to in 0..length {
                    n_tried += 1;
                    if n_tried > TRACES_MAX {
                        return Counted::TooMany;
                    }
                    if orders
                        .iter()
                        .any(|order| is_instance(model, trace, loop_to, order))
                    {
                        return Counted::Exactly(1);
                    }
                }
            }
            let longer = traces.iter().flat_map(|it| {
                world
                    .iter()
                    .map(move |next| it.iter().copied().chain([*next]).collect::<Vec<_>>())
            });
            traces = longer.take(TRACES_MAX + 1).collect();
        }
    }
    Counted::Exactly(0)
}

/// `one` sigs at the top have one atom whatever the scope says, and `lone` ones may not be given more.
pub fn scope_of(multiplicity: Multiplicity, scope: usize) -> usize {
    match multiplicity {
        Multiplicity::One | Multiplicity::Lone => 1,
        Multiplicity::Some | Multiplicity::Set => scope,
    }
}
