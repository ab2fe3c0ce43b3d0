//! The game line by line: what a script, a pipe or a very plain terminal can do.
//!
//! Every command is answered with what the screen would show: the state, what its properties say, the steps that can be
//! taken. The same commands give the same text, so a game can be kept and compared.

use std::io::{BufRead, Write};

use view::{Style, frame_text};
use workbench::play::Truth;

use crate::command::{Command, HELP};
use crate::player::{Player, changes_text};

/// Boards stand side by side up to this width.
const WIDTH_MAX: usize = 100;
/// Longer lists are cut.
const CHOICES_MAX: usize = 60;

/// Plays until there is no more input. False when a command could not be carried out.
pub fn run_lines(
    player: &mut Player<'_, '_>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    echo: bool,
) -> std::io::Result<bool> {
    let mut all_right = true;
    output.write_all(scene(player, None).as_bytes())?;
    for line in input.lines() {
        let line = line?;
        if echo {
            writeln!(output, "> {}", line.trim())?;
        }
        let (text, is_right) = match Command::parse(&line) {
            Ok(None) => continue,
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => answer(player, &command),
            Err(why) => (format!("error: {why}\n"), false),
        };
        all_right &= is_right;
        output.write_all(text.as_bytes())?;
        output.flush()?;
    }
    Ok(all_right)
}

fn answer(player: &mut Player<'_, '_>, command: &Command) -> (String, bool) {
    match (command, player.apply(command)) {
        (Command::Help, _) => (HELP.to_owned(), true),
        (Command::Trace, _) => (trace(player), true),
        (Command::Search(text), _) => (choices(player, Some(text)), true),
        (_, Err(why)) => (format!("error: {}\n", why.trim_end()), false),
        (Command::Hint(_) | Command::Solve(_) | Command::Write(_), Ok(said)) => (format!("{said}\n"), true),
        (_, Ok(said)) => {
            let said = if said.is_empty() {
                said
            } else {
                format!("{said}\n")
            };
            (said + &scene(player, None), true)
        }
    }
}

/// Everything about where the game is.
fn scene(player: &mut Player<'_, '_>, search: Option<&str>) -> String {
    let position = &player.position;
    let mut text = String::new();
    if let (Some(index), Some(step)) = (position.index, &position.step) {
        text += &format!("{}: {step}\n", index + 1);
        let picture = frame_text(&position.frame, false, Style::Plain, WIDTH_MAX);
        text += &picture.lines().map(|it| format!("   {it}\n")).collect::<String>();
    }
    for judged in &position.properties {
        let truth = match judged.truth {
            Truth::True => "TRUE",
            Truth::False => "FALSE",
            Truth::Open => continue,
            Truth::Error => "cannot be evaluated",
        };
        text += &format!("   {} {}: {truth}\n", judged.kind.name(), judged.name);
        if let Some(why) = &judged.why {
            text += &format!("      {why}\n");
        }
    }
    for watched in &position.watches {
        let value = match &watched.value {
            Ok((text, _)) => text.clone(),
            Err(problem) => problem.title.clone(),
        };
        text += &format!("   [{}] {} = {value}\n", watched.number, watched.expr);
    }
    if let Some(problem) = &position.problem {
        text += &format!("the steps cannot be told:\n{problem}\n");
    } else if position.is_deadlock {
        text += "no step can be taken\n";
    }
    for process in position.algorithm.iter().flat_map(|it| &it.processes) {
        let who = if process.name.is_empty() {
            "it"
        } else {
            &process.name
        };
        if let Some(why) = &process.waits_for {
            text += &format!("   {who} waits at `{}`: {why}\n", process.label);
        }
    }
    text + &choices(player, search)
}

fn choices(player: &Player<'_, '_>, search: Option<&str>) -> String {
    let position = &player.position;
    let mut text = String::new();
    let mut n_shown = 0;
    let labels = position.choices.iter().map(|it| it.step.to_string());
    let width = labels.map(|it| it.chars().count()).max().unwrap_or(0).min(40);
    for (i, choice) in position.choices.iter().enumerate() {
        let label = choice.step.to_string();
        let line = match position.index {
            // States to begin in differ in their values.
            None => {
                let values = choice.shown_after().map(|(name, it)| format!("{name} = {it}"));
                format!("{label}  {}", values.collect::<Vec<_>>().join(", "))
            }
            Some(_) => format!("{label:<width$}  {}", changes_text(choice, position)),
        };
        if search.is_some_and(|it| !line.to_lowercase().contains(&it.to_lowercase())) {
            continue;
        }
        n_shown += 1;
        if n_shown > CHOICES_MAX {
            continue;
        }
        let whose = if choice.is_yours { ' ' } else { '*' };
        text += format!("{:>4}{whose} {line}", i + 1).trim_end();
        text += "\n";
    }
    if n_shown > CHOICES_MAX {
        text += &format!(
            "   … {} more: /TEXT lists those with a text\n",
            n_shown - CHOICES_MAX
        );
    }
    if position.is_cut {
        text += "   … and more than are listed\n";
    }
    if n_shown == 0 && search.is_some() {
        text += "no step has this text\n";
    }
    text
}

fn trace(player: &mut Player<'_, '_>) -> String {
    let at = player.position.index;
    let steps = player.session().steps();
    let line = |(i, it): (usize, &workbench::play::Stepped)| {
        let here = if Some(i) == at { ">" } else { " " };
        format!("{here}{:>4}: {it}\n", i + 1)
    };
    steps.iter().enumerate().map(line).collect()
}
