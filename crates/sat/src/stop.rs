//! A request to stop, shared between the one who searches and the one who waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cloned freely; once asked, every clone says so. Whoever owns a clock or a keyboard does the asking.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A handle that nobody has asked yet.
    pub fn never() -> Stop {
        Stop::default()
    }

    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
