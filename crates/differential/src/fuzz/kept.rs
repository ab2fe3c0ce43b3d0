//! Findings as files: the small specification, the one it was made from, and what each side says of it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use differential::peer::write;
use testkit::Specification;

pub struct Finding {
    /// What differs, and between which modes.
    pub signature: String,
    /// Who says what.
    pub answers: Vec<(String, String)>,
    pub original: Specification,
    pub small: Specification,
}

/// Of findings with one signature this many are kept.
const EACH_MAX: usize = 12;

/// How many there are already.
pub fn count(folder: &Path, signature: &str) -> usize {
    fs::read_dir(place(folder, signature)).map_or(0, Iterator::count)
}

fn place(folder: &Path, signature: &str) -> PathBuf {
    folder.join(signature.replace(' ', "-"))
}

pub fn keep(folder: &Path, seed: u64, finding: &Finding) -> io::Result<()> {
    let kind = place(folder, &finding.signature);
    let is_enough = count(folder, &finding.signature) >= EACH_MAX;
    let folder = kind.join(seed.to_string());
    // One that is there already is written once more when it has been made small.
    if is_enough && !folder.exists() {
        return Ok(());
    }
    write(&finding.small, &folder)?;
    write(&finding.original, &folder.join("original"))?;
    let answers = finding
        .answers
        .iter()
        .map(|(who, what)| format!("{who}:\n{what}\n\n"));
    let said: String = answers.collect();
    fs::write(
        folder.join("difference.txt"),
        format!("{}\n\n{said}", finding.signature),
    )
}
