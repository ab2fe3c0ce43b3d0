//! The screen of an algorithm: its text, with a mark for each process at the label where it is, and the steps below the process
//! whose steps they are. Both are clicked to take a step.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};
use workbench::play::Position;

use crate::app::App;

/// A line of the list of steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Row {
    /// The name of a process, and where it is.
    Process(usize),
    /// What it waits for.
    Waits(usize),
    /// A step, by its place among those that are listed.
    Step(usize),
}

/// A process at its place in the text, for the mouse.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub process: usize,
}

/// The columns that the text of a line keeps where tags need the rest.
const TEXT_KEPT: usize = 24;

/// The lines of the list: steps, and above those of each process which one it is.
pub fn rows(position: &Position, listed: &[usize]) -> Vec<Row> {
    let Some(algorithm) = &position.algorithm else {
        return (0..listed.len()).map(Row::Step).collect();
    };
    let is_all = listed.len() == position.choices.len();
    let of = |process: Option<usize>| {
        let places = listed.iter().enumerate();
        places
            .filter(move |it| position.choices[*it.1].process() == process)
            .map(|it| Row::Step(it.0))
    };
    let mut rows = vec![];
    for (i, process) in algorithm.processes.iter().enumerate() {
        let own: Vec<Row> = of(Some(i)).collect();
        if own.is_empty() && !is_all {
            continue;
        }
        rows.push(Row::Process(i));
        rows.extend(process.waits_for.iter().map(|_| Row::Waits(i)));
        rows.extend(own);
    }
    // Steps that are none of a process: where all are at their ends.
    rows.extend(of(None));
    rows
}

/// "worker(1) at read, line 12"
pub fn process_line(position: &Position, process: usize, width: usize) -> Line<'static> {
    let Some(it) = position
        .algorithm
        .as_ref()
        .and_then(|it| it.processes.get(process))
    else {
        return Line::default();
    };
    let verb = if it.waits_for.is_some() { "waits at" } else { "at" };
    let name = if it.name.is_empty() { "it" } else { &it.name };
    let place = it
        .place
        .as_ref()
        .map_or(String::new(), |it| format!(", line {}", it.line));
    let called = it.called().map_or(String::new(), |it| format!(", {it}"));
    let text = cut(&format!("{name} {verb} {}{place}{called}", it.label), width);
    Line::styled(text, Style::new().add_modifier(Modifier::UNDERLINED))
}

pub fn waits_line(position: &Position, process: usize, width: usize) -> Line<'static> {
    let processes = position.algorithm.as_ref().map(|it| &it.processes);
    let why = processes.and_then(|it| it.get(process)?.waits_for.as_ref());
    let text = cut(&format!("    {}", why.map_or("", |it| it)), width);
    Line::styled(text, Style::new().add_modifier(Modifier::DIM))
}

fn cut(text: &str, width: usize) -> String {
    match text.chars().count() > width {
        true => text.chars().take(width.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// Draws the text with its marks, and remembers where they are.
pub fn draw_algorithm(frame: &mut Frame<'_>, area: Rect, app: &mut App<'_, '_, '_>) {
    let Some(text) = app.player.session().about().algorithm.clone() else {
        return;
    };
    let block = Block::bordered().title(format!(" {} ", text.file));
    let inner = block.inner(area);
    frame.render_widget(block, area);
    app.areas.algorithm = inner;
    app.areas.tags.clear();
    let height = usize::from(inner.height);
    let marked = marked_lines(&app.player.position, text.first_line);
    let first = app
        .text_first
        .unwrap_or_else(|| first_line(&marked, text.lines.len(), height))
        .min(text.lines.len().saturating_sub(height));
    app.areas.first_line = first;
    let digits = (text.first_line as usize + text.lines.len()).to_string().len();
    let mut lines = vec![];
    for (row, line) in text.lines.iter().enumerate().skip(first).take(height) {
        let here: Vec<usize> = marked.iter().filter(|it| it.0 == row).map(|it| it.1).collect();
        let number = format!("{:>digits$} ", row + text.first_line as usize);
        let y = inner.y + (row - first) as u16;
        let spans = line_with_tags(app, &number, line, &here, inner, y);
        lines.push(Line::from(spans));
    }
    frame.render_widget(Paragraph::new(lines), inner);
}

/// Which lines, from 0, have which processes.
pub fn marked_lines(position: &Position, first_line: u32) -> Vec<(usize, usize)> {
    let processes = position
        .algorithm
        .iter()
        .flat_map(|it| it.processes.iter().enumerate());
    let placed = processes.filter_map(|(i, it)| {
        let line = it.place.as_ref()?.line.checked_sub(first_line)?;
        Some((line as usize, i))
    });
    placed.collect()
}

/// So that the marks are in sight: all of them if there is room, else the first ones.
fn first_line(marked: &[(usize, usize)], n_lines: usize, height: usize) -> usize {
    if n_lines <= height {
        return 0;
    }
    let top = marked.iter().map(|it| it.0).min().unwrap_or(0);
    let bottom = marked.iter().map(|it| it.0).max().unwrap_or(top);
    let span = (bottom - top + 1).min(height);
    top.saturating_sub((height - span) / 2)
}

fn line_with_tags(
    app: &mut App<'_, '_, '_>,
    number: &str,
    line: &str,
    here: &[usize],
    area: Rect,
    y: u16,
) -> Vec<Span<'static>> {
    let width = usize::from(area.width).saturating_sub(number.chars().count() + 2);
    let line = line.replace('\t', "    ");
    let mark = if here.is_empty() { "  " } else { "▶ " };
    let number = Span::styled(number.to_owned(), Style::new().add_modifier(Modifier::DIM));
    let mark = Span::styled(mark, app.tint(Color::Green));
    if here.is_empty() {
        return vec![number, mark, Span::raw(cut(&line, width))];
    }
    // What is written there is worth more than whole names.
    let needed = line.chars().count().min(TEXT_KEPT);
    let names = tag_names(&app.player.position, here, width.saturating_sub(needed));
    let tags_width: usize = names.iter().map(|it| it.0.chars().count() + 1).sum();
    let text = cut(&line, width.saturating_sub(tags_width));
    let gap = width.saturating_sub(tags_width + text.chars().count());
    let mut x = usize::from(area.x) + usize::from(area.width) - tags_width.min(usize::from(area.width));
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let mut spans = vec![number, mark, Span::styled(text, bold), Span::raw(" ".repeat(gap))];
    let chosen = app.selected_process();
    for (name, process) in names {
        let tag_width = name.chars().count() as u16;
        if let Some(process) = process {
            app.areas.tags.push(Tag {
                x: x as u16 + 1,
                y,
                width: tag_width,
                process,
            });
        }
        x += usize::from(tag_width) + 1;
        let style = match process.is_some() && chosen == process {
            true => bold.add_modifier(Modifier::REVERSED),
            false => app.tag_style(process),
        };
        spans.push(Span::raw(" "));
        spans.push(Span::styled(name, style));
    }
    spans
}

/// The names of the processes at one line; where there is no room for all of them, `(1)` and `(2)` of `worker(1)` and `worker(2)`,
/// or how many there are.
fn tag_names(position: &Position, here: &[usize], width: usize) -> Vec<(String, Option<usize>)> {
    let Some(algorithm) = &position.algorithm else {
        return vec![];
    };
    let name = |it: usize| match algorithm.processes[it].name.as_str() {
        "" => "here".to_owned(),
        name => name.to_owned(),
    };
    let short = |it: usize| {
        let name = name(it);
        let id = name.find('(').filter(|_| name.ends_with(')'));
        id.map_or(name.clone(), |at| name[at..].to_owned())
    };
    let named =
        |name: &dyn Fn(usize) -> String| -> Vec<_> { here.iter().map(|&it| (name(it), Some(it))).collect() };
    let fits = |names: &[(String, Option<usize>)]| {
        let needed: usize = names.iter().map(|it| it.0.chars().count() + 1).sum();
        needed <= width
    };
    let all = [named(&name), named(&short)].into_iter().find(|it| fits(it));
    all.unwrap_or_else(|| match here {
        [one] => vec![(cut(&name(*one), width.saturating_sub(1)), Some(*one))],
        _ => vec![(format!("{} processes", here.len()), None)],
    })
}
