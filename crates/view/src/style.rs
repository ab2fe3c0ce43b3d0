//! How a piece of text stands out: as data, and as escape sequences of a terminal.

/// Whether escape sequences are written. The caller knows what the text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    #[default]
    Plain,
    Ansi,
}

/// What a piece of text should look like where colours are to be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Paint {
    #[default]
    Normal,
    /// Nothing to look at: an empty cell.
    Faint,
    /// What differs from the state before.
    Changed,
    /// One of many pieces, by its number.
    Piece(usize),
    /// The word that says what became of a question: as hoped, not as hoped, not known.
    Good,
    Bad,
    Open,
}

/// Backgrounds that can be told apart on light and dark terminals, with black letters on them.
const COLOURS: [u8; 12] = [114, 180, 110, 174, 150, 139, 73, 186, 109, 216, 146, 108];

impl Style {
    pub fn paint(self, text: &str, paint: Paint) -> String {
        if self == Style::Plain || text.is_empty() {
            return text.to_string();
        }
        match paint {
            Paint::Normal => text.to_string(),
            Paint::Faint => format!("\u{1b}[2m{text}\u{1b}[0m"),
            Paint::Changed => format!("\u{1b}[1;7m{text}\u{1b}[0m"),
            Paint::Good => format!("\u{1b}[1;32m{text}\u{1b}[0m"),
            Paint::Bad => format!("\u{1b}[1;31m{text}\u{1b}[0m"),
            Paint::Open => format!("\u{1b}[1;33m{text}\u{1b}[0m"),
            Paint::Piece(number) => {
                let colour = COLOURS[number % COLOURS.len()];
                format!("\u{1b}[30;48;5;{colour}m{text}\u{1b}[0m")
            }
        }
    }
}
