//! What the screen shows of a player, and what keys and the mouse do.

use crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use workbench::play::Stepped;

use crate::algorithm::{Row, Tag, marked_lines, rows};
use crate::board::Placed;
use crate::command::Command;
use crate::player::{Player, Said, changes_text};

pub struct App<'a, 'p, 's> {
    pub player: &'a mut Player<'p, 's>,
    pub is_coloured: bool,
    /// The choice under the cursor, as a place in [`App::listed`].
    pub selected: usize,
    /// Only choices with this text are listed.
    pub search: String,
    /// Only these choices are listed: those of a cell or of a process that was clicked.
    pub of_cell: Option<Vec<usize>>,
    pub asking: Option<Asking>,
    pub shows_help: bool,
    /// What was said last; an error if it is one.
    pub message: Said,
    pub is_over: bool,
    /// How far the picture and the trace are scrolled.
    pub scroll: usize,
    /// The first line of the algorithm that is shown, if the person chose it.
    pub text_first: Option<usize>,
    /// Digits of a number that is being typed.
    pub digits: String,
    pub areas: Areas,
    /// Something that takes its time, to be done after the screen was drawn.
    pub pending: Option<Command>,
}

/// Where things were drawn last, for the mouse.
#[derive(Default)]
pub struct Areas {
    pub picture: Rect,
    pub boards: Vec<Placed>,
    pub choices: Rect,
    /// The lines of the list of steps that are seen.
    pub rows: Vec<Row>,
    /// The text of the algorithm, its first line that is seen, and the processes in it.
    pub algorithm: Rect,
    pub first_line: usize,
    pub tags: Vec<Tag>,
    pub trace: Rect,
    pub first_step: usize,
}

/// A line that is being typed.
pub struct Asking {
    pub what: Question,
    pub text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    GoTo,
    Search,
    Pin,
    Write,
    Goal,
}

impl Question {
    pub fn prompt(self) -> &'static str {
        match self {
            Question::GoTo => "go to state: ",
            Question::Search => "steps with: ",
            Question::Pin => "pin expression: ",
            Question::Write => "write to file: ",
            Question::Goal => "goal: ",
        }
    }
}

impl<'a, 'p, 's> App<'a, 'p, 's> {
    pub fn new(player: &'a mut Player<'p, 's>, is_coloured: bool) -> App<'a, 'p, 's> {
        let mut app = App {
            player,
            is_coloured,
            selected: 0,
            search: String::new(),
            of_cell: None,
            asking: None,
            shows_help: false,
            message: Ok(String::new()),
            is_over: false,
            scroll: 0,
            text_first: None,
            digits: String::new(),
            areas: Areas::default(),
            pending: None,
        };
        app.select_first();
        app
    }

    /// The numbers of the choices that are listed.
    pub fn listed(&self) -> Vec<usize> {
        let wanted = self.search.to_lowercase();
        let choices = self.player.position.choices.iter().enumerate();
        choices
            .filter(|(i, it)| {
                let text =
                    || format!("{} {}", it.step, changes_text(it, &self.player.position)).to_lowercase();
                self.of_cell.as_ref().is_none_or(|cell| cell.contains(i))
                    && (wanted.is_empty() || text().contains(&wanted))
            })
            .map(|it| it.0)
            .collect()
    }

    /// The same as lines, in the order in which they are seen.
    pub fn rows(&self) -> Vec<Row> {
        rows(&self.player.position, &self.listed())
    }

    /// The process whose step is under the cursor.
    pub fn selected_process(&self) -> Option<usize> {
        let choice = *self.listed().get(self.selected)?;
        self.player.position.choices[choice].process()
    }

    /// A colour, where there are colours.
    pub fn tint(&self, colour: Color) -> Style {
        match self.is_coloured {
            true => Style::new().fg(colour),
            false => Style::new(),
        }
    }

    /// A process that can move stands out from one that waits.
    pub fn tag_style(&self, process: Option<usize>) -> Style {
        let choices = &self.player.position.choices;
        match process.is_none_or(|it| choices.iter().any(|choice| choice.process() == Some(it))) {
            true => self.tint(Color::Green).add_modifier(Modifier::BOLD),
            false => self.tint(Color::Yellow).add_modifier(Modifier::DIM),
        }
    }

    /// How the states of the trace were reached.
    pub fn steps(&mut self) -> Vec<Stepped> {
        self.player.session().steps()
    }

    pub fn key(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            self.is_over = true;
        } else if self.asking.is_some() {
            self.type_key(key.code);
        } else if self.shows_help {
            self.shows_help = false;
        } else {
            self.command_key(key.code);
        }
    }

    fn command_key(&mut self, key: KeyCode) {
        if !matches!(
            key,
            KeyCode::Char('0'..='9') | KeyCode::Enter | KeyCode::Backspace
        ) {
            self.digits.clear();
        }
        let n_listed = self.listed().len();
        match key {
            KeyCode::Up | KeyCode::Char('k') => self.move_by(-1),
            KeyCode::Down | KeyCode::Char('j') => self.move_by(1),
            KeyCode::Home => self.move_by(-(n_listed as isize)),
            KeyCode::End => self.move_by(n_listed as isize),
            KeyCode::PageUp => self.scroll = self.scroll.saturating_sub(5),
            KeyCode::PageDown => self.scroll += 5,
            KeyCode::Enter | KeyCode::Char(' ') => self.enter(),
            KeyCode::Char(digit @ '0'..='9') => self.digit(digit),
            KeyCode::Backspace => {
                self.digits.pop();
            }
            KeyCode::Char('u') | KeyCode::Left => self.apply(&Command::Undo),
            KeyCode::Char('r') | KeyCode::Right => self.apply(&Command::Redo),
            KeyCode::Char('x') => self.apply(&Command::Restart),
            KeyCode::Char('m') => self.apply(&Command::Machine(1)),
            KeyCode::Char('n') => self.apply(&Command::NextInstance),
            KeyCode::Char('s') => self.hint(Command::Hint(None)),
            KeyCode::Char('S') => self.hint(Command::Solve(None)),
            KeyCode::Char('g') => self.ask(Question::GoTo, ""),
            KeyCode::Char('/') => self.ask(Question::Search, ""),
            KeyCode::Char('p') => self.ask(Question::Pin, ""),
            KeyCode::Char('w') => self.ask(Question::Write, "trace.html"),
            KeyCode::Char('?') | KeyCode::Char('h') => self.shows_help = true,
            KeyCode::Esc => self.clear(),
            KeyCode::Char('q') => self.is_over = true,
            _ => {}
        }
    }

    /// Moves the cursor in the list, in the order in which it is seen.
    fn move_by(&mut self, by: isize) {
        let steps = self.rows().into_iter().filter_map(|it| match it {
            Row::Step(place) => Some(place),
            _ => None,
        });
        let steps: Vec<usize> = steps.collect();
        let at = steps.iter().position(|it| *it == self.selected).unwrap_or(0);
        let to = at.saturating_add_signed(by).min(steps.len().saturating_sub(1));
        self.selected = steps.get(to).copied().unwrap_or(0);
    }

    /// Selects the first step that is seen.
    fn select_first(&mut self) {
        self.selected = 0;
        self.move_by(isize::MIN);
    }

    /// Shows all choices again.
    fn clear(&mut self) {
        self.search.clear();
        self.of_cell = None;
        self.select_first();
        self.message = Ok(String::new());
    }

    fn ask(&mut self, what: Question, text: &str) {
        self.asking = Some(Asking {
            what,
            text: text.to_owned(),
        });
    }

    fn type_key(&mut self, key: KeyCode) {
        let Some(asking) = &mut self.asking else { return };
        match key {
            KeyCode::Char(c) => asking.text.push(c),
            KeyCode::Backspace => {
                asking.text.pop();
            }
            KeyCode::Esc => {
                self.asking = None;
                self.search.clear();
            }
            KeyCode::Enter => {
                let (what, text) = (asking.what, asking.text.trim().to_owned());
                self.asking = None;
                self.answered(what, &text);
            }
            _ => {}
        }
        // A search shows what it finds while it is typed.
        if let Some(Asking {
            what: Question::Search,
            text,
        }) = &self.asking
        {
            self.search = text.clone();
            self.select_first();
        }
    }

    fn answered(&mut self, what: Question, text: &str) {
        if text.is_empty() {
            return;
        }
        match what {
            Question::Search => {
                self.search = text.to_owned();
                self.select_first();
            }
            Question::GoTo => match text.parse() {
                Ok(number) => self.apply(&Command::GoTo(number)),
                Err(_) => self.message = Err("a state is named by its number".to_owned()),
            },
            Question::Pin => self.apply(&Command::Pin(text.to_owned())),
            Question::Write => self.apply(&Command::Write(text.to_owned())),
            Question::Goal => self.hint(Command::Hint(Some(text.to_owned()))),
        }
    }

    /// A search may take its time: the screen says so first.
    fn hint(&mut self, command: Command) {
        let is_known = !self.player.session().about().goals.is_empty() || self.player.has_goal();
        if matches!(command, Command::Hint(None) | Command::Solve(None)) && !is_known {
            self.ask(Question::Goal, "");
            return;
        }
        self.message = Ok("searching …".to_owned());
        self.pending = Some(command);
    }

    /// Does what was put off.
    pub fn go_on(&mut self) {
        if let Some(command) = self.pending.take() {
            self.apply(&command);
        }
    }

    /// A number key takes a step at once when no longer number could be meant.
    fn digit(&mut self, digit: char) {
        self.digits.push(digit);
        let n_choices = self.player.position.choices.len();
        let number: usize = self.digits.parse().unwrap_or(0);
        if number > n_choices || self.digits == "0" {
            self.digits.clear();
            self.message = Err(format!("there is no step {number}"));
        } else if number * 10 > n_choices {
            self.digits.clear();
            self.apply(&Command::Take(number));
        }
    }

    fn enter(&mut self) {
        if let Ok(number) = self.digits.parse() {
            self.digits.clear();
            self.apply(&Command::Take(number));
        } else if let Some(&choice) = self.listed().get(self.selected) {
            self.apply(&Command::Take(choice + 1));
        }
    }

    pub fn apply(&mut self, command: &Command) {
        self.message = self.player.apply(command);
        let is_move = matches!(
            command,
            Command::Take(_)
                | Command::Cell(..)
                | Command::Undo
                | Command::Redo
                | Command::GoTo(_)
                | Command::Restart
                | Command::Machine(_)
                | Command::NextInstance
        );
        if is_move && self.message.is_ok() {
            self.search.clear();
            self.of_cell = None;
            self.text_first = None;
            self.select_first();
        }
        if let Some(advised) = self.player.advised {
            self.clear_filters_to(advised);
        }
    }

    fn clear_filters_to(&mut self, choice: usize) {
        self.search.clear();
        self.of_cell = None;
        // Without filters a choice is listed at its own place.
        self.selected = choice;
    }

    pub fn mouse(&mut self, mouse: MouseEvent) {
        let (x, y) = (mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => self.click(x, y),
            MouseEventKind::ScrollUp if inside(self.areas.choices, x, y) => self.move_by(-1),
            MouseEventKind::ScrollDown if inside(self.areas.choices, x, y) => self.move_by(1),
            MouseEventKind::ScrollUp if inside(self.areas.algorithm, x, y) => {
                self.text_first = Some(self.areas.first_line.saturating_sub(1));
            }
            MouseEventKind::ScrollDown if inside(self.areas.algorithm, x, y) => {
                self.text_first = Some(self.areas.first_line + 1);
            }
            MouseEventKind::ScrollUp => self.scroll = self.scroll.saturating_sub(1),
            MouseEventKind::ScrollDown => self.scroll += 1,
            _ => {}
        }
    }

    fn click(&mut self, x: u16, y: u16) {
        if self.shows_help {
            self.shows_help = false;
        } else if inside(self.areas.choices, x, y) {
            let at = usize::from(y - self.areas.choices.y);
            match self.areas.rows.get(at) {
                Some(&Row::Step(place)) => {
                    if let Some(&choice) = self.listed().get(place) {
                        self.apply(&Command::Take(choice + 1));
                    }
                }
                Some(&(Row::Process(it) | Row::Waits(it))) => self.click_processes(&[it]),
                None => {}
            }
        } else if inside(self.areas.algorithm, x, y) {
            self.click_algorithm(x, y);
        } else if inside(self.areas.trace, x, y) {
            let at = self.areas.first_step + usize::from(y - self.areas.trace.y);
            self.apply(&Command::GoTo(at + 1));
        } else if inside(self.areas.picture, x, y) {
            self.click_picture(
                usize::from(x - self.areas.picture.x),
                usize::from(y - self.areas.picture.y),
            );
        }
    }

    /// A click on a process takes its step, one on a line those of the processes that are there.
    fn click_algorithm(&mut self, x: u16, y: u16) {
        let mut tags = self.areas.tags.iter();
        if let Some(tag) = tags.find(|it| it.y == y && (it.x..it.x + it.width).contains(&x)) {
            return self.click_processes(&[tag.process]);
        }
        let line = self.areas.first_line + usize::from(y - self.areas.algorithm.y);
        let algorithm = self.player.session().about().algorithm.as_ref();
        let Some(first) = algorithm.map(|it| it.first_line) else {
            return;
        };
        let marked = marked_lines(&self.player.position, first).into_iter();
        let here: Vec<usize> = marked.filter(|it| it.0 == line).map(|it| it.1).collect();
        self.click_processes(&here);
    }

    /// Takes the one step that these processes have, or lists their steps.
    fn click_processes(&mut self, processes: &[usize]) {
        let choices = self.player.position.choices.iter().enumerate();
        let own = choices.filter(|it| it.1.process().is_some_and(|it| processes.contains(&it)));
        let own: Vec<usize> = own.map(|it| it.0).collect();
        match &own[..] {
            [] if processes.is_empty() => self.message = Err("no process is at this line".to_owned()),
            [] => self.message = Err("this process has no step here".to_owned()),
            [one] => self.apply(&Command::Take(one + 1)),
            many => {
                self.of_cell = Some(many.to_vec());
                self.message = Ok(format!("{} steps; Esc lists all again", many.len()));
                self.select_first();
            }
        }
    }

    /// A click on a cell takes the step that changes it, or lists those that do.
    fn click_picture(&mut self, x: usize, y: usize) {
        let y = y + self.scroll;
        let on = self.areas.boards.iter().find_map(|it| {
            let (x, y) = (x.checked_sub(it.x)?, y.checked_sub(it.y)?);
            let (row, column) = it.board.cell_at(x, y).filter(|_| x < it.width && y < it.height)?;
            let row = it.board.rows.first + row as i64;
            let column = it.board.columns.first + column as i64;
            Some((it.name.clone(), row, column))
        });
        let Some((name, row, column)) = on else { return };
        match &self.player.touching(Some(&name), row, column)[..] {
            [] => self.message = Err("no step changes this cell".to_owned()),
            [one] => self.apply(&Command::Take(one + 1)),
            many => {
                self.of_cell = Some(many.to_vec());
                self.selected = 0;
                self.message = Ok(format!(
                    "{} steps change this cell; Esc lists all again",
                    many.len()
                ));
            }
        }
    }
}

fn inside(area: Rect, x: u16, y: u16) -> bool {
    (area.x..area.x + area.width).contains(&x) && (area.y..area.y + area.height).contains(&y)
}
