//! The process that does the work: requests come in as lines of JSON, answers go out as lines of JSON.
//!
//! It has no token, no socket and no way to write a file. What it reads are the texts of the request, and modules beside
//! the one specification that the command line named.

mod ask;
mod cards;
mod check;
mod diagnose;
mod effects;
mod graph;
mod json;
mod play;
mod rules;
mod solve;
mod texts;

use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Mutex;

use serde_json::{Value, json};

use ask::{Ask, Wrong};

/// Reads requests from standard input until it ends.
pub fn worker(memory: u64, folder: Option<PathBuf>) {
    limit_memory(memory);
    let mut wire = Wire::new(BufReader::new(std::io::stdin()), std::io::stdout());
    while let Some(line) = wire.next() {
        let overrides = Ask::read(&line, folder.clone(), memory);
        // A panic ends the request, and the server says that it is our bug.
        let done = catch_unwind(AssertUnwindSafe(|| {
            overrides.and_then(|ask| answer(&ask, &mut wire))
        }));
        match done {
            Ok(Ok(answer)) => wire.done(&answer),
            Ok(Err(Wrong(why))) => wire.say(&json!({ "wrong": why })),
            Err(panic) => wire.say(&json!({ "bug": panic_text(&*panic) })),
        }
    }
}

fn answer(ask: &Ask, wire: &mut Wire) -> Result<Value, Wrong> {
    match ask.text("do")? {
        "open" => play::open(ask, wire),
        "diagnose" => Ok(diagnose::diagnose(ask)),
        "check" => Ok(check::check(ask, wire)),
        "solve" => solve::solve(ask, wire),
        "rules" => rules::verdicts(ask, wire),
        "graph" => Ok(graph::graph(ask, wire)),
        "card" => Ok(cards::card(ask)),
        other => Err(Wrong(format!("`{other}` is nothing that can be done"))),
    }
}

/// The two ends that lead to the server.
struct Wire {
    requests: Box<dyn BufRead + Send + Sync>,
    answers: Mutex<Box<dyn Write + Send>>,
}

impl Wire {
    fn new(requests: impl BufRead + Send + Sync + 'static, answers: impl Write + Send + 'static) -> Wire {
        Wire {
            requests: Box::new(requests),
            answers: Mutex::new(Box::new(answers)),
        }
    }

    /// The next request; none when the server is gone.
    fn next(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.requests.read_line(&mut line);
        read.ok().filter(|it| *it > 0).map(|_| line)
    }

    fn progress(&self, progress: &Value) {
        self.say(&json!({ "progress": progress }));
    }

    fn done(&self, answer: &Value) {
        self.say(&json!({ "done": answer }));
    }

    fn say(&self, line: &Value) {
        // A panic while a line was written leaves half of it, and the server ends this process.
        let Ok(mut out) = self.answers.lock() else { return };
        // When nobody reads, the next request does not come, and that is the end.
        let _ = writeln!(out, "{line}").and_then(|()| out.flush());
    }
}

/// Beyond its own limit, which can be told in words, a search meets the one of the kernel.
fn limit_memory(bytes: u64) {
    #[cfg(unix)]
    {
        // Stacks and tables are reserved before they are used.
        const RESERVED: u64 = 1 << 30;
        let all = bytes.saturating_add(RESERVED);
        let _ = rlimit::setrlimit(rlimit::Resource::AS, all, all);
    }
    #[cfg(not(unix))]
    let _ = bytes;
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|it| it.to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without words".to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::Arc;

    use super::*;

    /// What a worker says.
    #[derive(Clone, Default)]
    struct Told(Arc<Mutex<Vec<u8>>>);

    impl Write for Told {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no panic").extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// What a page sends when someone opens a specification of the gallery.
    fn opening(entry: &workbench::Entry) -> Value {
        let files = entry.files.iter();
        let files: Vec<Value> = files
            .map(|(name, text)| json!({ "name": name, "text": text }))
            .collect();
        let config = entry.files.iter().map(|it| it.0).find(|it| it.ends_with(".cfg"));
        json!({ "do": "open", "source": { "main": entry.files[0].0, "files": files, "config": config } })
    }

    #[test]
    fn opening_a_specification_resolves_it_once() {
        for entry in workbench::gallery() {
            let ask = Ask::read(&opening(entry).to_string(), None, 1 << 30);
            let ask = ask.unwrap_or_else(|Wrong(why)| panic!("{}: {why}", entry.name));
            let told = Told::default();
            let later = "{\"do\": \"watch\", \"expr\": \"1 = 1\"}\n{\"do\": \"restart\"}\n";
            let answered = answer(&ask, &mut Wire::new(Cursor::new(later), told.clone()));
            assert_eq!(answered.ok(), Some(Value::Null), "{}", entry.name);
            let told = told.0.lock().expect("no panic");
            assert_eq!(
                told.iter().filter(|it| **it == b'\n').count(),
                3,
                "{}",
                entry.name
            );
            assert_eq!(ask.workspace.n_resolved(), 1, "{}", entry.name);
        }
    }
}
