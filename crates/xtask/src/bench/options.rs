//! The command line of `cargo xtask bench`: one question, and what all questions understand.

use std::path::PathBuf;

pub const USAGE: &str = "\
usage: cargo xtask bench [--large]                 the gallery and bench/: speed, memory, and how both grow
       cargo xtask bench --peer COMMAND            the ratio to another checker; it runs in a folder of its own
       cargo xtask bench --hand [--large]          the ratio to searches written by hand
       cargo xtask bench --speedup [--large]       two workers against one
       cargo xtask bench --audit [--large]         a sample audited against nothing audited
       cargo xtask bench --instructions [--update] instruction counts against those that are kept
       cargo xtask bench --pluscal                 algorithms, with and without their translations
       cargo xtask bench --solve                   solutions and games
       cargo xtask bench --alloy FOLDER            commands of Alloy models
options: --bin PATH, --models LIST, --only TEXT, --workers N, --seconds N (each run), --least N (seconds), --memory SIZE";

#[derive(Debug, PartialEq)]
pub enum Mode {
    Growth,
    Peer(String),
    Hand,
    Speedup,
    Audit,
    Instructions { update: bool },
    Pluscal,
    Solve,
}

pub struct Options {
    pub mode: Mode,
    pub bin: PathBuf,
    /// A list of models instead of those of the project.
    pub models: Option<PathBuf>,
    /// Only models whose name contains this.
    pub only: Option<String>,
    pub workers: u32,
    /// The longest that one run may take.
    pub seconds: Option<f64>,
    /// Models that take less are left out of ratios.
    pub least: Option<f64>,
    pub memory: String,
    /// The largest sizes too.
    pub large: bool,
}

impl Options {
    pub fn parse(arguments: &[&str]) -> Result<Options, String> {
        let mut options = Options::read(arguments).ok_or(USAGE)?;
        // Every run has a folder of its own.
        options.bin = std::fs::canonicalize(&options.bin).map_err(|_| {
            let bin = options.bin.display();
            format!("there is no {bin}: build it with `cargo build --release`, or name another with --bin")
        })?;
        Ok(options)
    }

    fn read(arguments: &[&str]) -> Option<Options> {
        let mut options = Options {
            mode: Mode::Growth,
            bin: "target/release/babbage".into(),
            models: None,
            only: None,
            workers: 2,
            seconds: None,
            least: None,
            memory: "12G".into(),
            large: false,
        };
        let mut words = arguments.iter();
        while let Some(&word) = words.next() {
            let mut value = || words.next().map(|it| it.to_string());
            match word {
                "--peer" => options.mode = Mode::Peer(value()?),
                "--hand" => options.mode = Mode::Hand,
                "--speedup" => options.mode = Mode::Speedup,
                "--audit" => options.mode = Mode::Audit,
                "--instructions" => options.mode = Mode::Instructions { update: false },
                "--pluscal" => options.mode = Mode::Pluscal,
                "--solve" => options.mode = Mode::Solve,
                "--update" => match &mut options.mode {
                    Mode::Instructions { update } => *update = true,
                    _ => return None,
                },
                "--bin" => options.bin = value()?.into(),
                "--models" => options.models = Some(value()?.into()),
                "--only" => options.only = Some(value()?),
                "--workers" => options.workers = value()?.parse().ok()?,
                "--seconds" => options.seconds = Some(value()?.parse().ok()?),
                "--least" => options.least = Some(value()?.parse().ok()?),
                "--memory" => options.memory = value()?,
                "--large" => options.large = true,
                _ => return None,
            }
        }
        Some(options)
    }

    pub fn seconds(&self) -> f64 {
        self.seconds.unwrap_or(600.0)
    }

    pub fn wants(&self, label: &str) -> bool {
        self.only.as_ref().is_none_or(|it| label.contains(it.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Mode, Options};

    #[test]
    fn one_question_and_its_options() {
        let options =
            Options::read(&["--peer", "checker {module}", "--least", "2", "--only", "Paxos"]).unwrap();
        assert_eq!(options.mode, Mode::Peer("checker {module}".into()));
        assert_eq!(options.least, Some(2.0));
        assert!(options.wants("MCPaxos.cfg") && !options.wants("MCRaft.cfg"));
        let options = Options::read(&["--instructions", "--update"]).unwrap();
        assert_eq!(options.mode, Mode::Instructions { update: true });
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for wrong in [
            &["--peer"][..],
            &["--update"],
            &["--least", "much"],
            &["everything"],
        ] {
            assert!(Options::read(wrong).is_none(), "{wrong:?}");
        }
    }
}
