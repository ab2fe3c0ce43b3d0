//! A session on a thread of its own, for front ends with many threads.

use std::sync::mpsc::{Receiver, Sender, channel};

use alloy_lower::Stop;
use tla_eval::effects::Effects;

use super::{PlayOptions, Refused, Session, play};
use crate::host::Host;

type Job = Box<dyn FnOnce(&mut Session<'_>) + Send>;

/// The session's thread is no more: what it was asked before made it panic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gone;

/// A handle on a session. Clones are handles on the same one; it ends with the last of them.
#[derive(Clone)]
pub struct Remote {
    jobs: Sender<Job>,
}

impl Remote {
    /// Opens a specification on a new thread, and waits until it can be played.
    pub fn open(
        spec: &str,
        host: Box<dyn Host + Send>,
        options: PlayOptions,
        effects: Box<dyn Effects + Send + Sync>,
    ) -> Result<Remote, Refused> {
        let (jobs, queue) = channel::<Job>();
        let (opened, outcome) = channel::<Result<(), Refused>>();
        let spec = spec.to_owned();
        std::thread::spawn(move || {
            let refused = play(&spec, &*host, &options, &*effects, &Stop::default(), |session| {
                let _ = opened.send(Ok(()));
                serve(session, &queue);
            });
            if let Err(why) = refused {
                let _ = opened.send(Err(why));
            }
        });
        match outcome.recv() {
            Ok(Ok(())) => Ok(Remote { jobs }),
            Ok(Err(why)) => Err(why),
            Err(_) => Err((source::Sources::new(), vec![])),
        }
    }

    /// Runs a closure with the session, and waits for what it returns.
    pub fn ask<R: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Session<'_>) -> R + Send + 'static,
    ) -> Result<R, Gone> {
        let (reply, answer) = channel();
        self.send(move |session| {
            let _ = reply.send(question(session));
        })?;
        answer.recv().map_err(|_| Gone)
    }

    /// As [`Remote::ask`], without waiting: the closure sends its answer wherever it wants.
    pub fn send(&self, job: impl FnOnce(&mut Session<'_>) + Send + 'static) -> Result<(), Gone> {
        self.jobs.send(Box::new(job)).map_err(|_| Gone)
    }
}

fn serve(session: &mut Session<'_>, queue: &Receiver<Job>) {
    for job in queue {
        job(session);
    }
}
