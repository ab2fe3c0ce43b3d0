//! The game as a person plays it: with a machine that takes the other side, hints, and a place to write to.

use std::fs;

use value::Owned;
use view::{Journey, Picture, Style, TraceFormat};
use workbench::Advisor;
use workbench::play::{Advice, Chance, Choice, Position, Problem, Session};

use crate::command::Command;

/// What the machine does when it is its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Machine {
    /// One of its steps, by chance.
    #[default]
    Random,
    /// Its best step, where the game is solved; else one by chance.
    Best,
    /// Nothing: the person chooses for it too.
    Ask,
}

#[derive(Clone, Debug, Default)]
pub struct PlayerOptions {
    pub machine: Machine,
    pub seed: u64,
    /// Where hints lead; else what the specification calls its goal.
    pub goal: Option<String>,
    /// The solved game, for a machine that plays its best.
    pub advisor: Option<Advisor>,
}

pub struct Player<'p, 's> {
    session: &'p mut Session<'s>,
    options: PlayerOptions,
    chance: Chance,
    pub position: Position,
    /// The choice that leads to the goal.
    pub advised: Option<usize>,
    has_machine: bool,
}

/// States that a hint may look at.
const HINT_STATES_MAX: usize = 300_000;
/// Steps that the machine takes in a row: its own game may have no end.
const MACHINE_STEPS_MAX: usize = 100;
/// States of a graph that is written.
const GRAPH_STATES_MAX: usize = 2000;
const WIDTH_MAX: usize = 110;

/// What is to be said about a command.
pub type Said = Result<String, String>;

impl<'p, 's> Player<'p, 's> {
    /// `has_machine`: some steps are not the person's.
    pub fn new(session: &'p mut Session<'s>, options: PlayerOptions, has_machine: bool) -> Player<'p, 's> {
        let position = session.position();
        let mut player = Player {
            chance: Chance::new(options.seed),
            session,
            options,
            position,
            advised: None,
            has_machine,
        };
        player.answer();
        player.look();
        player
    }

    pub fn session(&mut self) -> &mut Session<'s> {
        self.session
    }

    /// Whether a goal was given.
    pub fn has_goal(&self) -> bool {
        self.options.goal.is_some()
    }

    /// Does what a command says; what is to be said about it may be nothing.
    pub fn apply(&mut self, command: &Command) -> Said {
        let said = match command {
            Command::Take(number) => self.take(*number),
            Command::Cell(row, column) => self.touch(*row, *column),
            Command::Named(name) => self.named(name),
            Command::Undo => self.undo(),
            Command::Redo => moved(self.session.redo(), "nothing was undone"),
            Command::GoTo(number) => {
                let index = number.wrapping_sub(1);
                moved(self.session.go_to(index), "there is no such state")
            }
            Command::Restart => {
                self.session.restart();
                Ok(String::new())
            }
            Command::Machine(steps) => self.machine_moves(*steps),
            Command::Hint(goal) => self.hint(goal.as_deref()),
            Command::Solve(goal) => self.solve(goal.as_deref()),
            Command::Pin(expr) => self.pin(expr),
            Command::Unpin(number) => moved(
                self.session.unwatch(*number),
                "nothing with this number is pinned",
            ),
            Command::Write(file) => self.write(file),
            Command::NextInstance => self.next_instance(),
            Command::Show | Command::Trace | Command::Search(_) | Command::Help | Command::Quit => {
                Ok(String::new())
            }
        };
        if matches!(
            command,
            Command::Take(_) | Command::Cell(..) | Command::Named(_) | Command::Restart
        ) && said.is_ok()
        {
            self.answer();
        }
        if !matches!(command, Command::Hint(_) | Command::Solve(_) | Command::Search(_)) {
            self.advised = None;
        }
        self.look();
        said
    }

    fn look(&mut self) {
        self.position = self.session.position();
    }

    /// The choices that change a cell, by the numbers that the board has. A name is asked for when there are several boards.
    pub fn touching(&self, variable: Option<&str>, row: i64, column: i64) -> Vec<usize> {
        let is_there = |it: &Choice| {
            it.touches.iter().any(|it| {
                (it.row, it.column) == (row, column) && variable.is_none_or(|name| it.variable == name)
            })
        };
        let choices = self.position.choices.iter().enumerate();
        choices.filter(|it| is_there(it.1)).map(|it| it.0).collect()
    }

    /// Lets the machine answer, as long as it is its turn.
    fn answer(&mut self) {
        if self.options.machine == Machine::Ask || !self.has_machine {
            return;
        }
        for _ in 0..MACHINE_STEPS_MAX {
            if !self.session.is_machines_turn() {
                break;
            }
            match self.machine_choice() {
                Some(choice) => self.session.take(choice),
                None => break,
            };
        }
    }

    fn machine_choice(&mut self) -> Option<usize> {
        let best = (self.options.machine == Machine::Best)
            .then(|| self.best_choice())
            .flatten();
        best.or_else(|| self.session.machine_choice(&mut self.chance))
    }

    /// The best of the machine's steps, if the game was solved.
    fn best_choice(&mut self) -> Option<usize> {
        let advisor = self.options.advisor.as_ref()?;
        let position = self.session.position();
        let values =
            |state: &[(String, Owned)]| -> Vec<Owned> { state.iter().map(|it| it.1.clone()).collect() };
        let choices = position.choices.iter().enumerate();
        let own: Vec<(usize, Vec<Owned>)> = choices
            .filter(|(_, it)| !it.is_excluded && (!it.is_yours || !self.has_machine))
            .map(|(i, it)| (i, values(&it.after)))
            .collect();
        let states: Vec<Vec<Owned>> = own.iter().map(|it| it.1.clone()).collect();
        let best = advisor.choose(&values(&position.state), &states)?;
        Some(own[best].0)
    }

    fn take(&mut self, number: usize) -> Said {
        match number.checked_sub(1).is_some_and(|it| self.session.take(it)) {
            true => Ok(String::new()),
            false => Err(format!("there is no step {number}")),
        }
    }

    fn touch(&mut self, row: i64, column: i64) -> Said {
        match &self.touching(None, row, column)[..] {
            [] => Err("no step changes this cell".to_owned()),
            [one] => self.take(one + 1),
            many => {
                let numbers: Vec<String> = many.iter().map(|it| (it + 1).to_string()).collect();
                Err(format!("several steps change this cell: {}", numbers.join(", ")))
            }
        }
    }

    fn named(&mut self, name: &str) -> Said {
        let choices = self.position.choices.iter();
        let found: Vec<usize> = choices
            .enumerate()
            .filter(|(_, it)| it.step.to_string() == name || it.step.action == name)
            .map(|it| it.0)
            .collect();
        match &found[..] {
            [one] => self.take(one + 1),
            [] => Err(format!(
                "`{name}` is no command and no step that can be taken: `?` says what there is"
            )),
            many => {
                let numbers: Vec<String> = many.iter().map(|it| (it + 1).to_string()).collect();
                Err(format!(
                    "several steps are called `{name}`: {}",
                    numbers.join(", ")
                ))
            }
        }
    }

    /// Back to where the person last had a choice.
    fn undo(&mut self) -> Said {
        let went = self.session.undo();
        let is_machine = self.has_machine && self.options.machine != Machine::Ask;
        while went && is_machine && self.session.is_machines_turn() {
            if !self.session.undo() {
                // The machine begins: it may begin otherwise this time.
                self.answer();
                break;
            }
        }
        moved(went, "this is the beginning")
    }

    fn machine_moves(&mut self, steps: usize) -> Said {
        for i in 0..steps.clamp(1, MACHINE_STEPS_MAX) {
            let choice = self.machine_choice().or_else(|| self.any_choice());
            match choice {
                Some(choice) => self.session.take(choice),
                None if i == 0 => return Err("no step can be taken".to_owned()),
                None => break,
            };
        }
        Ok(String::new())
    }

    /// The machine moves for the person, if it has no step of its own.
    fn any_choice(&mut self) -> Option<usize> {
        let choices = self.session.position().choices;
        let open: Vec<usize> = (0..choices.len())
            .filter(|&it| !choices[it].is_excluded && !choices[it].is_stuttering)
            .collect();
        (!open.is_empty()).then(|| open[self.chance.below(open.len())])
    }

    fn goal(&mut self, goal: Option<&str>) -> Result<String, String> {
        if let Some(goal) = goal.filter(|it| !it.is_empty()) {
            self.options.goal = Some(goal.to_owned());
        }
        let known = self.options.goal.clone();
        let about = self.session.about();
        known
            .or_else(|| about.goals.first().cloned())
            .ok_or_else(|| "the specification names no goal: give one, such as `s x = 3`".to_owned())
    }

    fn hint(&mut self, goal: Option<&str>) -> Said {
        let goal = self.goal(goal)?;
        let advice = self.session.advise(&goal, HINT_STATES_MAX).map_err(told)?;
        Ok(self.advice(&goal, advice))
    }

    fn solve(&mut self, goal: Option<&str>) -> Said {
        let goal = self.goal(goal)?;
        let advice = self.session.solve(&goal, HINT_STATES_MAX).map_err(told)?;
        let said = self.advice(&goal, advice.clone());
        Ok(match advice {
            Advice::Take { .. } => format!("{said}; `r` takes one step of the solution after the other"),
            _ => said,
        })
    }

    fn advice(&mut self, goal: &str, advice: Advice) -> String {
        self.advised = None;
        match advice {
            Advice::Here => format!("`{goal}` is true here"),
            Advice::Unreachable => format!("no way leads from here to `{goal}`"),
            Advice::Unknown => format!("`{goal}` is not among the first {HINT_STATES_MAX} states from here"),
            Advice::Take { choice, steps } => {
                self.advised = Some(choice);
                let step = self.position.choices.get(choice);
                let step = step.map_or(String::new(), |it| it.step.to_string());
                let steps = if steps == 1 {
                    "1 step".to_owned()
                } else {
                    format!("{steps} steps")
                };
                format!("`{goal}` in {steps}; the first is {}: {step}", choice + 1)
            }
        }
    }

    fn pin(&mut self, expr: &str) -> Said {
        match self.session.watch(expr) {
            Ok(number) => Ok(format!("pinned as number {number}")),
            Err((sources, why)) => Err(Problem::first(&why, &sources).text),
        }
    }

    fn write(&mut self, file: &str) -> Said {
        let text = if file.ends_with(".dot") || file.ends_with(".gv") {
            self.session.graph(GRAPH_STATES_MAX).map_err(told)?.dot()
        } else {
            let Some(format) = TraceFormat::of_file(file) else {
                return Err(format!(
                    "the ending of `{file}` says no format: .txt, .md, .json, .itf.json, .html, .svg and .dot do"
                ));
            };
            self.session.story().write(format, Style::Plain, WIDTH_MAX)
        };
        fs::write(file, text).map_err(|it| format!("`{file}` cannot be written: {it}"))?;
        Ok(format!("written to `{file}`"))
    }

    fn next_instance(&mut self) -> Said {
        match self.session.next_instance() {
            Ok(true) => Ok("another instance".to_owned()),
            Ok(false) => Err("there is no other instance".to_owned()),
            Err(problem) => Err(problem.text),
        }
    }
}

fn told(problem: Problem) -> String {
    problem.text
}

fn moved(did: bool, otherwise: &str) -> Said {
    match did {
        true => Ok(String::new()),
        false => Err(otherwise.to_owned()),
    }
}

/// What a choice changes, on one line: pieces that move, values that differ.
pub fn changes_text(choice: &Choice, position: &Position) -> String {
    let mut texts = vec![];
    for (name, changes) in &choice.changes {
        let journeys = choice.journeys.iter().filter(|it| it.variable == *name);
        let moves: Vec<String> = journeys.map(|it| journey_text(it, position)).collect();
        if !moves.is_empty() {
            texts.extend(moves);
            continue;
        }
        for change in changes.iter().take(3) {
            let text = change.to_string();
            let colon = if text.starts_with(['.', '[', ':']) {
                ""
            } else {
                ": "
            };
            texts.push(format!("{name}{colon}{text}"));
        }
        if changes.len() > 3 {
            texts.push(format!("{name}: {} changes", changes.len()));
        }
    }
    match choice.is_stuttering {
        true => "nothing changes".to_owned(),
        false => texts.join(", "),
    }
}

/// `C ↓`, `A ← 2`
fn journey_text(journey: &Journey, position: &Position) -> String {
    let name = position.frame.parts.iter().find_map(|part| match &part.picture {
        Picture::Board(board) if part.name == journey.variable => {
            let piece = board.pieces.iter().find(|it| it.number == journey.piece)?;
            Some(piece.name.clone())
        }
        _ => None,
    });
    let mut text = name.unwrap_or_else(|| format!("piece {}", journey.piece + 1));
    let (down, right) = journey.by;
    for (way, back, by) in [('↓', '↑', down), ('→', '←', right)] {
        if by != 0 {
            text += &format!(" {}", if by > 0 { way } else { back });
            if by.abs() > 1 {
                text += &format!(" {}", by.abs());
            }
        }
    }
    text
}
