//! With and without tables, with and without slots, and with one worker or two: the same verdict, counts, steps by action, and
//! trace.

#[path = "../common/mod.rs"]
mod common;
mod reference;

#[track_caller]
fn same(arguments: &[&str], verdict: &str) {
    let plain = ["--no-tables", "--no-slots", "--workers", "1"];
    common::same(
        arguments,
        verdict,
        &plain,
        &[
            &["--workers", "1"],
            &["--workers", "1", "--no-slots"],
            &["--workers", "1", "--no-tables"],
            &["--workers", "2"],
        ],
    );
}

#[test]
fn specifications_that_grow() {
    for model in common::growing() {
        let model: Vec<&str> = model.iter().map(String::as_str).collect();
        same(&model, "holds");
    }
}

#[test]
fn every_way_to_depend_on_a_part() {
    let reads = ["crates/cli/tests/Reads.tla", "--spec", "Spec", "--max-depth", "9"];
    same(&[&reads[..], &["--invariant", "Small"]].concat(), "unknown");
    let never = "\\A w \\in Who : Len(line[w]) < 1";
    same(&[&reads[..], &["--invariant", never]].concat(), "violated");
}

/// The domain of a function changes long after the layout of states was found.
#[test]
fn values_that_stop_fitting() {
    for late in ["Late=3", "Late=150"] {
        let late = ["crates/cli/tests/Late.tla", "--constant", late, "--no-deadlock"];
        let with = |more: &[&'static str]| [&late[..], more].concat();
        same(&with(&["--spec", "Spec", "--invariant", "TypeOK"]), "holds");
        same(&with(&["--spec", "Spec", "--invariant", "Small"]), "violated");
        same(&with(&["--spec", "Spec", "--invariant", "Whole"]), "violated");
        same(&with(&["--spec", "Spec", "--property", "Kept"]), "violated");
        same(&with(&["--spec", "Fair", "--property", "Ends"]), "holds");
        same(&with(&["--spec", "Fair", "--property", "Comes"]), "violated");
    }
}

/// Parameters that stand for variables. Another checker finds as many states.
#[test]
fn variables_that_are_passed() {
    let handed = ["crates/cli/tests/Handed.tla", "--no-deadlock"];
    let with = |more: &[&'static str]| [&handed[..], more].concat();
    let all = with(&["--spec", "Spec", "--invariant", "CanBump", "--property", "Counts"]);
    same(&all, "holds");
    let states = &common::report(&all, &[])["states"];
    assert_eq!(
        (&states["distinct"], &states["generated"]),
        (&567.into(), &2107.into())
    );
    same(&with(&["--spec", "Spec", "--invariant", "Small"]), "violated");
    same(&with(&["--spec", "Spec", "--property", "NeverBack"]), "violated");
    same(&with(&["--spec", "Fair", "--property", "Grows"]), "holds");
    same(&with(&["--spec", "Spec", "--property", "Grows"]), "violated");
    same(&with(&["--spec", "Fair", "--property", "Empties"]), "violated");
}

#[test]
fn sets_that_are_split() {
    let mail = ["crates/cli/tests/Mail.tla", "--no-deadlock", "--spec", "Spec"];
    let with = |more: &[&'static str]| [&mail[..], more].concat();
    let few = ["--max-depth", "5", "--invariant", "TypeOK", "--invariant", "Once"];
    same(&with(&few), "unknown");
    same(&with(&["--invariant", "Own"]), "violated");
    same(&with(&["--invariant", "Apart"]), "violated");
    same(&with(&["--property", "Posted"]), "violated");
}

/// An enumeration that frees now and then what it made, and goes on; chunks that are settled by another thread.
#[test]
fn many_initial_states() {
    let many = ["crates/cli/tests/Many.tla", "--no-deadlock", "--spec", "Spec"];
    let all = common::report(&many, &[]);
    assert_eq!(all["verdict"], "holds");
    assert_eq!(all["states"]["distinct"], 45_000);
    assert_eq!(all["states"]["generated"], 45_000);
    let wrong = [&many[..], &["--invariant", "NotLast"]].concat();
    same(&wrong, "violated");
    let wrong = common::report(&wrong, &[]);
    assert_eq!(wrong["states"]["distinct"], 45_000);
}

#[test]
fn the_gallery() {
    same(&["tictactoe-strategy"], "holds");
    same(&["tictactoe-field"], "holds");
}

/// Giving up and obeying an abort lead to the same states, so steps belong to several actions.
#[test]
fn fair_actions_have_the_same_steps() {
    let vars = "<<part, leader, votes, wire>>";
    let ends = "\\A p \\in Part : <>(part[p] # \"working\")";
    let decided = "<>(leader # \"waits\")";
    for (fairness, property, verdict) in [
        (format!("\\A p \\in Part : WF_{vars}(GiveUp(p))"), ends, "holds"),
        (format!("WF_{vars}(GiveUp(1))"), ends, "violated"),
        (
            format!("\\A p \\in Part : SF_{vars}(Obey(p, \"abort\", \"aborted\"))"),
            ends,
            "violated",
        ),
        (
            "WF_leader(Decide(\"abort\", \"aborted\"))".to_owned(),
            decided,
            "holds",
        ),
        // No part of the relation, but a conjunction of two.
        (format!("WF_{vars}(Next /\\ leader' # leader)"), decided, "holds"),
        (
            format!("WF_{vars}(\\E p \\in Part : Count(p))"),
            decided,
            "violated",
        ),
        // A step inside another that must change less.
        (
            format!("WF_{vars}(<<GiveUp(1)>>_leader \\/ GiveUp(2))"),
            ends,
            "violated",
        ),
    ] {
        for next in ["Next", "\\E q \\in Part : Next"] {
            let behaviours = format!("Init /\\ [][{next}]_{vars} /\\ {fairness}");
            let asked = ["bench/TwoPhase.tla", "--constant", "N=2", "--no-deadlock"];
            same(
                &[&asked[..], &["--spec", &behaviours, "--property", property]].concat(),
                verdict,
            );
        }
    }
}

/// Behaviours that end with the steps of some actions alone, and a relation that may say everything three times.
#[test]
fn steps_that_may_be_none() {
    let vars = "<<fork, state>>";
    let moves = |p: &str| {
        format!(
            "Wish({p}) \\/ Rest({p}) \\/ Take({p}, First({p}), \"hungry\", \"has one\") \\/ Take({p}, Second({p}), \"has one\", \"eats\")"
        )
    };
    let alone = format!("<>[][{}]_{vars}", moves("0"));
    let together = format!("<>[][\\E p \\in Seat : {}]_{vars}", moves("p"));
    let seldom = format!("<>[][\\E p \\in Seat : Wish(p) \\/ Rest(p)]_{vars}");
    for (assumed, property, verdict) in [
        (&alone, "[]<>(state[0] = \"eats\")", "holds"),
        (&alone, "[]<>(state[1] = \"eats\")", "violated"),
        (&seldom, "<>(state[1] = \"eats\")", "holds"),
        (&together, "<>[](state[0] # \"eats\")", "violated"),
        (&together, &seldom, "violated"),
    ] {
        for next in ["Next", "\\E q \\in Seat : Next"] {
            let behaviours = format!("Init /\\ [][{next}]_{vars} /\\ WF_{vars}(Next) /\\ {assumed}");
            let asked = ["bench/Philosophers.tla", "--constant", "N=3", "--no-deadlock"];
            same(
                &[&asked[..], &["--spec", &behaviours, "--property", property]].concat(),
                verdict,
            );
        }
    }
}

#[test]
fn violations_are_found_at_the_same_step() {
    let ring = [
        "bench/TwoPhase.tla",
        "--spec",
        "Spec",
        "--constant",
        "N=3",
        "--no-deadlock",
    ];
    let with = |more: &[&'static str]| [&ring[..], more].concat();
    same(&with(&["--invariant", "leader # \"committed\""]), "violated");
    same(
        &with(&["--property", "[][leader' # \"aborted\"]_leader"]),
        "violated",
    );
    same(&with(&["--property", "<>(leader = \"committed\")"]), "violated");
    same(
        &with(&[
            "--property",
            "[](leader = \"committed\" => [](leader = \"committed\"))",
        ]),
        "holds",
    );
    same(&with(&["--invariant", "wire[1] = 2"]), "error");
}
