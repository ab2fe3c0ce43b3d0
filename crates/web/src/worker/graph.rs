//! The graph of all states, as long as they are few: breadth-first over a session of play.

use std::collections::HashMap;

use serde_json::{Value, json};
use workbench::Progress;
use workbench::play::{Position, Session, Truth};

use super::Wire;
use super::ask::Ask;
use super::effects::{Sandbox, Teller};
use super::json as shown;
use super::play::with_session;

/// More are no picture.
const STATES_MAX: usize = 600;

pub fn graph(ask: &Ask, wire: &Wire) -> Value {
    let sandbox = Sandbox::new();
    let teller = Teller::new(wire, &sandbox);
    let made = with_session(ask, |session| {
        let mut survey = Survey::default();
        survey.run(session, &teller);
        survey
    });
    let survey = made.unwrap_or_default();
    json!({
        "nodes": survey.nodes.iter().map(Node::json).collect::<Vec<_>>(),
        "edges": survey.edges.iter().map(|(from, to, label)| json!([from, to, label])).collect::<Vec<_>>(),
        "truncated": survey.is_cut,
        "limit": STATES_MAX,
    })
}

#[derive(Default)]
struct Survey {
    nodes: Vec<Node>,
    /// From, to, and how.
    edges: Vec<(usize, usize, String)>,
    /// States by their text.
    known: HashMap<String, usize>,
    is_cut: bool,
}

struct Node {
    /// How a session comes here.
    path: Vec<usize>,
    /// Known once it was visited.
    frame: Value,
    bad: Vec<String>,
    is_dead: bool,
}

impl Node {
    fn json(&self) -> Value {
        json!({
            "depth": self.path.len().saturating_sub(1),
            "frame": self.frame,
            "bad": self.bad,
            "initial": self.path.len() == 1,
            "dead": self.is_dead,
            "path": self.path,
        })
    }
}

impl Survey {
    fn run(&mut self, session: &mut Session<'_>, teller: &Teller<'_>) {
        session.restart();
        let first = session.position();
        match first.index {
            // The session has begun by itself, in the one state there is.
            Some(_) => drop(self.add(key(&first.state), session.path())),
            None => {
                self.is_cut = first.is_cut;
                for (i, choice) in first.choices.iter().enumerate() {
                    self.add(key(&choice.after), vec![i]);
                }
            }
        }
        // Nodes are in the order of their depth, and neighbours share most of their paths.
        let mut at = 0;
        while at < self.nodes.len() {
            let path = self.nodes[at].path.clone();
            go(session, &path);
            let position = session.position();
            self.expand(at, &position);
            at += 1;
            teller.tell(&Progress {
                distinct: at as u64,
                queue: (self.nodes.len() - at) as u64,
                depth: path.len() as u32,
                ..Progress::default()
            });
        }
    }

    /// The number of a state; none when there are too many.
    fn add(&mut self, key: String, path: Vec<usize>) -> Option<usize> {
        if let Some(&known) = self.known.get(&key) {
            return Some(known);
        }
        if self.nodes.len() >= STATES_MAX {
            self.is_cut = true;
            return None;
        }
        self.known.insert(key, self.nodes.len());
        self.nodes.push(Node {
            path,
            frame: Value::Null,
            bad: vec![],
            is_dead: false,
        });
        Some(self.nodes.len() - 1)
    }

    fn expand(&mut self, at: usize, position: &Position) {
        let properties = position.properties.iter();
        let bad = properties
            .filter(|it| it.truth == Truth::False)
            .map(|it| it.name.clone());
        self.nodes[at].bad = bad.collect();
        self.nodes[at].frame = shown::frame(&position.frame);
        self.nodes[at].is_dead = position.choices.is_empty();
        self.is_cut |= position.is_cut;
        for (i, choice) in position.choices.iter().enumerate() {
            let mut path = self.nodes[at].path.clone();
            path.push(i);
            if let Some(to) = self.add(key(&choice.after), path) {
                let edge = (at, to, choice.step.to_string());
                if !self.edges.contains(&edge) {
                    self.edges.push(edge);
                }
            }
        }
    }
}

/// Goes where a path leads, from where it parts from the present one.
fn go(session: &mut Session<'_>, path: &[usize]) {
    let now = session.path();
    let common = now.iter().zip(path).take_while(|(a, b)| a == b).count();
    if common == 0 {
        session.follow(path);
        return;
    }
    session.go_to(common - 1);
    for &choice in &path[common..] {
        session.take(choice);
    }
}

fn key(state: &view::State) -> String {
    let values = state.iter().map(|(name, value)| format!("{name}={value}"));
    values.collect::<Vec<_>>().join(";")
}
