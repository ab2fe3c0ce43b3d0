//! Watches over a running Alloy command: how long it takes, how much memory, whether someone has had enough.
//!
//! A solver is not ours to interrupt at will: it looks at a flag from time to time. A thread of our own sets the flag,
//! and keeps the line on the terminal alive.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use source::Sources;
use workbench::{CommandReport, Stop, Waiting};

use crate::progress::{grouped, is_interrupted, spinner, stop_on_interrupt};
use crate::world::resident_memory;

/// What may be used.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    pub time: Option<Duration>,
    pub memory: Option<usize>,
}

/// The clock's part of a command.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// From its start to clauses.
    pub translate: Duration,
    /// From clauses to the last answer.
    pub solve: Duration,
    /// All of it, with the search for what is to blame.
    pub total: Duration,
}

/// Shared with the thread.
#[derive(Default)]
struct Shared {
    /// What is being done.
    doing: Mutex<String>,
    /// Which limit has ended it.
    ended_by: Mutex<Option<&'static str>>,
}

type Ended<'a> = &'a mut dyn FnMut(&CommandReport, Times, &Sources);

/// Implements [`Waiting`] with a clock, and calls `ended` for each command.
pub struct AlloyWatch<'a> {
    shared: Arc<Shared>,
    start: Instant,
    times: Times,
    ended: Ended<'a>,
    /// Dropped first: then the thread ends.
    done: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl<'a> AlloyWatch<'a> {
    pub fn new(limits: Limits, stop: Stop, ended: Ended<'a>) -> AlloyWatch<'a> {
        stop_on_interrupt();
        let shared = Arc::new(Shared::default());
        let (sender, receiver) = channel();
        let thread = {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || watch(&shared, limits, &stop, &receiver))
        };
        AlloyWatch {
            shared,
            start: Instant::now(),
            times: Times::default(),
            ended,
            done: Some(sender),
            thread: Some(thread),
        }
    }

    /// Ends the watch, and says which limit was reached.
    pub fn finish(mut self) -> Option<&'static str> {
        self.done = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        *self.shared.ended_by.lock().expect("no panic while it is set")
    }

    fn doing(&self, what: String) {
        *self.shared.doing.lock().expect("no panic while it is set") = what;
    }
}

impl Waiting for AlloyWatch<'_> {
    fn starts(&mut self, label: &str, number: usize, of: usize) {
        (self.start, self.times) = (Instant::now(), Times::default());
        self.doing(format!("{label} ({number} of {of}), translating"));
    }

    fn translated(&mut self, variables: usize, clauses: usize) {
        self.times.translate = self.start.elapsed();
        let (variables, clauses) = (grouped(variables as u64), grouped(clauses as u64));
        self.doing(format!("solving {variables} variables, {clauses} clauses"));
    }

    fn answered(&mut self) {
        self.times.solve = self.start.elapsed() - self.times.translate;
        self.doing("looking for what is to blame".into());
    }

    fn ends(&mut self, report: &CommandReport, sources: &Sources) {
        self.times.total = self.start.elapsed();
        self.doing(String::new());
        (self.ended)(report, self.times, sources);
    }
}

/// Looks every now and then, until the other end of `done` is dropped.
fn watch(shared: &Shared, limits: Limits, stop: &Stop, done: &Receiver<()>) {
    let start = Instant::now();
    let bar: Option<ProgressBar> = spinner();
    while done.recv_timeout(Duration::from_millis(50)) == Err(RecvTimeoutError::Timeout) {
        let reason = if is_interrupted() {
            Some("interrupted")
        } else if limits.time.is_some_and(|it| start.elapsed() >= it) {
            Some("time")
        } else if limits
            .memory
            .is_some_and(|max| resident_memory().is_some_and(|it| it > max))
        {
            Some("memory")
        } else {
            None
        };
        if let Some(reason) = reason {
            stop.ask();
            shared
                .ended_by
                .lock()
                .expect("no panic while it is set")
                .get_or_insert(reason);
        }
        let doing = shared.doing.lock().expect("no panic while it is set").clone();
        if let (Some(bar), false) = (&bar, doing.is_empty()) {
            bar.set_message(format!("{doing}, {:.1} s", start.elapsed().as_secs_f64()));
            bar.tick();
        }
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}
