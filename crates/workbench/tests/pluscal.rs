//! Algorithms are checked whether or not their translation stands in the file, and it is said which translation that is.

#[path = "support/example.rs"]
mod example;

use example::{run, run_with};
use workbench::{CheckOptions, CheckReport, Freshness, TlaFile, Used, Verdict, ViolationKind};

/// A module with an algorithm, and what stands between the marks of its translation.
fn module(algorithm: &str, translation: Option<&str>) -> String {
    let marked = translation.map_or(String::new(), |it| {
        format!("\\* BEGIN TRANSLATION\n{it}\\* END TRANSLATION\n")
    });
    format!("---- MODULE Wrong ----\nEXTENDS Integers, Sequences, TLC\n(*\n{algorithm}\n*)\n{marked}====\n")
}

fn checked(text: &str) -> (TlaFile, CheckReport) {
    run(text, &CheckOptions::default())
}

/// As `babbage translate` would leave the file.
fn translated(text: &str) -> String {
    let mut sources = source::Sources::new();
    let file = sources.add("Wrong.tla", text);
    let (translation, wrong) = pluscal::translate(text, file, &pluscal::Options::default());
    translation.unwrap_or_else(|| panic!("{wrong:?}")).text
}

fn codes(report: &CheckReport) -> Vec<&str> {
    report.diagnostics.iter().map(|it| it.code).collect()
}

const COUNT: &str = "--algorithm Count
variables x \\in 0..1;
begin
  l: while x < 3 do x := x + 1; end while;
end algorithm";

#[test]
fn an_algorithm_without_a_translation_is_checked_like_its_translation() {
    let text = module(COUNT, None);
    let (file, report) = checked(&text);
    assert_eq!(report.verdict, Verdict::Holds);
    assert_eq!(codes(&report), ["translated-for-this-run"]);
    assert_eq!(file.algorithms[0].used, Used::Made);
    let (file, written) = checked(&translated(&text));
    assert_eq!(codes(&written), [""; 0]);
    assert_eq!(file.algorithms[0].used, Used::Written);
    assert_eq!((report.distinct, report.generated), (5, 7));
    assert_eq!((written.distinct, written.generated), (5, 7));
}

#[test]
fn a_stale_translation_is_not_what_is_checked() {
    let stale = translated(&module(COUNT, None)).replace("x < 3 do", "x < 5 do");
    let (file, report) = checked(&stale);
    assert_eq!(file.algorithms[0].freshness, Freshness::Stale);
    assert_eq!(codes(&report), ["translated-for-this-run"]);
    assert_eq!(report.distinct, 7, "that is what the algorithm says");
}

#[test]
fn a_translation_that_was_changed_by_hand_is_kept_and_named() {
    let edited = translated(&module(COUNT, None)).replace("x' = x + 1", "x' = x + 3");
    let (file, report) = checked(&edited);
    assert_eq!(file.algorithms[0].freshness, Freshness::Edited);
    assert_eq!(file.algorithms[0].used, Used::AsItStands);
    assert_eq!(codes(&report), ["translation-as-it-stands"]);
}

/// Options that were given on a command line are in no file.
#[test]
fn a_translation_with_options_from_a_command_line_is_fresh() {
    for (fairness, label) in [
        (Some(pluscal::options::FairnessOption::Weak), false),
        (Some(pluscal::options::FairnessOption::WeakNext), true),
    ] {
        let text = module(COUNT, None);
        let mut sources = source::Sources::new();
        let file = sources.add("Wrong.tla", text.as_str());
        let options = pluscal::Options {
            fairness,
            label,
            ..pluscal::Options::default()
        };
        let (translation, _) = pluscal::translate(&text, file, &options);
        let (file, report) = checked(&translation.expect("it is an algorithm").text);
        assert_eq!(file.algorithms[0].used, Used::Written);
        assert_eq!(codes(&report), [""; 0]);
    }
}

#[test]
fn a_module_that_says_what_its_algorithm_would_say_is_itself() {
    let text = module(COUNT, None).replace("====", "VARIABLE n\nInit == n = 0\nNext == n' = 1 - n\n====");
    let (file, report) = checked(&text);
    assert_eq!(file.algorithms[0].used, Used::Nothing);
    assert_eq!(codes(&report), ["algorithm-not-used"]);
    assert_eq!(report.distinct, 2);
}

#[test]
fn mistakes_are_those_of_the_algorithm() {
    let text = module(&COUNT.replace("x + 1", "x + y"), None);
    let (file, report) = checked(&text);
    let wrong = report
        .diagnostics
        .iter()
        .find(|it| it.is_error())
        .expect("`y` is nothing");
    let span = wrong.span().expect("it has a place");
    assert_eq!(file.sources.text(span), "y");
    let unlabelled = module(
        "--algorithm A variables x = 0; process p = 1 begin x := 1; end process; end algorithm",
        None,
    );
    assert_eq!(codes(&checked(&unlabelled).1), ["missing-label"]);
}

/// Nobody who writes an algorithm has heard of the constant for variables without a first value.
#[test]
fn variables_without_a_first_value_need_no_configuration() {
    let (_, report) = checked(&module(
        "--algorithm A variables x; begin l: x := 1; end algorithm",
        None,
    ));
    assert_eq!(report.verdict, Verdict::Holds);
    assert_eq!(report.distinct, 2);
}

#[test]
fn termination_is_checked_where_the_options_ask_for_it() {
    let ends = module(COUNT, None).replace("(*\n", "(* PlusCal options (-termination) *)\n(*\n");
    assert_eq!(checked(&ends).1.verdict, Verdict::Holds);
    let never = ends
        .replace("x < 3", "x < 4 /\\ x >= 0")
        .replace("x + 1", "1 - x");
    let (_, report) = checked(&never);
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(report.violation.expect("one is violated").name, "Termination");
}

const RACE: &str = "--algorithm Race {
variables n = 0; lock = FALSE;
macro set(v, to) { v := to }
process (p \\in 1..2) variable t = 0; {
  a: t := n;
  b: if (t = 0) { set(n, t + 1) } else { skip };
  c: await n # 1 \\/ lock;
}}";

#[test]
fn steps_are_told_by_labels_with_the_statements_that_ran() {
    let (_, report) = checked(&module(RACE, None));
    assert_eq!(
        report.violation.as_ref().map(|it| it.kind),
        Some(ViolationKind::Deadlock)
    );
    let told: Vec<_> = report
        .trace
        .iter()
        .filter_map(|it| it.algorithm.as_ref())
        .collect();
    assert_eq!(told.len(), report.trace.len());
    assert_eq!(told[0].step, None);
    assert_eq!(told[1].step.as_deref(), Some("p(1): a -> b"));
    let ran = |i: usize| -> Vec<&str> { told[i].statements.iter().map(|it| it.text.as_str()).collect() };
    assert_eq!(ran(1), ["t := n"]);
    assert!((2..told.len()).any(|it| ran(it) == ["set(n, t + 1)"]));
    let moved: Vec<bool> = told[1].processes.iter().map(|it| it.moved).collect();
    assert_eq!(moved, [true, false]);
    assert_eq!(told[1].processes[0].place.as_ref().map(|it| it.line), Some(9));
}

#[test]
fn a_deadlock_says_what_each_process_waits_for() {
    let (_, report) = checked(&module(RACE, None));
    let why = report.why.expect("both wait");
    assert_eq!(
        why,
        "p(1) waits at `c`: `await n # 1 \\/ lock` (line 10) is false, where n = 1, lock = FALSE\n\
         p(2) waits at `c`: `await n # 1 \\/ lock` (line 10) is false, where n = 1, lock = FALSE"
    );
}

#[test]
fn an_assertion_that_fails_names_its_line_and_its_values() {
    let text = "--algorithm A variables x = 1; process p \\in {\"q\", \"r\"} variables y = 2; begin\nl: skip;\nm: assert x = y; end process; end algorithm";
    let (_, report) = checked(&module(text, None));
    assert_eq!(
        report.why.as_deref(),
        Some("q: `assert x = y` (line 6) is false, where x = 1, y = 2")
    );
    let places: Vec<&str> = report
        .diagnostics
        .iter()
        .filter(|it| it.is_error())
        .map(|it| it.code)
        .collect();
    assert_eq!(places, ["assertion"]);
}

#[test]
fn the_other_checker_says_the_same() {
    let text = module(RACE, None);
    let (_, report) = run_with(
        &text,
        &CheckOptions::default(),
        |file, options, effects, observer| workbench::check_reference(file, options, effects, observer),
    );
    assert_eq!(report.violation.map(|it| it.kind), Some(ViolationKind::Deadlock));
}

/// What every translation defines is nothing that anybody wrote.
#[test]
fn coverage_is_that_of_the_algorithm() {
    let options = CheckOptions {
        coverage: true,
        ..CheckOptions::default()
    };
    let never = "--algorithm A variables x = 0; process p = 1 begin l: while TRUE do x := 1 - x; end while; end process;
process q = 2 begin m: await x > 1; n: skip; end process; end algorithm";
    let (_, report) = run(&module(never, None), &options);
    let names: Vec<&str> = report.definitions.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["p", "l", "q", "m", "n"]);
    let actions: Vec<(&str, u64)> = report
        .actions
        .iter()
        .map(|it| (it.name.as_str(), it.taken))
        .collect();
    assert_eq!(actions, [("Init", 1), ("l", 2), ("m", 0), ("n", 0)]);
}

#[test]
fn a_second_algorithm_is_not_passed_over_in_silence() {
    let two = format!("{COUNT}\n*)\n(*\n{}", COUNT.replace("Count", "Other"));
    let (_, report) = checked(&module(&two, None));
    assert_eq!(codes(&report), ["second-algorithm", "translated-for-this-run"]);
    assert_eq!(report.distinct, 5);
}
