//! `babbage play`: a specification to be touched, on the terminal or line by line.

use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;

use diag::Diagnostic;
use source::Sources;
use tui::{Machine, Player, PlayerOptions, run, run_lines};
use workbench::play::{PlayOptions, Problem, Session, play};
use workbench::{
    Advisor, Aim, CheckOptions, Stop, StrategyQuestion, Verdict, Workspace, advise, goal_of,
    no_steps_in_alloy,
};

use super::check_alloy;
use crate::args::{MachineArg, PlayArgs};
use crate::files::Files;
use crate::output::err;
use crate::report;
use crate::world::{Run, World, memory_to_use};

pub fn run_play(args: &PlayArgs) -> ExitCode {
    if args.web {
        return super::serve::play(args);
    }
    let options = PlayOptions {
        config: args.config.clone(),
        overrides: args.overrides.overrides(),
        alloy: check_alloy::options(&args.alloy),
        you: args.you.clone(),
        view: args.view.clone(),
        ..PlayOptions::default()
    };
    let workspace = Workspace::new(Files);
    let world = World::new(Run::default());
    let advisor = match args.machine {
        MachineArg::Best => match advisor(&workspace, args, &world) {
            Ok(advisor) => Some(advisor),
            Err(status) => return status,
        },
        MachineArg::Random | MachineArg::Ask => None,
    };
    let played = play(
        &workspace,
        &args.spec,
        &options,
        &world,
        &Stop::never(),
        |session| game(session, args, advisor),
    );
    match played {
        Ok(status) => status,
        Err((sources, diagnostics)) => {
            report::diagnostics(&diagnostics, &sources);
            ExitCode::from(2)
        }
    }
}

/// Solves the game, so that the machine can play its best.
fn advisor(workspace: &Workspace<'_>, args: &PlayArgs, world: &World) -> Result<Advisor, ExitCode> {
    let refuse = |(sources, diagnostics): (Sources, Vec<Diagnostic>)| {
        report::diagnostics(&diagnostics, &sources);
        ExitCode::from(2)
    };
    let opened = workspace.open(&args.spec).map_err(refuse)?;
    if !opened.language.has_steps() {
        return Err(refuse((opened.sources, vec![no_steps_in_alloy()])));
    }
    let question = match (&args.players[..], &args.goal) {
        ([], Some(goal)) => StrategyQuestion::puzzle(goal),
        ([], None) => StrategyQuestion::puzzle(&goal_of(workspace, &args.spec).map_err(refuse)?),
        (players, goal) => StrategyQuestion {
            players: players.to_vec(),
            aim: match goal {
                Some(goal) if args.outcomes.is_empty() => Aim::Goal(goal.clone()),
                _ => Aim::Outcomes(args.outcomes.clone()),
            },
            ..StrategyQuestion::default()
        },
    };
    let overrides = question.overrides(args.overrides.overrides());
    let file = workspace
        .model(&args.spec, args.config.as_deref(), &overrides)
        .map_err(refuse)?;
    let mut file = (*file).clone();
    let options = CheckOptions {
        memory: memory_to_use(),
        ..CheckOptions::default()
    };
    advise(&mut file, &question, &options, world, &()).map_err(|report| {
        report::diagnostics(&report.diagnostics, &file.sources);
        if report.diagnostics.is_empty() {
            err("error: the game could not be solved");
        }
        ExitCode::from(if report.verdict == Verdict::Unknown { 3 } else { 2 })
    })
}

fn game(session: &mut Session<'_>, args: &PlayArgs, advisor: Option<Advisor>) -> ExitCode {
    for warning in &session.about().warnings {
        err(warning);
    }
    for expr in &args.watches {
        if let Err((sources, why)) = session.watch(expr) {
            err(&Problem::first(&why, &sources).text);
            return ExitCode::from(2);
        }
    }
    let options = PlayerOptions {
        machine: match args.machine {
            MachineArg::Random => Machine::Random,
            MachineArg::Best => Machine::Best,
            MachineArg::Ask => Machine::Ask,
        },
        seed: args.seed,
        goal: args.goal.clone(),
        advisor,
    };
    let mut player = Player::new(session, options, args.you.is_some());
    let is_dumb = std::env::var_os("TERM").is_some_and(|it| it == "dumb");
    let done = match stdin().is_terminal() && stdout().is_terminal() && !is_dumb && !args.lines {
        true => run(&mut player, report::is_colour_wanted()).map(|()| true),
        false => {
            let echo = !stdin().is_terminal();
            run_lines(&mut player, &mut stdin().lock(), &mut stdout().lock(), echo)
        }
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        // At a terminal a mistake is no reason to fail.
        Ok(false) if stdin().is_terminal() => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(2),
        // Whoever reads our output may stop early.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            err(&format!("error: the terminal cannot be used: {error}"));
            ExitCode::from(2)
        }
    }
}
