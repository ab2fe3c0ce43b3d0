//! A process that checks specifications one after the other and says on standard output what comes of them, a line each:
//! `case SEED`, then `done SEED MODES VERDICT` or `found SEED SIGNATURE`.

use std::path::PathBuf;
use std::process::ExitCode;

use differential::alloy;
use differential::answer::Answer;
use differential::modes::{Mode, run};
use differential::shrink::{TRIES_SLOW, shrink, shrink_within};
use differential::{Difference, compare, peer};
use testkit::{Specification, specification};

use super::kept::{self, Finding, keep};
use super::options::Options;

/// One case in so many is also checked by several processes, which takes longer than everything else.
const PROCESSES_EVERY: u64 = 20;
/// One case in so many is an Alloy model.
const ALLOY_EVERY: u64 = 6;
/// Of findings against a peer with one signature this many are made small.
const SLOW_MAX: usize = 2;

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
            Err(finding) => {
                println!("found {seed} {}", finding.signature);
                if let Err(why) = keep(&options.keep, seed, &finding) {
                    eprintln!("{}: {why}", options.keep.display());
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    ExitCode::SUCCESS
}

fn one(options: &Options, seed: u64, scratch: &std::path::Path) -> Result<String, Finding> {
    let it = specification(seed);
    let mut modes = Mode::QUICK.to_vec();
    if seed % PROCESSES_EVERY == 1 {
        modes.push(Mode::Processes);
    }
    let compared = compare(&it, &modes);
    if let Some(difference) = compared.difference {
        return Err(between_modes(&it, &difference));
    }
    if let Some(command) = &options.peer
        && it.is_standard
        && seed % options.peer_every == 1 % options.peer_every
    {
        against_peer(&it, &compared.answer, command, scratch.to_owned(), options)?;
    }
    Ok(format!("{} {}", compared.n_modes, verdict(&compared.answer)))
}

/// A model of Alloy against brute force.
fn alloy_model(seed: u64) -> Result<String, Finding> {
    let model = alloy::generate::model(seed);
    let Some(first) = alloy::compare(&model) else {
        return Ok("1 alloy".into());
    };
    let small = alloy::shrink::shrink(&model, |it| alloy::compare(it).is_some());
    let found = alloy::compare(&small).unwrap_or(first);
    let text = |it: &alloy::model::Model| Specification {
        modules: vec![("M".into(), it.text())],
        config: String::new(),
        is_standard: true,
    };
    Err(Finding {
        signature: "alloy".into(),
        answers: vec![("brute force".into(), found.expected), (found.with, found.found)],
        original: text(&model),
        small: text(&small),
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

fn between_modes(it: &Specification, difference: &Difference) -> Finding {
    let (modes, what) = (difference.modes, difference.what);
    let again = |it: &Specification| compare(it, &modes).difference.filter(|it| it.what == what);
    let small = shrink(it, |it| again(it).is_some());
    let answers = again(&small).map_or(difference.answers.clone(), |it| it.answers);
    Finding {
        signature: format!("{what} {:?} {:?}", modes[0], modes[1]),
        answers: modes
            .map(|it| format!("{it:?}"))
            .into_iter()
            .zip(answers)
            .collect(),
        original: it.clone(),
        small,
    }
}

fn against_peer(
    it: &Specification,
    ours: &Answer,
    command: &str,
    folder: PathBuf,
    options: &Options,
) -> Result<(), Finding> {
    // An answer that says nothing about the peer's own grammar: what we refuse to read, nobody needs to check.
    let asked = |it: &Specification| {
        let _ = std::fs::remove_dir_all(&folder);
        peer::ask(it, command, &folder).ok()
    };
    let Some(first) = asked(it) else { return Ok(()) };
    let Some(what) = peer::difference(ours, &first) else {
        return Ok(());
    };
    let signature = format!("{what} Plain Peer");
    let has_many = kept::count(&options.keep, &signature) >= SLOW_MAX;
    let differ = |it: &Specification| {
        let (ours, peer) = (run(it, Mode::Plain), asked(it)?);
        (peer::difference(&ours, &peer) == Some(what)).then_some((ours, peer))
    };
    let tries = if has_many { 0 } else { TRIES_SLOW };
    let small = shrink_within(it, tries, |it| differ(it).is_some());
    let (ours, peer) = differ(&small).unwrap_or((ours.clone(), first));
    Err(Finding {
        signature,
        answers: vec![
            ("Plain".into(), format!("{ours:#?}")),
            ("Peer".into(), format!("{peer:#?}")),
        ],
        original: it.clone(),
        small,
    })
}
