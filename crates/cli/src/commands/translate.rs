//! `babbage translate`: the TLA+ of a PlusCal algorithm, into its file.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use workbench::{FairnessOption, Freshness, PlusCalOptions, Translated, translate_file};

use crate::args::TranslateArgs;
use crate::files::Files;
use crate::output::{err, out};
use crate::report;

pub fn run(args: &TranslateArgs) -> ExitCode {
    let (before, translated) = match translate_file(&args.spec, &Files, &options(args)) {
        Ok(both) => both,
        Err((sources, diagnostics)) => {
            report::diagnostics(&diagnostics, &sources);
            return ExitCode::from(2);
        }
    };
    report::diagnostics(&translated.diagnostics, &translated.sources);
    if args.check {
        return check(&args.spec, &translated);
    }
    if args.stdout {
        out(&translated.text);
        return ExitCode::SUCCESS;
    }
    let path = args.output.as_deref().unwrap_or(&args.spec);
    let is_own = args.output.is_none();
    if is_own && before == translated.text {
        out(&format!("{path}: the translation is up to date"));
        return ExitCode::SUCCESS;
    }
    match replace(Path::new(path), &translated.text) {
        Ok(()) => {
            out(&format!("{path}: translated{}", labels(&translated)));
            ExitCode::SUCCESS
        }
        Err(error) => {
            err(&format!("error: `{path}` cannot be written: {error}"));
            ExitCode::from(2)
        }
    }
}

fn options(args: &TranslateArgs) -> PlusCalOptions {
    let fairness = match args {
        TranslateArgs { wf: true, .. } => Some(FairnessOption::Weak),
        TranslateArgs { sf: true, .. } => Some(FairnessOption::Strong),
        TranslateArgs { wf_next: true, .. } => Some(FairnessOption::WeakNext),
        TranslateArgs { nof: true, .. } => Some(FairnessOption::None),
        _ => None,
    };
    let mut options = PlusCalOptions {
        fairness,
        termination: args.termination,
        label: args.label,
        line_width: args.line_width as usize,
        no_done_disjunct: args.no_done_disjunct,
        ..PlusCalOptions::default()
    };
    options
        .set_label_root(&args.label_root)
        .expect("checked with the arguments");
    options
}

fn labels(translated: &Translated) -> String {
    let labels: Vec<String> = translated
        .added_labels
        .iter()
        .map(|(name, place)| format!("{name} (line {})", place.line))
        .collect();
    match &labels[..] {
        [] => String::new(),
        labels => format!(", with added labels {}", labels.join(", ")),
    }
}

fn check(path: &str, translated: &Translated) -> ExitCode {
    let (says, status) = match translated.freshness {
        Freshness::Fresh => ("the translation is up to date", 0),
        Freshness::Absent => ("there is no translation", 1),
        Freshness::Stale => ("the translation is stale: the algorithm has changed since", 1),
        Freshness::Matching => (
            "the translation is one of this algorithm, made with other options or by another version",
            0,
        ),
        Freshness::Edited => ("the translation was changed by hand", 1),
        Freshness::Unknown => ("the translation is not the one that the algorithm gives", 1),
    };
    out(&format!("{path}: {says}"));
    ExitCode::from(status)
}

/// Puts a text in the place of a file so that at every moment there is the old one or the new one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link: what it leads to is replaced.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // Another file in its place needs a permission of the folder only. Who may not write the file itself may not replace it either.
    match std::fs::OpenOptions::new().write(true).open(&target) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let aside: PathBuf = target.with_file_name(name);
    let written = write_aside(&target, &aside, text).and_then(|()| std::fs::rename(&aside, &target));
    if written.is_err() {
        // The old file is still there; what was written beside it is of no use.
        let _ = std::fs::remove_file(&aside);
    }
    written
}

fn write_aside(target: &Path, aside: &Path, text: &str) -> io::Result<()> {
    use io::Write;
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(aside)?;
    file.write_all(text.as_bytes())?;
    if let Ok(metadata) = std::fs::metadata(target) {
        file.set_permissions(metadata.permissions())?;
    }
    file.sync_all()
}
