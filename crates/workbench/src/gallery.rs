//! The specifications that are built in.

use crate::language::Language;

/// A specification of the gallery with all its files.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub name: &'static str,
    /// One line for a list.
    pub title: &'static str,
    pub language: Language,
    /// File name and text; the first is the specification itself.
    pub files: &'static [(&'static str, &'static str)],
}

impl Entry {
    pub fn file(&self, name: &str) -> Option<&'static str> {
        self.files
            .iter()
            .find(|(it, _)| *it == name)
            .map(|(_, text)| *text)
    }
}

pub fn gallery() -> &'static [Entry] {
    GALLERY
}

macro_rules! files {
    ($folder:literal, $($file:literal),+) => {
        &[$(($file, include_str!(concat!("../../../specs/", $folder, "/", $file)))),+]
    };
}

static GALLERY: &[Entry] = &[
    Entry {
        name: "tictactoe-strategy",
        title: "tic-tac-toe: X follows a fixed strategy, O plays anything",
        language: Language::Tla,
        files: files!(
            "tictactoe-strategy",
            "TicTacToeStrategy.tla",
            "TicTacToeStrategy.cfg",
            "XHasNotWon.cfg",
            "NotStalemate.cfg"
        ),
    },
    Entry {
        name: "tictactoe-rules",
        title: "tic-tac-toe as seven rules, conjoined",
        language: Language::Tla,
        files: files!(
            "tictactoe-rules",
            "TicTacToeRules.tla",
            "TicTacToeRules.cfg",
            "AsWritten.cfg",
            "ByHand.cfg",
            "WithoutBlock.cfg"
        ),
    },
    Entry {
        name: "tictactoe-field",
        title: "tic-tac-toe on a set of triples, two named players",
        language: Language::Tla,
        files: files!(
            "tictactoe-field",
            "tictactoe.tla",
            "tictactoe.cfg",
            "GameEnded.cfg"
        ),
    },
    Entry {
        name: "klotski",
        title: "the 4x5 sliding puzzle: pieces are sets of cells",
        language: Language::Tla,
        files: files!("klotski", "Klotski.tla", "Klotski.cfg", "KlotskiUnsolved.cfg"),
    },
    Entry {
        name: "connect",
        title: "k in a row on a board of m by n, with or without falling marks",
        language: Language::Tla,
        files: files!("connect", "Connect.tla", "Connect.cfg", "Wide.cfg", "Drop.cfg"),
    },
    Entry {
        name: "tictactoe-alloy",
        title: "tic-tac-toe in Alloy: a trace of boards, in Markdown",
        language: Language::Alloy,
        files: files!("tictactoe-alloy", "tictactoe.md"),
    },
];
