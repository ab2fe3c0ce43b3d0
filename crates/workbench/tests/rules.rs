//! Rules and theorems, page by page: what a specification is composed of, what sets of rules give, which theorems hold.
//!
//! A `tla` fence is a specification; `rules`, `check` and `theorems` fences after it hold the options of such a command.

mod support;

use std::path::Path;

use support::{Files, table};
use workbench::effects::NoEffects;
use workbench::{
    CheckOptions, Overrides, Replay, RuleCell as Cell, RuleTable, Sets, TheoremReport, TheoremVerdict,
    TlaFile, Verdict, check, check_theorems,
};

/// Options as words; a value may be in quotes.
fn overrides(text: &str) -> Overrides {
    let mut overrides = Overrides::default();
    for line in text.lines().filter(|it| !it.trim().is_empty()) {
        let (option, value) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let value = value.to_string();
        let names = || value.split(',').map(|it| it.trim().to_string());
        match option {
            "--spec" => overrides.spec = Some(value),
            "--property" => overrides.properties.push(value),
            "--invariant" => overrides.invariants.push(value),
            "--without" => overrides.rules.without.extend(names()),
            "--only" => overrides.rules.only.extend(names()),
            "--with" => overrides.rules.with.push(value),
            "--subsets" => {}
            other => panic!("{other} is no option"),
        }
    }
    overrides
}

fn wrong(file: &TlaFile) -> Option<String> {
    let lines = file.diagnostics.iter().filter(|it| it.is_error());
    let lines: Vec<String> = lines
        .map(|it| format!("error[{}]: {}", it.code, it.title))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn rules(mut file: TlaFile, options: &str) -> String {
    file.turn_to_rules();
    if let Some(wrong) = wrong(&file) {
        return wrong;
    }
    if !options.contains("--property") && !options.contains("--invariant") {
        let rules = file.rules();
        let mut lines = vec![rules.specification];
        for it in rules.rules {
            let by: Vec<String> = it
                .included
                .into_iter()
                .map(|it| it.0.unwrap_or_default())
                .collect();
            let off = if it.on { "" } else { " (off)" };
            lines.push(format!(
                "{}{off} at {}: {}; in {}",
                it.name,
                it.location,
                it.variables.join(", "),
                by.join(" and ")
            ));
        }
        lines.extend(rules.others.into_iter().map(|it| format!("always {}", it.0)));
        lines.extend(rules.left_out.into_iter().map(|it| format!("not {}", it.0)));
        return lines.join("\n");
    }
    let sets = if options.contains("--subsets") {
        Sets::Subsets
    } else {
        Sets::Prefixes
    };
    told(&table(&mut file, sets))
}

fn told(table: &RuleTable) -> String {
    let names = |of: &[usize]| {
        let names = of.iter().map(|&it| table.rules.rules[it].name.as_str());
        format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
    };
    let cell = |it: &Cell| match it {
        Cell::Holds { states, is_empty } => match is_empty {
            true => "holds without behaviours".to_string(),
            false => format!("holds, {states} states"),
        },
        Cell::Fails { steps, is_lasso, .. } => match is_lasso {
            true => format!("fails for ever after {steps} steps"),
            false => format!("fails in {steps} steps"),
        },
        Cell::Follows { holds } => format!("{} by another set", if *holds { "holds" } else { "fails" }),
        Cell::NotStated => "not stated".to_string(),
        Cell::NotCheckable(why) => format!("not checkable: {why}"),
        Cell::Unknown(why) => format!("unknown: {why:?}"),
    };
    let mut lines = vec![];
    for (set, cells) in &table.rows {
        let cells: Vec<String> = cells.iter().map(cell).collect();
        lines.push(format!("{} {}", names(set), cells.join(" | ")));
    }
    for column in &table.columns {
        let minimal: Vec<String> = column.minimal.iter().map(|it| names(it)).collect();
        lines.push(format!("minimal for {}: {}", column.property, minimal.join(" ")));
    }
    lines.join("\n")
}

fn checked(file: &TlaFile) -> String {
    if let Some(wrong) = wrong(file) {
        return wrong;
    }
    let options = CheckOptions {
        deadlock: Some(false),
        ..CheckOptions::default()
    };
    let report = check(file, &options, &NoEffects::default(), &());
    let mut lines = vec![match (&report.verdict, &report.violation) {
        (Verdict::Violated, Some(it)) => format!("violated: {} {}", it.kind, it.name),
        (verdict, _) => format!("{verdict:?}, {} states", report.distinct),
    }];
    for (i, state) in report.trace.iter().enumerate() {
        let values: Vec<String> = state.texts().map(|(name, it)| format!("{name} = {it}")).collect();
        let mut line = format!("{}: {}", i + 1, values.join(", "));
        if i > 0 && !(state.moved.is_empty() && state.stuttered.is_empty()) {
            line += &format!("; moved {:?}, stuttered {:?}", state.moved, state.stuttered);
        }
        lines.push(line);
    }
    lines.extend(
        report
            .diagnostics
            .iter()
            .map(|it| format!("{}: {}", it.code, it.title)),
    );
    if !report.trace.is_empty() {
        assert_eq!(report.replay, Replay::Confirmed);
    }
    lines.join("\n")
}

fn theorems(mut file: TlaFile) -> String {
    file.needs_no_behaviour();
    if let Some(wrong) = wrong(&file) {
        return wrong;
    }
    let all = check_theorems(
        &mut file,
        &CheckOptions::default(),
        &NoEffects::default(),
        &(),
        &mut |_, _, _| {},
    );
    all.iter().map(theorem).collect::<Vec<_>>().join("\n")
}

fn theorem(it: &TheoremReport) -> String {
    let verdict = match it.verdict {
        TheoremVerdict::Holds => format!("holds, {} states", it.report.distinct),
        TheoremVerdict::Violated => format!("violated after {} states", it.report.trace.len()),
        other => format!("{other:?}"),
    };
    let mut line = format!("{}: {verdict}", it.theorem.statement);
    if !it.rules.is_empty() {
        line += &format!(", by {}", it.rules.join(", "));
    }
    for (name, _) in &it.left_out {
        line += &format!(", not {name}");
    }
    if let Some(reason) = &it.reason {
        line += &format!(" ({reason})");
    }
    if it.verdict == TheoremVerdict::Violated && !it.report.trace.is_empty() {
        assert_eq!(it.report.replay, Replay::Confirmed);
    }
    line
}

#[test]
fn rules_do_what_their_pages_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    for page in testkit::files(&folder, "md") {
        let mut spec = String::new();
        testkit::check_literate(&page, |example| {
            if example.language == "tla" {
                spec = example.text.clone();
                return format!("{} definitions", spec.matches("==").count());
            }
            let file = Files::of(&spec).overrides(&overrides(&example.text));
            match example.language.as_str() {
                "rules" => rules(file, &example.text),
                "check" => checked(&file),
                "theorems" => theorems(file),
                other => panic!("{other} is no command"),
            }
        });
    }
}
