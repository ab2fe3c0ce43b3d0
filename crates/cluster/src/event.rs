//! Events between processes: states by content, and of a fault only where it was met.
//!
//! The order of a search and what its events mean is [`explore::Position`] and [`explore::judge`]; this is how they travel.

use explore::{EventKind, FaultAt, Position};

use crate::bytes::{Damaged, read_number, read_slice, write_number, write_slice};

/// An event that can cross to another process. What went wrong in a fault is found out again by whoever tells it.
pub type Event = explore::Event<Vec<u8>, ()>;

/// What an event is, in a message: a tag, and the number of a property.
const KINDS: [EventKind<()>; 5] = [
    EventKind::Deadlock,
    EventKind::Fault((), FaultAt::Initial),
    EventKind::Fault((), FaultAt::Inspection),
    EventKind::Fault((), FaultAt::Successors),
    EventKind::StateLimit,
];

pub fn write_event(bytes: &mut Vec<u8>, event: &Event) {
    event.position.write(bytes);
    match event.kind {
        EventKind::Property(property) => write_number(bytes, KINDS.len() as u64 + u64::from(property)),
        kind => {
            let tag = KINDS.iter().position(|it| *it == kind);
            write_number(bytes, tag.expect("every other kind is listed") as u64);
        }
    }
    write_number(bytes, u64::from(event.last.is_some()));
    if let Some((state, action)) = &event.last {
        write_slice(bytes, state);
        write_number(bytes, u64::from(*action));
    }
}

pub fn read_event(bytes: &mut &[u8]) -> Result<Event, Damaged> {
    let position = Position::read(bytes)?;
    let tag = read_number(bytes)?;
    let kind = match KINDS.get(tag as usize) {
        Some(kind) => *kind,
        None => EventKind::Property((tag - KINDS.len() as u64).try_into().map_err(|_| Damaged)?),
    };
    let last = match read_number(bytes)? {
        0 => None,
        _ => Some((read_slice(bytes)?.to_vec(), read_number(bytes)? as u32)),
    };
    Ok(Event { position, kind, last })
}

pub fn write_events(bytes: &mut Vec<u8>, events: &[Event]) {
    write_number(bytes, events.len() as u64);
    events.iter().for_each(|it| write_event(bytes, it));
}

pub fn read_events(bytes: &mut &[u8]) -> Result<Vec<Event>, Damaged> {
    let n = read_number(bytes)?;
    (0..n).map(|_| read_event(bytes)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use explore::StateId;

    #[test]
    fn events_cross_the_wire() {
        for kind in [KINDS[2], KINDS[4], EventKind::Property(0), EventKind::Property(7)] {
            let mut bytes = vec![];
            let sent = Event {
                position: Position::of_state(StateId::NONE, 9),
                kind,
                last: Some((vec![1, 2, 200], 300)),
            };
            write_event(&mut bytes, &sent);
            let read = read_event(&mut &bytes[..]).unwrap();
            assert_eq!(
                (read.position, read.kind, read.last),
                (sent.position, sent.kind, sent.last)
            );
        }
    }
}
