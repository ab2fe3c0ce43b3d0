//! Asks git which commit this is, so that `babbage --version` can say it.
//!
//! Where there is no git, or the sources were copied without their history, the version stands alone. So it does in debug
//! builds: otherwise every commit would link the program, and what tests it, anew.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let version = match is_release().then(commit).flatten() {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=BABBAGE_VERSION={version}");
}

fn is_release() -> bool {
    std::env::var("PROFILE").is_ok_and(|it| it == "release")
}

/// The commit of these sources, and nothing if the repository around them is that of something else.
fn commit() -> Option<String> {
    let root = Path::new("../..").canonicalize().ok()?;
    let top = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != root {
        return None;
    }
    watch_head();
    git(&["rev-parse", "--short=9", "HEAD"])
}

/// Lets cargo run this again when another commit is checked out.
fn watch_head() {
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in ["HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|it| Path::new(it).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

/// What git says, if it is there and content.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
