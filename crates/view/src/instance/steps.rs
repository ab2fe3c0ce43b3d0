//! Instances that tell a story: those of temporal models, and those in which something is put in order.
//!
//! Under `util/ordering[S]`, an element of S is a moment. What is true in it is what its fields say, and what fields of
//! others say in tuples that end with it (`key: Key one -> Time`).

use trace::{AtomId, Behaviour, Instance, Relation, RelationKind, State, Tuple};
use value::{Owned, Text};

use super::shown_sigs;
use crate::text::label;

/// A story: what stays, and what is so in each moment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Steps {
    pub constants: Vec<(String, Owned)>,
    /// The moments. One of an order is called by its element, those of temporal models have no names.
    pub behaviour: Behaviour<State>,
}

/// The instance as a story, if it tells one.
pub fn steps(instance: &Instance) -> Option<Steps> {
    match instance.states.loop_to {
        Some(loop_to) => Some(in_time(instance, loop_to)),
        None => orders(instance).find_map(|order| in_order(instance, &order)),
    }
}

/// Everything that an instance has to show in a state, whether it tells a story or not.
pub fn snapshot(instance: &Instance, state: usize) -> Vec<(String, Owned)> {
    shown(instance).map(|it| named(instance, it, state)).collect()
}

fn in_time(instance: &Instance, loop_to: usize) -> Steps {
    let shown: Vec<usize> = shown(instance).collect();
    let values = |state: usize, is_var: bool| {
        let relations = shown
            .iter()
            .filter(|&&it| instance.relations[it].is_var == is_var);
        relations
            .map(|&it| named(instance, it, state))
            .collect::<Vec<_>>()
    };
    let moments = (0..instance.states.states.len()).map(|state| State {
        values: values(state, true),
        ..State::default()
    });
    Steps {
        constants: values(0, false),
        behaviour: Behaviour {
            states: moments.collect(),
            loop_to: Some(loop_to),
        },
    }
}

/// Relations that a person has written: sigs, fields and witnesses.
fn shown(instance: &Instance) -> impl Iterator<Item = usize> + '_ {
    let sigs: Vec<usize> = shown_sigs(instance).map(|it| it.0).collect();
    let is_shown = move |it: &Relation| match it.kind {
        RelationKind::Sig(sig) => sigs.contains(&sig) && !instance.sigs[sig].is_enum,
        RelationKind::Field(_) => !it.is_private && !it.is_meta,
        RelationKind::Skolem => true,
    };
    let is_constant = |it: &Relation| match it.kind {
        // The members of an enumeration are no news.
        RelationKind::Sig(sig) => super::ancestors(instance, sig)
            .iter()
            .any(|&it| instance.sigs[it].is_enum),
        _ => false,
    };
    let relations = instance.relations.iter().enumerate();
    relations
        .filter(move |(_, it)| is_shown(it) && !is_constant(it))
        .map(|it| it.0)
}

/// The sequences of atoms that the model's uses of `util/ordering` put in order, longest first in the text.
fn orders(instance: &Instance) -> impl Iterator<Item = Vec<AtomId>> + '_ {
    let field = |name: &str, sig: usize| {
        let mut relations = instance.relations.iter();
        relations.position(|it| it.name == name && it.kind == RelationKind::Field(sig))
    };
    let ords = instance.sigs.iter().enumerate();
    ords.filter(|(_, sig)| sig.label.ends_with("/Ord") && sig.is_private)
        .filter_map(move |(sig, _)| {
            let (first, next) = (field("First", sig)?, field("Next", sig)?);
            let mut line = vec![*instance.tuples(first, 0).first()?.last()?];
            let steps = instance.tuples(next, 0);
            while let Some(step) = steps.iter().find(|it| it[it.len() - 2] == line[line.len() - 1]) {
                let next = step[step.len() - 1];
                if line.contains(&next) {
                    return None;
                }
                line.push(next);
            }
            Some(line)
        })
}

/// Fields that speak of moments: at the front (a moment's own field) or at the end.
fn in_order(instance: &Instance, order: &[AtomId]) -> Option<Steps> {
    let is_moment = |atom: AtomId| order.contains(&atom);
    let place = |relation: usize| -> Option<Place> {
        let declared = &instance.relations[relation];
        let tuples = instance.tuples(relation, 0);
        let all = |at: fn(&Tuple) -> AtomId| !tuples.is_empty() && tuples.iter().all(|it| is_moment(at(it)));
        match declared.kind {
            RelationKind::Field(_) if declared.arity >= 2 && all(|it| it[0]) => Some(Place::First),
            RelationKind::Field(_) if declared.arity >= 3 && all(|it| it[it.len() - 1]) => Some(Place::Last),
            _ => None,
        }
    };
    let (telling, others): (Vec<usize>, Vec<usize>) = shown(instance).partition(|&it| place(it).is_some());
    if telling.is_empty() || order.len() < 2 {
        return None;
    }
    let moments = order.iter().map(|&moment| {
        let state = telling.iter().map(|&it| {
            let tuples = instance.tuples(it, 0).iter();
            let part: Vec<&[AtomId]> = match place(it) {
                Some(Place::First) => tuples
                    .filter(|tuple| tuple[0] == moment)
                    .map(|it| &it[1..])
                    .collect(),
                _ => tuples
                    .filter(|tuple| tuple[tuple.len() - 1] == moment)
                    .map(|it| &it[..it.len() - 1])
                    .collect(),
            };
            (
                instance.relations[it].name.clone(),
                relation(instance, part.into_iter()),
            )
        });
        State {
            action: label(instance.name(moment)),
            values: state.collect(),
            ..State::default()
        }
    });
    let constants = others
        .iter()
        .filter(|&&it| !is_order_itself(instance, it, order))
        .map(|&it| named(instance, it, 0));
    Some(Steps {
        constants: constants.collect(),
        behaviour: Behaviour::finite(moments.collect()),
    })
}

enum Place {
    First,
    Last,
}

/// The set of all moments, which the steps show anyway.
fn is_order_itself(instance: &Instance, relation: usize, order: &[AtomId]) -> bool {
    let tuples = instance.tuples(relation, 0);
    instance.relations[relation].arity == 1
        && tuples.len() == order.len()
        && tuples.iter().all(|it| order.contains(&it[0]))
}

/// A relation with its name. A field of the one element of its sig is shown without it.
fn named(instance: &Instance, index: usize, state: usize) -> (String, Owned) {
    let declared = &instance.relations[index];
    let skip = match declared.kind {
        RelationKind::Field(sig) => usize::from(instance.sigs[sig].is_one && declared.arity > 1),
        _ => 0,
    };
    let tuples = instance.tuples(index, state).iter().map(|it| &it[skip..]);
    (declared.name.clone(), relation(instance, tuples))
}

/// A relation as a value: a lone atom for a set of one, else a set of atoms or of tuples.
fn relation<'t>(instance: &Instance, tuples: impl Iterator<Item = &'t [AtomId]>) -> Owned {
    let atom = |&it: &AtomId| {
        let name = instance.name(it);
        match name.parse() {
            Ok(number) => Owned::Int(number),
            Err(_) if is_only_one(instance, it) => {
                Owned::Model(Text::new(name.split('$').next().unwrap_or(name)))
            }
            Err(_) => Owned::Model(Text::new(&label(name))),
        }
    };
    let mut items: Vec<Owned> = tuples
        .map(|tuple| match tuple {
            [one] => atom(one),
            many => Owned::Tuple(many.iter().map(atom).collect()),
        })
        .collect();
    match &items[..] {
        [one] if !matches!(one, Owned::Tuple(_)) => items.remove(0),
        _ => Owned::Set(items),
    }
}

/// Whether the atom is the one element of its sig: then it needs no number.
fn is_only_one(instance: &Instance, atom: AtomId) -> bool {
    let sig = instance.atoms[atom.0 as usize].sig;
    sig.is_some_and(|it| instance.sigs[it].is_one)
}
