//! How large slices are: enough work to be worth the messages, and no more than fits.

use std::time::Duration;

use explore::Options;

/// How many states a slice should have: enough to be worth its messages, and no more than fits.
pub struct Pace {
    peers: usize,
    pub len: u64,
    started: Duration,
}

impl Pace {
    /// Candidates that one worker holds in a slice, in bytes.
    const BYTES_MAX: usize = 32 << 20;
    const SHORT: Duration = Duration::from_millis(40);
    const LONG: Duration = Duration::from_millis(250);

    pub fn new(peers: usize) -> Pace {
        Pace {
            peers,
            len: 64 * peers as u64,
            started: Duration::ZERO,
        }
    }

    pub fn begin(&mut self, options: &Options<'_>) {
        self.started = options.observer.elapsed();
    }

    pub fn learn(
        &mut self,
        options: &Options<'_>,
        n_states: u64,
        n_arrived: u64,
        per_candidate: usize,
    ) -> u64 {
        let took = options.observer.elapsed().saturating_sub(self.started);
        if took > Pace::LONG {
            self.len /= 2;
        } else if took < Pace::SHORT / 4 && n_states >= self.len {
            self.len *= 4;
        } else if took < Pace::SHORT && n_states >= self.len {
            self.len *= 2;
        }
        let bytes_max = options
            .limits
            .memory
            .map_or(Pace::BYTES_MAX, |it| (it / 16).min(Pace::BYTES_MAX));
        let arrived_per_state = n_arrived as f64 / n_states.max(1) as f64;
        let fitting = bytes_max as f64 / (arrived_per_state.max(0.01) * per_candidate as f64);
        self.len = self.len.min(fitting as u64).clamp(self.peers as u64, 1 << 30);
        self.len
    }
}
