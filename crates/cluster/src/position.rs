//! Places in the order of the search, and what may end it there.
//!
//! The order is that of a sequential search on one machine: it expands state after state by number, and numbers states as it
//! finds them. Everything that a person can see is decided by this order, so it does not depend on how many processes there
//! are or who was faster.

use explore::FaultAt;

use crate::bytes::{Damaged, read_number, read_slice, write_number, write_slice};

/// The parent of an initial state.
pub const NO_PARENT: u64 = u64::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The number of the state being expanded, or [`NO_PARENT`] for the initial states.
    pub parent: u64,
    /// 2s + 2 is the state emitted by step number s; 2s + 1 is what happens before it and after the step before.
    pub rank: u64,
}

impl Position {
    pub fn of_state(parent: u64, step: u32) -> Position {
        Position {
            parent,
            rank: 2 * u64::from(step) + 2,
        }
    }

    /// After `n_steps` steps and what belongs to them.
    pub fn after(parent: u64, n_steps: u32) -> Position {
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

    pub fn write(self, bytes: &mut Vec<u8>) {
        write_number(bytes, self.parent.wrapping_add(1));
        write_number(bytes, self.rank);
    }

    pub fn read(bytes: &mut &[u8]) -> Result<Position, Damaged> {
        Ok(Position {
            parent: read_number(bytes)?.wrapping_sub(1),
            rank: read_number(bytes)?,
        })
    }
}

/// Something that may end the search.
#[derive(Clone, Debug)]
pub struct Event {
    pub position: Position,
    pub kind: EventKind,
    /// The state that it is about, by content, and the action that led there, unless that is the parent itself.
    pub last: Option<(Vec<u8>, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    Property(u32),
    Deadlock,
    Fault(FaultAt),
    /// The next state would be one too many.
    StateLimit,
}

impl Event {
    pub fn write(&self, bytes: &mut Vec<u8>) {
        self.position.write(bytes);
        let (tag, number) = match self.kind {
            EventKind::Property(property) => (0, property),
            EventKind::Deadlock => (1, 0),
            EventKind::Fault(FaultAt::Initial) => (2, 0),
            EventKind::Fault(FaultAt::Inspection) => (3, 0),
            EventKind::Fault(FaultAt::Successors) => (4, 0),
            EventKind::StateLimit => (5, 0),
        };
        write_number(bytes, tag);
        write_number(bytes, u64::from(number));
        write_number(bytes, u64::from(self.last.is_some()));
        if let Some((state, action)) = &self.last {
            write_slice(bytes, state);
            write_number(bytes, u64::from(*action));
        }
    }

    pub fn read(bytes: &mut &[u8]) -> Result<Event, Damaged> {
        let position = Position::read(bytes)?;
        let tag = read_number(bytes)?;
        let number = read_number(bytes)? as u32;
        let kind = match tag {
            0 => EventKind::Property(number),
            1 => EventKind::Deadlock,
            2 => EventKind::Fault(FaultAt::Initial),
            3 => EventKind::Fault(FaultAt::Inspection),
            4 => EventKind::Fault(FaultAt::Successors),
            5 => EventKind::StateLimit,
            _ => return Err(Damaged),
        };
        let last = match read_number(bytes)? {
            0 => None,
            _ => Some((read_slice(bytes)?.to_vec(), read_number(bytes)? as u32)),
        };
        Ok(Event { position, kind, last })
    }
}

/// What of the events of a slice counts, in the order of the search.
pub struct Judgement {
    /// Violations that are new.
    pub violations: Vec<Event>,
    /// Where to stop: what comes after this position has not happened.
    pub stop: Option<Position>,
    pub is_state_limit: bool,
}

/// Judges the events of a slice, as a sequential search would meet them; `known` are the violations of slices before.
pub fn judge(mut events: Vec<Event>, known: &[Event], violations_max: usize) -> Judgement {
    // A state beyond the limit is not found, so nothing is wrong with it.
    events.sort_by_key(|it| (it.position, it.kind != EventKind::StateLimit));
    let mut judgement = Judgement {
        violations: vec![],
        stop: None,
        is_state_limit: false,
    };
    for event in events {
        if event.kind == EventKind::StateLimit {
            judgement.stop = Some(event.position.before());
            judgement.is_state_limit = true;
            return judgement;
        }
        let is_fault = matches!(event.kind, EventKind::Fault(_));
        let mut all = known.iter().chain(&judgement.violations);
        if !is_fault && all.any(|it| it.kind == event.kind) {
            continue;
        }
        let position = event.position;
        judgement.violations.push(event);
        if is_fault || known.len() + judgement.violations.len() >= violations_max {
            judgement.stop = Some(position);
            return judgement;
        }
    }
    judgement
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(parent: u64, n_steps: u32, kind: EventKind) -> Event {
        Event {
            position: Position::after(parent, n_steps),
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
        let judged = judge(events.clone(), &[], 1);
        assert_eq!(judged.violations.len(), 1);
        assert_eq!(judged.stop, Some(Position::after(3, 1)));
        let all = judge(events.clone(), &[], usize::MAX);
        assert_eq!((all.violations.len(), all.stop), (3, None));
        let known = judge(events, &[event(0, 0, EventKind::Property(0))], usize::MAX);
        assert_eq!(known.violations.len(), 2);
    }

    #[test]
    fn a_state_beyond_the_limit_violates_nothing() {
        let position = Position::of_state(4, 1);
        let at = |kind| Event {
            position,
            kind,
            last: None,
        };
        let judged = judge(
            vec![at(EventKind::Property(0)), at(EventKind::StateLimit)],
            &[],
            1,
        );
        assert!(judged.violations.is_empty() && judged.is_state_limit);
        assert!(judged.stop < Some(position));
    }

    #[test]
    fn events_cross_the_wire() {
        let mut bytes = vec![];
        let sent = Event {
            position: Position::of_state(NO_PARENT, 9),
            kind: EventKind::Fault(FaultAt::Inspection),
            last: Some((vec![1, 2, 200], 300)),
        };
        sent.write(&mut bytes);
        let read = Event::read(&mut &bytes[..]).unwrap();
        assert_eq!(
            (read.position, read.kind, read.last),
            (sent.position, sent.kind, sent.last)
        );
    }
}
