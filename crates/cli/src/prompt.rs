//! A prompt: history and editing on a terminal, line by line from a pipe.
//!
//! What is not finished goes on in the next line; `:quit` leaves, `:help` says what there is.

use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::output::{err, out};

/// Who answers at a prompt.
pub trait Answers {
    fn answer(&mut self, text: &str) -> ExitCode;

    /// Whether more must come before there is something to answer.
    fn is_unfinished(&self, _text: &str) -> bool {
        false
    }

    /// What one can type.
    fn help(&self) -> &str;
}

/// Answers until there is no more input. The status is that of the last mistake from a pipe; at a terminal a mistake is no
/// reason to fail.
pub fn prompt(who: &mut dyn Answers) -> ExitCode {
    match std::io::stdin().is_terminal() {
        true => at_terminal(who),
        false => from_pipe(who),
    }
}

/// What became of a line.
enum Heard {
    More,
    Answered(ExitCode),
    Quit,
}

/// Adds a line to what is pending, and answers what is complete. An empty line ends what is pending.
fn hear(pending: &mut String, line: &str, who: &mut dyn Answers) -> Heard {
    match line.trim() {
        ":quit" | ":q" | ":exit" => return Heard::Quit,
        ":help" | ":h" | ":?" => {
            out(who.help());
            return Heard::Answered(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let is_end = line.trim().is_empty();
    let goes_on = line.ends_with('\\');
    *pending += line.strip_suffix('\\').unwrap_or(line);
    if pending.trim().is_empty() {
        pending.clear();
        return Heard::Answered(ExitCode::SUCCESS);
    }
    if goes_on || (!is_end && who.is_unfinished(pending)) {
        pending.push('\n');
        return Heard::More;
    }
    let text = std::mem::take(pending);
    Heard::Answered(who.answer(text.trim_end()))
}

fn from_pipe(who: &mut dyn Answers) -> ExitCode {
    let mut status = ExitCode::SUCCESS;
    let mut pending = String::new();
    let mut note = |outcome: ExitCode| {
        if outcome != ExitCode::SUCCESS {
            status = outcome;
        }
    };
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match hear(&mut pending, &line, who) {
            Heard::More => {}
            Heard::Answered(outcome) => note(outcome),
            Heard::Quit => return status,
        }
    }
    if !pending.trim().is_empty() {
        note(who.answer(pending.trim_end()));
    }
    status
}

fn at_terminal(who: &mut dyn Answers) -> ExitCode {
    let mut editor = match DefaultEditor::new() {
        Ok(editor) => editor,
        Err(_) => return from_pipe(who),
    };
    let history = history_file();
    if let Some(file) = &history {
        let _ = editor.load_history(file);
    }
    err("Type an expression; `:help` says what else there is.");
    let mut pending = String::new();
    loop {
        let line = match editor.readline(if pending.is_empty() { "> " } else { ". " }) {
            Ok(line) => line,
            // Ctrl-C gives up what is pending, Ctrl-D ends the prompt.
            Err(ReadlineError::Interrupted) => {
                pending.clear();
                continue;
            }
            Err(_) => break,
        };
        if !line.trim().is_empty() {
            let _ = editor.add_history_entry(&line);
        }
        if let Heard::Quit = hear(&mut pending, &line, who) {
            break;
        }
    }
    if let Some(file) = &history {
        if let Some(folder) = file.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = editor.save_history(file);
    }
    ExitCode::SUCCESS
}

/// Where state belongs, after the XDG base directory specification.
fn history_file() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state"));
    Some(
        state
            .filter(|it| it.is_absolute())
            .or_else(home)?
            .join("babbage/history"),
    )
}
