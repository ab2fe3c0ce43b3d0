//! `babbage play`: a specification to be touched, on the terminal or line by line.

use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;

use tui::{Machine, Player, PlayerOptions, run, run_lines};
use workbench::Stop;
use workbench::play::{PlayOptions, Problem, Session, play};

use super::check_alloy;
use crate::args::{MachineArg, PlayArgs};
use crate::files::Files;
use crate::output::err;
use crate::report;
use crate::world::{Run, World};

pub fn run_play(args: &PlayArgs) -> ExitCode {
    let options = PlayOptions {
        config: args.config.clone(),
        asked: args.asked.asked(),
        alloy: check_alloy::options(&args.alloy),
        you: args.you.clone(),
        view: args.view.clone(),
        ..PlayOptions::default()
    };
    let world = World::new(Run::default());
    let played = play(&args.spec, &Files, &options, &world, &Stop::never(), |session| {
        game(session, args)
    });
    match played {
        Ok(status) => status,
        Err((sources, diagnostics)) => {
            report::diagnostics(&diagnostics, &sources);
            ExitCode::from(2)
        }
    }
}

fn game(session: &mut Session<'_>, args: &PlayArgs) -> ExitCode {
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
            MachineArg::Ask => Machine::Ask,
        },
        seed: args.seed,
        goal: args.goal.clone(),
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
