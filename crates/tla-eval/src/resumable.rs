//! Enumerations that pause, so that the values made on the way are freed, and go on where they were.
//!
//! What is made for a state lives in an arena until the enumeration ends. For the successors of one state that is right; a
//! specification can have a hundred million initial states. So an enumeration of these notes at each choice how many
//! elements it has gone through: its *path*. When enough was made, it ends; another one begins with an empty arena and goes past
//! what the path says.
//!
//! Nothing depends on all choices being noted. States come in an order; while their paths ascend strictly, those before a path are
//! smaller, so one that begins anew leaves out states with smaller paths until it comes to the one it is to begin with. When
//! paths stop ascending (two ways that no choice tells apart), there are no more pauses. What is enumerated must be pure, of
//! course.

use value::{Arena, Elements};

use crate::machine::Machine;

/// Bytes between two pauses, at least: they stay in the cache.
const BYTES: usize = 1 << 20;
/// To begin anew must cost less than this share of what there is to do until the next pause, in bytes and in elements.
const SHARE: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct Resumable {
    /// [`BYTES`] and [`SHARE`], except for tests.
    every: usize,
    share: usize,
    /// Where it began: states with smaller paths were found before.
    from: Vec<u64>,
    /// Every choice so far was that of `from`.
    is_on_path: bool,
    path: Vec<u64>,
    /// The path of the state before; nothing when there is none, or when paths do not ascend.
    last: Option<Vec<u64>>,
    is_first: bool,
    /// Bytes and elements when the first state was found.
    until_first: (usize, u32),
    /// Paths ascend.
    is_in_order: bool,
}

/// What to do about a state.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    New,
    /// It was found before.
    Old,
    /// It is new, but it is time to begin anew from it.
    Pause,
}

/// A choice that is under way.
#[derive(Clone, Copy)]
pub(crate) struct Choice(usize);

impl Resumable {
    pub fn new() -> Resumable {
        Resumable {
            every: BYTES,
            share: SHARE,
            is_first: true,
            is_in_order: true,
            ..Resumable::default()
        }
    }

    /// Begins anew, at the state that the one before paused at.
    pub fn again(self) -> Resumable {
        Resumable {
            from: self.path,
            is_on_path: true,
            path: vec![],
            is_first: true,
            until_first: (0, 0),
            ..self
        }
    }

    /// Begins a choice; gives how many elements to go past.
    pub fn begin(&mut self) -> (Choice, u64) {
        let depth = self.path.len();
        let first = match self.is_on_path {
            true => self.from.get(depth).copied().unwrap_or(0),
            false => 0,
        };
        self.path.push(first);
        (Choice(depth), first)
    }

    /// Goes on to the next element.
    pub fn advance(&mut self, choice: Choice) {
        self.is_on_path = false;
        self.path.truncate(choice.0 + 1);
        if let Some(last) = self.path.last_mut() {
            *last += 1;
        }
    }

    pub fn end(&mut self, choice: Choice) {
        self.path.truncate(choice.0);
    }

    /// Looks at a state that was found.
    pub fn found(&mut self, arena: &Arena, work: u32) -> Found {
        if self.is_first && self.path < self.from {
            return Found::Old;
        }
        let used = arena.allocated_bytes() - arena.chunk_capacity();
        if self.is_first {
            self.is_first = false;
            self.until_first = (used, work);
        } else if self.is_in_order {
            self.is_in_order = self.last.as_ref().is_none_or(|last| *last < self.path);
        }
        if !self.is_in_order {
            return Found::New;
        }
        let (bytes, elements) = self.until_first;
        let is_time = used - bytes > self.every.max(bytes * self.share)
            && work.wrapping_sub(elements) as usize >= elements as usize * self.share;
        if is_time {
            return Found::Pause;
        }
        match &mut self.last {
            Some(last) => last.clone_from(&self.path),
            none => *none = Some(self.path.clone()),
        }
        Found::New
    }
}

impl<'t, 'i: 't> Machine<'t, 'i> {
    /// Begins a choice that can be gone past; gives how many of its ways to go past.
    #[inline]
    pub(crate) fn begin_choice(&mut self) -> (Choice, u64) {
        match &mut self.step.search.resumable {
            None => (Choice(0), 0),
            Some(it) => it.begin(),
        }
    }

    /// The same for a choice among elements.
    #[inline]
    pub(crate) fn begin_elements(&mut self, items: &mut Elements<'t>) -> Choice {
        let (choice, n_past) = self.begin_choice();
        if n_past > 0 {
            items.skip(n_past);
        }
        choice
    }

    #[inline]
    pub(crate) fn next_choice(&mut self, choice: Choice) {
        if let Some(it) = &mut self.step.search.resumable {
            it.advance(choice);
        }
    }

    #[inline]
    pub(crate) fn end_choice(&mut self, choice: Choice) {
        if let Some(it) = &mut self.step.search.resumable {
            it.end(choice);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ways to states: as choices that are noted, or that are not.
    enum Ways {
        State(u32),
        Noted(Vec<Ways>),
        Other(Vec<Ways>),
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) % n
        }
    }

    fn ways(random: &mut Random, depth: u32, n_states: &mut u32, only_noted: bool) -> Ways {
        if depth == 0 || random.below(6) == 0 {
            *n_states += 1;
            return Ways::State(*n_states);
        }
        let inner = (0..random.below(5))
            .map(|_| ways(random, depth - 1, n_states, only_noted))
            .collect();
        match only_noted || random.below(20) > 0 {
            true => Ways::Noted(inner),
            false => Ways::Other(inner),
        }
    }

    struct Walk<'w> {
        resumable: Resumable,
        arena: &'w Arena,
        work: u32,
        found: &'w mut Vec<u32>,
    }

    impl Walk<'_> {
        /// True to stop.
        fn through(&mut self, ways: &Ways) -> bool {
            self.work += 1;
            self.arena.alloc(0u64);
            match ways {
                Ways::State(it) => match self.resumable.found(self.arena, self.work) {
                    Found::Old => false,
                    Found::Pause => true,
                    Found::New => {
                        self.found.push(*it);
                        false
                    }
                },
                Ways::Other(all) => all.iter().any(|it| self.through(it)),
                Ways::Noted(all) => {
                    let (choice, n_past) = self.resumable.begin();
                    for it in &all[all.len().min(n_past as usize)..] {
                        if self.through(it) {
                            return true;
                        }
                        self.resumable.advance(choice);
                    }
                    self.resumable.end(choice);
                    false
                }
            }
        }
    }

    #[test]
    fn every_state_is_found_once_and_in_order() {
        let mut n_pauses = [0; 2];
        for seed in 0..2000 {
            let only_noted = seed % 2 == 0;
            let (mut random, mut n_states) = (Random(seed), 0);
            let all = ways(&mut random, 7, &mut n_states, only_noted);
            let (mut found, mut arena) = (vec![], Arena::new());
            let mut resumable = Resumable {
                every: 0,
                share: 1,
                ..Resumable::new()
            };
            loop {
                arena.reset();
                let mut walk = Walk {
                    resumable,
                    arena: &arena,
                    work: 0,
                    found: &mut found,
                };
                if !walk.through(&all) {
                    break;
                }
                resumable = walk.resumable.again();
                n_pauses[usize::from(only_noted)] += 1;
            }
            assert_eq!(found, (1..=n_states).collect::<Vec<_>>(), "seed {seed}");
        }
        assert!(n_pauses.iter().all(|&it| it > 1000), "{n_pauses:?}");
    }
}
