//! Tests as Markdown: a model in a fence of `alloy`, and after it, in a fence of `text`, what is said of it. A fence
//! `alloy lib.als` holds a further file that the next model may open. The texts are made anew with UPDATE_EXPECT=1.

use std::path::{Path, PathBuf};

use alloy_sema::{Loader, Options, Resolved, resolve};
use source::Sources;

/// The files of one test.
#[derive(Default)]
pub struct Files {
    others: Vec<(String, String)>,
}

impl Loader for Files {
    fn read(&self, path: &str) -> Option<String> {
        self.others.iter().find(|it| it.0 == path).map(|it| it.1.clone())
    }
}

/// Resolves a model and says what is said of it.
pub type Say = fn(&str, &Files) -> String;

/// Checks every file of a folder beside this test.
pub fn check_folder(folder: &str, say: Say) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut paths: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    paths.retain(|it| it.extension().is_some_and(|it| it == "md"));
    paths.sort();
    assert!(!paths.is_empty(), "no tests in {}", folder.display());
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        expect_test::expect_file![path].assert_eq(&told(&text, say));
    }
}

/// The Markdown with each fence of `text` replaced by what is said of the model before it.
fn told(markdown: &str, say: Say) -> String {
    let mut out = String::new();
    let mut files = Files::default();
    let mut model = String::new();
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```") else {
            out.push_str(line);
            out.push('\n');
            continue;
        };
        let body: Vec<&str> = lines.by_ref().take_while(|it| !it.starts_with("```")).collect();
        let mut body = body.join("\n");
        match info.strip_prefix("alloy") {
            Some("") => model = body.clone(),
            Some(name) => files.others.push((name.trim().to_owned(), body.clone())),
            None => {
                body = say(&model, &files);
                files = Files::default();
            }
        }
        out.push_str(&format!("{line}\n{}\n```\n", body.trim_end()));
    }
    out
}

pub fn read(model: &str, files: &Files) -> (Resolved, Sources) {
    let mut sources = Sources::new();
    let resolved = resolve("model.als", model, files, &mut sources, Options::default());
    (resolved, sources)
}

/// All messages, those of commands included.
pub fn messages(resolved: &Resolved, sources: &Sources) -> Vec<String> {
    let of_commands = resolved.model.commands.iter().flat_map(|it| &it.errors);
    resolved
        .diagnostics
        .iter()
        .chain(of_commands)
        .map(|it| diag::render(it, sources, diag::Style::Plain))
        .collect()
}
