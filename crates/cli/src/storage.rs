//! Where a check puts files: a folder for temporary ones, or the folder of its checkpoints, with a note from which the
//! check can be started again.

use std::path::PathBuf;
use std::time::Duration;

use diag::Diagnostic;
use disk::Folder;
use serde_json::{Value, json};
use workbench::{
    CheckReport, Checkpoint, Checkpoints, DiskFailure, DiskFailureKind, Storage, TlaFile, Verdict, storage,
};

use crate::args::{CheckArgs, StoreArg};
use crate::output::err;

/// A check that another process began.
pub struct Resumed {
    pub checkpoint: Checkpoint,
    pub note: Note,
    /// Where it is; nobody else uses it.
    folder: Folder,
    /// The folder as the user named it.
    named: String,
    /// Where this process was started.
    pub current_folder: PathBuf,
}

/// What a checkpoint says of the check that wrote it.
#[derive(Debug)]
pub struct Note {
    version: String,
    /// The command line, with the name of the program.
    pub arguments: Vec<String>,
    /// Where it was typed.
    pub current_folder: PathBuf,
    /// Every text that was read, and its hash.
    texts: Vec<(String, u64)>,
}

impl Note {
    /// `None` if it is none of ours.
    pub fn read(bytes: &[u8]) -> Option<Note> {
        let note: Value = serde_json::from_slice(bytes).ok()?;
        let strings = |it: &Value| -> Option<Vec<String>> {
            let all = it.as_array()?.iter();
            all.map(|it| Some(it.as_str()?.to_owned())).collect()
        };
        let texts = note["texts"].as_array()?.iter();
        Some(Note {
            version: note["version"].as_str()?.to_owned(),
            arguments: strings(&note["arguments"])?,
            current_folder: note["folder"].as_str()?.into(),
            texts: texts
                .map(|it| Some((it[0].as_str()?.to_owned(), it[1].as_u64()?)))
                .collect::<Option<_>>()?,
        })
    }

    fn of(file: &TlaFile, resumed: Option<&Resumed>) -> Note {
        let lossy = |it: std::ffi::OsString| it.to_string_lossy().into_owned();
        Note {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: match resumed {
                Some(it) => it.note.arguments.clone(),
                None => std::env::args_os().map(lossy).collect(),
            },
            current_folder: std::env::current_dir().unwrap_or_default(),
            texts: file.fingerprints(),
        }
    }

    fn write(&self) -> Vec<u8> {
        let texts: Vec<Value> = self
            .texts
            .iter()
            .map(|(name, hash)| json!([name, hash]))
            .collect();
        let note = json!({
            "version": self.version,
            "arguments": self.arguments,
            "folder": self.current_folder.to_string_lossy(),
            "texts": texts,
        });
        note.to_string().into_bytes()
    }

    /// What keeps a check with the other note from going on where this one was.
    fn difference(&self, now: &Note) -> Option<String> {
        if self.version != now.version {
            return Some(format!(
                "it was written by version {}, and this is {}",
                self.version, now.version
            ));
        }
        let changed = self.texts.iter().find(|it| !now.texts.contains(it));
        let changed = changed.or_else(|| now.texts.iter().find(|it| !self.texts.contains(it)));
        changed.map(|(name, _)| format!("`{name}` is not what it was when the check began"))
    }
}

/// The folder of a check.
pub struct Files<'r> {
    /// Unless it is that of the check that is gone on with.
    folder: Option<Folder>,
    pub is_store: bool,
    every: Duration,
    note: Option<Vec<u8>>,
    resumed: Option<&'r Resumed>,
    /// The folder of the checkpoints, as the user named it.
    named: String,
}

impl<'r> Files<'r> {
    /// Nothing if the check needs no files.
    pub fn prepare(
        args: &CheckArgs,
        file: &TlaFile,
        resumed: Option<&'r Resumed>,
    ) -> Result<Option<Files<'r>>, Diagnostic> {
        let is_store = matches!(args.store, StoreArg::Disk(_));
        // Mistakes in the specification are told without touching any folder.
        if file.has_errors() || (!is_store && args.checkpoint.is_none()) {
            return Ok(None);
        }
        let failed = |failure: DiskFailure| storage::disk_failed(&failure.what);
        let Some(named) = resumed.map(|it| &it.named).or(args.checkpoint.as_ref()) else {
            let inside = match &args.store {
                StoreArg::Disk(Some(inside)) => PathBuf::from(inside),
                _ => std::env::temp_dir(),
            };
            return Ok(Some(Files {
                folder: Some(Folder::temporary(inside).map_err(failed)?),
                is_store,
                every: args.every,
                note: None,
                resumed: None,
                named: String::new(),
            }));
        };
        if let StoreArg::Disk(Some(_)) = args.store {
            return Err(storage::checkpoint_refused("A folder for `--store disk`"));
        }
        let note = Note::of(file, resumed);
        if let Some(difference) = resumed.and_then(|it| it.note.difference(&note)) {
            return Err(storage::checkpoint_foreign(named, &difference));
        }
        let mut folder = None;
        if resumed.is_none() {
            let mut own = Folder::create(named).map_err(failed)?;
            if !enter(&mut own, args.processes.member).map_err(failed)? {
                return Err(storage::checkpoint_in_use(named));
            }
            if !args.processes.member && Checkpoint::exists(&own) {
                return Err(storage::checkpoint_exists(named));
            }
            folder = Some(own);
        }
        Ok(Some(Files {
            folder,
            is_store,
            every: args.every,
            note: Some(note.write()),
            resumed,
            named: named.clone(),
        }))
    }

    fn folder(&self) -> &Folder {
        let resumed = self.resumed.map(|it| &it.folder);
        let folder = self.folder.as_ref().or(resumed);
        folder.expect("a folder of its own, or that of an earlier check")
    }

    pub fn storage(&self) -> Storage<'_> {
        Storage {
            disk: self.folder(),
            named: &self.named,
            is_store: self.is_store,
            checkpoints: self.note.as_ref().map(|note| Checkpoints {
                every: self.every,
                note,
                resume: self.resumed.map(|it| &it.checkpoint),
            }),
        }
    }

    /// How to go on after an interruption, where that is possible.
    pub fn way_on(&self) -> Option<String> {
        self.note.as_ref()?;
        Some(format!("`babbage resume {}`", self.named))
    }

    pub fn has_checkpoint(&self) -> bool {
        Checkpoint::exists(self.folder())
    }

    /// Whether a search came to its end, so that its checkpoints are of no use.
    pub fn is_over(&self, report: &CheckReport) -> bool {
        match report.verdict {
            Verdict::Holds | Verdict::Violated => true,
            // An evaluation went wrong; otherwise the search did not even begin.
            Verdict::Error => report.generated > 0,
            Verdict::Unknown | Verdict::Internal => false,
        }
    }

    /// Removes what is of no use any more, once the verdict has been told.
    pub fn close(self, report: &CheckReport) {
        let Some(way_on) = self.way_on() else {
            return;
        };
        if self.is_over(report)
            && let Err(failure) = Checkpoint::remove(self.folder())
        {
            err(&format!("warning: {}", failure.what));
        }
        if report.verdict == Verdict::Unknown && self.has_checkpoint() {
            err(&format!("{way_on} goes on from here"));
        }
    }
}

/// Keeps others away from a folder, or takes part in what the process does that has it.
fn enter(folder: &mut Folder, is_member: bool) -> Result<bool, DiskFailure> {
    match is_member {
        true => folder.take_part(),
        false => folder.lock(),
    }
}

/// Reads the checkpoint of a folder; a member of a run leaves the folder to its parent.
pub fn resume(named: &str, is_member: bool) -> Result<Resumed, Diagnostic> {
    let unreadable = |failure: DiskFailure| storage::unreadable_checkpoint(named, &failure);
    let mut folder = Folder::open(absolute(named)).map_err(|failure| match failure.kind {
        DiskFailureKind::Other => storage::checkpoint_missing(named),
        _ => unreadable(failure),
    })?;
    if !Checkpoint::exists(&folder) {
        return Err(storage::checkpoint_missing(named));
    }
    if !enter(&mut folder, is_member).map_err(unreadable)? {
        return Err(storage::checkpoint_in_use(named));
    }
    let checkpoint = Checkpoint::open(&folder).map_err(unreadable)?;
    let Some(note) = Note::read(checkpoint.note()) else {
        return Err(storage::checkpoint_foreign(
            named,
            "it does not say which check it belongs to",
        ));
    };
    Ok(Resumed {
        checkpoint,
        note,
        folder,
        named: named.to_owned(),
        current_folder: std::env::current_dir().unwrap_or_default(),
    })
}

/// A path that stays the same when the current folder changes.
pub fn absolute(named: &str) -> PathBuf {
    std::path::absolute(named).unwrap_or_else(|_| named.into())
}
