//! What the workbench answers, as the page reads it. `page/src/api.ts` has the same names.

use diag::{Diagnostic, Severity};
use serde_json::{Value, json};
use source::Sources;
use view::{Board, Frame, Picture, Table};
use workbench::AlgorithmState;
use workbench::play::{AlgorithmText, Choice, Judged, Location, Position, Problem, Stepped, Truth, Watched};

use super::texts::Texts;

pub fn frame(frame: &Frame) -> Value {
    let parts = frame.parts.iter().map(|it| {
        let picture = match &it.picture {
            Picture::Board(it) => board(it),
            Picture::Table(it) => table(it),
            Picture::Line(it) => json!({ "kind": "line", "text": it }),
            Picture::Svg(it) => json!({ "kind": "svg", "svg": it }),
        };
        json!({ "name": it.name, "changed": it.is_changed, "picture": picture })
    });
    json!({ "parts": parts.collect::<Vec<_>>() })
}

fn board(board: &Board) -> Value {
    let cells = board.cells.iter();
    let cells = cells.map(|it| json!({ "text": it.text, "piece": it.piece, "changed": it.is_changed }));
    json!({
        "kind": "board",
        "rows": { "first": board.rows.first, "len": board.rows.len },
        "columns": { "first": board.columns.first, "len": board.columns.len },
        "cells": cells.collect::<Vec<_>>(),
    })
}

fn table(table: &Table) -> Value {
    let cells = |row: &Vec<view::Entry>| -> Vec<Value> {
        let cells = row.iter();
        cells
            .map(|it| json!({ "text": it.text, "changed": it.is_changed }))
            .collect()
    };
    json!({
        "kind": "table",
        "header": table.header,
        "rows": table.rows.iter().map(cells).collect::<Vec<_>>(),
    })
}

pub fn location(it: &Location) -> Value {
    json!({
        "file": it.file,
        "line": it.line,
        "column": it.column,
        "endLine": it.end_line,
        "endColumn": it.end_column,
    })
}

pub fn step(step: &Stepped) -> Value {
    let parameters = step.parameters.iter();
    json!({
        "label": step.to_string(),
        "action": step.action,
        "parameters": parameters.map(|it| json!({ "name": it.name, "text": it.text })).collect::<Vec<_>>(),
        "told": step.told.is_some(),
        "place": step.location.as_ref().map(location),
    })
}

/// The text of an algorithm.
pub fn algorithm_text(it: &AlgorithmText) -> Value {
    json!({ "file": it.file, "firstLine": it.first_line, "lines": it.lines })
}

/// Where the processes of an algorithm are.
pub fn processes(state: Option<&AlgorithmState>) -> Value {
    let all = state.iter().flat_map(|it| &it.processes);
    let all = all.map(|it| {
        json!({
            "name": it.name,
            "label": it.label,
            "line": it.place.as_ref().map(|it| it.line),
            "moved": it.moved,
            "called": it.called(),
            "waitsFor": it.waits_for,
        })
    });
    json!(all.collect::<Vec<_>>())
}

pub fn property(it: &Judged) -> Value {
    let truth = match it.truth {
        Truth::True => "true",
        Truth::False => "false",
        Truth::Open => "open",
        Truth::Error => "error",
    };
    json!({ "name": it.name, "kind": it.kind.name(), "truth": truth, "why": it.why })
}

/// One state of a trace.
pub fn entry(
    reached: Option<&Stepped>,
    drawn: &Frame,
    algorithm: Option<&AlgorithmState>,
    properties: &[Judged],
) -> Value {
    json!({
        "step": reached.map(step),
        "frame": frame(drawn),
        "processes": processes(algorithm),
        "properties": properties.iter().map(property).collect::<Vec<_>>(),
    })
}

pub fn position(position: &Position) -> Value {
    json!({
        "index": position.index,
        "len": position.len,
        "entry": position.index.map(|_| entry(
            position.step.as_ref(),
            &position.frame,
            position.algorithm.as_ref(),
            &position.properties,
        )),
        "choices": position.choices.iter().map(choice).collect::<Vec<_>>(),
        "cut": position.is_cut,
        "watches": position.watches.iter().map(watch).collect::<Vec<_>>(),
        "deadlock": position.is_deadlock,
        "problem": position.problem.as_ref().map(problem),
    })
}

fn choice(choice: &Choice) -> Value {
    let touches = choice.touches.iter();
    let touches = touches.map(|it| json!({ "variable": it.variable, "row": it.row, "column": it.column }));
    let journeys = choice.journeys.iter();
    let journeys =
        journeys.map(|it| json!({ "variable": it.variable, "piece": it.piece, "by": [it.by.0, it.by.1] }));
    let changes = choice.changes.iter().flat_map(|(variable, changes)| {
        let changes = changes.iter();
        changes.map(move |it| {
            // A part of a value is named behind its variable.
            let change = it.to_string();
            let is_part = change.starts_with(['.', '[', ':']);
            let text = format!("{variable}{}{change}", if is_part { "" } else { ": " });
            json!({ "variable": variable, "text": text })
        })
    });
    // A step to a first state has nothing to differ from: its values tell it.
    let values = choice
        .shown_after()
        .filter(|_| choice.changes.is_empty() && !choice.is_stuttering);
    let values = values.map(|(name, it)| json!({ "variable": name, "text": format!("{name} = {it}") }));
    json!({
        "step": step(&choice.step),
        "changes": changes.chain(values).take(8).collect::<Vec<_>>(),
        "touches": touches.collect::<Vec<_>>(),
        "journeys": journeys.collect::<Vec<_>>(),
        "stutters": choice.is_stuttering,
        "excluded": choice.is_excluded,
        "yours": choice.is_yours,
        "process": choice.process(),
    })
}

fn watch(it: &Watched) -> Value {
    let (value, wrong) = match &it.value {
        Ok((text, _)) => (Some(text.clone()), None),
        Err(problem) => (None, Some(problem.title.clone())),
    };
    json!({ "number": it.number, "expr": it.expr, "value": value, "problem": wrong })
}

pub fn problem(problem: &Problem) -> Value {
    json!(problem.text)
}

/// Diagnostics with places in the texts of the request.
pub fn diagnostics(all: &[Diagnostic], sources: &Sources, texts: &Texts) -> Vec<Value> {
    const SHOWN_MAX: usize = 100;
    let shown = all.iter().take(SHOWN_MAX);
    shown.map(|it| diagnostic(it, sources, texts)).collect()
}

fn diagnostic(it: &Diagnostic, sources: &Sources, texts: &Texts) -> Value {
    let span = it.span();
    let file = span.map(|it| sources.file(it.file));
    // A literate text was blanked outside of its fences; the page has it as it is.
    let text = file.map_or("", |it| texts.get(it.name()).unwrap_or(it.text()));
    let at = |offset: u32| utf16(text, offset as usize);
    // Fixes are of the file that the diagnostic is about.
    let edits = |fix: &diag::Fix| -> Vec<Value> {
        let own = fix
            .edits
            .iter()
            .filter(|edit| span.is_some_and(|it| it.file == edit.span.file));
        own.map(|it| json!({ "from": at(it.span.start), "to": at(it.span.end), "text": it.text }))
            .collect()
    };
    let story = it.secondary.iter();
    let story = story.map(|it| format!("{}: {}", sources.location(it.span), it.text));
    json!({
        "code": it.code,
        "severity": match it.severity {
            Severity::Error => "error",
            Severity::Warning | Severity::Note => "warning",
        },
        "message": it.title,
        "file": file.map(|it| it.name().to_string()),
        "from": span.map_or(0, |it| at(it.start)),
        "to": span.map_or(0, |it| at(it.end)),
        "location": span.map(|it| sources.location(it)),
        "label": it.primary.as_ref().map_or("", |it| &it.text),
        "story": story.chain(it.notes.iter().cloned()).collect::<Vec<_>>(),
        "hint": it.hint,
        "fixes": it.fixes.iter().map(|fix| json!({ "title": fix.title, "edits": edits(fix) })).collect::<Vec<_>>(),
        "text": diag::render(it, sources, diag::Style::Plain),
    })
}

/// A byte offset as browsers count: in UTF-16 units.
fn utf16(text: &str, offset: usize) -> usize {
    let before = text.char_indices().take_while(|(at, _)| *at < offset);
    before.map(|(_, c)| c.len_utf16()).sum()
}

#[cfg(test)]
mod tests {
    use super::utf16;

    #[test]
    fn offsets_are_those_of_a_browser() {
        let text = "é𝕏x";
        assert_eq!(utf16(text, 0), 0);
        assert_eq!(utf16(text, 2), 1);
        assert_eq!(utf16(text, 6), 3);
        assert_eq!(utf16(text, 100), 4);
    }
}
