//! Sessions: the gallery is played, and what a session answers is compared with what a search finds.

mod support;

use std::time::Instant;

use view::{Picture, Style, frame_text};
use workbench::effects::NoEffects;
use workbench::play::{Advice, Chance, PlayOptions, Position, Session, Truth, play};
use workbench::{Host, Stop, Unreadable, Workspace, gallery};

struct NoFiles;

impl Host for NoFiles {
    fn read(&self, _: &str) -> Result<Vec<u8>, Unreadable> {
        Err(Unreadable::Missing)
    }
}

fn with<R>(spec: &str, options: PlayOptions, ask: impl FnOnce(&mut Session<'_>) -> R) -> R {
    with_host(spec, &NoFiles, options, ask)
}

fn with_host<R>(
    spec: &str,
    host: &dyn Host,
    options: PlayOptions,
    ask: impl FnOnce(&mut Session<'_>) -> R,
) -> R {
    let effects = NoEffects::default();
    match play(
        &Workspace::new(host),
        spec,
        &options,
        &effects,
        &Stop::default(),
        ask,
    ) {
        Ok(it) => it,
        Err((sources, diagnostics)) => {
            let texts = diagnostics
                .iter()
                .map(|it| diag::render(it, &sources, diag::Style::Plain));
            panic!("{spec} is not played: {}", texts.collect::<Vec<_>>().join("\n"));
        }
    }
}

fn board(position: &Position) -> String {
    frame_text(&position.frame, false, Style::Plain, 100)
}

#[test]
fn every_specification_of_the_gallery_is_played() {
    for entry in gallery() {
        with(entry.name, PlayOptions::default(), |session| {
            let mut chance = Chance::new(1);
            let mut n_steps = 0;
            let mut slowest = 0;
            for _ in 0..30 {
                let begin = Instant::now();
                let position = session.position();
                assert!(
                    position.problem.is_none(),
                    "{}: {:?}",
                    entry.name,
                    position.problem
                );
                slowest = slowest.max(begin.elapsed().as_millis());
                let Some(choice) = session.machine_choice(&mut chance) else {
                    break;
                };
                assert!(session.take(choice));
                n_steps += 1;
            }
            assert!(n_steps > 3, "{}: {n_steps} steps", entry.name);
            let position = session.position();
            let is_board = |it: &view::Part| matches!(it.picture, Picture::Board(_));
            assert!(position.frame.parts.iter().any(is_board), "{}", entry.name);
            // Times are noisy, and this is not the release build: a second would be wrong in any case.
            assert!(slowest < 1000, "{}: {slowest} ms", entry.name);
        });
    }
}

#[test]
fn a_game_by_hand() {
    with("tictactoe-strategy", PlayOptions::default(), |session| {
        let position = session.position();
        assert_eq!(position.index, Some(0));
        assert!(!position.is_deadlock);
        let x = &position.choices[0];
        assert_eq!(position.choices.len(), 4, "X begins in a corner");
        assert_eq!((x.touches[0].row, x.touches[0].column), (1, 1));
        assert_eq!(x.changes[0].1[0].to_string(), r#"[1][1]: "_" → "X""#);
        assert!(session.take(0));
        let position = session.position();
        assert_eq!(position.choices.len(), 8);
        assert!(position.properties.iter().all(|it| it.truth == Truth::True));
        let corner = position
            .choices
            .iter()
            .position(|it| (it.touches[0].row, it.touches[0].column) == (3, 3));
        assert!(session.take(corner.expect("a corner is free")));
        let after = session.position();
        assert_eq!(board(&after).matches('O').count(), 1, "{}", board(&after));

        assert!(session.undo() && session.undo() && !session.undo());
        assert_eq!(session.position().index, Some(0));
        assert!(session.redo() && session.redo() && !session.redo());
        assert_eq!(board(&session.position()), board(&after));
        let path = session.path();
        assert!(session.go_to(1));
        assert!(session.take(0));
        assert_eq!(session.position().len, 3);
        assert_eq!(session.follow(&path), 3);
        assert_eq!(board(&session.position()), board(&after));
        let states: Vec<_> = session.trace().into_iter().map(|it| it.values).collect();
        assert_eq!(session.visit(&states), 3);
        assert_eq!(session.path(), path);
    });
}

#[test]
fn a_property_turns_red() {
    let options = PlayOptions {
        config: Some("XHasNotWon.cfg".to_owned()),
        ..PlayOptions::default()
    };
    with("tictactoe-strategy", options, |session| {
        let mut chance = Chance::new(7);
        let mut broken = None;
        while let Some(choice) = session.machine_choice(&mut chance) {
            session.take(choice);
            let judged = session.position().properties;
            if let Some(it) = judged.into_iter().find(|it| it.truth == Truth::False) {
                broken = Some(it);
                break;
            }
        }
        let broken = broken.expect("X wins this game");
        assert_eq!(broken.name, "XHasNotWon");
        assert!(
            broken
                .why
                .is_some_and(|it| it.starts_with("XHasNotWon is false: "))
        );
    });
}

#[test]
fn expressions_are_watched() {
    with("tictactoe-strategy", PlayOptions::default(), |session| {
        let number = session.watch("{i \\in 1..3 : board[i][i] = \"_\"}").ok().unwrap();
        session.watch("board' = board").ok().unwrap();
        let (_, wrong) = session.watch("bord[1]").err().unwrap();
        assert_eq!(wrong[0].code, "unbound-name");
        let (_, wrong) = session.watch("[](nextTurn = \"X\")").err().unwrap();
        assert_eq!(wrong[0].code, "temporal-watch");
        let watched = session.position().watches;
        assert_eq!(watched[0].value.as_ref().unwrap().0, "{1, 2, 3}");
        assert_eq!(watched[1].value.as_ref().unwrap_err().code, "no-step-yet");
        session.take(0);
        let watched = session.position().watches;
        assert_eq!(watched[0].value.as_ref().unwrap().0, "{2, 3}");
        assert_eq!(watched[1].value.as_ref().unwrap().0, "FALSE");
        assert!(session.unwatch(number));
        assert_eq!(session.position().watches.len(), 1);
    });
}

#[test]
fn pieces_keep_their_numbers_and_tell_their_moves() {
    with("klotski", PlayOptions::default(), |session| {
        let mut chance = Chance::new(3);
        let mut pieces = vec![];
        for _ in 0..40 {
            let position = session.position();
            let choice = session.machine_choice(&mut chance).unwrap();
            let chosen = &position.choices[choice];
            assert_eq!(chosen.journeys.len(), 1);
            let by = chosen.journeys[0].by;
            assert_eq!(by.0.abs() + by.1.abs(), 1, "one cell at a time");
            session.take(choice);
            pieces.push(of(&session.position()));
        }
        // Whatever way leads to a state of the trace, it looks the same.
        for (i, drawn) in pieces.iter().enumerate().rev().step_by(7) {
            session.go_to(i + 1);
            assert_eq!(&of(&session.position()), drawn);
        }
    });
}

fn of(position: &Position) -> Vec<(usize, usize)> {
    let pieces = position.frame.parts.iter().flat_map(|it| match &it.picture {
        Picture::Board(board) => board.pieces.clone(),
        _ => vec![],
    });
    let mut all: Vec<(usize, usize)> = pieces.map(|it| (it.number, it.cells.len())).collect();
    all.sort_unstable();
    all
}

#[test]
fn the_machine_plays_the_others() {
    let as_you = |you: &str| PlayOptions {
        you: Some(you.to_owned()),
        ..PlayOptions::default()
    };
    for you in ["MoveO", "nextTurn = \"O\"", "nextTurn = \"O\" /\\ board' # board"] {
        with("tictactoe-strategy", as_you(you), |session| {
            assert!(session.is_machines_turn(), "{you}");
            let choice = session.machine_choice(&mut Chance::new(0)).unwrap();
            session.take(choice);
            assert!(!session.is_machines_turn(), "{you}");
            assert!(session.position().choices.iter().all(|it| it.is_yours));
        });
    }
}

#[test]
fn several_states_to_begin_in() {
    let files = support::Files::of(
        "---- MODULE M ----\nEXTENDS Integers\nVARIABLE x\nInit == x \\in 1..3\nNext == x < 4 /\\ x' = x + 1\n====\n",
    );
    with_host("M.tla", &files, PlayOptions::default(), |session| {
        let position = session.position();
        assert_eq!((position.index, position.choices.len()), (None, 3));
        assert!(session.take(2));
        assert!(session.take(0));
        let position = session.position();
        assert!(position.is_deadlock);
        assert_eq!(position.step.map(|it| it.to_string()).as_deref(), Some("Next"));
        assert!(session.undo() && session.undo() && !session.undo());
        assert_eq!(session.position().index, None);
    });
}

#[test]
fn an_error_is_told_and_the_session_goes_on() {
    let files = support::Files::of(
        "---- MODULE M ----\nEXTENDS Integers, Sequences\nVARIABLE x\nInit == x = <<1, 2>>\nNext == x' = Tail(x) /\\ Head(x) > 0\n====\n",
    );
    with_host("M.tla", &files, PlayOptions::default(), |session| {
        assert!(session.take(0) && session.take(0));
        let problem = session.position().problem.expect("an empty sequence has no tail");
        assert!(problem.text.contains("M.tla:5"), "{problem}");
        assert!(session.undo());
        assert_eq!(session.position().choices.len(), 1);
    });
}

#[test]
fn sessions_of_one_workspace_do_not_disturb_each_other() {
    let workspace = Workspace::new(NoFiles);
    let (options, effects, stop) = (PlayOptions::default(), NoEffects::default(), Stop::default());
    let lens = play(&workspace, "klotski", &options, &effects, &stop, |one| {
        assert!(one.take(1));
        let other = play(&workspace, "klotski", &options, &effects, &stop, |other| {
            assert!(other.watch("board = {}").is_ok());
            assert_eq!(other.watch("bord = {}").map_err(|it| it.1.len()), Err(1));
            assert!(other.watch("\\A p \\in board : p # {}").is_ok());
            other.position().len
        });
        (one.position().len, other.ok())
    });
    assert_eq!(lens.ok(), Some((2, Some(1))));
    assert_eq!(
        workspace.n_resolved(),
        1,
        "a watched expression resolves nothing but itself"
    );
    let wrong = play(&workspace, "klotsky", &options, &effects, &stop, |_| ());
    assert_eq!(wrong.err().map(|it| it.1[0].code), Some("file-not-found"));
}

#[test]
fn the_way_to_the_goal_is_found() {
    let files = support::Files::of(
        "---- MODULE M ----\nEXTENDS Integers\nVARIABLES x, y\nInit == x = 0 /\\ y = 0\nNext == \\/ x < 9 /\\ x' = x + 1 /\\ y' = y\n        \\/ x < 8 /\\ x' = x + 2 /\\ y' = y\n        \\/ y < 9 /\\ y' = y + 1 /\\ x' = x\nGoal == x = 7 /\\ y = 1\n====\n",
    );
    with_host("M.tla", &files, PlayOptions::default(), |session| {
        assert_eq!(session.about().goals, ["Goal"]);
        let advice = session.solve("Goal", 1000);
        assert!(matches!(advice, Ok(Advice::Take { steps: 5, .. })), "{advice:?}");
        assert_eq!(session.position().len, 6);
        while session.redo() {}
        assert_eq!(session.advise("Goal", 1000), Ok(Advice::Here));
        session.restart();
        session.take(0);
        assert!(matches!(
            session.advise("Goal", 1000),
            Ok(Advice::Take { steps: 4, .. })
        ));
        assert_eq!(session.advise("x = 10", 1000), Ok(Advice::Unreachable));
        assert_eq!(session.advise("x = 9 /\\ y = 9", 20), Ok(Advice::Unknown));
        assert!(session.advise("z = 1", 20).is_err());
    });
}

/// Stops every evaluation that is asked about it.
#[derive(Default)]
struct Impatient(NoEffects);

impl workbench::effects::Effects for Impatient {
    fn print(&self, _: &str) {}
    fn registers(&self) -> &workbench::effects::Registers {
        self.0.registers()
    }
    fn random(&self) -> u64 {
        0
    }
    fn now(&self) -> i64 {
        0
    }
    fn interrupted(&self) -> bool {
        true
    }
}

#[test]
fn what_never_ends_is_stopped() {
    let module = |next: &str| {
        format!(
            "---- MODULE M ----\nEXTENDS Integers\nVARIABLE x\nInit == x = 0\nRECURSIVE F(_)\nF(n) == IF n < 0 THEN 0 ELSE F(n - 1) + F(n - 2)\n{next}\n====\n"
        )
    };
    for next in [
        "Next == x' \\in 1..1000000",
        "Next == x' = CHOOSE i \\in 1..1000000 : i < 0",
        "Next == \\E i, j, k \\in 1..100000 : i + j + k < 0 /\\ x' = i",
        "Next == x' = F(200)",
    ] {
        let files = support::Files::of(&module(next));
        let effects = Impatient::default();
        let options = PlayOptions {
            choices_max: usize::MAX,
            ..PlayOptions::default()
        };
        let played = play(
            &Workspace::new(&files),
            "M.tla",
            &options,
            &effects,
            &Stop::default(),
            |session| session.position().problem.map(|it| it.code),
        );
        let played = played.map_err(|it| it.1);
        assert_eq!(played, Ok(Some("eval-interrupted")), "{next}");
    }
}

const DRAWN: &str = r#"
---- MODULE M ----
EXTENDS Integers, SVG
VARIABLE x
Init == x = 0
Next == x < 2 /\ x' = x + 1
AnimView == Group(<<Rect(10 * x, 0, 10, 10, [fill |-> "red"]), Text(0, 30, "x < 3", <<>>)>>, <<>>)
Shown == [double |-> 2 * x, picture |-> AnimView]
====
"#;

#[test]
fn a_specification_chooses_how_it_is_drawn() {
    let files = support::Files::of(DRAWN);
    let parts = |position: &Position| -> Vec<(String, String)> {
        let part = |it: &view::Part| {
            let picture = match &it.picture {
                Picture::Svg(text) => text.split_once('>').map_or("", |it| it.1).to_owned(),
                Picture::Line(text) => text.clone(),
                _ => String::new(),
            };
            (it.name.clone(), picture)
        };
        position.frame.parts.iter().map(part).collect()
    };
    let svg = r#"<g><rect fill="red" height="10" width="10" x="10" y="0"></rect><text x="0" y="30">x &lt; 3</text></g></svg>"#;
    let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    with_host("M.tla", &files, PlayOptions::default(), |session| {
        session.take(0);
        assert_eq!(
            parts(&session.position()),
            [pair("x", "1"), pair("AnimView", svg)]
        );
    });
    let options = PlayOptions {
        view: Some("Shown".to_owned()),
        ..PlayOptions::default()
    };
    with_host("M.tla", &files, options, |session| {
        session.take(0);
        assert_eq!(
            parts(&session.position())[..2],
            [pair("double", "2"), pair("picture", svg)]
        );
    });
}
