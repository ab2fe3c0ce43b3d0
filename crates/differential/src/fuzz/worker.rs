//! A process that checks specifications one after the other and says on standard output what comes of them, a line each:
//! `case SEED`, then `done SEED MODES VERDICT` or `found SEED SIGNATURE`. What is found is told and kept at once, and only then made small
//! (`small SEED`): that takes as long as a thousand cases, and the time may be over before.

use std::path::Path;
use std::process::ExitCode;

use differential::alloy;
use differential::answer::Answer;
use differential::modes::{Mode, run};
use differential::peer::{self, PeerAnswer};
use differential::shrink::{TRIES_SLOW, shrink, shrink_within};
use differential::{Difference, compare};
use testkit::{Specification, specification};

use super::kept::{self, Finding, keep};
use super::options::Options;

/// One case in so many is also checked by several processes, which takes longer than everything else.
const PROCESSES_EVERY: u64 = 20;
/// One case in so many is an Alloy model.
const ALLOY_EVERY: u64 = 6;
/// Of findings with one signature this many are made small.
const SMALL_MAX: usize = 2;

/// A finding as it was met, and how to make it small.
struct Found<'w> {
    finding: Finding,
    smaller: Box<dyn FnOnce() -> Finding + 'w>,
}

pub fn work(options: &Options, job: u64) -> ExitCode {
    // A panic is an answer here, and told as one.
    std::panic::set_hook(Box::new(|_| {}));
    let scratch = std::env::temp_dir().join(format!("babbage-fuzz-{}", std::process::id()));
    let n = options.cases.unwrap_or(u64::MAX);
    for i in (job..n).step_by(options.jobs as usize) {
        let seed = options.seed.wrapping_add(i);
        println!("case {seed}");
        let came = match seed % ALLOY_EVERY {
            0 => alloy_model(seed),
            _ => one(options, seed, &scratch),
        };
        match came {
            Ok(done) => println!("done {seed} {done}"),
            Err(found) => {
                println!("found {seed} {}", found.finding.signature);
                tell_kept(options, seed, &found.finding);
                if kept::count(&options.keep, &found.finding.signature) <= SMALL_MAX {
                    tell_kept(options, seed, &(found.smaller)());
                    println!("small {seed}");
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    ExitCode::SUCCESS
}

fn tell_kept(options: &Options, seed: u64, finding: &Finding) {
    if let Err(why) = keep(&options.keep, seed, finding) {
        eprintln!("{}: {why}", options.keep.display());
    }
}

fn one<'w>(options: &'w Options, seed: u64, scratch: &'w Path) -> Result<String, Found<'w>> {
    let it = specification(seed);
    let mut modes = Mode::QUICK.to_vec();
    if seed % PROCESSES_EVERY == 1 {
        modes.push(Mode::Processes);
    }
    let compared = compare(&it, &modes);
    if let Some(difference) = compared.difference {
        return Err(between_modes(it, difference));
    }
    if let Some(command) = &options.peer
        && it.is_standard
        && seed % options.peer_every == 1 % options.peer_every
    {
        against_peer(it, &compared.answer, command, scratch)?;
    }
    Ok(format!("{} {}", compared.n_modes, verdict(&compared.answer)))
}

/// A model of Alloy against brute force.
fn alloy_model(seed: u64) -> Result<String, Found<'static>> {
    let model = alloy::generate::model(seed);
    let Some(first) = alloy::compare(&model) else {
        return Ok("1 alloy".into());
    };
    let text = |it: &alloy::model::Model| Specification {
        modules: vec![("M".into(), it.text())],
        config: String::new(),
        is_standard: true,
    };
    let finding = move |small: &alloy::model::Model,
                        found: alloy::Disagreement,
                        original: &alloy::model::Model| Finding {
        signature: "alloy".into(),
        answers: vec![("brute force".into(), found.expected), (found.with, found.found)],
        original: text(original),
        small: text(small),
    };
    Err(Found {
        finding: finding(&model, first.clone(), &model),
        smaller: Box::new(move || {
            let small = alloy::shrink::shrink(&model, |it| alloy::compare(it).is_some());
            let found = alloy::compare(&small).unwrap_or(first);
            finding(&small, found, &model)
        }),
    })
}

/// A word for the statistics.
fn verdict(answer: &Answer) -> String {
    let about = match (&answer.violation, answer.errors.first()) {
        (Some(it), _) => it.0.as_str(),
        (None, Some(it)) => it.0.as_str(),
        (None, None) if answer.limit.is_some() => "limit",
        (None, None) if answer.distinct >= 50 => "large",
        (None, None) => "small",
    };
    format!("{}-{about}", answer.verdict.split(':').next().unwrap_or_default())
}

fn between_modes(original: Specification, first: Difference) -> Found<'static> {
    let (modes, what) = (first.modes, first.what);
    let finding = move |small: Specification, answers: [String; 2], original: Specification| Finding {
        signature: format!("{what} {:?} {:?}", modes[0], modes[1]),
        answers: modes
            .map(|it| format!("{it:?}"))
            .into_iter()
            .zip(answers)
            .collect(),
        original,
        small,
    };
    Found {
        finding: finding(original.clone(), first.answers.clone(), original.clone()),
        smaller: Box::new(move || {
            // Another pair of verdicts is another mistake.
            let is_same =
                |it: &Difference| it.what == what && (what != "verdict" || it.answers == first.answers);
            let again = |it: &Specification| compare(it, &modes).difference.filter(is_same);
            let small = shrink(&original, |it| again(it).is_some());
            let answers = again(&small).map_or(first.answers.clone(), |it| it.answers);
            finding(small, answers, original)
        }),
    }
}

/// `Err` when the peer says something else.
fn against_peer<'w>(
    original: Specification,
    ours: &Answer,
    command: &'w str,
    folder: &'w Path,
) -> Result<(), Found<'w>> {
    // An answer that says nothing about the peer's own grammar: what we refuse to read, nobody needs to check.
    let asked = move |it: &Specification| {
        let _ = std::fs::remove_dir_all(folder);
        peer::ask(it, command, folder).ok()
    };
    let Some(first) = asked(&original) else {
        return Ok(());
    };
    let Some(what) = peer::difference(ours, &first) else {
        return Ok(());
    };
    let finding =
        move |small: Specification, ours: &Answer, peers: &PeerAnswer, original: Specification| Finding {
            signature: format!("{what} Plain Peer"),
            answers: vec![
                ("Plain".into(), format!("{ours:#?}")),
                ("Peer".into(), format!("{peers:#?}")),
            ],
            original,
            small,
        };
    let ours = ours.clone();
    Err(Found {
        finding: finding(original.clone(), &ours, &first, original.clone()),
        smaller: Box::new(move || {
            let differ = |it: &Specification| {
                let (ours, peer) = (run(it, Mode::Plain), asked(it)?);
                (peer::difference(&ours, &peer) == Some(what)).then_some((ours, peer))
            };
            let small = shrink_within(&original, TRIES_SLOW, |it| differ(it).is_some());
            let (ours, peer) = differ(&small).unwrap_or((ours, first));
            finding(small, &ours, &peer, original)
        }),
    })
}
