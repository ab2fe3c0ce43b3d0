//! A worker process as the server sees it: requests go in and answers come out, a line of JSON each.
//!
//! A process that takes too long is ended; nothing else ends an evaluation for certain. It also ends with its handle, so
//! that nobody works for a page that is gone.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout_at};

use crate::errors::{self, Refusal};

/// What one person may use.
#[derive(Clone, Debug)]
pub struct Limits {
    /// For a request that is answered at once: a step, a value.
    pub request: Duration,
    /// For a job that shows its progress: a check, a search.
    pub job: Duration,
    /// Bytes that a process may have.
    pub memory: u64,
    pub body_bytes: usize,
    pub sessions: usize,
    pub jobs: usize,
    /// A session that nobody uses for so long ends.
    pub idle: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            request: Duration::from_secs(10),
            job: Duration::from_secs(300),
            memory: 1 << 30,
            body_bytes: 1 << 20,
            sessions: 64,
            jobs: 16,
            idle: Duration::from_secs(15 * 60),
        }
    }
}

/// How workers are started: this binary, with the arguments that make it a worker.
#[derive(Clone, Debug)]
pub struct Workers {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    pub limits: Limits,
}

impl Workers {
    pub fn start(&self) -> Result<Process, Refusal> {
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .arg("--memory")
            .arg(self.limits.memory.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|it| errors::own_bug(&format!("no process can be started: {it}")))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(errors::own_bug("a process has no pipes"));
        };
        Ok(Process {
            child,
            requests,
            answers: BufReader::new(answers).lines(),
            memory: self.limits.memory,
        })
    }
}

pub struct Process {
    child: Child,
    requests: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
    memory: u64,
}

/// A line of a worker. What it tells the page goes to the page as it is: nobody on the way takes it apart.
#[derive(Clone, Debug)]
pub enum Line {
    Progress(Box<RawValue>),
    Done(Box<RawValue>),
}

/// What a line of a worker may say.
#[derive(Deserialize)]
struct Said {
    progress: Option<Box<RawValue>>,
    done: Option<Box<RawValue>>,
    bug: Option<String>,
    wrong: Option<String>,
}

impl Process {
    /// Sends a request; [`Process::line`] reads what comes back.
    pub async fn send(&mut self, request: &RawValue) -> Result<(), Refusal> {
        // A text in JSON has no line breaks but those between its parts.
        let line = request.get().replace(['\n', '\r'], " ") + "\n";
        match self.requests.write_all(line.as_bytes()).await {
            Ok(()) => Ok(()),
            Err(_) => Err(self.ended().await),
        }
    }

    /// The next line.
    pub async fn line(&mut self) -> Result<Line, Refusal> {
        let Ok(Some(line)) = self.answers.next_line().await else {
            return Err(self.ended().await);
        };
        match serde_json::from_str(&line) {
            Ok(Said {
                progress: Some(it), ..
            }) => Ok(Line::Progress(it)),
            Ok(Said { bug: Some(it), .. }) => Err(errors::own_bug(&it)),
            Ok(Said { wrong: Some(it), .. }) => Err(errors::not_json(&it)),
            Ok(Said { done, .. }) => Ok(Line::Done(done.unwrap_or_else(|| RawValue::NULL.to_owned()))),
            Err(_) => Err(errors::own_bug("a worker does not speak JSON")),
        }
    }

    /// Asks, and waits for the answer; progress on the way is of no interest.
    pub async fn ask(&mut self, request: &RawValue, limit: Duration) -> Result<Box<RawValue>, Refusal> {
        let deadline = Instant::now() + limit;
        let answer = async {
            self.send(request).await?;
            loop {
                if let Line::Done(answer) = self.line().await? {
                    return Ok(answer);
                }
            }
        };
        match timeout_at(deadline, answer).await {
            Ok(answer) => answer,
            Err(_) => {
                let _ = self.child.start_kill();
                Err(errors::out_of_time(limit.as_secs_f64()))
            }
        }
    }

    /// Why there is no process any more. Whoever gets no memory aborts.
    async fn ended(&mut self) -> Refusal {
        let status = timeout_at(Instant::now() + Duration::from_secs(5), self.child.wait()).await;
        match status {
            Ok(Ok(status)) if status.code() == Some(101) => errors::own_bug("a worker failed"),
            _ => errors::out_of_memory(self.memory),
        }
    }
}
