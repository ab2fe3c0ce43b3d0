//! Every public model, and the seed, resolves without an error. They are not part of the project; where they are
//! absent the test says so.

use std::path::{Path, PathBuf};

use alloy_sema::{Loader, Options, resolve};
use source::Sources;

struct Disk;

impl Loader for Disk {
    fn read(&self, path: &str) -> Option<String> {
        let bytes = std::fs::read(path).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn shared() -> PathBuf {
    match std::env::var_os("BABBAGE_CONFORMANCE") {
        Some(path) => PathBuf::from(path).parent().unwrap().to_path_buf(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    }
}

fn models(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            models(&path, found);
        } else if path.extension().is_some_and(|it| it == "als" || it == "md") {
            found.push(path);
        }
    }
}

/// What is wrong with a file: errors of the specification and of its commands.
fn problems(name: &str, text: &str, recursion_max: Option<u32>) -> Vec<String> {
    let mut sources = Sources::new();
    let resolved = resolve(name, text, &Disk, &mut sources, Options { recursion_max });
    let of_commands = resolved.model.commands.iter().flat_map(|it| &it.errors);
    resolved
        .diagnostics
        .iter()
        .filter(|it| it.is_error())
        .chain(of_commands)
        .map(|it| diag::render(it, &sources, diag::Style::Plain))
        .collect()
}

#[test]
fn resolves_every_public_model() {
    let folder = shared().join("conformance/alloy");
    if !folder.is_dir() {
        testkit::not_run("there are no public models beside the project (set BABBAGE_CONFORMANCE)");
        return;
    }
    let mut paths = vec![];
    models(&folder, &mut paths);
    assert!(!paths.is_empty());
    let mut failures = vec![];
    for path in &paths {
        let name = path.to_string_lossy();
        let text = Disk.read(&name).unwrap();
        // One of the files tests recursion, which has to be asked for.
        failures.extend(problems(&name, &text, Some(3)));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn resolves_the_seed() {
    let folder = shared().join("seeds");
    if !folder.is_dir() {
        testkit::not_run("there are no seeds beside the project");
        return;
    }
    let mut seeds: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    seeds.retain(|it| it.file_name().unwrap().to_string_lossy().starts_with("004"));
    assert_eq!(seeds.len(), 1);
    let text = std::fs::read_to_string(&seeds[0]).unwrap();
    let failures = problems("tictactoe.md", &text, None);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
