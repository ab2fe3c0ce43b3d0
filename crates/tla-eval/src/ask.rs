//! Single questions about a state or a step, beside the search: what a player can do, what a definition is worth.
//!
//! The values are interned like those of states, so that whoever asks compares and keeps numbers.

use explore::Sink;
use value::{Slot, Text, Value};

use crate::code::ProcId;
use crate::compile::Compiler;
use crate::error::ErrorKind;
use crate::machine::Machine;
use crate::model::{TlaModel, Worker, fault, take_error};
use crate::plan::Plan;

/// The moves of a player, compiled.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    turn: Option<ProcId>,
    pub next: ProcId,
}

impl Player {
    pub fn all<'i>(compiler: &mut Compiler<'_, 'i>, plan: &Plan<'i>) -> Vec<Player> {
        let mut all = vec![];
        for player in &plan.players {
            all.push(Player {
                turn: player.turn.map(|it| compiler.expression(it, player.name)),
                next: match player.action {
                    Some(action) => compiler.expression(action, player.name),
                    None => compiler.rules(&plan.next),
                },
            });
        }
        all
    }
}

/// What is asked about: a state, and the next one for questions about steps.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    pub state: &'a [u32],
    pub next: Option<&'a [u32]>,
    pub depth: u32,
}

impl<'i> TlaModel<'i> {
    pub fn n_players(&self) -> usize {
        self.compiled.relation.players.len()
    }

    /// As [`explore::Model::successors`], for the moves of one player of the plan.
    pub fn moves(
        &self,
        worker: &mut Worker<'_, 'i>,
        player: usize,
        state: &[u32],
        depth: u32,
        sink: &mut dyn Sink,
    ) -> Result<(), explore::Fault> {
        if let Some(turn) = self.compiled.relation.players[player].turn {
            let at = At {
                state,
                next: None,
                depth,
            };
            if !self.asked_truth(worker, turn, at)? {
                return Ok(());
            }
        }
        worker.player = Some(player);
        let done = explore::Model::successors(self, worker, state, depth, sink);
        worker.player = None;
        done
    }

    /// Whether something that the plan asks for holds.
    pub fn asked_truth(
        &self,
        worker: &mut Worker<'_, 'i>,
        proc: ProcId,
        at: At<'_>,
    ) -> Result<bool, explore::Fault> {
        self.ask(worker, at, |machine| machine.test(proc), proc)
    }

    /// The number of the value of something that the plan asks for.
    pub fn asked_value(
        &self,
        worker: &mut Worker<'_, 'i>,
        proc: ProcId,
        args: &[Slot],
        at: At<'_>,
    ) -> Result<Slot, explore::Fault> {
        let interned = worker.interned;
        let args: Vec<Value<'i>> = args.iter().map(|&it| self.heap.interner.value(it)).collect();
        self.ask(
            worker,
            at,
            |machine| {
                let value = machine.call(proc, 0, &args)?;
                let slot = self.heap.interner.intern(value, interned);
                let body = machine.program.procs[proc].body.at;
                slot.map_err(|trouble| machine.trouble(trouble, &[value], body))
            },
            proc,
        )
    }

    fn ask<T>(
        &self,
        worker: &mut Worker<'_, 'i>,
        at: At<'_>,
        answer: impl FnOnce(&mut Machine<'_, 'i>) -> Result<T, crate::error::Fault>,
        proc: ProcId,
    ) -> Result<T, explore::Fault> {
        worker.scratch.reset();
        let space = std::mem::take(&mut worker.buffers.space);
        let Worker {
            scratch,
            interned,
            cache,
            ..
        } = worker;
        let mut machine = self.compiled.machine_in(scratch, interned, space);
        machine.memo = self.memo(cache, interned);
        self.set_current(&mut machine, at.state);
        if let Some(next) = at.next {
            self.set_next(&mut machine, next, false);
        }
        machine.state.level = at.depth;
        match answer(&mut machine) {
            Ok(it) => {
                worker.buffers.space = machine.into_space();
                Ok(it)
            }
            Err(it) => Err(fault(&mut machine, it, proc)),
        }
    }

    /// A value that differs from all that the specification can make.
    pub fn unlike_all(&self, worker: &mut Worker<'_, 'i>, name: &str) -> Option<Slot> {
        let value = Value::Model(Text::new(name));
        self.heap.interner.intern(value, worker.interned).ok()
    }

    /// The number of a value, such as a part of one that was asked for.
    pub fn number(&self, worker: &Worker<'_, 'i>, value: Value<'i>) -> Option<Slot> {
        self.heap.interner.intern(value, worker.interned).ok()
    }

    /// The fault of a value of the wrong kind.
    pub fn wrong_value(
        &self,
        worker: &mut Worker<'_, 'i>,
        proc: ProcId,
        need: &'static str,
        got: Slot,
    ) -> explore::Fault {
        let mut machine = self.compiled.machine(&worker.scratch, worker.interned);
        let at = self.compiled.program.procs[proc].body.at;
        let got = self.heap.interner.value(got).to_string();
        let it = machine.fail(ErrorKind::WrongKind { need, got }, at);
        explore::Fault::new(take_error(&mut machine, it, proc))
    }
}
