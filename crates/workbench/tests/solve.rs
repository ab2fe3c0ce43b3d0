//! Solutions and strategies: known results, and what is synthesised put back into the specification.

mod support;

use std::ops::ControlFlow;

use support::{Files, parsed, played, solved};
use workbench::effects::NoEffects;
use workbench::{
    Aim, CheckOptions, Overrides, Replay, Rows, SolveOptions, SolveQuestion, SolveVerdict, StrategyQuestion,
    StrategyVerdict, TableCell, TableColumn, Verdict, advise, check, open, parse_tla,
};

#[derive(Default)]
struct Table {
    columns: Vec<TableColumn>,
    rows: Vec<Vec<TableCell>>,
}

impl Rows for Table {
    fn begin(&mut self, columns: &[TableColumn]) -> ControlFlow<()> {
        self.columns = columns.to_vec();
        ControlFlow::Continue(())
    }

    fn row(&mut self, cells: &[TableCell]) -> ControlFlow<()> {
        assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells.to_vec());
        ControlFlow::Continue(())
    }
}

/// Jugs of three and five, of which a pour costs nothing.
const JUGS: &str = r#"---- MODULE Jugs ----
EXTENDS Integers
VARIABLES small, big
Init == small = 0 /\ big = 0
Least(a, b) == IF a < b THEN a ELSE b
Fill == \/ small' = 3 /\ big' = big
        \/ big' = 5 /\ small' = small
Empty == \/ small' = 0 /\ big' = big
         \/ big' = 0 /\ small' = small
Pour == \/ LET n == Least(small, 5 - big) IN small' = small - n /\ big' = big + n
        \/ LET n == Least(big, 3 - small) IN small' = small + n /\ big' = big - n
Next == Fill \/ Empty \/ Pour
Goal == big = 4
Water == IF small' + big' > small + big THEN small' + big' - small - big ELSE 0
====
"#;

fn jugs(goal: &str) -> SolveQuestion {
    SolveQuestion {
        goal: goal.to_owned(),
        ..SolveQuestion::default()
    }
}

#[test]
fn jugs_are_solved() {
    let host = Files::of(JUGS);
    let all = SolveOptions {
        all: 10,
        count: true,
        ..SolveOptions::default()
    };
    let (_, plain) = solved(
        "Jugs.tla",
        &host,
        Overrides::default(),
        &jugs("Goal"),
        &SolveOptions::default(),
        None,
    );
    assert_eq!(
        (plain.verdict, plain.steps, plain.cost),
        (SolveVerdict::Solved, Some(6), None)
    );
    assert_eq!(plain.search.replay, Replay::Confirmed);
    let (_, counted) = solved("Jugs.tla", &host, Overrides::default(), &jugs("Goal"), &all, None);
    assert_eq!((counted.steps, counted.count.as_deref()), (Some(6), Some("1")));
    assert_eq!(counted.solutions.len(), 1);
    let (_, never) = solved(
        "Jugs.tla",
        &host,
        Overrides::default(),
        &jugs("big = 6"),
        &all,
        None,
    );
    assert_eq!(never.verdict, SolveVerdict::Unreachable);
    let cheapest = SolveQuestion {
        cost: Some("Water".to_owned()),
        ..jugs("big = 4")
    };
    let mut table = Table::default();
    let (_, cheapest) = solved(
        "Jugs.tla",
        &host,
        Overrides::default(),
        &cheapest,
        &all,
        Some(&mut table),
    );
    // Eight units go in either way: 5 and 5 with 3 left over, or 3, 3 and 3.
    assert_eq!((cheapest.cost, cheapest.steps), (Some(9), Some(8)));
    assert_eq!(table.rows.len(), 16);
    let histogram = cheapest.histogram.expect("a table was asked for");
    assert_eq!(histogram.bars.iter().map(|it| it.1).sum::<u64>(), 16);
}

#[test]
fn a_cost_state_is_remembered() {
    // Turning costs five, going on costs one.
    let host = Files::of(
        r#"---- MODULE Walk ----
EXTENDS Integers
VARIABLES x, y
Init == x = 0 /\ y = 0
Next == \/ x < 4 /\ x' = x + 1 /\ y' = y
        \/ y < 4 /\ y' = y + 1 /\ x' = x
Way == <<x' - x, y' - y>>
Turns(way) == [cost |-> IF way = Way THEN 1 ELSE 5, state |-> Way]
Hidden(way) == LET r == [cost |-> IF way = Way THEN 1 ELSE 5, state |-> Way] IN r
====
"#,
    );
    let ask = |cost: &str, state: Option<&str>| {
        let question = SolveQuestion {
            cost: Some(cost.to_owned()),
            cost_state: state.map(str::to_owned),
            ..jugs("x = 4 /\\ y = 4")
        };
        let options = SolveOptions {
            count: true,
            ..SolveOptions::default()
        };
        let (_, report) = solved("Walk.tla", &host, Overrides::default(), &question, &options, None);
        (report.cost, report.steps, report.count)
    };
    let expected = (Some(16), Some(8), Some("2".to_owned()));
    assert_eq!(ask("Turns", None), expected);
    assert_eq!(ask("Hidden", None), expected);
    assert_eq!(ask("IF Way = CostState THEN 1 ELSE 5", Some("Way")), expected);
    assert_eq!(
        ask(
            "IF Way = before THEN 1 ELSE 5",
            Some("before == <<x' - x, y' - y>>")
        ),
        expected
    );
    assert_eq!(ask("1", None), (Some(8), Some(8), Some("70".to_owned())));
}

#[test]
fn estimates_are_used_and_judged() {
    let host = Files::of(JUGS);
    for (heuristic, is_consistent) in [("0", true), ("IF Goal THEN 0 ELSE 1", true), ("10 - big", false)] {
        let question = SolveQuestion {
            heuristic: Some(heuristic.to_owned()),
            ..jugs("Goal")
        };
        let (_, report) = solved(
            "Jugs.tla",
            &host,
            Overrides::default(),
            &question,
            &SolveOptions::default(),
            None,
        );
        assert_eq!(report.steps, Some(6), "{heuristic}");
        assert_eq!(report.search.diagnostics.is_empty(), is_consistent, "{heuristic}");
    }
}

#[test]
fn wrong_costs_are_told() {
    let host = Files::of(JUGS);
    for (cost, code) in [
        ("-1", "eval-wrong-kind"),
        ("\"a\"", "eval-wrong-kind"),
        ("lot", "unbound-name"),
        ("big /", ""),
    ] {
        let question = SolveQuestion {
            cost: Some(cost.to_owned()),
            ..jugs("Goal")
        };
        let (_, report) = solved(
            "Jugs.tla",
            &host,
            Overrides::default(),
            &question,
            &SolveOptions::default(),
            None,
        );
        assert_eq!(report.verdict, SolveVerdict::Error, "{cost}");
        let codes: Vec<&str> = report.search.diagnostics.iter().map(|it| it.code).collect();
        assert!(code.is_empty() || codes.contains(&code), "{cost}: {codes:?}");
    }
}

fn outcomes(draw: &str) -> StrategyQuestion {
    let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    StrategyQuestion {
        players: vec![pair("X", "MoveX"), pair("O", "MoveO")],
        aim: Aim::Outcomes(vec![
            pair("X", "Won(\"X\")"),
            pair("O", "Won(\"O\")"),
            pair("draw", draw),
        ]),
        ..StrategyQuestion::default()
    }
}

fn constants(m: u32, n: u32, k: u32, drop: bool) -> Overrides {
    let drop = if drop { "TRUE" } else { "FALSE" };
    Overrides {
        constants: vec![
            format!("M={m}"),
            format!("N={n}"),
            format!("K={k}"),
            format!("Drop={drop}"),
        ],
        ..Overrides::default()
    }
}

#[test]
fn boards_have_their_known_values() {
    let host = Files::of("");
    let cases = [
        (3, 3, 3, false, "draw", None),
        (3, 3, 2, false, "X", Some(3)),
        (4, 1, 2, false, "X", Some(3)),
        (2, 2, 2, false, "X", Some(3)),
        (3, 2, 3, false, "draw", None),
        (3, 3, 3, true, "draw", None),
        (1, 4, 2, true, "draw", None),
    ];
    for (m, n, k, drop, value, moves) in cases {
        let (_, report) = played(
            "connect",
            &host,
            constants(m, n, k, drop),
            &outcomes("Draw"),
            None,
        );
        assert_eq!(report.value.as_deref(), Some(value), "{m} {n} {k} {drop}");
        if moves.is_some() && k == 2 {
            assert_eq!(report.moves, moves, "{m} {n} {k} {drop}");
        }
        assert_eq!(report.search.replay, Replay::Confirmed);
    }
}

#[test]
fn tictactoe_is_a_draw_by_any_specification_of_it() {
    let host = Files::of("");
    let mut table = Table::default();
    let (_, connect) = played(
        "connect",
        &host,
        Overrides::default(),
        &outcomes("Draw"),
        Some(&mut table),
    );
    assert_eq!(
        (connect.value.as_deref(), connect.positions),
        (Some("draw"), 5478)
    );
    assert_eq!(table.rows.len(), 5478);
    let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    // This one has no actions of the players, and does not stop at a win.
    let line = |player: &str| format!("~GameEnded /\\ current_player = \"{player}\"");
    let field = StrategyQuestion {
        players: vec![
            pair("X", "current_player = \"player_one\""),
            pair("O", "current_player = \"player_two\""),
        ],
        aim: Aim::Outcomes(vec![
            pair("X", &line("player_two")),
            pair("O", &line("player_one")),
            pair("draw", "\\A f \\in field : Value(f) # \"_\""),
        ]),
        ..StrategyQuestion::default()
    };
    let (_, field) = played("tictactoe-field", &host, Overrides::default(), &field, None);
    assert_eq!((field.value.as_deref(), field.positions), (Some("draw"), 5478));
    assert_eq!(field.tally, connect.tally);
}

#[test]
fn the_strategy_of_the_gallery_never_loses_but_misses_wins() {
    let host = Files::of("");
    let mut question = StrategyQuestion {
        follow: Some("MoveX".to_owned()),
        ..outcomes("BoardFilled")
    };
    question.players[0].1 = "AnyX".to_owned();
    let (_, report) = played("tictactoe-strategy", &host, Overrides::default(), &question, None);
    assert_eq!(report.verdict, StrategyVerdict::Fails);
    let follow = report.follow.expect("it was asked for");
    assert_eq!((follow.wins, follow.loses), (false, false));
    assert_eq!((follow.reached, follow.decisions, follow.lapses), (871, 489, 20));
    assert_eq!((follow.silent, follow.foreign), (0, 0));
    assert_eq!(follow.examples[0].trace.len(), 4);
}

/// Puts definitions into a gallery's specification.
fn with_definitions(name: &str, definitions: &str) -> Files {
    let gallery = workbench::gallery()
        .iter()
        .find(|it| it.name == name)
        .expect("in the gallery");
    let text = gallery.files[0].1;
    let end = text.rfind("\n====").expect("a module has an end") + 1;
    let header = text.lines().next().unwrap_or_default();
    let module = header.split_whitespace().nth(2).unwrap_or_default();
    let rest = &text[header.len()..end];
    Files::of(&format!("---- MODULE {module} ----{rest}{definitions}\n====\n"))
}

#[test]
fn a_strategy_put_back_checks() {
    let nothing = Files::of("");
    for (overrides, player, claims) in [
        (
            constants(3, 3, 3, false),
            "X",
            ["[]~Won(\"O\")", "<>(Draw \\/ Won(\"X\"))"],
        ),
        (
            constants(3, 3, 3, false),
            "O",
            ["[]~Won(\"X\")", "<>(Draw \\/ Won(\"O\"))"],
        ),
        (constants(3, 3, 2, false), "X", ["[]~Won(\"O\")", "<>Won(\"X\")"]),
    ] {
        let question = StrategyQuestion {
            definition: true,
            hero: Some(player.to_owned()),
            ..outcomes("Draw")
        };
        let (_, report) = played("connect", &nothing, overrides.clone(), &question, None);
        let definition = report.definition.expect("it was asked for");
        let host = with_definitions("connect", &definition);
        let other = if player == "X" { "MoveO" } else { "MoveX" };
        let next = format!("Strategy{player} \\/ {other}");
        let checked = Overrides {
            spec: Some(format!("Init /\\ [][{next}]_vars /\\ WF_vars({next})")),
            properties: claims.map(str::to_owned).to_vec(),
            ..overrides
        };
        let file = parsed("Connect.tla", &host, &checked);
        let options = CheckOptions {
            deadlock: Some(false),
            ..CheckOptions::default()
        };
        let report = check(&file, &options, &NoEffects::default(), &());
        assert_eq!(
            report.verdict,
            Verdict::Holds,
            "{player}: {:?}",
            report.diagnostics
        );
    }
}

const RING: &str = r#"---- MODULE Ring ----
EXTENDS Integers
VARIABLES at, turn
Init == at = 0 /\ turn = "A"
StepA == turn = "A" /\ turn' = "B" /\ at' \in {(at + 1) % 4, (at + 3) % 4}
StepB == turn = "B" /\ turn' = "A" /\ at' \in {(at + 1) % 4, (at + 3) % 4}
LazyB == turn = "B" /\ turn' = "A" /\ at' \in {at, (at + 1) % 4}
Next == StepA \/ StepB
====
"#;

fn ring(b: &str, aim: Aim) -> StrategyQuestion {
    StrategyQuestion {
        players: vec![
            ("A".to_owned(), "StepA".to_owned()),
            ("B".to_owned(), b.to_owned()),
        ],
        aim,
        ..StrategyQuestion::default()
    }
}

#[test]
fn play_without_end() {
    let host = Files::of(RING);
    let ask = |b: &str, aim: Aim| {
        let (_, report) = played("Ring.tla", &host, Overrides::default(), &ring(b, aim), None);
        (
            report.verdict,
            report.winner,
            report.moves,
            report.search.trace.loop_to.is_some(),
        )
    };
    let (a, b) = (Some("A".to_owned()), Some("B".to_owned()));
    let goal = |text: &str| Aim::Goal(text.to_owned());
    let often = |text: &str| Aim::Recurring(text.to_owned());
    // A is at an even square with B to move for ever, unless B stays.
    assert_eq!(
        ask("StepB", goal("at = 2 /\\ turn = \"A\"")),
        (StrategyVerdict::Fails, b.clone(), None, true)
    );
    assert_eq!(
        ask("StepB", goal("at = 1")),
        (StrategyVerdict::Holds, a.clone(), Some(1), false)
    );
    assert_eq!(ask("StepB", often("at \\in {1, 3}")).0, StrategyVerdict::Holds);
    assert_eq!(ask("StepB", often("at = 2")).0, StrategyVerdict::Fails);
    assert_eq!(ask("LazyB", often("at = 3")).0, StrategyVerdict::Holds);
    let draw = Aim::Outcomes(vec![("A".to_owned(), "at = 2 /\\ turn = \"A\"".to_owned())]);
    let (_, report) = played(
        "Ring.tla",
        &host,
        Overrides::default(),
        &ring("StepB", draw),
        None,
    );
    assert_eq!((report.value.as_deref(), report.winner), (Some("draw"), None));
}

#[test]
fn advice_for_a_player() {
    let host = Files::of(JUGS);
    let question = StrategyQuestion::puzzle("Goal");
    let mut file = parsed("Jugs.tla", &host, &question.overrides(Overrides::default()));
    let advisor = advise(
        &mut file,
        &question,
        &CheckOptions::default(),
        &NoEffects::default(),
        &(),
    );
    let advisor = advisor.unwrap_or_else(|it| panic!("{:?}", it.diagnostics));
    let start = [workbench::Owned::Int(0), workbench::Owned::Int(0)];
    let advice = advisor.advice(&start).expect("it is the start");
    assert_eq!((advice.value.as_str(), advice.moves), ("you", Some(6)));
    assert_eq!(
        advice.best,
        [[workbench::Owned::Int(0), workbench::Owned::Int(5)]]
    );
    assert_eq!(
        advisor.choose(&start, &[start.to_vec(), advice.best[0].clone()]),
        Some(1)
    );
    assert_eq!(advisor.solution(&start).map(|it| it.len()), Some(7));
    assert_eq!(
        advisor.advice(&[workbench::Owned::Int(9), workbench::Owned::Int(9)]),
        None
    );
}

#[test]
fn klotski_in_moves() {
    let host = Files::of("");
    let Ok(opened) = open("klotski", &host) else {
        panic!("in the gallery")
    };
    assert!(!parse_tla(opened, &host, false).has_errors());
    let question = SolveQuestion {
        goal: "KlotskiGoal".to_owned(),
        cost: Some("Moves".to_owned()),
        ..SolveQuestion::default()
    };
    let options = SolveOptions {
        count: true,
        ..SolveOptions::default()
    };
    let (_, report) = solved("klotski", &host, Overrides::default(), &question, &options, None);
    assert_eq!((report.cost, report.steps), (Some(81), Some(118)));
    let (_, steps) = solved(
        "klotski",
        &host,
        Overrides::default(),
        &SolveQuestion {
            cost: None,
            ..question
        },
        &options,
        None,
    );
    assert_eq!(
        (steps.steps, steps.count.as_deref()),
        (Some(116), Some("4112640000"))
    );
}

#[test]
fn a_goal_sees_what_is_local_to_the_module() {
    let host = Files::of(
        "---- MODULE M ----
LOCAL INSTANCE Naturals
VARIABLE x
LOCAL Last == 2
Init == x = 0
Next == x < Last /\\ x' = x + 1
====
\\* M.cfg
INIT Init
NEXT Next
",
    );
    let question = SolveQuestion {
        goal: "x + 0 = Last".to_owned(),
        ..SolveQuestion::default()
    };
    let options = SolveOptions::default();
    let (_, report) = solved("M.tla", &host, Overrides::default(), &question, &options, None);
    assert_eq!(report.steps, Some(2));
}
