//! Jobs: work that takes a while, told as server-sent events. Whoever stops listening ends the work.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::Stream;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, sleep_until};

use crate::errors::{self, Refusal};
use crate::process::{Line, Process, Workers};

#[derive(Clone)]
pub struct Jobs {
    workers: Workers,
    free: Arc<Semaphore>,
}

/// More time than the job gives itself, so that it can say what it found so far.
const GRACE: Duration = Duration::from_secs(10);
/// How soon a page that is gone is noticed.
const PULSE: Duration = Duration::from_secs(1);

impl Jobs {
    pub fn new(workers: Workers) -> Jobs {
        let free = Arc::new(Semaphore::new(workers.limits.jobs));
        Jobs { workers, free }
    }

    /// Starts a job. The stream has events `progress`, then one `done` or `refused`.
    pub async fn start(
        &self,
        request: &RawValue,
    ) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>> + use<>>, Refusal> {
        let limits = &self.workers.limits;
        let permit = self.free.clone().try_acquire_owned();
        let permit = permit.map_err(|_| errors::too_many("jobs", limits.jobs))?;
        let mut process = self.workers.start()?;
        process.send(request).await?;
        let (events, listener) = mpsc::channel(16);
        tokio::spawn(tell(process, permit, events, limits.job + GRACE));
        let stream = futures_util::stream::unfold(listener, |mut listener| async {
            let event = listener.recv().await?;
            Some((Ok(event), listener))
        });
        Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(PULSE)))
    }

    /// Does a job that nobody watches.
    pub async fn answer(&self, request: &Value, limit: Duration) -> Result<Value, Refusal> {
        let _permit = self.free.acquire().await;
        let request = raw(request)?;
        let answer = self.workers.start()?.ask(&request, limit).await?;
        serde_json::from_str(answer.get()).map_err(|it| errors::own_bug(&it.to_string()))
    }
}

/// A request that was put together here.
pub fn raw(request: &Value) -> Result<Box<RawValue>, Refusal> {
    serde_json::value::to_raw_value(request).map_err(|it| errors::own_bug(&it.to_string()))
}

/// Passes on what a process says, until it is done, out of time, or nobody listens; then the process ends.
async fn tell(
    mut process: Process,
    _permit: OwnedSemaphorePermit,
    events: mpsc::Sender<Event>,
    limit: Duration,
) {
    let deadline = Instant::now() + limit;
    loop {
        let line = tokio::select! {
            line = process.line() => line,
            () = events.closed() => return,
            () = sleep_until(deadline) => Err(errors::out_of_time(limit.as_secs_f64())),
        };
        let (name, data) = match &line {
            Ok(Line::Progress(it)) => ("progress", it.get().to_owned()),
            Ok(Line::Done(it)) => ("done", it.get().to_owned()),
            Err(refusal) => ("refused", refusal.json().to_string()),
        };
        let sent = events.send(Event::default().event(name).data(data)).await;
        if sent.is_err() || name != "progress" {
            return;
        }
    }
}
