//! States and steps of a translation as states and steps of its algorithm.
//!
//! `pc` says at which label each process is, the name of an action is the label that a step begins at, and the outline of the
//! algorithm says where both stand in the text. So a state is a table of processes, and a step is a process that goes from one label
//! to another. Which statements ran, and what a process waits for, is asked of the plain evaluator (`tla_plain::Part`).

use pluscal::outline::{Label, Outline, Owner, Statement, StatementKind};
use source::Span;
use tla_plain::Part;
use trace::{AlgorithmState, ProcessState, Ran, shortened};
use util::{FxHashMap, FxHashSet};
use value::Owned;

use super::Algorithm;
use crate::play::AlgorithmText;
use crate::tla::TlaFile;

/// Tells the states of one behaviour, in their order.
pub(crate) struct Teller<'a> {
    file: &'a TlaFile,
    algorithm: &'a Algorithm,
    /// Which of the outline's processes an identifier is one of.
    processes: FxHashMap<String, usize>,
}

/// Text is cut after so many characters.
const TEXT_MAX: usize = 72;

type Values = [(String, Owned)];

impl<'a> Teller<'a> {
    /// Nothing when what is checked is no algorithm.
    pub fn new(file: &'a TlaFile) -> Option<Teller<'a>> {
        let known = || file.algorithms.iter().filter(|it| it.is_known());
        let is_root = |it: &&Algorithm| it.file == file.file;
        let algorithm = known().find(is_root).or_else(|| known().next())?;
        Some(Teller {
            file,
            algorithm,
            processes: FxHashMap::default(),
        })
    }

    fn outline(&self) -> &'a Outline {
        &self.algorithm.outline
    }

    /// A state, and the step of this action to it.
    pub fn state(
        &mut self,
        values: &Values,
        before: Option<&Values>,
        action: &str,
        parameters: &[(String, String)],
    ) -> AlgorithmState {
        let at = places(values);
        let was = before.map_or(vec![], places);
        self.learn(&at);
        let mover = before.and_then(|_| self.mover(&was, &at, action, parameters));
        let step = mover.as_ref().map(|(key, from)| {
            let to = at.iter().find(|it| it.0 == *key).map_or("", |it| it.1);
            let to = self.outline().label(to).map_or(to, |it| it.name.as_str());
            match (self.name(key.as_ref()), self.outline().omits_pc) {
                (name, true) => name,
                (name, false) if name.is_empty() => format!("{} -> {to}", from.name),
                (name, false) => format!("{name}: {} -> {to}", from.name),
            }
        });
        // The step that is there so that no end is taken for a deadlock.
        let is_end = before.is_some() && mover.is_none() && action == "Terminating";
        let step = step.or_else(|| is_end.then(|| "the end".to_owned()));
        let stacks = value(values, "stack");
        let rows = at.iter().map(|(key, label)| ProcessState {
            name: self.name(key.as_ref()),
            label: self.label_name(label),
            place: self.outline().label(label).map(|it| self.place(it)),
            moved: mover.as_ref().is_some_and(|it| it.0 == *key),
            calls: stacks.map_or(vec![], |it| self.calls(it, key.as_ref())),
            waits_for: None,
        });
        AlgorithmState {
            step: step.filter(|it| !it.is_empty()),
            statements: vec![],
            processes: rows.collect(),
            told: match (at.is_empty(), stacks) {
                (true, _) => vec![],
                (false, None) => vec!["pc"],
                (false, Some(_)) => vec!["pc", "stack"],
            },
        }
    }

    /// A label that only one process has says whose process it is; in procedures one remembers.
    fn learn(&mut self, at: &[(Option<Owned>, &str)]) {
        for (key, label) in at {
            if let (Some(key), Some(label)) = (key, self.outline().label(label))
                && let Owner::Process(i) = label.owner
            {
                self.processes.insert(key.to_string(), i);
            }
        }
    }

    /// Which process moved, and from where.
    fn mover(
        &self,
        was: &[(Option<Owned>, &str)],
        at: &[(Option<Owned>, &str)],
        action: &str,
        parameters: &[(String, String)],
    ) -> Option<(Option<Owned>, &'a Label)> {
        let from = self.outline().label_of_action(action)?;
        let own = parameters.iter().find(|it| it.0 == "self");
        if self.outline().omits_pc {
            return Some((None, from));
        }
        let starts = was.iter().filter(|it| it.1 == from.value.as_str());
        let mut could = starts.filter(|(key, _)| match (own, key) {
            (Some((_, text)), Some(key)) => key.to_string() == *text,
            (None, Some(key)) => {
                let i = self.processes.get(&key.to_string());
                i.is_some_and(|&i| from.owner == Owner::Process(i))
                    || at
                        .iter()
                        .any(|it| it.0.as_ref() == Some(key) && it.1 != from.value.as_str())
            }
            (_, None) => true,
        });
        could.next().map(|it| (it.0.clone(), from))
    }

    /// `worker(1)`, the name of a process that is the only one of its kind, or what its identifier is called.
    fn name(&self, key: Option<&Owned>) -> String {
        let Some(key) = key else { return String::new() };
        let text = key.to_string();
        let processes = &self.outline().processes;
        let known = self.processes.get(&text).copied();
        let single = processes.iter().position(|it| !it.is_set && it.id == text);
        match (known.or(single).map(|it| &processes[it]), key) {
            (Some(it), _) if !it.is_set => it.name.to_string(),
            (_, Owned::Str(name) | Owned::Model(name)) => name.as_str().to_owned(),
            (Some(it), _) => format!("{}({text})", it.name),
            (None, _) => text,
        }
    }

    fn label_name(&self, value: &str) -> String {
        let label = self.outline().label(value);
        label.map_or(value, |it| it.name.as_str()).to_owned()
    }

    fn place(&self, label: &Label) -> Ran {
        self.ran(label.span)
    }

    fn ran(&self, span: Span) -> Ran {
        Ran {
            line: self.file.sources.file(span.file).place(span.start).line,
            text: self.line_of(span),
        }
    }

    /// The first line of a text, and a sign that there is more.
    fn line_of(&self, span: Span) -> String {
        let text = self.file.sources.text(span);
        let mut lines = text.lines();
        let first = shortened(lines.next().unwrap_or_default(), TEXT_MAX);
        match lines.next() {
            Some(_) if !first.ends_with('…') => format!("{first} …"),
            _ => first,
        }
    }

    fn calls(&self, stacks: &Owned, key: Option<&Owned>) -> Vec<(String, String)> {
        let stack = match key {
            None => Some(stacks.clone()),
            Some(key) => pairs(stacks).into_iter().find(|it| it.0 == *key).map(|it| it.1),
        };
        let Some(Owned::Tuple(frames)) = stack else {
            return vec![];
        };
        let frame = |it: &Owned| {
            let Owned::Record(fields) = it else { return None };
            let field = |name: &str| {
                let found = fields.iter().find(|it| it.0.as_str() == name);
                found.and_then(|it| text_of(&it.1))
            };
            let procedure = field("procedure")?;
            let named = self.outline().procedures.iter();
            let mut named = named.filter(|it| it.action.as_str() == procedure);
            let name = named
                .next()
                .map_or(procedure.to_owned(), |it| it.name.to_string());
            Some((name, self.label_name(field("pc")?)))
        };
        frames.iter().rev().filter_map(frame).collect()
    }

    /// The statements that parts of an action come from, each once.
    pub fn statements(&self, parts: &[Part]) -> Vec<Ran> {
        let mut seen: FxHashSet<Span> = FxHashSet::default();
        let mut ran = vec![];
        for part in parts {
            let Some(label) = self.label_of(part) else {
                continue;
            };
            if let Some(it) = self.statement(label, part)
                && seen.insert(it.call.unwrap_or(it.span))
            {
                ran.push(self.ran(it.call.unwrap_or(it.span)));
            }
        }
        ran
    }

    fn label_of(&self, part: &Part) -> Option<&'a Label> {
        let spec = &self.file.spec;
        let mut names = part.inside.iter().rev().map(|it| spec.defs[*it].name.as_str());
        names.find_map(|it| self.outline().label_of_action(it))
    }

    /// The statement without branches that a part of a label's action comes from.
    fn statement(&self, label: &'a Label, part: &Part) -> Option<&'a Statement> {
        let span = self.file.spec.exprs[part.at].span;
        simple(&label.statements)
            .into_iter()
            .find(|it| it.span.file == span.file && it.span.start <= span.start && span.end <= it.span.end)
    }

    /// What each process waits for, in lines, where no part of any action is true.
    pub fn waiting(&mut self, parts: &[Part], values: &Values) -> Vec<String> {
        let at = places(values);
        self.learn(&at);
        let mut lines = vec![];
        for (key, value) in &at {
            let name = self.name(key.as_ref());
            let who = if name.is_empty() { "it" } else { &name };
            let Some(label) = self.outline().label(value) else {
                lines.push(format!("{who} is at its end, `{value}`"));
                continue;
            };
            match self.obstacles(label, parts, key.as_ref()) {
                None => {
                    let line = self.place(label).line;
                    lines.push(format!("{who} is at `{}`, line {line}", label.name));
                }
                Some(told) => lines.push(format!("{who} waits at `{}`: {told}", label.name)),
            }
        }
        lines
    }

    /// What each process waits for, in their order, as far as these parts of the actions say.
    pub fn waits_for(&self, parts: &[Part], values: &Values) -> Vec<Option<String>> {
        let at = places(values);
        let at = at.iter().map(|(key, value)| {
            let label = self.outline().label(value)?;
            self.obstacles(label, parts, key.as_ref())
        });
        at.collect()
    }

    /// The parts that keep a process from the step of its label.
    fn obstacles(&self, label: &'a Label, parts: &[Part], key: Option<&Owned>) -> Option<String> {
        let own = parts.iter().filter(|it| {
            let is_here = self.label_of(it).is_some_and(|it| it.value == label.value);
            is_here && is_of(it, key) && !is_about_control(it)
        });
        let mut told: Vec<String> = own.map(|it| self.obstacle(label, it, key)).collect();
        told.dedup();
        (!told.is_empty()).then(|| told.join("; "))
    }

    /// The lines of the algorithm, as they stand in its file.
    pub fn text(&self) -> AlgorithmText {
        let file = self.file.sources.file(self.algorithm.head.file);
        let (first, last) = self.algorithm.lines(file);
        let lines = file.text().lines().skip(first as usize - 1);
        AlgorithmText {
            file: file.name().to_string(),
            first_line: first,
            lines: lines
                .take((last - first) as usize + 1)
                .map(str::to_owned)
                .collect(),
        }
    }

    /// The first assertion that fails, and whose it is.
    pub fn asserted(&mut self, parts: &[Part], values: &Values) -> Option<String> {
        let at = places(values);
        self.learn(&at);
        parts.iter().find_map(|part| {
            let label = self.label_of(part)?;
            let statement = self.statement(label, part)?;
            (statement.kind == StatementKind::Assert).then_some(())?;
            let mut keys = at.iter().filter(|it| it.1 == label.value.as_str());
            let key = keys
                .find(|it| is_of(part, it.0.as_ref()))
                .and_then(|it| it.0.clone());
            let who = self.name(key.as_ref());
            let of = if who.is_empty() {
                String::new()
            } else {
                format!("{who}: ")
            };
            Some(of + &self.obstacle(label, part, key.as_ref()))
        })
    }

    /// "`await lock = 0` (line 12) is false, where lock = 2"
    fn obstacle(&self, label: &'a Label, part: &Part, key: Option<&Owned>) -> String {
        let own = self.file.spec.exprs[part.at].span;
        let statement = self.statement(label, part);
        let span = statement.map_or(own, |it| it.span);
        let Ran { line, text } = self.ran(span);
        let call = statement.and_then(|it| it.call);
        let line = match call {
            Some(call) => format!("line {line}, for line {}", self.ran(call).line),
            None => format!("line {line}"),
        };
        let is_empty = part.reads.is_empty() && statement.is_none();
        let mut told = match is_empty {
            true => format!("`{text}` ({line}) has nothing to choose from"),
            false => format!("`{text}` ({line}) is false"),
        };
        for (i, (reading, value)) in part.reads.iter().enumerate() {
            let mut path = &reading.path[..];
            let mut name = reading.variable.to_string();
            if let Some(variable) = self.outline().variable(&name) {
                name = variable.name.to_string();
                let own = key.map(|it| format!("[{it}]"));
                if variable.by_process && path.first() == own.as_ref() {
                    path = &path[1..];
                }
            }
            let value = shortened(&value.to_string(), TEXT_MAX);
            told += if i == 0 { ", where " } else { ", " };
            told += &format!("{name}{} = {value}", path.concat());
        }
        told
    }
}

/// Whether a part is one of the process with this identifier.
fn is_of(part: &Part, key: Option<&Owned>) -> bool {
    let own = part.names.iter().find(|it| it.0.as_str() == "self");
    match (own, key) {
        (Some((_, own)), Some(key)) => own.to_string() == key.to_string(),
        _ => true,
    }
}

/// That a process is elsewhere is no obstacle.
fn is_about_control(part: &Part) -> bool {
    !part.reads.is_empty() && part.reads.iter().all(|it| it.0.variable.as_str() == "pc")
}

/// The statements that have no branches, in the order of the text.
fn simple(all: &[Statement]) -> Vec<&Statement> {
    use StatementKind::{Either, If, While, With};
    all.iter()
        .flat_map(|it| match it.kind {
            If | Either | While | With => it.branches.iter().flat_map(|it| simple(it)).collect(),
            _ => vec![it],
        })
        .collect()
}

fn value<'v>(values: &'v Values, name: &str) -> Option<&'v Owned> {
    values.iter().find(|it| it.0 == name).map(|it| &it.1)
}

/// Each process with its label; without an identifier the one process that there is.
fn places(values: &Values) -> Vec<(Option<Owned>, &str)> {
    let Some(pc) = value(values, "pc") else {
        return vec![];
    };
    match pc {
        Owned::Str(label) => vec![(None, label.as_str())],
        Owned::Fun(all) => labelled(all.iter().map(|(key, it)| (key.clone(), it))),
        Owned::Tuple(all) => labelled(
            all.iter()
                .enumerate()
                .map(|(i, it)| (Owned::Int(i as i64 + 1), it)),
        ),
        Owned::Record(all) => labelled(all.iter().map(|(key, it)| (Owned::Str(*key), it))),
        _ => vec![],
    }
}

fn labelled<'v>(all: impl Iterator<Item = (Owned, &'v Owned)>) -> Vec<(Option<Owned>, &'v str)> {
    all.filter_map(|(key, it)| Some((Some(key), text_of(it)?)))
        .collect()
}

fn text_of(value: &Owned) -> Option<&str> {
    match value {
        Owned::Str(text) => Some(text.as_str()),
        _ => None,
    }
}

fn pairs(value: &Owned) -> Vec<(Owned, Owned)> {
    match value {
        Owned::Fun(all) => all.clone(),
        Owned::Tuple(all) => {
            let all = all.iter().enumerate();
            all.map(|(i, it)| (Owned::Int(i as i64 + 1), it.clone()))
                .collect()
        }
        Owned::Record(all) => all
            .iter()
            .map(|(key, it)| (Owned::Str(*key), it.clone()))
            .collect(),
        _ => vec![],
    }
}
