//! The screen: left the picture, right the steps that can be taken, below properties and the trace.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use workbench::play::Truth;

use crate::algorithm::{Row, draw_algorithm, process_line, waits_line};
use crate::app::App;
use crate::board::drawn;
use crate::player::changes_text;

/// Smaller screens say so.
const WIDTH_MIN: u16 = 40;
const HEIGHT_MIN: u16 = 12;

/// Draws the whole screen, and remembers where things are.
pub fn draw(frame: &mut Frame<'_>, app: &mut App<'_, '_, '_>) {
    let area = frame.area();
    if area.width < WIDTH_MIN || area.height < HEIGHT_MIN {
        frame.render_widget(Paragraph::new("a larger window, please"), area);
        return;
    }
    let below = (area.height * 3 / 10).clamp(5, 12);
    let [title, middle, bottom, status] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(5),
        Constraint::Length(below),
        Constraint::Length(1),
    ])
    .areas(area);
    let [left, right] =
        Layout::horizontal([Constraint::Percentage(52), Constraint::Percentage(48)]).areas(middle);
    let [properties, trace] =
        Layout::horizontal([Constraint::Percentage(52), Constraint::Percentage(48)]).areas(bottom);
    draw_title(frame, title, app);
    match app.player.session().about().algorithm.is_some() {
        true => {
            // Beside the text there is room for steps, and below them for what the variables are.
            let [above, below] =
                Layout::vertical([Constraint::Percentage(55), Constraint::Percentage(45)]).areas(right);
            draw_algorithm(frame, left, app);
            draw_choices(frame, above, app);
            draw_picture(frame, below, app);
        }
        false => {
            draw_picture(frame, left, app);
            draw_choices(frame, right, app);
        }
    }
    draw_properties(frame, properties, app);
    draw_trace(frame, trace, app);
    draw_status(frame, status, app);
    if app.shows_help {
        draw_help(frame, area);
    }
}

fn draw_title(frame: &mut Frame<'_>, area: Rect, app: &mut App<'_, '_, '_>) {
    let about = app.player.session().about();
    let title = format!(" {} · {}", about.spec, about.title);
    let position = &app.player.position;
    let place = match position.index {
        Some(index) => format!("state {} of {} ", index + 1, position.len),
        None => "choose a state to begin in ".to_owned(),
    };
    let gap = usize::from(area.width).saturating_sub(title.chars().count() + place.chars().count());
    let line = format!("{title}{}{place}", " ".repeat(gap));
    let style = Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED);
    frame.render_widget(Paragraph::new(Line::styled(line, style)), area);
}

fn draw_picture(frame: &mut Frame<'_>, area: Rect, app: &mut App<'_, '_, '_>) {
    let block = Block::bordered().title(" state ");
    let inner = block.inner(area);
    let picture = drawn(
        &app.player.position.frame,
        usize::from(inner.width),
        app.is_coloured,
    );
    let n_lines = picture.lines.len();
    app.scroll = app.scroll.min(n_lines.saturating_sub(usize::from(inner.height)));
    let text = Paragraph::new(picture.lines).scroll((app.scroll as u16, 0));
    frame.render_widget(text.block(block), area);
    app.areas.picture = inner;
    app.areas.boards = picture.boards;
}

fn draw_choices(frame: &mut Frame<'_>, area: Rect, app: &mut App<'_, '_, '_>) {
    let listed = app.listed();
    let position = &app.player.position;
    let n_all = position.choices.len();
    let more = if position.is_cut { "+" } else { "" };
    let title = match (listed.len() == n_all, app.search.is_empty()) {
        (true, _) => format!(" steps ({n_all}{more}) "),
        (false, true) => format!(" steps at this cell ({} of {n_all}{more}) ", listed.len()),
        (false, false) => format!(
            " steps with `{}` ({} of {n_all}{more}) ",
            app.search,
            listed.len()
        ),
    };
    let block = Block::bordered().title(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    app.selected = app.selected.min(listed.len().saturating_sub(1));
    let height = usize::from(inner.height).max(1);
    let rows = app.rows();
    let at = rows.iter().position(|it| *it == Row::Step(app.selected));
    let first = at.unwrap_or(0).saturating_sub(height - 1);
    app.areas.choices = inner;
    app.areas.rows = rows.into_iter().skip(first).take(height).collect();
    // A list is cut at the edge, a sentence goes on in the next line.
    let width = match listed.is_empty() {
        true => usize::MAX,
        false => usize::from(inner.width),
    };
    let position = &app.player.position;
    let row_line = |row: &Row| match *row {
        Row::Process(it) => process_line(position, it, width),
        Row::Waits(it) => waits_line(position, it, width),
        Row::Step(it) => choice_line(app, listed[it], it == app.selected, width),
    };
    let mut lines: Vec<Line<'_>> = app.areas.rows.iter().map(row_line).collect();
    if listed.is_empty() {
        let why = why_none(app).into_iter().map(Line::raw);
        lines = why.chain(lines).collect();
        app.areas.rows.clear();
    }
    let text = Paragraph::new(lines);
    frame.render_widget(if listed.is_empty() { text.wrap(WRAP) } else { text }, inner);
}

const WRAP: Wrap = Wrap { trim: true };

fn why_none(app: &App<'_, '_, '_>) -> Vec<String> {
    let position = &app.player.position;
    match &position.problem {
        Some(problem) => problem.text.lines().map(str::to_owned).collect(),
        None if position.choices.is_empty() => vec!["no step can be taken".to_owned()],
        None => vec!["no step has this text; Esc lists all again".to_owned()],
    }
}

fn choice_line(app: &App<'_, '_, '_>, choice: usize, is_selected: bool, width: usize) -> Line<'static> {
    let position = &app.player.position;
    let it = &position.choices[choice];
    let marker = match (app.player.advised == Some(choice), it.is_yours) {
        (true, _) => "!",
        (false, false) => "*",
        (false, true) => " ",
    };
    let what = match position.index {
        None => {
            let values = it.shown_after().map(|(name, it)| format!("{name} = {it}"));
            values.collect::<Vec<_>>().join(", ")
        }
        Some(_) => changes_text(it, position),
    };
    let mut label = Style::new().add_modifier(Modifier::BOLD);
    let mut rest = Style::new();
    if it.is_excluded || it.is_stuttering {
        rest = rest.add_modifier(Modifier::DIM);
    }
    if is_selected {
        label = label.add_modifier(Modifier::REVERSED);
        rest = rest.add_modifier(Modifier::REVERSED);
    }
    if app.is_coloured && app.player.advised == Some(choice) {
        label = label.fg(Color::Green);
    }
    let number = format!("{:>3}{marker}", choice + 1);
    let mut step = it.step.within(width.saturating_sub(number.len()));
    // Whose step it is stands above it.
    let mover = it.algorithm.as_ref().zip(it.process());
    if let Some(name) = mover.map(|(told, it)| &told.processes[it].name)
        && let Some(rest) = step.strip_prefix(name).and_then(|it| it.strip_prefix(": "))
    {
        step = rest.to_owned();
    }
    Line::from(vec![
        Span::styled(number, rest),
        Span::styled(step, label),
        Span::styled(format!(" {what}"), rest),
    ])
}

fn draw_properties(frame: &mut Frame<'_>, area: Rect, app: &App<'_, '_, '_>) {
    let position = &app.player.position;
    let coloured = |colour: Color| match app.is_coloured {
        true => Style::new().fg(colour),
        false => Style::new(),
    };
    let mut lines = vec![];
    // What is wrong comes first: there may be no room for all.
    let mut judged: Vec<_> = position.properties.iter().collect();
    judged.sort_by_key(|it| match it.truth {
        Truth::False => 0,
        Truth::Error => 1,
        Truth::True => 2,
        Truth::Open => 3,
    });
    for watched in &position.watches {
        let value = match &watched.value {
            Ok((text, _)) => Span::raw(text.clone()),
            Err(problem) => Span::styled(problem.title.clone(), coloured(Color::Red)),
        };
        let name = Span::raw(format!("[{}] {} = ", watched.number, watched.expr));
        lines.push(Line::from(vec![name, value]));
    }
    for it in judged {
        let (mark, style) = match it.truth {
            Truth::True => ("✓", coloured(Color::Green)),
            Truth::False => ("✗", coloured(Color::Red).add_modifier(Modifier::BOLD)),
            Truth::Error => ("?", coloured(Color::Yellow)),
            Truth::Open => ("·", Style::new().add_modifier(Modifier::DIM)),
        };
        let why = it.why.as_deref().map_or(String::new(), |why| format!(": {why}"));
        let text = format!("{} {}{why}", mark, it.name);
        lines.push(Line::styled(text, style));
    }
    if lines.is_empty() {
        lines.push(Line::raw("nothing is asked of the states here"));
    }
    let block = Block::bordered().title(" properties ");
    frame.render_widget(Paragraph::new(lines).wrap(WRAP).block(block), area);
}

fn draw_trace(frame: &mut Frame<'_>, area: Rect, app: &mut App<'_, '_, '_>) {
    let block = Block::bordered().title(" trace ");
    let inner = block.inner(area);
    let steps = app.steps();
    let at = app.player.position.index;
    let height = usize::from(inner.height).max(1);
    // The cursor stays in sight, with what comes after it if there is room.
    let first = at.map_or(0, |it| (it + 2).saturating_sub(height));
    let first = first.min(steps.len().saturating_sub(height));
    app.areas.trace = inner;
    app.areas.first_step = first;
    let lines: Vec<Line<'_>> = steps
        .iter()
        .enumerate()
        .skip(first)
        .take(height)
        .map(|(i, step)| {
            let style = match at {
                Some(at) if i == at => Style::new().add_modifier(Modifier::REVERSED),
                Some(at) if i > at => Style::new().add_modifier(Modifier::DIM),
                _ => Style::new(),
            };
            let number = format!("{:>3} ", i + 1);
            let step = step.within(usize::from(inner.width).saturating_sub(number.len()));
            Line::styled(number + &step, style)
        })
        .collect();
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn draw_status(frame: &mut Frame<'_>, area: Rect, app: &App<'_, '_, '_>) {
    const KEYS: &str = "↑↓⏎ choose  u undo  r redo  m machine  s hint  / search  p pin  w write  ? help";
    let line = match (&app.asking, &app.message) {
        (Some(asking), _) => Line::from(vec![
            Span::styled(asking.what.prompt(), Style::new().add_modifier(Modifier::BOLD)),
            Span::raw(format!("{}▏", asking.text)),
        ]),
        (None, Err(why)) => {
            let first = why.lines().next().unwrap_or("").to_owned();
            let style = match app.is_coloured {
                true => Style::new().fg(Color::Red),
                false => Style::new().add_modifier(Modifier::BOLD),
            };
            Line::styled(first, style)
        }
        (None, Ok(said)) if !said.is_empty() => Line::raw(said.clone()),
        (None, Ok(_)) if !app.digits.is_empty() => Line::raw(format!("step {}▏", app.digits)),
        (None, Ok(_)) => Line::styled(KEYS, Style::new().add_modifier(Modifier::DIM)),
    };
    frame.render_widget(Paragraph::new(line), area);
}

const HELP: &str = "\
↑ ↓ Enter    choose a step               u r  ← →  undo, redo
1 2 …        a step by its number        g         go to a state of the trace
click        a step, a state, or a cell: takes the step that changes the cell,
             or lists those that do; Esc lists all steps again
m            let the machine move        x         begin again
s            hint: first step of the shortest way to a goal (marked !)
S            the whole way to the goal, laid out: r takes its steps
/            list steps with a text      p         pin an expression
w            write the trace: .txt .md .json .itf.json .html .svg .dot
n            Alloy: another instance     PgUp PgDn scroll the state
?            this help                   q         quit

*  a step of the machine    ✓ ✗  a property that is true, false here
";

fn draw_help(frame: &mut Frame<'_>, area: Rect) {
    let text = format!("{HELP}\nany key goes on");
    let height = (text.lines().count() as u16 + 2).min(area.height);
    let width = (text.lines().map(|it| it.chars().count()).max().unwrap_or(0) as u16 + 4).min(area.width);
    let popup = Rect {
        x: (area.width - width) / 2,
        y: (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, popup);
    let block = Block::bordered().title(" help ");
    frame.render_widget(Paragraph::new(text).block(block), popup);
}
