//! What the README and the page of commands say a command prints is what it prints.
//!
//! An example is an indented line `$ babbage …` with the lines below it; a line `…` stands for any number of lines. Modules in fences of
//! `tla` are files that the examples after them can name.

#[path = "book/line.rs"]
mod line;

use std::fs;
use std::path::Path;
use std::process::Command;

use line::{without_time, words};

struct Example {
    line: String,
    printed: Vec<String>,
}

/// The examples of a page, and the modules it shows, by name.
fn read(page: &str) -> (Vec<Example>, Vec<(String, String)>) {
    let (mut examples, mut modules): (Vec<Example>, Vec<(String, String)>) = (vec![], vec![]);
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line == "```tla" {
            let text: Vec<&str> = lines.by_ref().take_while(|it| *it != "```").collect();
            let name = text[0].split_whitespace().nth(2).expect("a module has a name");
            modules.push((format!("{name}.tla"), text.join("\n") + "\n"));
            continue;
        }
        let Some(command) = line.strip_prefix("    $ babbage ") else {
            continue;
        };
        let mut printed = vec![];
        let is_inside = |it: &&str| it.is_empty() || it.starts_with("    ") && !it.starts_with("    $ ");
        while let Some(line) = lines.next_if(is_inside) {
            printed.push(line.strip_prefix("    ").unwrap_or(line).to_owned());
        }
        while printed.last().is_some_and(String::is_empty) {
            printed.pop();
        }
        examples.push(Example {
            line: command.to_owned(),
            printed,
        });
    }
    (examples, modules)
}

/// Whether lines are what a page says, where `…` is any number of them.
fn matches(said: &[&str], page: &[&str]) -> bool {
    match page.split_first() {
        None => said.is_empty(),
        Some((&"…", rest)) => (0..=said.len()).any(|skipped| matches(&said[skipped..], rest)),
        Some((line, rest)) => said.first() == Some(line) && matches(&said[1..], rest),
    }
}

fn check(page: &str, examples_min: usize) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("pages")
        .join(page.replace('/', "-"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder to write to");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let text = fs::read_to_string(path).expect("a page");
    let (examples, modules) = read(&text);
    assert!(examples.len() >= examples_min, "{} examples", examples.len());
    for (name, text) in modules {
        fs::write(folder.join(name), text).expect("a file to write");
    }
    for example in examples {
        let output = Command::new(env!("CARGO_BIN_EXE_babbage"))
            .args(words(&example.line))
            .current_dir(&folder)
            .output()
            .expect("the binary runs");
        let said =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        let said: Vec<String> = said
            .trim_end()
            .lines()
            .map(|it| without_time(it.trim_end()))
            .collect();
        // How much there is time to audit is different each time.
        let told = said.iter().map(String::as_str);
        let said: Vec<&str> = told.filter(|it| !it.starts_with("audited: ")).collect();
        let printed: Vec<&str> = example.printed.iter().map(String::as_str).collect();
        assert!(
            matches(&said, &printed),
            "{page}: babbage {}\nprints\n{}\nand not\n{}",
            example.line,
            said.join("\n"),
            printed.join("\n")
        );
    }
}

#[test]
fn the_readme_prints_what_it_says() {
    check("README.md", 5);
}

#[test]
fn the_page_of_commands_prints_what_it_says() {
    check("docs/commands.md", 2);
}

#[test]
fn the_first_hour_with_pluscal_prints_what_it_says() {
    check("docs/pluscal.md", 8);
}

#[test]
fn dots_stand_for_any_lines() {
    assert!(matches(&["a", "b", "c"], &["a", "…"]));
    assert!(matches(&["a", "b", "c"], &["…", "b", "…", "c"]));
    assert!(!matches(&["a", "b", "c"], &["…", "b"]));
}
