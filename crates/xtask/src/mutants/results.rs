//! What is known of each mutant. One line of JSON for each trial, so an interrupted run loses nothing; the last line counts.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// How the test ended, and which.
    Killed {
        how: String,
        by: String,
    },
    Survived,
    NotReached,
}

pub struct Results {
    path: PathBuf,
    known: Mutex<HashMap<String, Fate>>,
}

impl Results {
    pub fn read(path: PathBuf) -> Results {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let lines = text.lines().filter_map(|it| serde_json::from_str(it).ok());
        let known = lines
            .filter_map(|it: Value| Some((it["mutant"].as_str()?.to_string(), fate(&it)?)))
            .collect();
        Results {
            path,
            known: Mutex::new(known),
        }
    }

    pub fn get(&self, mutant: &str) -> Option<Fate> {
        self.known.lock().expect("no panic").get(mutant).cloned()
    }

    pub fn put(&self, mutant: &str, fate: Fate) {
        let mut known = self.known.lock().expect("no panic");
        let line = match &fate {
            Fate::Killed { how, by } => json!({"mutant": mutant, "fate": how, "by": by}),
            Fate::Survived => json!({"mutant": mutant, "fate": "survived"}),
            Fate::NotReached => json!({"mutant": mutant, "fate": "not reached"}),
        };
        if let Err(error) = append(&self.path, &line.to_string()) {
            eprintln!("{} cannot be written: {error}", self.path.display());
        }
        known.insert(mutant.to_string(), fate);
    }
}

fn fate(line: &Value) -> Option<Fate> {
    Some(match line["fate"].as_str()? {
        "survived" => Fate::Survived,
        "not reached" => Fate::NotReached,
        how => Fate::Killed {
            how: how.to_string(),
            by: line["by"].as_str()?.to_string(),
        },
    })
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path)?;
    writeln!(file, "{line}")
}
