//! Screens as text: what a terminal of 80 by 24 shows of each specification of the gallery, and what keys and clicks do.
//!
//! `UPDATE_EXPECT=1` writes the expected screens anew.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use expect_test::{ExpectFile, expect_file};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};
use tui::{App, Player, PlayerOptions, draw};
use workbench::effects::NoEffects;
use workbench::play::{PlayOptions, play};
use workbench::{Host, Stop, Unreadable, Workspace};

/// Beside the gallery there are some algorithms.
struct Algorithms;

impl Host for Algorithms {
    fn read(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        let files = [
            ("Race.tla", RACE),
            ("Race.cfg", "SPECIFICATION Spec\nINVARIANT Counted\n"),
            ("Fork.tla", FORK),
            ("Many.tla", MANY),
        ];
        let found = files.iter().find(|it| it.0 == path);
        found.map(|it| it.1.into()).ok_or(Unreadable::Missing)
    }
}

const RACE: &str = r#"---- MODULE Race ----
EXTENDS Integers
(*
--algorithm Race
variables count = 0;
define
  Counted == (\A w \in 1..2 : pc[w] = "Done") => count = 2
end define;
process worker \in 1..2
variables seen = 0;
begin
  read:  seen := count;
  write: count := seen + 1;
end process;
end algorithm
*)
====
"#;

/// Two processes take two locks in different orders; one of them calls a procedure for it.
const FORK: &str = r#"---- MODULE Fork ----
EXTENDS Integers, Sequences
(*
--algorithm Fork {
  variables lock = [l \in {"a", "b"} |-> 0];
  procedure take(which) {
    wait: await lock[which] = 0;
          lock[which] := self;
          return;
  }
  process (one = 1) {
    first:  call take("a");
    second: call take("b");
    both:   lock := [l \in {"a", "b"} |-> 0];
  }
  process (other = 2) {
    pick: with (l \in {"a", "b"}) { await lock[l] = 0; lock[l] := 2 };
    more:  await lock["a"] = 0 \/ lock["b"] = 0;
  }
}
*)
====
"#;

/// More processes than there is room for, at one line.
const MANY: &str = r#"---- MODULE Many ----
EXTENDS Integers
(* --algorithm Many { variables n = 0; process (somebody \in 1..9) { step: n := n + 1 } } *)
====
"#;

/// What a test does to a screen.
struct Screen<'a, 'b, 'p, 's> {
    app: &'a mut App<'b, 'p, 's>,
    terminal: Terminal<TestBackend>,
}

impl Screen<'_, '_, '_, '_> {
    fn keys(&mut self, keys: &str) {
        for c in keys.chars() {
            let code = match c {
                '\n' => KeyCode::Enter,
                '↓' => KeyCode::Down,
                '↑' => KeyCode::Up,
                '⎋' => KeyCode::Esc,
                c => KeyCode::Char(c),
            };
            self.app.key(KeyEvent::new(code, KeyModifiers::NONE));
            self.app.go_on();
        }
        self.draw();
    }

    fn click(&mut self, column: u16, row: u16) {
        self.app.mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        });
        self.draw();
    }

    fn draw(&mut self) -> &Buffer {
        let app = &mut *self.app;
        self.terminal
            .draw(|frame| draw(frame, app))
            .expect("a test's screen");
        self.terminal.backend().buffer()
    }

    fn text(&mut self) -> String {
        let buffer = self.draw();
        let area = buffer.area;
        let mut text = String::new();
        for y in 0..area.height {
            let line: String = (0..area.width).map(|x| buffer[(x, y)].symbol()).collect();
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

fn with(
    spec: &str,
    you: Option<&str>,
    (width, height): (u16, u16),
    is_coloured: bool,
    then: impl FnOnce(&mut Screen<'_, '_, '_, '_>),
) {
    let options = PlayOptions {
        you: you.map(str::to_owned),
        ..PlayOptions::default()
    };
    let effects = NoEffects::default();
    let played = play(
        &Workspace::new(Algorithms),
        spec,
        &options,
        &effects,
        &Stop::default(),
        |session| {
            let mut player = Player::new(session, PlayerOptions::default(), you.is_some());
            let mut app = App::new(&mut player, is_coloured);
            let terminal = Terminal::new(TestBackend::new(width, height)).expect("a test's screen");
            let mut screen = Screen {
                app: &mut app,
                terminal,
            };
            screen.draw();
            then(&mut screen);
        },
    );
    assert!(played.is_ok(), "{spec} can be played");
}

fn shown(spec: &str, you: Option<&str>, keys: &str, expected: ExpectFile) {
    with(spec, you, (80, 24), false, |screen| {
        screen.keys(keys);
        expected.assert_eq(&screen.text());
    });
}

#[test]
fn tictactoe_strategy() {
    shown(
        "tictactoe-strategy",
        Some("MoveO"),
        "↓↓\n",
        expect_file!["frames/tictactoe-strategy.txt"],
    );
}

#[test]
fn tictactoe_rules() {
    shown(
        "tictactoe-rules",
        None,
        "11",
        expect_file!["frames/tictactoe-rules.txt"],
    );
}

#[test]
fn tictactoe_field() {
    shown(
        "tictactoe-field",
        None,
        "53",
        expect_file!["frames/tictactoe-field.txt"],
    );
}

#[test]
fn klotski() {
    shown("klotski", None, "1123u", expect_file!["frames/klotski.txt"]);
}

#[test]
fn tictactoe_alloy() {
    shown(
        "tictactoe-alloy",
        None,
        "\n\n",
        expect_file!["frames/tictactoe-alloy.txt"],
    );
}

#[test]
fn connect() {
    shown("connect", None, "51", expect_file!["frames/connect.txt"]);
}

/// Both processes have read 0: the one that writes next makes the other's step a lost update.
#[test]
fn race() {
    shown("Race.tla", None, "12", expect_file!["frames/race.txt"]);
    shown("Race.tla", None, "1211", expect_file!["frames/race-lost.txt"]);
}

#[test]
fn what_processes_wait_for() {
    shown(
        "Fork.tla",
        None,
        "1121",
        expect_file!["frames/algorithm-waits.txt"],
    );
    with("Fork.tla", None, (120, 34), false, |screen| {
        screen.keys("11");
        expect_file!["frames/algorithm-wide.txt"].assert_eq(&screen.text());
    });
}

#[test]
fn many_processes_at_one_line() {
    shown("Many.tla", None, "", expect_file!["frames/algorithm-many.txt"]);
}

/// Where a text stands on the screen.
fn place_of(text: &str, what: &str) -> (u16, u16) {
    let line = text.lines().position(|it| it.contains(what));
    let line = line.unwrap_or_else(|| panic!("{what} is on\n{text}"));
    let before = text.lines().nth(line).and_then(|it| it.split(what).next());
    let column = before.map_or(0, |it| it.chars().count());
    (column as u16, line as u16)
}

#[test]
fn a_click_on_a_process_takes_its_step() {
    with("Race.tla", None, (80, 24), false, |screen| {
        // The mark of the second worker, in the text of the algorithm.
        let (x, y) = place_of(&screen.text(), "worker(2)");
        screen.click(x, y);
        let text = screen.text();
        assert!(text.contains("state 2 of 2"), "{text}");
        assert!(text.contains("worker(2): read -> write"), "{text}");
        // The one worker that is left at that line: the line alone is enough.
        let (x, y) = place_of(&text, "read:  seen");
        screen.click(x, y);
        let text = screen.text();
        assert!(text.contains("worker(1): read -> write"), "{text}");
        // Now both are at one line: their steps are listed.
        let (x, y) = place_of(&text, "write: count");
        screen.click(x, y);
        assert!(screen.text().contains("2 steps; Esc lists all again"));
        // The head of a process in the list.
        let (x, y) = place_of(&screen.text(), "worker(1) at write");
        screen.click(x, y);
        let text = screen.text();
        assert!(text.contains("state 4 of 4"), "{text}");
        // It is at its end, and nobody is where it was first.
        let (x, y) = place_of(&text, "worker(1) at Done");
        screen.click(x, y);
        assert!(screen.text().contains("this process has no step here"));
        let (x, y) = place_of(&screen.text(), "read:  seen");
        screen.click(x, y);
        assert!(screen.text().contains("no process is at this line"));
    });
}

#[test]
fn every_specification_of_the_gallery_has_its_frame() {
    for entry in workbench::gallery() {
        let frame = format!("{}/tests/frames/{}.txt", env!("CARGO_MANIFEST_DIR"), entry.name);
        assert!(std::path::Path::new(&frame).exists(), "{frame}");
    }
}

#[test]
fn help_search_and_pins() {
    shown("klotski", None, "?", expect_file!["frames/help.txt"]);
    shown(
        "tictactoe-strategy",
        None,
        "1pboard[1]\np1 +\n/2, j\n",
        expect_file!["frames/search.txt"],
    );
}

#[test]
fn a_click_on_a_cell_takes_the_step_that_changes_it() {
    with("tictactoe-strategy", Some("MoveO"), (80, 24), false, |screen| {
        // The middle of the board: O takes it, and X answers.
        screen.click(9, 7);
        let text = screen.text();
        assert!(text.contains("state 4 of 4"), "{text}");
        assert!(text.contains("│2 │ _ │ O │"), "{text}");
        // The mark is there now.
        screen.click(9, 7);
        assert!(screen.text().contains("no step changes this cell"));
        // The second state of the trace.
        screen.click(50, 18);
        assert!(screen.text().contains("state 2 of 4"));
        // The first step of the list.
        screen.click(50, 2);
        assert!(screen.text().contains("state 4 of 4"));
    });
}

#[test]
fn a_click_on_a_cell_with_several_steps_lists_them() {
    with("klotski", None, (80, 24), false, |screen| {
        let all = screen.app.listed().len();
        let several = (3..30)
            .flat_map(|x| (3..14).map(move |y| (x, y)))
            .find(|&(x, y)| {
                screen.click(x, y);
                let n = screen.app.listed().len();
                if screen.app.of_cell.is_none() {
                    screen.keys("x");
                }
                n > 1 && n < all
            });
        assert!(several.is_some(), "an empty cell can be filled by several pieces");
        screen.keys("⎋");
        assert_eq!(screen.app.listed().len(), all);
    });
}

#[test]
fn sizes_and_colours() {
    for size in [(80, 24), (40, 12), (200, 60), (100, 13)] {
        for spec in ["tictactoe-rules", "Fork.tla"] {
            with(spec, None, size, true, |screen| {
                screen.keys("1u\nr?");
                assert_eq!(screen.text().lines().count(), usize::from(size.1));
            });
        }
    }
    with("tictactoe-rules", None, (20, 5), true, |screen| {
        assert!(screen.text().starts_with("a larger window"));
    });
    let colours = |is_coloured: bool| {
        let mut n_coloured = 0;
        with("klotski", None, (80, 24), is_coloured, |screen| {
            screen.keys("1");
            let cells = screen.draw().content.iter();
            n_coloured = cells
                .filter(|it| (it.fg, it.bg) != (Color::Reset, Color::Reset))
                .count();
            let reversed = screen.draw().content.iter();
            assert!(
                reversed
                    .clone()
                    .any(|it| it.modifier.contains(Modifier::REVERSED))
            );
        });
        n_coloured
    };
    assert!(colours(true) > 50);
    assert_eq!(colours(false), 0);
}

#[test]
fn number_keys_wait_for_a_second_digit_only_where_there_is_one() {
    with("tictactoe-field", None, (80, 24), false, |screen| {
        screen.keys("9");
        assert!(
            screen.text().contains("state 2 of 2"),
            "nine steps: one digit is enough"
        );
        screen.keys("9");
        assert!(screen.text().contains("there is no step 9"));
    });
}

#[test]
fn the_hint_leads_on() {
    with("tictactoe-strategy", None, (80, 24), false, |screen| {
        screen.keys("snextTurn = \"X\" /\\ board[1][1] = \"X\"\n");
        let text = screen.text();
        assert!(text.contains("in 2 steps; the first is"), "{text}");
        screen.keys("S");
        assert!(screen.text().contains("state 1 of 3"));
        screen.keys("rrs");
        let text = screen.text();
        assert!(text.contains("is true here"), "{text}");
    });
}

#[test]
fn no_key_breaks_anything() {
    let keys: Vec<char> = "\n↓↑⎋urxmng/pw?hsSjk0123456789 q[]~".chars().collect();
    for spec in [
        "tictactoe-rules",
        "klotski",
        "tictactoe-alloy",
        "Race.tla",
        "Fork.tla",
    ] {
        with(spec, None, (60, 20), true, |screen| {
            let mut chance = workbench::play::Chance::new(5);
            for _ in 0..150 {
                let key = keys[chance.below(keys.len())];
                // Nothing is written to files here.
                let is_write = key == 'w' && screen.app.asking.is_none();
                if !is_write && key != 'S' && key != 's' {
                    screen.keys(&key.to_string());
                }
                if chance.below(4) == 0 {
                    screen.click(chance.below(60) as u16, chance.below(20) as u16);
                }
            }
            assert!(!screen.text().is_empty());
        });
    }
}
