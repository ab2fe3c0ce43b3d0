//! What came out, by file.

use super::results::Fate;

/// A mutant as it is told.
pub struct Told {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub function: String,
    pub original: String,
    pub replacement: String,
}

/// Characters of a text that are shown.
const SHOWN: usize = 90;

impl Told {
    pub fn text(&self) -> String {
        let new = if self.replacement.is_empty() {
            "nothing".to_string()
        } else {
            format!("`{}`", short(&self.replacement))
        };
        format!(
            "{}:{}:{} ({}): `{}` -> {new}",
            self.file,
            self.line,
            self.column,
            self.function,
            short(&self.original)
        )
    }
}

fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_string(),
    }
}

#[derive(Default)]
struct Row {
    listed: usize,
    failed: usize,
    timed_out: usize,
    crashed: usize,
    not_reached: usize,
    survived: usize,
    explained: usize,
    open: usize,
}

impl Row {
    fn count(&mut self, fate: &Known) {
        self.listed += 1;
        let counter = match fate {
            Known::Explained => &mut self.explained,
            Known::Fate(Fate::Killed { how, .. }) if how == "timed out" => &mut self.timed_out,
            Known::Fate(Fate::Killed { how, .. }) if how == "crashed" => &mut self.crashed,
            Known::Fate(Fate::Killed { .. }) => &mut self.failed,
            Known::Fate(Fate::Survived) => &mut self.survived,
            Known::Fate(Fate::NotReached) => &mut self.not_reached,
            Known::Open => &mut self.open,
        };
        *counter += 1;
    }

    fn text(&self, name: &str) -> String {
        format!(
            "{name:44} {:6} {:6} {:6} {:6} {:11} {:9} {:9} {:6}",
            self.listed,
            self.failed,
            self.timed_out,
            self.crashed,
            self.not_reached,
            self.explained,
            self.survived,
            self.open
        )
    }
}

/// What is known of a mutant.
pub enum Known {
    Explained,
    Fate(Fate),
    /// Not tried yet.
    Open,
}

/// Survivors first, then figures; true if nothing survived.
pub fn print(mutants: &[(Told, Known)]) -> bool {
    for (heading, fate) in [
        ("not reached by any test", Fate::NotReached),
        ("survived", Fate::Survived),
    ] {
        let mut told = mutants
            .iter()
            .filter(|it| matches!(&it.1, Known::Fate(it) if *it == fate))
            .peekable();
        if told.peek().is_some() {
            println!("{heading}:");
        }
        for (it, _) in told {
            println!("  {}", it.text());
        }
    }
    println!(
        "{:44} {:>6} {:>6} {:>6} {:>6} {:>11} {:>9} {:>9} {:>6}",
        "file", "listed", "failed", "time", "crash", "not reached", "explained", "survived", "open"
    );
    let mut all = Row::default();
    for same_file in mutants.chunk_by(|a, b| a.0.file == b.0.file) {
        let mut row = Row::default();
        for (_, known) in same_file {
            row.count(known);
            all.count(known);
        }
        println!("{}", row.text(&same_file[0].0.file));
    }
    println!("{}", all.text("all"));
    all.survived == 0
}
