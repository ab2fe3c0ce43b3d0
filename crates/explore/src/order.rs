//! The order of a search, and what may end it: the part of the protocol that all carriers of a search have in common.
//!
//! A search is that of a textbook: it expands state after state by number, and numbers states as it finds them. Threads of one
//! process ([`check`](crate::check())) and processes of a cluster only divide the work. Both do, batch by batch (a cluster says
//! *slice*), the same five things:
//!
//! 1. *generate*: expand the next states in the order of their numbers; each step is a candidate with its origin;
//! 2. *deduplicate*: of equal candidates, the first one in the order counts; what is not known is new;
//! 3. *inspect*: ask the model about each new state, which may be an [`Event`];
//! 4. *judge*: decide, from all events of the batch, whether and where the search stops ([`judge`]);
//! 5. *insert*: number the new states up to there, and count the steps up to there.
//!
//! Everything that a person can see is decided by [`Position`]s, so it depends neither on the number of threads or processes nor
//! on who was faster. What a carrier adds is how candidates reach whoever knows whether they are new: through memory (`chunk`),
//! or through messages by content.

use util::wire::{Damaged, read_number, write_number};

use crate::model::{Fault, Model};
use crate::outcome::FaultAt;

/// The number of a state, in the order in which a textbook's search finds them.
///
/// In large tables of one process it is kept in 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u64);

impl StateId {
    /// In the place of the parent of an initial state.
    pub const NONE: StateId = StateId(u64::MAX);

    /// The state with the next number.
    pub fn next(self) -> StateId {
        StateId(self.0 + 1)
    }

    /// So that the parents of a search ascend: the missing one of initial states comes first.
    pub fn write(self, bytes: &mut Vec<u8>) {
        write_number(bytes, self.0.wrapping_add(1));
    }

    pub fn read(bytes: &mut &[u8]) -> Result<StateId, Damaged> {
        Ok(StateId(read_number(bytes)?.wrapping_sub(1)))
    }
}

/// A place in the order of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The state being expanded, or [`StateId::NONE`] for the initial states.
    pub parent: StateId,
    /// 2s + 2 is the state emitted by step number s; 2s + 1 is what happens before it and after the step before.
    pub rank: u64,
}

impl Position {
    /// Where the step with this number finds its state.
    pub fn of_state(parent: StateId, step: u32) -> Position {
        Position {
            parent,
            rank: 2 * u64::from(step) + 2,
        }
    }

    /// After `n_steps` steps and what belongs to them.
    pub fn after(parent: StateId, n_steps: u32) -> Position {
        Position {
            parent,
            rank: 2 * u64::from(n_steps) + 1,
        }
    }

    /// Just before this one.
    pub fn before(self) -> Position {
        Position {
            rank: self.rank - 1,
            ..self
        }
    }

    /// Steps of the parent up to here.
    pub fn n_steps(self) -> u32 {
        (self.rank / 2) as u32
    }

    /// Of a state that is expanded, the steps that count if the search stops here.
    pub fn n_steps_of(self, expanded: StateId) -> u32 {
        match expanded < self.parent {
            true => u32::MAX,
            false => self.n_steps(),
        }
    }

    pub fn write(self, bytes: &mut Vec<u8>) {
        self.parent.write(bytes);
        write_number(bytes, self.rank);
    }

    pub fn read(bytes: &mut &[u8]) -> Result<Position, Damaged> {
        Ok(Position {
            parent: StateId::read(bytes)?,
            rank: read_number(bytes)?,
        })
    }
}

/// Something that may end the search.
///
/// `S` is how a carrier writes a state: as slots of this process, or by content. `F` is what it knows of a fault.
#[derive(Clone, Debug)]
pub struct Event<S, F> {
    pub position: Position,
    pub kind: EventKind<F>,
    /// The state that it is about and the action that led there, unless that state is the parent itself.
    pub last: Option<(S, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind<F> {
    /// The property that the model gave this number is violated.
    Property(u32),
    Deadlock,
    Fault(F, FaultAt),
    /// The next state would be one too many.
    StateLimit,
}

impl<F> EventKind<F> {
    pub fn is_fault(&self) -> bool {
        matches!(self, EventKind::Fault(..))
    }

    /// Whether both are about the same property. A search reports each property once; two faults are never the same.
    pub fn is_about_the_same(&self, other: &EventKind<F>) -> bool {
        match (self, other) {
            (EventKind::Property(one), EventKind::Property(other)) => one == other,
            (EventKind::Deadlock, EventKind::Deadlock) => true,
            _ => false,
        }
    }
}

impl EventKind<Fault> {
    /// The same for someone who cannot be told what was wrong.
    pub fn without_fault(self) -> EventKind<()> {
        match self {
            EventKind::Property(property) => EventKind::Property(property),
            EventKind::Deadlock => EventKind::Deadlock,
            EventKind::Fault(_, at) => EventKind::Fault((), at),
            EventKind::StateLimit => EventKind::StateLimit,
        }
    }
}

/// Asks the model about a new state: whether it lies inside the constraints, and what is wrong with it, if anything is.
pub fn inspect<M: Model>(
    model: &M,
    worker: &mut M::Worker<'_>,
    state: &[u32],
    depth: u32,
) -> (bool, Option<EventKind<Fault>>) {
    match model.inspect(worker, state, depth) {
        Ok(inspection) => (inspection.expand, inspection.violated.map(EventKind::Property)),
        // The search ends here, so that nobody asks whether it would be expanded.
        Err(fault) => (true, Some(EventKind::Fault(fault, FaultAt::Inspection))),
    }
}

/// Why and where a search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The last position that counts: what comes after it has not happened.
    pub upto: Position,
    /// The limit on states is why; otherwise it is the last violation.
    pub is_state_limit: bool,
}

/// Adds the events of a batch to the violations of batches before, in the order of the search; says where to stop, if anywhere.
pub fn judge<S, F>(
    mut events: Vec<Event<S, F>>,
    violations: &mut Vec<Event<S, F>>,
    violations_max: usize,
) -> Option<Stop> {
    // A state beyond the limit is not found, so nothing is wrong with it: of events in one place, the limit comes first.
    events.sort_by_key(|it| (it.position, !matches!(it.kind, EventKind::StateLimit)));
    for event in events {
        let upto = event.position;
        if let EventKind::StateLimit = event.kind {
            return Some(Stop {
                upto: upto.before(),
                is_state_limit: true,
            });
        }
        if violations.iter().any(|it| it.kind.is_about_the_same(&event.kind)) {
            continue;
        }
        let is_fault = event.kind.is_fault();
        violations.push(event);
        if is_fault || violations.len() >= violations_max.max(1) {
            return Some(Stop {
                upto,
                is_state_limit: false,
            });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(parent: u64, n_steps: u32, kind: EventKind<()>) -> Event<(), ()> {
        Event {
            position: Position::after(StateId(parent), n_steps),
            kind,
            last: None,
        }
    }

    #[test]
    fn the_first_in_the_order_counts() {
        let events = vec![
            event(7, 0, EventKind::Deadlock),
            event(3, 2, EventKind::Property(1)),
            event(3, 1, EventKind::Property(0)),
        ];
        let mut found = vec![];
        let stop = judge(events.clone(), &mut found, 1);
        assert_eq!(found.len(), 1);
        assert_eq!(stop.map(|it| it.upto), Some(Position::after(StateId(3), 1)));
        let mut found = vec![];
        assert_eq!(judge(events.clone(), &mut found, usize::MAX), None);
        assert_eq!(found.len(), 3);
        let mut found = vec![event(0, 0, EventKind::Property(0))];
        judge(events, &mut found, usize::MAX);
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn a_state_beyond_the_limit_violates_nothing() {
        let position = Position::of_state(StateId(4), 1);
        let at = |kind| Event {
            position,
            ..event(0, 0, kind)
        };
        let mut found = vec![];
        let events = vec![at(EventKind::Property(0)), at(EventKind::StateLimit)];
        let stop = judge(events, &mut found, 1).expect("a limit");
        assert!(found.is_empty() && stop.is_state_limit && stop.upto < position);
    }

    #[test]
    fn positions_cross_the_wire() {
        for parent in [StateId(0), StateId(300), StateId::NONE] {
            let (sent, mut bytes) = (Position::of_state(parent, 9), vec![]);
            sent.write(&mut bytes);
            assert_eq!(Position::read(&mut &bytes[..]), Ok(sent));
        }
    }
}
