//! Findings as files: the small specification, the one it was made from, and what each side says of it.

use std::fs;
use std::io;
use std::path::Path;

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

pub fn keep(folder: &Path, seed: u64, finding: &Finding) -> io::Result<()> {
    let kind = folder.join(finding.signature.replace(' ', "-"));
    fs::create_dir_all(&kind)?;
    if fs::read_dir(&kind)?.count() >= EACH_MAX {
        return Ok(());
    }
    let folder = kind.join(seed.to_string());
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
