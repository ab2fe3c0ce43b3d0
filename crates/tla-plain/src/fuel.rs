//! How much may be spent on a question, so that a replay never hangs and never eats the memory.
//!
//! Every evaluated expression and every listed or compared element costs one step, every nested evaluation one level. What is
//! left is kept per thread: comparing and listing values are plain functions far from the interpreter that started them,
//! and one thread answers one question at a time.

use std::cell::Cell;

use crate::{Error, Result};

/// Nested evaluations; a level takes a few kilobytes of stack.
const DEPTH_MAX: u32 = 10_000;

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static IS_OUT: Cell<bool> = const { Cell::new(false) };
}

/// Fills the tank.
pub(crate) fn refuel(steps: u64) {
    LEFT.set(steps);
    IS_OUT.set(false);
}

/// The answer to a question, unless it was reached without paying: an error in the middle may have been taken for a no.
pub(crate) fn paid<T>(answer: Result<T>) -> Result<T> {
    if IS_OUT.get() { Err(Error::TooLong) } else { answer }
}

/// Whatever is still asked for costs more than there is: nobody will believe an answer, so none is looked for any longer. A search with many
/// branches would otherwise go down as far as it may in each of them.
pub(crate) fn give_up<T>() -> Result<T> {
    IS_OUT.set(true);
    LEFT.set(0);
    Err(Error::TooLong)
}

/// What is not part of a question costs nothing: values come from outside and must arrive whole.
pub(crate) fn free<T>(work: impl FnOnce() -> T) -> T {
    let (left, is_out) = (LEFT.replace(u64::MAX), IS_OUT.get());
    let result = work();
    LEFT.set(left);
    IS_OUT.set(is_out);
    result
}

/// Pays for `steps`, or gives up.
pub(crate) fn spend(steps: usize) -> Result<()> {
    match LEFT.get().checked_sub(steps as u64) {
        Some(left) => {
            LEFT.set(left);
            Ok(())
        }
        None => give_up(),
    }
}

/// One level deeper: with its stack, if it can be paid for.
pub(crate) fn level<T>(step: impl FnOnce() -> Result<T>) -> Result<T> {
    spend(1)?;
    let depth = DEPTH.get();
    if depth == DEPTH_MAX {
        return give_up();
    }
    DEPTH.set(depth + 1);
    let result = util::deep(step);
    DEPTH.set(depth);
    result
}
