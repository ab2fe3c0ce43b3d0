//! A running search on a terminal: one line that counts.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use workbench::{Observer, Progress};

/// Shows progress on a terminal and knows when to stop.
pub struct Watch {
    start: Instant,
    bar: Option<ProgressBar>,
    shown_ms: AtomicU64,
    /// Say how much time is left, if what is known is all there is.
    estimates: bool,
    /// Random walks: how many there are to be, and for how long.
    walks: Option<(Option<u64>, Option<Duration>)>,
}

impl Watch {
    pub fn new() -> Watch {
        stop_on_interrupt();
        Watch {
            start: Instant::now(),
            bar: spinner(),
            shown_ms: AtomicU64::new(0),
            estimates: false,
            walks: None,
        }
    }

    /// Shows nothing: another process does.
    pub fn quiet() -> Watch {
        stop_on_interrupt();
        Watch {
            start: Instant::now(),
            bar: None,
            shown_ms: AtomicU64::new(0),
            estimates: false,
            walks: None,
        }
    }

    /// Counts random walks, and draws how many are done, or how much of their time.
    pub fn walking(mut self, n: Option<u64>, time: Option<Duration>) -> Watch {
        self.walks = Some((n, time));
        if let Some(bar) = &self.bar {
            let style = ProgressStyle::with_template("{bar:30} {percent}% {msg}");
            bar.set_style(style.unwrap_or(ProgressStyle::default_bar()));
        }
        self
    }

    /// Whether to draw how much is done, with an estimate of the time that is left.
    pub fn estimating(mut self, estimates: bool) -> Watch {
        self.estimates = estimates;
        if let Some(bar) = self.bar.as_ref().filter(|_| estimates) {
            let style = ProgressStyle::with_template("{bar:30} {percent}% {msg}, about {eta} left");
            bar.set_style(style.unwrap_or(ProgressStyle::default_bar()));
        }
        self
    }

    pub fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Watch {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn cancelled(&self) -> bool {
        is_interrupted()
    }

    fn progress(&self, progress: &Progress) {
        let Some(bar) = &self.bar else { return };
        let now = self.start.elapsed().as_millis() as u64;
        // A person reads a few times a second.
        if now < self.shown_ms.load(Ordering::Relaxed) + 100 {
            return;
        }
        self.shown_ms.store(now, Ordering::Relaxed);
        if let Some((n, time)) = self.walks {
            return self.walked(bar, progress, (n, time), now);
        }
        let Progress {
            generated,
            distinct,
            queue,
            depth,
            ..
        } = *progress;
        if self.estimates {
            bar.set_length(distinct);
            bar.set_position(distinct - queue.min(distinct));
        }
        let rate = distinct as f64 / (now.max(1) as f64 / 1000.0);
        bar.set_message(format!(
            "{} distinct, {} generated, {} to do, depth {depth}, {} states/s, {:.1} s",
            grouped(distinct),
            grouped(generated),
            grouped(queue),
            grouped(rate as u64),
            now as f64 / 1000.0
        ));
        bar.tick();
    }
}

impl Watch {
    fn walked(
        &self,
        bar: &ProgressBar,
        progress: &Progress,
        (n, time): (Option<u64>, Option<Duration>),
        now: u64,
    ) {
        let of_time = time.map(|it| (now, it.as_millis() as u64));
        let of_walks = n.map(|it| (progress.walks, it));
        // Whichever is over first ends it.
        let share = |(done, all): (u64, u64)| done as f64 / all.max(1) as f64;
        let mut known: Vec<(u64, u64)> = of_time.into_iter().chain(of_walks).collect();
        known.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        if let Some(&(done, all)) = known.first() {
            bar.set_length(all);
            bar.set_position(done.min(all));
        }
        let seconds = now.max(1) as f64 / 1000.0;
        bar.set_message(format!(
            "{} walks, {}/s, {} states, {}/s, {seconds:.1} s",
            grouped(progress.walks),
            grouped((progress.walks as f64 / seconds) as u64),
            grouped(progress.distinct),
            grouped((progress.distinct as f64 / seconds) as u64),
        ));
        bar.tick();
    }
}

/// How many of so many are done, on a terminal.
pub struct Counter(Option<ProgressBar>);

impl Counter {
    pub fn new() -> Counter {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}");
        Counter(std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(0);
            bar.set_style(style.unwrap_or(ProgressStyle::default_bar()));
            bar
        }))
    }

    pub fn at(&self, done: usize, total: usize, what: &str) {
        if let Some(bar) = &self.0 {
            bar.set_length(total as u64);
            bar.set_position(done as u64);
            bar.set_message(what.to_string());
        }
    }

    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

/// A line that moves, on a terminal.
pub fn spinner() -> Option<ProgressBar> {
    std::io::stderr().is_terminal().then(|| {
        let bar = ProgressBar::new_spinner();
        bar.set_style(
            ProgressStyle::with_template("{spinner} {msg}").unwrap_or(ProgressStyle::default_spinner()),
        );
        bar
    })
}

/// Whether someone has asked to stop.
pub fn is_interrupted() -> bool {
    interrupted().load(Ordering::Relaxed)
}

fn interrupted() -> &'static AtomicBool {
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    &INTERRUPTED
}

/// The first Ctrl-C asks for what was found so far; the second one ends the program.
pub fn stop_on_interrupt() {
    static ONCE: OnceLock<()> = OnceLock::new();
    ONCE.get_or_init(|| {
        let _ = ctrlc::set_handler(|| {
            if interrupted().swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
}

/// `1234567` as `1 234 567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(c);
    }
    text
}
