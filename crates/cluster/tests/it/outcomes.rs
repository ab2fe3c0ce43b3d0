//! Random graphs searched by one machine and by several processes: the same outcome, to the last count and step.

use explore::{Engine, Halfway, Limits, Options};

use crate::graph::*;

#[track_caller]
fn same(graph: &Graph, options: &Options<'_>) -> String {
    let here = told(graph, &explore::check(graph, options));
    for (processes, workers) in [(1, 1), (2, 1), (3, 1), (2, 2)] {
        let team = Team {
            processes,
            workers,
            is_folder_shared: true,
        };
        let there = in_processes(graph, team, |_| *options).swap_remove(0).0;
        assert_eq!(
            there, here,
            "{processes} processes, {workers} workers, seed {}",
            graph.seed
        );
    }
    here
}

#[test]
fn outcomes_are_those_of_one_machine() {
    let mut all = String::new();
    for seed in 0..40 {
        let limits = match seed % 5 {
            0 => Limits {
                states: Some(mix(seed) % 300),
                ..Limits::default()
            },
            1 => Limits {
                depth: Some(1 + (mix(seed) % 12) as u32),
                ..Limits::default()
            },
            _ => Limits::default(),
        };
        let violations_max = if seed % 3 == 0 { usize::MAX } else { 1 };
        let asked = options(limits, violations_max);
        all += &same(&graph(seed), &asked);
        let asked = Options { graph: true, ..asked };
        all += &same(&graph(seed), &asked);
    }
    for kind in [
        "Holds",
        "Violated",
        "Unknown(States)",
        "Unknown(Depth)",
        "Some(Ok(StateGraph",
        "deadlock",
        "property 0",
        "property 7",
        "Inspection",
        "Successors",
    ] {
        assert!(all.contains(kind), "{kind} is among the outcomes");
    }
}

/// Who looks at the graph sees it at the same moments, and may end the search.
#[test]
fn a_graph_may_decide_before_it_is_complete() {
    for (seed, enough) in [(1, 30), (2, 300), (3, 1200)] {
        let decides = options(Limits::default(), 1);
        let decides = Options {
            graph: true,
            halfway: Some(&Enough(enough) as &dyn Halfway),
            ..decides
        };
        let decided = same(&sound(seed), &decides);
        assert!(decided.starts_with("Unknown(Decided)"), "{decided}");
    }
}

/// A model that breaks down in one process does not leave the others waiting.
#[test]
fn nobody_waits_for_a_panic() {
    let _alone = PORTS.lock().unwrap_or_else(|it| it.into_inner());
    let hosts = addresses(2);
    let sound = sound(1);
    // A remainder of zero is none.
    let broken = Graph {
        mask: u32::MAX,
        nodes: 0,
        ..sound.clone()
    };
    std::thread::scope(|scope| {
        let options = options(Limits::default(), 1);
        let there = hosts.clone();
        let other = scope.spawn(move || engine(1, there, 2, true).check(&broken, &options).verdict);
        let first = engine(0, hosts, 2, true);
        let outcome = first.check(&sound, &options);
        assert!(other.join().is_err());
        assert_eq!(
            outcome.verdict,
            explore::Verdict::Unknown(explore::Limit::Processes)
        );
        let failure = first.failure().expect("a process is lost");
        assert!(
            failure.what.contains("process 1") && failure.what.contains("bug"),
            "{failure:?}"
        );
    });
}
