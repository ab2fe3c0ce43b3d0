//! `cargo xtask tidy`: every rule is checked and every breach is told, with the place where it can be mended.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use cargo_metadata::{Metadata, MetadataCommand};

use crate::{deny, layers, text};

const WASM: &str = "wasm32-unknown-unknown";

pub fn run() -> ExitCode {
    let root = root();
    let metadata = match MetadataCommand::new().current_dir(&root).no_deps().exec() {
        Ok(metadata) => metadata,
        Err(error) => {
            eprintln!("cargo metadata fails: {error}");
            return ExitCode::FAILURE;
        }
    };
    let mut wrong = vec![];
    match layers::Table::read(&root.join("ARCHITECTURE.md")) {
        Ok(table) => {
            wrong.extend(table.check(&metadata));
            let core = table.core();
            wrong.extend(no_io(&root, &core));
            wrong.extend(no_system(&root, &core));
        }
        Err(error) => wrong.push(error),
    }
    wrong.extend(text::check(&root));
    wrong.extend(deny::check(&root));
    for breach in &wrong {
        eprintln!("{breach}");
    }
    match wrong.len() {
        0 => {
            println!("tidy: {} crates, all rules kept", crates(&metadata));
            ExitCode::SUCCESS
        }
        n => {
            eprintln!("tidy: {n} rules broken");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the workspace: two above this crate. Where it was built may be elsewhere, if `target` was copied.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR");
    let here = here.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.ancestors().nth(2).unwrap_or(&here).to_owned()
}

fn crates(metadata: &Metadata) -> usize {
    metadata.workspace_packages().len()
}

fn packages(core: &[String]) -> impl Iterator<Item = &str> {
    core.iter().flat_map(|it| ["--package", it])
}

/// The crates below the front ends read no files, environment or clocks, and print nothing (see clippy.toml).
fn no_io(root: &Path, core: &[String]) -> Option<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(root).args(["clippy", "--quiet", "--lib"]);
    cargo.args(packages(core));
    cargo.args([
        "--",
        "--deny",
        "clippy::disallowed_methods",
        "--deny",
        "clippy::disallowed_macros",
    ]);
    match cargo.status() {
        Ok(status) if status.success() => None,
        Ok(_) => Some("a crate below the front ends does IO: see the errors above".to_string()),
        Err(error) => Some(format!("cargo clippy does not run: {error}")),
    }
}

/// The core needs no operating system: it is compiled for one that is none, where that target is installed.
fn no_system(root: &Path, core: &[String]) -> Option<String> {
    let installed = Command::new("rustc")
        .args(["--print", "target-libdir", "--target", WASM])
        .output();
    let has_library = |it: std::process::Output| {
        let folder = String::from_utf8_lossy(&it.stdout).trim().to_string();
        it.status.success() && Path::new(&folder).is_dir()
    };
    if !installed.is_ok_and(has_library) {
        println!("not run: the core for {WASM}, which is not installed");
        return None;
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .current_dir(root)
        .args(["check", "--quiet", "--lib", "--target", WASM]);
    cargo.args(packages(core));
    match cargo.status() {
        Ok(status) if status.success() => None,
        _ => Some(format!(
            "the core does not compile for {WASM}: see the errors above"
        )),
    }
}
