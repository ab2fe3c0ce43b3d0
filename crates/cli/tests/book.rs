//! The book of examples, `docs/views.md`: every view of a counterexample, made by the program itself.
//!
//! A view that changes fails this test until `UPDATE_EXPECT=1` has written the book anew; the diff is what gets reviewed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect_file;

#[path = "book/line.rs"]
mod line;

use line::{without_time, words};

/// Where the book is.
fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// Runs a command line in the folder of the book, and gives what it prints on standard output, times taken out.
fn said(line: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_babbage"))
        .args(words(line))
        .current_dir(docs())
        .env("NO_COLOR", "1")
        .output()
        .expect("the binary runs");
    let text = String::from_utf8(output.stdout).expect("text");
    // How much there is time to audit is different each time.
    let lines = text.lines().filter(|it| !it.starts_with("audited: "));
    lines.map(|it| without_time(it) + "\n").collect()
}

#[derive(Default)]
struct Book {
    text: String,
}

impl Book {
    fn prose(&mut self, text: &str) {
        self.text += text.trim();
        self.text += "\n\n";
    }

    /// A command line and what it prints; long documents are cut after so many lines.
    fn example(&mut self, line: &str, language: &str, lines_max: usize) {
        let said = said(line);
        let shown: Vec<&str> = said.lines().take(lines_max).collect();
        let rest = said.lines().count() - shown.len();
        let more = match rest {
            0 => String::new(),
            rest => format!("… {rest} more lines\n"),
        };
        self.text += &format!("```sh\nbabbage {line}\n```\n\n");
        // What holds fences itself is fenced by longer ones.
        let fence = if said.contains("```") { "````" } else { "```" };
        self.text += &format!("{fence}{language}\n{}\n{more}{fence}\n\n", shown.join("\n"));
    }

    /// A command line whose result is a file of the book.
    fn document(&mut self, line: &str, file: &str, shows: bool) {
        let path = docs().join("views").join(file);
        expect_test::expect_file![path].assert_eq(&said(line));
        let link = match shows {
            true => format!("![{file}](views/{file})"),
            false => format!("[{file}](views/{file})"),
        };
        self.text += &format!("```sh\nbabbage {line} > {file}\n```\n\n{link}\n\n");
    }
}

const GAME: &str = "check tictactoe-strategy --config XHasNotWon.cfg --workers 1";
const LIFT: &str = "check views/Lift.tla --workers 1";

#[test]
fn every_view_of_a_counterexample() {
    let mut book = Book::default();
    book.prose(include_str!("book/start.md"));
    book.example(GAME, "text", 200);
    book.prose("## Values as text\n\nOf each step, what it changed.");
    book.example(&format!("{GAME} --view text"), "text", 200);
    book.prose("## One table\n\nIn the manner of the Alloy Analyzer: functions are cut into columns, equal beginnings are one cell.");
    book.example(&format!("{GAME} --view table"), "text", 45);
    book.prose("## Markdown\n\nFor reports and issue trackers.");
    book.example(&format!("{GAME} --view markdown"), "markdown", 50);
    book.prose("## JSON\n\nValues as TLA+ text, and as JSON where that has a meaning.");
    book.example(&format!("{GAME} --view json"), "json", 40);
    book.prose("## CSV\n\nA row for each state, for spreadsheets.");
    book.example(&format!("{LIFT} --view csv"), "text", 20);
    book.prose("## ITF\n\nThe trace format of Apalache and Quint.");
    book.example(&format!("{GAME} --view itf"), "json", 40);
    book.prose("## A page that replays it\n\nNo server: the file is all there is. Arrow keys, a slider, a list of the steps.");
    book.document(&format!("{GAME} --view html"), "game.html", false);
    book.prose("## A picture that moves\n\nPieces slide, marks appear; it needs no script, so it plays in a page like this one.");
    book.document(&format!("{GAME} --view animation"), "game.svg", true);
    book.prose(include_str!("book/graph.md"));
    let lift = fs::read_to_string(docs().join("views/Lift.tla")).expect("the example is there");
    book.prose(&format!("```tla\n{}```", lift));
    book.example(LIFT, "text", 60);
    book.example(&format!("{LIFT} --view dot"), "dot", 60);
    book.document(&format!("{LIFT} --view svg"), "lift.svg", true);
    book.prose("## A view of your own\n\nAny definition without parameters can be shown instead of the variables, field by field if it is a record.");
    book.example(&format!("{LIFT} --view Shown"), "text", 60);
    book.prose(
        "## Alloy\n\nThe same for instances; those under an ordering, or in time, are told step by step.",
    );
    book.example("check tictactoe-alloy --view table", "text", 30);
    book.example("check tictactoe-alloy --view markdown", "markdown", 60);
    expect_file!["../../../docs/views.md"].assert_eq(&book.text);
}

#[test]
fn pieces_slide() {
    // A few steps only: the whole solution takes long without optimisation.
    let line = "simulate klotski --traces 1 --depth 12 --seed 3 --invariant 'Cardinality({p \\in board : <<1, 3>> \\in p}) < 1' --view animation";
    let text = said(line);
    if text.is_empty() {
        return;
    }
    assert!(
        text.starts_with("<svg") && text.contains("animateTransform"),
        "{text}"
    );
}
