//! The copy of the workspace that has the mutants. It lies below `target`, with a target folder of its own.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::text::tracked;

/// What is under test: folders and beginnings of paths.
const UNDER_TEST: [&str; 15] = [
    "crates/tla-eval/src/action.rs",
    "crates/tla-eval/src/prefilter",
    "crates/tla-eval/src/memo",
    "crates/tla-eval/src/layout",
    "crates/tla-eval/src/liveness",
    "crates/tla-eval/src/machine/context",
    "crates/tla-eval/src/labels",
    "crates/tla-eval/src/unique_choice",
    "crates/tla-eval/src/symmetry",
    "crates/tla-eval/src/table",
    "crates/explore/src/chunk",
    "crates/explore/src/generate",
    "crates/explore/src/set",
    "crates/relational/src/symmetry",
    "crates/temporal/src",
];

/// The crates whose tests are run.
pub const TESTED_BY: [&str; 6] = [
    "tla-eval",
    "explore",
    "temporal",
    "relational",
    "workbench",
    "differential",
];

pub struct Tree {
    /// The real workspace.
    pub from: PathBuf,
    /// Everything that is made here.
    pub folder: PathBuf,
    /// The copy.
    pub root: PathBuf,
}

impl Tree {
    pub fn new(from: PathBuf) -> Tree {
        let folder = from.join("target/mutants");
        let root = folder.join("tree");
        Tree { from, folder, root }
    }

    pub fn target(&self) -> PathBuf {
        self.folder.join("target")
    }

    /// Files under test, in order.
    pub fn files_under_test(&self) -> Vec<String> {
        let files = tracked(&self.from);
        let names = files.iter().map(|it| it.display().to_string());
        let mut names: Vec<String> = names
            .filter(|it| it.ends_with(".rs") && !it.ends_with("tests.rs"))
            .filter(|it| UNDER_TEST.iter().any(|start| it.starts_with(start)))
            .collect();
        names.sort();
        names
    }

    /// Makes the copy what the workspace is, but for the files in `rewritten`; what is no longer there goes.
    pub fn copy(&self, rewritten: &[(String, String)]) -> io::Result<()> {
        let files = tracked(&self.from);
        for path in &files {
            let name = path.display().to_string();
            let text = match rewritten.iter().find(|it| it.0 == name) {
                Some((_, text)) => text.clone().into_bytes(),
                None => self.changed(&name, std::fs::read(self.from.join(path))?),
            };
            write_if_different(&self.root.join(path), &text)?;
        }
        for path in below(&self.root)? {
            let name = path.strip_prefix(&self.root).unwrap_or(&path);
            if !files.iter().any(|it| it == name)
                && !name.starts_with("crates/mutant")
                && name != Path::new("Cargo.lock")
            {
                std::fs::remove_file(&path)?;
            }
        }
        let manifest = "[package]\nname = \"mutant\"\nversion = \"0.0.0\"\nedition = \"2024\"\n";
        write_if_different(&self.root.join("crates/mutant/Cargo.toml"), manifest.as_bytes())?;
        let switch = include_str!("switch.rs");
        write_if_different(&self.root.join("crates/mutant/src/lib.rs"), switch.as_bytes())
    }

    /// The manifests of the crates under test know the switch; the tests run many times, which pays for a slower build.
    fn changed(&self, name: &str, text: Vec<u8>) -> Vec<u8> {
        let Some(folder) = name.strip_suffix("Cargo.toml") else {
            return text;
        };
        let text = String::from_utf8_lossy(&text).into_owned();
        let is_under_test = UNDER_TEST.iter().any(|it| it.starts_with(folder));
        if folder.is_empty() {
            let dev = "[profile.dev]\nopt-level = 1\nincremental = false";
            let switch = "[profile.dev.package.mutant]\nopt-level = 3\n";
            format!("{}\n{switch}", text.replace("[profile.dev]", dev)).into_bytes()
        } else if is_under_test {
            let dependency = "[dependencies]\nmutant = { path = \"../mutant\" }";
            let changed = if text.contains("[dependencies]") {
                text.replacen("[dependencies]", dependency, 1)
            } else {
                format!("{text}\n{dependency}\n")
            };
            changed.into_bytes()
        } else {
            text.into_bytes()
        }
    }

    /// What crates from elsewhere were built into is the same for both: their code is, and so are the profiles for them.
    pub fn seed(&self, members: &[String]) -> io::Result<()> {
        let (from, to) = (self.from.join("target/debug"), self.target().join("debug"));
        if to.exists() || !from.exists() {
            return Ok(());
        }
        let members: Vec<String> = members.iter().map(|it| it.replace('-', "_")).collect();
        for part in [".fingerprint", "build", "deps"] {
            for path in below(&from.join(part)).unwrap_or_default() {
                let name = path.strip_prefix(&from).unwrap_or(&path);
                let unit = name
                    .components()
                    .nth(1)
                    .map(|it| it.as_os_str().to_string_lossy().replace('-', "_"));
                let unit = unit.unwrap_or_default();
                let unit = unit.strip_prefix("lib").unwrap_or(&unit);
                let is_member = members.iter().any(|it| {
                    unit.strip_prefix(it.as_str())
                        .is_some_and(|rest| rest.starts_with('_') && rest.len() == 17)
                });
                let is_program = part == "deps" && name.extension().is_none();
                if !is_member && !is_program && !name.to_string_lossy().contains(".rcgu.") {
                    copy_with_time(&path, &to.join(name))?;
                }
            }
        }
        Ok(())
    }

    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new(env!("CARGO"));
        cargo
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", self.target());
        cargo
            .env_remove("CARGO_MANIFEST_DIR")
            .env_remove("CARGO_PKG_NAME");
        cargo
    }
}

/// A file that stays the same keeps its time, so that what is made of it is not made anew.
fn write_if_different(path: &Path, text: &[u8]) -> io::Result<()> {
    if std::fs::read(path).is_ok_and(|it| it == text) {
        return Ok(());
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, text)
}

fn copy_with_time(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    if let Ok(there) = std::fs::read_link(from) {
        return std::os::unix::fs::symlink(there, to);
    }
    std::fs::copy(from, to)?;
    let time = std::fs::metadata(from)?.modified()?;
    std::fs::File::options().append(true).open(to)?.set_modified(time)
}

/// All files below a folder.
pub fn below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = vec![];
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    Ok(files)
}
