//! The search as a timely dataflow: a loop through four operators and three exchanges.
//!
//! ```text
//! ┌─▶ expand ──by state hash──▶ deduplicate ──by parent──▶ rank ──by owner──▶ number ─┐
//! └──────────────────────────────── the next slice ◀─────────────────────────────┘
//! ```
//!
//! The timestamp is the number of the slice. `deduplicate` waits for the frontier: when no worker can send a candidate of the
//! slice any more, what has arrived is all there is. `rank` and `number` hear from every worker exactly once.
//!
//! Operators live as long as timely's threads do, and the model does not: it is borrowed. So an operator asks its worker's
//! partition of the search, which sits on a thread of its own, and waits for the answer.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::mpsc::{Receiver, Sender};

use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::{Exchange, Pipeline};
use timely::dataflow::operators::{Capability, Concat, ConnectLoop, Feedback, Operator, ToStream};
use timely::dataflow::{Scope, Stream};
use timely::worker::Worker;

use crate::parcel::Parcel;

/// What an operator asks of a partition; see the methods of `Partition` with the same names.
pub enum Ask {
    Expand,
    Arrive(Vec<Parcel>),
    Close,
    Rank(Vec<Parcel>),
    Number(Vec<Parcel>),
}

#[derive(Default)]
pub struct Answer {
    pub parcels: Vec<Parcel>,
    pub has_more: bool,
}

/// The way from the operators of a worker to its partition.
pub struct Line {
    pub asks: Sender<Ask>,
    pub answers: Receiver<Answer>,
}

impl Line {
    fn ask(&self, ask: Ask) -> Answer {
        let sent = self.asks.send(ask).is_ok();
        if sent && let Ok(answer) = self.answers.recv() {
            return answer;
        }
        // The partition has given up, and with it the search: this thread has nothing left to do.
        loop {
            std::thread::park();
        }
    }
}

type Parcels<'scope> = Stream<'scope, u64, Vec<Parcel>>;
type Builder = CapacityContainerBuilder<Vec<Parcel>>;

/// Builds the loop for one worker.
pub fn build(worker: &mut Worker, line: Line) {
    let line = Rc::new(line);
    let (index, peers) = (worker.index(), worker.peers());
    worker.dataflow::<u64, _, _>(|scope| {
        let (handle, cycle) = scope.feedback::<Vec<Parcel>>(1);
        let token = Parcel::new(index, index, &[]);
        let first = Some(token.clone()).to_stream(scope).container::<Vec<Parcel>>();
        let candidates = expand(scope, first.concat(cycle), Rc::clone(&line));
        let new = deduplicate(candidates, Rc::clone(&line));
        let ranked = {
            let line = Rc::clone(&line);
            once_from_each(new, "rank", peers, move |parcels| {
                line.ask(Ask::Rank(parcels)).parcels
            })
        };
        let numbered = once_from_each(ranked, "number", peers, move |parcels| {
            let goes_on = line.ask(Ask::Number(parcels)).has_more;
            goes_on.then(|| token.clone()).into_iter().collect()
        });
        numbered.connect_loop(handle);
    });
}

/// For each token, the candidates of a slice, piece by piece.
fn expand<'scope>(scope: Scope<'scope, u64>, tokens: Parcels<'scope>, line: Rc<Line>) -> Parcels<'scope> {
    tokens.unary::<Builder, _, _, _>(Pipeline, "expand", |_, info| {
        let activator = scope.activator_for(info.address);
        let mut slice: Option<Capability<u64>> = None;
        move |input, output| {
            input.for_each(|time, _| slice = Some(time.retain(output.output_index())));
            let Some(time) = &slice else { return };
            let answer = line.ask(Ask::Expand);
            output.session(time).give_iterator(answer.parcels.into_iter());
            match answer.has_more {
                true => activator.activate(),
                false => slice = None,
            }
        }
    })
}

/// Takes candidates in as they come; speaks up when no more can come.
fn deduplicate<'scope>(candidates: Parcels<'scope>, line: Rc<Line>) -> Parcels<'scope> {
    let by_owner = Exchange::new(|it: &Parcel| it.to());
    candidates.unary_frontier::<Builder, _, _, _>(by_owner, "deduplicate", |_, _| {
        let mut slices: BTreeMap<u64, Capability<u64>> = BTreeMap::new();
        move |(input, frontier), output| {
            input.for_each(|time, parcels| {
                slices
                    .entry(*time.time())
                    .or_insert_with(|| time.retain(output.output_index()));
                line.ask(Ask::Arrive(std::mem::take(parcels)));
            });
            while let Some(slice) = slices.first_entry()
                && !frontier.less_equal(slice.key())
            {
                let time = slice.remove();
                let answer = line.ask(Ask::Close);
                output.session(&time).give_iterator(answer.parcels.into_iter());
            }
        }
    })
}

/// Answers when every worker has been heard.
fn once_from_each<'scope>(
    stream: Parcels<'scope>,
    name: &str,
    peers: usize,
    mut answer: impl FnMut(Vec<Parcel>) -> Vec<Parcel> + 'static,
) -> Parcels<'scope> {
    let by_reader = Exchange::new(|it: &Parcel| it.to());
    stream.unary::<Builder, _, _, _>(by_reader, name, |_, _| {
        let mut heard: BTreeMap<u64, (Capability<u64>, Vec<Parcel>)> = BTreeMap::new();
        move |input, output| {
            input.for_each(|time, parcels| {
                let of_slice = heard
                    .entry(*time.time())
                    .or_insert_with(|| (time.retain(output.output_index()), vec![]));
                of_slice.1.append(parcels);
            });
            while let Some(slice) = heard.first_entry()
                && slice.get().1.len() == peers
            {
                let (time, parcels) = slice.remove();
                let parcels = answer(parcels);
                output.session(&time).give_iterator(parcels.into_iter());
            }
        }
    })
}
