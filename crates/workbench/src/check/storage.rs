//! Checks that use files: more states than memory, and runs that go on after an interruption. What can be wrong with that is one
//! constructor per code, described in `diagnostics/<code>.md`.

use diag::Diagnostic;
use explore::{Checkpoints, Disk, DiskFailure, DiskFailureKind};
use value::Mixer;

use super::{CheckReport, Checker, Verdict};
use crate::tla::TlaFile;

/// Files for a check.
#[derive(Clone, Copy)]
pub struct Storage<'a> {
    pub disk: &'a dyn Disk,
    /// The folder of checkpoints as the user named it.
    pub named: &'a str,
    /// Whether what does not fit into memory goes there; otherwise it is for checkpoints only.
    pub is_store: bool,
    pub checkpoints: Option<Checkpoints<'a>>,
}

impl TlaFile {
    /// The name and a hash of every text that was read: of the modules, the configuration, the options.
    pub fn fingerprints(&self) -> Vec<(String, u64)> {
        let hash = |text: &str| {
            let mut mixer = Mixer::new(text.len() as u64);
            for word in text.as_bytes().chunks(8) {
                let mut bytes = [0; 8];
                bytes[..word.len()].copy_from_slice(word);
                mixer.add(u64::from_le_bytes(bytes));
            }
            mixer.finish()
        };
        let files = self.sources.files();
        files.map(|it| (it.name().to_owned(), hash(it.text()))).collect()
    }
}

impl Checker<'_, '_> {
    /// Whether what is asked for can be done with files; if not, the report says why.
    pub(super) fn may_be_stored(&self, storage: Storage<'_>, report: &mut CheckReport) -> bool {
        let Some(checkpoints) = storage.checkpoints else {
            return true;
        };
        if self.options.coverage {
            report.diagnostics.push(checkpoint_refused("`--coverage`"));
            report.verdict = Verdict::Error;
            return false;
        }
        if checkpoints.resume.is_some() && !self.effects.registers().all().is_empty() {
            report.diagnostics.push(registers_begin_anew());
        }
        true
    }

    /// Says what files did, if that ended the search.
    pub(super) fn disk_failed(&self, failure: Option<&DiskFailure>, report: &mut CheckReport) {
        let Some(failure) = failure else { return };
        if matches!(failure.kind, DiskFailureKind::Damaged | DiskFailureKind::Foreign) {
            report.verdict = Verdict::Error;
        }
        report.diagnostics.push(match failure.kind {
            DiskFailureKind::Full => disk_full(&failure.what),
            DiskFailureKind::Damaged => checkpoint_damaged(&failure.what),
            DiskFailureKind::Foreign => {
                checkpoint_foreign(self.storage.map_or("", |it| it.named), &failure.what)
            }
            DiskFailureKind::Missing | DiskFailureKind::Other => disk_failed(&failure.what),
        });
    }
}

/// The diagnostic for a checkpoint that could not be read.
pub fn unreadable_checkpoint(folder: &str, failure: &DiskFailure) -> Diagnostic {
    match failure.kind {
        DiskFailureKind::Missing => checkpoint_missing(folder),
        DiskFailureKind::Foreign => checkpoint_foreign(folder, &failure.what),
        DiskFailureKind::Damaged => checkpoint_damaged(&failure.what),
        DiskFailureKind::Full | DiskFailureKind::Other => disk_failed(&failure.what),
    }
}

pub fn checkpoint_missing(folder: &str) -> Diagnostic {
    Diagnostic::error(
        "checkpoint-missing",
        format!("there is no checkpoint in `{folder}`"),
    )
    .hint("`babbage check SPEC --checkpoint FOLDER` writes checkpoints; they go when the check comes to its end")
}

pub fn checkpoint_damaged(what: &str) -> Diagnostic {
    Diagnostic::error("checkpoint-damaged", "the checkpoint is damaged")
        .note(what)
        .hint("check anew, with another folder for checkpoints")
}

pub fn checkpoint_foreign(folder: &str, what: &str) -> Diagnostic {
    Diagnostic::error(
        "checkpoint-foreign",
        format!("the checkpoint in `{folder}` belongs to something else"),
    )
    .note(what)
    .hint("restore what it was, or check anew with another folder for checkpoints")
}

pub fn checkpoint_exists(folder: &str) -> Diagnostic {
    Diagnostic::error(
        "checkpoint-exists",
        format!("there is a checkpoint in `{folder}` already"),
    )
    .hint(format!(
        "go on with it: `babbage resume {folder}`; or name another folder"
    ))
}

pub fn checkpoint_in_use(folder: &str) -> Diagnostic {
    Diagnostic::error(
        "checkpoint-in-use",
        format!("another process uses the checkpoint in `{folder}`"),
    )
    .hint("wait for its end, or end it")
}

pub fn checkpoint_refused(what: &str) -> Diagnostic {
    Diagnostic::error(
        "checkpoint-refused",
        format!("{what} and `--checkpoint` do not go together"),
    )
    .note("what it counts or does is not part of a checkpoint")
}

pub fn disk_full(what: &str) -> Diagnostic {
    Diagnostic::error("disk-full", "the disk is full, or nearly so")
        .note(what)
        .hint("make room, or use a folder on another disk; a run with `--checkpoint` goes on with `babbage resume`")
}

pub fn disk_failed(what: &str) -> Diagnostic {
    Diagnostic::error("disk-failed", "a file of the search cannot be used").note(what)
}

pub fn registers_begin_anew() -> Diagnostic {
    Diagnostic::warning(
        "registers-begin-anew",
        "what `TLCSet` stored before the interruption is lost",
    )
    .note("registers are not part of a checkpoint; `TLCGet` sees what was stored since")
}
