//! Sessions of play: one for each tab, a process each, which end when their page does or when nobody uses them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use tokio::sync::Mutex;

use crate::errors::{self, Refusal};
use crate::guard::fresh_token;
use crate::process::{Process, Workers};

#[derive(Clone)]
pub struct Sessions {
    workers: Workers,
    open: Arc<Mutex<HashMap<String, Session>>>,
}

struct Session {
    process: Arc<Mutex<Process>>,
    /// When the person last did something.
    used: Instant,
    /// When the page last said that it is still there.
    seen: Instant,
}

/// A page says every now and then that it is there; browsers let those in the background speak once a minute. One that
/// closes says so at once, so this is for those that crash.
const SILENT_MAX: Duration = Duration::from_secs(150);

impl Sessions {
    pub fn new(workers: Workers) -> Sessions {
        Sessions {
            workers,
            open: Arc::default(),
        }
    }

    /// Starts a session with a first request, and answers with its name.
    pub async fn start(&self, request: &RawValue) -> Result<(String, Box<RawValue>), Refusal> {
        let limits = &self.workers.limits;
        if self.open.lock().await.len() >= limits.sessions {
            return Err(errors::too_many("sessions", limits.sessions));
        }
        let mut process = self.workers.start()?;
        let answer = process.ask(request, limits.request).await?;
        let name = fresh_token().map_err(|it| errors::own_bug(&it.to_string()))?;
        let session = Session {
            process: Arc::new(Mutex::new(process)),
            used: Instant::now(),
            seen: Instant::now(),
        };
        self.open.lock().await.insert(name.clone(), session);
        Ok((name, answer))
    }

    /// Asks a session. One that fails has lost its state, so it ends; the page can start it anew where it was.
    pub async fn ask(&self, name: &str, request: &RawValue) -> Result<Box<RawValue>, Refusal> {
        let process = {
            let mut open = self.open.lock().await;
            let session = open.get_mut(name).ok_or_else(errors::no_session)?;
            session.used = Instant::now();
            session.seen = session.used;
            session.process.clone()
        };
        let answer = process
            .lock()
            .await
            .ask(request, self.workers.limits.request)
            .await;
        if answer.as_ref().is_err_and(|it| it.code != "not-json") {
            self.end(name).await;
        }
        answer
    }

    /// Notes that the page is still there; false when its session is not.
    pub async fn see(&self, name: &str) -> bool {
        let mut open = self.open.lock().await;
        let session = open.get_mut(name);
        session.map(|it| it.seen = Instant::now()).is_some()
    }

    pub async fn end(&self, name: &str) {
        self.open.lock().await.remove(name);
    }

    /// Ends what nobody uses, for ever.
    pub async fn expire(self) {
        let idle = self.workers.limits.idle;
        loop {
            tokio::time::sleep(idle.min(Duration::from_secs(30))).await;
            let is_wanted = |it: &Session| it.used.elapsed() < idle && it.seen.elapsed() < SILENT_MAX;
            self.open.lock().await.retain(|_, it| is_wanted(it));
        }
    }
}
