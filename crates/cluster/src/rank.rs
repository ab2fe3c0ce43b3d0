//! Numbers for new states, the same as on one machine, though no worker sees them all.
//!
//! A slice expands the states with consecutive numbers. What each of these finds is numbered after what the ones before it
//! find. So the range of parents is cut into as many parts as there are workers; whoever ranks a part gets the origins of
//! the new states that come from it, sorted by their owners, merges them, and tells each owner the places of its own.
//! Both ways are lists of small differences: about three bytes for a new state.

use explore::StateId;

use crate::batch::{after, ahead};
use crate::bytes::{Damaged, read_number, write_number};

/// Where a new state comes from: parent and step.
pub type Source = (StateId, u32);

/// How the parents of a slice are divided.
#[derive(Clone, Copy, Debug, Default)]
pub struct Division {
    /// The first parent. What has no parent is ranked by the first worker.
    pub first: u64,
    pub len: u64,
    pub peers: usize,
}

impl Division {
    /// Who ranks what comes from here.
    pub fn ranker(&self, (parent, _): Source) -> usize {
        if parent == StateId::NONE {
            return 0;
        }
        let at = parent.0 - self.first;
        (u128::from(at.min(self.len.saturating_sub(1))) * self.peers as u128 / u128::from(self.len.max(1)))
            as usize
    }
}

/// Writes sorted origins for their ranker.
pub fn write_sources(bytes: &mut Vec<u8>, sources: &[Source]) {
    write_number(bytes, sources.len() as u64);
    let mut before: Source = (StateId::NONE, 0);
    for &(parent, step) in sources {
        let ahead = ahead(parent, before.0);
        write_number(bytes, ahead);
        let from = if ahead == 0 { before.1 } else { 0 };
        write_number(bytes, u64::from(step - from));
        before = (parent, step);
    }
}

pub fn read_sources(bytes: &mut &[u8]) -> Result<Vec<Source>, Damaged> {
    let len = read_number(bytes)? as usize;
    if len > bytes.len() {
        return Err(Damaged);
    }
    let mut before: Source = (StateId::NONE, 0);
    let mut sources = Vec::with_capacity(len);
    for _ in 0..len {
        let ahead = read_number(bytes)?;
        let step = read_number(bytes)? as u32;
        let from = if ahead == 0 { before.1 } else { 0 };
        before = (after(before.0, ahead)?, from.checked_add(step).ok_or(Damaged)?);
        sources.push(before);
    }
    Ok(sources)
}

/// Merges what the owners sent. For each owner the places of its states, as differences, after how many there are in all.
pub fn rank(by_owner: &[Vec<Source>]) -> Vec<Vec<u8>> {
    let mut all: Vec<(Source, u32)> = by_owner
        .iter()
        .zip(0..)
        .flat_map(|(sources, owner)| sources.iter().map(move |&it| (it, owner)))
        .collect();
    // Runs that are sorted already, which this sort makes use of.
    all.sort();
    let mut replies: Vec<Vec<u8>> = by_owner.iter().map(|_| vec![]).collect();
    let mut next: Vec<u64> = vec![0; by_owner.len()];
    for reply in &mut replies {
        write_number(reply, all.len() as u64);
    }
    for (place, &(_, owner)) in (0..).zip(&all) {
        let owner = owner as usize;
        write_number(&mut replies[owner], place - next[owner]);
        next[owner] = place + 1;
    }
    replies
}

/// The places in a reply, from 0, and how many states the ranker has ranked.
pub fn read_places(bytes: &mut &[u8]) -> Result<(Vec<u64>, u64), Damaged> {
    let total = read_number(bytes)?;
    let (mut places, mut next) = (vec![], 0);
    while !bytes.is_empty() {
        let place = next + read_number(bytes)?;
        places.push(place);
        next = place + 1;
    }
    Ok((places, total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use explore::Random;

    #[test]
    fn numbers_are_those_of_one_machine() {
        let mut random = Random::new(5);
        for peers in [1, 2, 3, 7] {
            let mut all: Vec<Source> = vec![];
            for parent in 100..400 {
                let mut step = 0;
                for _ in 0..random.below(4) {
                    step += 1 + random.below(3) as u32;
                    all.push((StateId(parent), step));
                }
            }
            let division = Division {
                first: 100,
                len: 300,
                peers,
            };
            let mut owned: Vec<Vec<Source>> = vec![vec![]; peers];
            for &it in &all {
                owned[random.below(peers)].push(it);
            }
            // What each owner sends to each ranker, and the answers.
            let mut answers: Vec<Vec<Vec<u8>>> = vec![];
            for ranker in 0..peers {
                let sent: Vec<Vec<Source>> = owned
                    .iter()
                    .map(|sources| {
                        let part: Vec<Source> = sources
                            .iter()
                            .copied()
                            .filter(|&it| division.ranker(it) == ranker)
                            .collect();
                        let mut bytes = vec![];
                        write_sources(&mut bytes, &part);
                        read_sources(&mut &bytes[..]).unwrap()
                    })
                    .collect();
                answers.push(rank(&sent));
            }
            for (owner, sources) in owned.iter().enumerate() {
                let (mut base, mut numbers) = (0, vec![]);
                for answer in &answers {
                    let (places, total) = read_places(&mut &answer[owner][..]).unwrap();
                    numbers.extend(places.iter().map(|it| base + it));
                    base += total;
                }
                let expected: Vec<u64> = sources
                    .iter()
                    .map(|it| all.binary_search(it).unwrap() as u64)
                    .collect();
                assert_eq!(numbers, expected);
            }
        }
    }
}
