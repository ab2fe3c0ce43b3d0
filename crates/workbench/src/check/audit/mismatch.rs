//! A difference between two evaluations, in words and as a file to attach.

use diag::Diagnostic;

use crate::check::CheckOptions;
use crate::tla::TlaFile;

/// What differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Difference {
    /// The initial states.
    Beginning,
    /// The steps from a state, or whether they are followed.
    Steps,
    /// What a state or a step breaks, or whether the state is inside the constraints.
    Judgement,
    /// What temporal properties ask of a state or of a step.
    Labels,
    /// The vector of a state: decoded and encoded it is another one.
    Encoding,
    /// What stands for a state and those that are the same up to a permutation, or for its view.
    Representative,
    /// Another process knows.
    Elsewhere,
}

impl Difference {
    /// In a word, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Difference::Beginning => "initial-states",
            Difference::Steps => "steps",
            Difference::Judgement => "judgement",
            Difference::Labels => "labels",
            Difference::Encoding => "encoding",
            Difference::Representative => "representative",
            Difference::Elsewhere => "another-process",
        }
    }
}

/// Where the engine and the plain evaluator differ.
#[derive(Clone, Debug)]
pub struct Mismatch {
    pub difference: Difference,
    /// Name and value of each variable; empty for the initial states.
    pub state: Vec<(String, String)>,
    /// States on the way there, this one included.
    pub level: u32,
    /// What the engine says.
    pub engine: String,
    /// What the plain evaluator says.
    pub plain: String,
    /// Where a front end has written all that is needed to see it again.
    pub file: Option<String>,
}

/// What a search without the fast path came to, after a mistake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answered {
    /// An answer.
    Plainly,
    /// None that could be believed.
    Never,
    /// Another process has it.
    Elsewhere,
}

impl Mismatch {
    /// One that another process of this run has found.
    pub(super) fn elsewhere() -> Mismatch {
        Mismatch {
            difference: Difference::Elsewhere,
            state: vec![],
            level: 0,
            engine: String::new(),
            plain: String::new(),
            file: None,
        }
    }

    pub fn is_elsewhere(&self) -> bool {
        self.difference == Difference::Elsewhere
    }

    pub(crate) fn diagnostic(&self, answered: Answered) -> Diagnostic {
        let mut found = Diagnostic::error(
            "audit-mismatch",
            "the audit found a bug of babbage: two evaluations of one state differ",
        );
        if self.is_elsewhere() {
            found = found.note("another process of this run found it, and has written the file");
        } else {
            let state: Vec<String> = self
                .state
                .iter()
                .map(|(name, it)| format!("{name} = {it}"))
                .collect();
            if !state.is_empty() {
                found = found.note(format!("the state: {}", state.join(" /\\ ")));
            }
            found = found
                .note(format!("the engine: {}", self.engine))
                .note(format!("the plain evaluator: {}", self.plain));
        }
        found = found.hint("please report it, with the file that was written");
        match (answered, self.difference) {
            (Answered::Elsewhere, _) => {
                found.note("process 0 searches again, alone and without the fast path")
            }
            (Answered::Never, _) => found
                .note("there is no answer that could be believed")
                .note("`--reference` checks with the plain evaluator alone"),
            (Answered::Plainly, Difference::Representative) => found
                .note("the answer below was found without the fast path of the engine, and without SYMMETRY"),
            (Answered::Plainly, _) => {
                found.note("the answer below was found without the fast path of the engine")
            }
        }
    }

    /// Everything that is needed to see the difference again, in one text: what differs, how it was checked, and every module and
    /// configuration. A fence is longer than any in what it holds.
    pub fn document(&self, file: &TlaFile, options: &CheckOptions) -> String {
        let CheckOptions {
            workers,
            tables,
            slots,
            fingerprints,
            ..
        } = options;
        let mut text = String::from("# Two evaluations of one state differ\n\n");
        text += &format!("What differs: {}.\n\n", self.difference.name());
        if !self.state.is_empty() {
            text += &format!("## The state\n\nLevel {}.\n\n```tla\n", self.level);
            for (name, value) in &self.state {
                text += &format!("/\\ {name} = {value}\n");
            }
            text += "```\n\n";
        }
        text += &format!(
            "- the engine: {}\n- the plain evaluator: {}\n",
            self.engine, self.plain
        );
        text += &format!(
            "\n## How\n\nbabbage {}, workers {workers}, tables {tables}, slots {slots}, fingerprints {fingerprints}. \
             With the files below in a folder, `babbage check {} --audit full` evaluates everything twice.\n",
            env!("CARGO_PKG_VERSION"),
            file.sources.files().next().map_or("", |it| it.name()),
        );
        for source in file.sources.files() {
            let fence = fence(source.text());
            text += &format!(
                "\n## {}\n\n{fence}\n{}\n{fence}\n",
                source.name(),
                source.text().trim_end()
            );
        }
        text
    }
}

/// Backticks, one more than the longest run of them in a text, and at least three.
fn fence(text: &str) -> String {
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    "`".repeat(longest.max(2) + 1)
}
