//! The processes of an algorithm in the place of the variables that say where they are.

use trace::AlgorithmState;

use crate::artist::{Frame, Part, Picture};
use crate::table::{Entry, Table};

impl Frame {
    /// Draws `pc` and `stack` as a table of processes: each with its label, the line of it, and the procedures that it is in.
    pub fn tell_processes(&mut self, now: Option<&AlgorithmState>, before: Option<&AlgorithmState>) {
        let Some(now) = now.filter(|it| !it.processes.is_empty()) else {
            return;
        };
        self.parts.retain(|it| !now.told.contains(&it.name.as_str()));
        self.parts.push(Part {
            name: "processes".to_owned(),
            is_changed: before.is_none_or(|it| it.processes != now.processes),
            picture: Picture::Table(table(now, before)),
        });
    }
}

fn table(now: &AlgorithmState, before: Option<&AlgorithmState>) -> Table {
    let has_names = now.processes.iter().any(|it| !it.name.is_empty());
    let has_calls = now.processes.iter().any(|it| !it.calls.is_empty());
    let rows = now.processes.iter().enumerate().map(|(i, it)| {
        let old = before.and_then(|before| before.processes.get(i));
        let entry = |text: String, is_changed: bool| Entry { text, is_changed };
        let has_moved = old.is_some_and(|old| old.label != it.label);
        let has_called = old.is_some_and(|old| old.calls != it.calls);
        let line = it.place.as_ref().map_or(String::new(), |it| it.line.to_string());
        let name = has_names.then(|| entry(it.name.clone(), false));
        let calls = has_calls.then(|| entry(it.called().unwrap_or_default(), has_called));
        let place = [entry(it.label.clone(), has_moved), entry(line, has_moved)];
        name.into_iter().chain(place).chain(calls).collect()
    });
    let header = [
        ("process", has_names),
        ("at", true),
        ("line", true),
        ("calls", has_calls),
    ];
    Table {
        header: Some(
            header
                .into_iter()
                .filter(|it| it.1)
                .map(|it| it.0.to_owned())
                .collect(),
        ),
        rows: rows.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Style;
    use trace::{ProcessState, Ran};

    fn state(labels: [(&str, u32); 2]) -> AlgorithmState {
        let process = |(i, (label, line)): (usize, (&str, u32))| ProcessState {
            name: format!("p({i})"),
            label: label.to_owned(),
            place: (line > 0).then(|| Ran {
                line,
                text: String::new(),
            }),
            moved: false,
            calls: vec![],
            waits_for: None,
        };
        AlgorithmState {
            processes: labels.into_iter().enumerate().map(process).collect(),
            told: vec!["pc"],
            ..AlgorithmState::default()
        }
    }

    #[test]
    fn pc_is_a_table_of_processes() {
        let line = |name: &str| Part {
            name: name.to_owned(),
            is_changed: true,
            picture: Picture::Line(String::new()),
        };
        let mut frame = Frame {
            parts: vec![line("pc"), line("x")],
        };
        let before = state([("a", 3), ("a", 3)]);
        frame.tell_processes(Some(&state([("a", 3), ("Done", 0)])), Some(&before));
        let names: Vec<&str> = frame.parts.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["x", "processes"]);
        let Picture::Table(table) = &frame.parts[1].picture else {
            panic!("processes are a table")
        };
        let text = table.render(Style::Plain);
        assert!(text.contains("p(0)") && text.contains("Done *"), "{text}");
    }
}
