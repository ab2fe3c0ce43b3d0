//! Why a translation ends without a result, and how much it may use before it does.

use sat::Stop;

use crate::circuit::Circuit;
use crate::logic::VarId;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Abort {
    /// The circuit would need more gates than allowed, or a relation more tuples than can be numbered.
    TooLarge,
    /// Somebody asked to stop.
    Stopped,
    /// A variable ranges over sets, and no witness can stand for it.
    HigherOrder(VarId),
}

/// What a translation may use.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    pub size_max: usize,
    pub stop: Stop,
}

impl Budget {
    /// To be called wherever a circuit grows by more than a handful of gates.
    pub(crate) fn check(&self, circuit: &Circuit) -> Result<(), Abort> {
        self.check_more(circuit, 0)
    }

    /// The same, before work that will add or visit `more` gates.
    pub(crate) fn check_more(&self, circuit: &Circuit, more: usize) -> Result<(), Abort> {
        if circuit.size().saturating_add(more) > self.size_max {
            return Err(Abort::TooLarge);
        }
        if self.stop.is_asked() {
            return Err(Abort::Stopped);
        }
        Ok(())
    }
}
