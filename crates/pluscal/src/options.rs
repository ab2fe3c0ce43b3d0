//! What can be asked of a translation: on the command line, or in the file, as `PlusCal options (-wf, -label)`.

use util::Symbol;

/// Which fairness is conjoined to `Spec`, apart from what `fair` in the algorithm says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FairnessOption {
    /// None, not even what the algorithm says.
    None,
    /// Weak fairness of each process.
    Weak,
    /// Strong fairness of each process.
    Strong,
    /// Weak fairness of the next-state action.
    WeakNext,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    pub fairness: Option<FairnessOption>,
    /// Weak fairness unless something else is asked for.
    pub termination: bool,
    /// Add the labels that are missing.
    pub label: bool,
    /// What added labels start with.
    pub label_root: Symbol,
    /// Leave out the disjunct that lets a terminated algorithm stutter.
    pub no_done_disjunct: bool,
    /// Lines get this wide where they can be broken; at least 60.
    pub line_width: usize,
    /// 1000 times the version of the language: 1500 is PlusCal 1.5.
    pub version: u32,
}

/// The version that translations follow.
pub const VERSION: u32 = 1903;
pub const LINE_WIDTH_MIN: usize = 60;

impl Default for Options {
    fn default() -> Options {
        Options {
            fairness: None,
            termination: false,
            label: false,
            label_root: Symbol::new("Lbl_"),
            no_done_disjunct: false,
            line_width: 78,
            version: VERSION,
        }
    }
}

/// What is wrong with an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrongOption {
    Unknown,
    /// Two of `wf`, `sf`, `wfNext`, `nof`.
    SecondFairness,
    /// It needs another word after it.
    NoValue,
    BadValue,
}

impl Options {
    /// Takes the words of an options statement, on top of what is there. Each mistake comes with the number of its word.
    pub fn take(&mut self, words: &[&str]) -> Vec<(usize, WrongOption)> {
        let mut wrong = vec![];
        let mut fairness = None;
        let mut i = 0;
        while i < words.len() {
            let option = words[i].strip_prefix('-').unwrap_or(words[i]);
            let mut value = || {
                i += 1;
                words.get(i).copied().ok_or(WrongOption::NoValue)
            };
            let done = match option {
                "wf" => set(&mut fairness, FairnessOption::Weak),
                "sf" => set(&mut fairness, FairnessOption::Strong),
                "wfNext" => set(&mut fairness, FairnessOption::WeakNext),
                "nof" => set(&mut fairness, FairnessOption::None),
                "termination" => flag(&mut self.termination),
                "label" => flag(&mut self.label),
                // What the translator does with files and how it reports is no matter of the translation.
                "nocfg" | "noold" | "unixEOL" => Ok(()),
                "reportLabels" => flag(&mut self.label),
                "noDoneDisjunct" => flag(&mut self.no_done_disjunct),
                "labelRoot" => value().and_then(|it| self.set_label_root(it)),
                "lineWidth" => value().and_then(|it| self.set_line_width(it)),
                "version" => value().and_then(|it| self.set_version(it)),
                _ => Err(WrongOption::Unknown),
            };
            if let Err(why) = done {
                wrong.push((i.min(words.len() - 1), why));
            }
            i += 1;
        }
        // What the file says goes before what was said outside of it.
        self.fairness = fairness.or(self.fairness);
        wrong
    }

    pub fn set_label_root(&mut self, root: &str) -> Result<(), WrongOption> {
        let is_name = root.starts_with(|it: char| it.is_ascii_alphabetic())
            && root.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
        if !is_name {
            return Err(WrongOption::BadValue);
        }
        self.label_root = Symbol::new(root);
        Ok(())
    }

    fn set_line_width(&mut self, width: &str) -> Result<(), WrongOption> {
        let width: usize = width.parse().map_err(|_| WrongOption::BadValue)?;
        if !(LINE_WIDTH_MIN..=100_000).contains(&width) {
            return Err(WrongOption::BadValue);
        }
        self.line_width = width;
        Ok(())
    }

    fn set_version(&mut self, version: &str) -> Result<(), WrongOption> {
        let version = version_number(version).filter(|&it| it <= VERSION);
        self.version = version.ok_or(WrongOption::BadValue)?;
        Ok(())
    }

    /// The fairness that counts, once everything was said.
    pub fn effective_fairness(&self) -> Option<FairnessOption> {
        match (self.fairness, self.termination) {
            (None, true) => Some(FairnessOption::Weak),
            (fairness, _) => fairness,
        }
    }
}

fn flag(it: &mut bool) -> Result<(), WrongOption> {
    *it = true;
    Ok(())
}

fn set(fairness: &mut Option<FairnessOption>, to: FairnessOption) -> Result<(), WrongOption> {
    match fairness {
        Some(_) => Err(WrongOption::SecondFairness),
        None => {
            *fairness = Some(to);
            Ok(())
        }
    }
}

/// `1.5` as 1500.
fn version_number(text: &str) -> Option<u32> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |it: &str| it.len() <= 3 && it.chars().all(|it| it.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
        return None;
    }
    format!("{whole}{fraction:0<3}").parse().ok()
}
