//! Alloy: every command of a model, from text to answers.

use alloy_lower::{Options, Origin as Blamed, Outcome, Run, Solver, Statistics, Stop};
use alloy_sema::ir::{CommandKind, Model};
use alloy_sema::{Loader, Resolved};
use diag::Diagnostic;
use source::{Sources, Span};
use trace::Instance;

use crate::host::Host;
use crate::open::{Opened, Origin};
use crate::workspace::Workspace;

/// Which commands to run, and how.
#[derive(Clone, Debug)]
pub struct AlloyOptions {
    /// A label, or a number from 1; all commands when absent.
    pub command: Option<String>,
    /// How many instances to show of each satisfiable command.
    pub instances_max: usize,
    /// `cadical` or another solver that is built in.
    pub solver: Option<String>,
    /// Let integers wrap around, as old versions of Alloy did.
    pub wrap: bool,
    /// How many symmetries to break; the usual number when absent.
    pub symmetry: Option<usize>,
    /// Say which constraints exclude all instances.
    pub unsat_core: bool,
    /// Believe that there is no instance only when a proof checker has confirmed it.
    pub prove: bool,
    /// Keep what the solver is given, see [`CommandReport::dimacs`].
    pub dimacs: bool,
}

impl Default for AlloyOptions {
    fn default() -> AlloyOptions {
        AlloyOptions {
            command: None,
            instances_max: 1,
            solver: None,
            wrap: false,
            symmetry: None,
            unsat_core: true,
            prove: false,
            dimacs: false,
        }
    }
}

/// The answer to one command.
#[derive(Clone, Debug)]
pub struct CommandReport {
    pub label: String,
    pub span: Span,
    pub is_check: bool,
    pub expect: Option<u32>,
    pub answer: Answer,
    pub instances: Vec<Instance>,
    /// Places that exclude all instances together, when there is none.
    pub unsat_core: Vec<CoreFormula>,
    pub variables: usize,
    pub clauses: usize,
    /// The clauses as text for other solvers, of traces of the greatest length, if they were asked for.
    pub dimacs: Option<String>,
    /// Steps of the proof that there is no instance, where a proof checker has confirmed it.
    pub proof: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Sat,
    Unsat,
    /// Stopped before an answer.
    Unknown,
    /// The command cannot be analysed; a diagnostic says why.
    Error,
}

#[derive(Clone, Debug)]
pub struct CoreFormula {
    pub span: Option<Span>,
    pub what: &'static str,
}

impl CommandReport {
    /// Whether the answer is what `expect` says; without it, whether a `check` found no counterexample.
    pub fn is_as_wanted(&self) -> bool {
        match (self.answer, self.expect) {
            (Answer::Sat, Some(n)) => n > 0,
            (Answer::Unsat, Some(n)) => n == 0,
            (Answer::Sat, None) => !self.is_check,
            (Answer::Unsat, None) => true,
            (Answer::Unknown | Answer::Error, _) => false,
        }
    }
}

/// The answers to all commands that were asked for.
pub struct AlloyReport {
    pub sources: Sources,
    pub diagnostics: Vec<Diagnostic>,
    pub commands: Vec<CommandReport>,
}

impl AlloyReport {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// What someone who waits wants to hear. It has the clock; we have none.
pub trait Waiting {
    /// Before each command: its label, its number, and how many there are.
    fn starts(&mut self, _label: &str, _number: usize, _of: usize) {}
    /// The command is clauses now (those for the shortest traces, if it is about traces).
    fn translated(&mut self, _variables: usize, _clauses: usize) {}
    /// There is an answer; looking for what is to blame may follow.
    fn answered(&mut self) {}
    fn ends(&mut self, _report: &CommandReport, _sources: &Sources) {}
}

/// Nobody waits.
impl Waiting for () {}

/// Reads a model with everything that it opens.
pub(crate) fn resolve(opened: Opened, host: &dyn Host) -> (Resolved, Sources) {
    let Opened {
        sources: mut all,
        file,
        origin,
        ..
    } = opened;
    let (name, text) = (all.file(file).name().to_string(), all.file(file).text().clone());
    let files = Files {
        origin: &origin,
        host,
    };
    let resolved = alloy_sema::resolve(&name, &text, &files, &mut all, alloy_sema::Options::default());
    (resolved, all)
}

/// Runs the commands of a model. `stop` ends the one under way, and the rest are unknown.
pub fn run_alloy(
    workspace: &Workspace<'_>,
    spec: &str,
    options: &AlloyOptions,
    stop: &Stop,
    waiting: &mut dyn Waiting,
) -> AlloyReport {
    let file = match workspace.alloy(spec) {
        Ok(file) => file,
        Err((sources, diagnostics)) => {
            return AlloyReport {
                sources,
                diagnostics,
                commands: vec![],
            };
        }
    };
    let resolved = &file.resolved;
    let mut report = AlloyReport {
        sources: file.sources.clone(),
        diagnostics: resolved.diagnostics.clone(),
        commands: vec![],
    };
    if resolved.has_errors() {
        return report;
    }
    let engine = match engine(options) {
        Ok(engine) => engine,
        Err(diagnostic) => {
            report.diagnostics.push(diagnostic);
            return report;
        }
    };
    let model = &resolved.model;
    let wanted = match wanted(model, options.command.as_deref()) {
        Ok(wanted) => wanted,
        Err(diagnostic) => {
            report.diagnostics.push(diagnostic);
            return report;
        }
    };
    for (i, &command) in wanted.iter().enumerate() {
        waiting.starts(model.commands[command].label.as_str(), i + 1, wanted.len());
        let answered = run_command(
            model,
            command,
            options,
            &engine,
            stop,
            waiting,
            &mut report.diagnostics,
        );
        waiting.ends(&answered, &report.sources);
        report.commands.push(answered);
    }
    report
}

/// The places of the commands that were asked for: all of them, or one at least.
pub(crate) fn wanted(model: &Model, asked: Option<&str>) -> Result<Vec<usize>, Diagnostic> {
    let found: Vec<usize> = (0..model.commands.len())
        .filter(|&it| is_wanted(asked, model.commands[it].label.as_str(), it))
        .collect();
    match asked {
        Some(asked) if found.is_empty() => {
            let labels: Vec<&str> = model.commands.iter().map(|it| it.label.as_str()).collect();
            Err(unknown_command(asked, &labels))
        }
        _ => Ok(found),
    }
}

fn is_wanted(asked: Option<&str>, label: &str, index: usize) -> bool {
    asked.is_none_or(|it| it == label || it.parse() == Ok(index + 1))
}

fn unknown_command(asked: &str, labels: &[&str]) -> Diagnostic {
    let unknown = Diagnostic::error("unknown-command", format!("the model has no command `{asked}`"));
    match diag::closest(asked, labels.iter().copied()) {
        Some(near) => unknown.hint(format!("did you mean `{near}`?")),
        None => unknown.note(format!("its commands are {}", labels.join(", "))),
    }
}

pub(crate) fn engine(options: &AlloyOptions) -> Result<Options, Diagnostic> {
    let mut engine = Options::default();
    if let Some(name) = &options.solver {
        engine.engine.solver = Solver::from_name(name)
            .ok_or_else(|| Diagnostic::error("unknown-solver", format!("there is no solver `{name}`")))?;
    }
    if let Some(symmetry) = options.symmetry {
        engine.engine.symmetry = symmetry;
    }
    engine.engine.prove = options.prove;
    if options.wrap {
        engine.overflow = alloy_lower::Overflow::Wrap;
    }
    Ok(engine)
}

fn run_command(
    model: &Model,
    index: usize,
    options: &AlloyOptions,
    engine: &Options,
    stop: &Stop,
    waiting: &mut dyn Waiting,
    diagnostics: &mut Vec<Diagnostic>,
) -> CommandReport {
    let command = &model.commands[index];
    let mut report = CommandReport {
        label: command.label.to_string(),
        span: command.span,
        is_check: command.kind == CommandKind::Check,
        expect: command.expect,
        answer: Answer::Error,
        instances: vec![],
        unsat_core: vec![],
        variables: 0,
        clauses: 0,
        dimacs: None,
        proof: None,
    };
    if !command.errors.is_empty() {
        diagnostics.extend(command.errors.iter().cloned());
        return report;
    }
    let refused =
        |refusal: alloy_lower::Refusal, report: &mut CommandReport, diagnostics: &mut Vec<Diagnostic>| {
            match refusal.diagnostic() {
                Some(diagnostic) => diagnostics.push(diagnostic),
                None => report.answer = Answer::Unknown,
            }
        };
    let mut run = match Run::new(model, index, engine.clone(), stop.clone()) {
        Ok(run) => run,
        Err(refusal) => {
            refused(refusal, &mut report, diagnostics);
            return report;
        }
    };
    let prepared = run.prepare();
    waiting.translated(run.statistics().n_vars, run.statistics().n_clauses);
    if let Err(refusal) = prepared {
        refused(refusal, &mut report, diagnostics);
        return report;
    }
    if options.dimacs {
        match run.clauses() {
            Ok(clauses) => report.dimacs = Some(clauses.to_dimacs()),
            Err(refusal) => {
                refused(refusal, &mut report, diagnostics);
                return report;
            }
        }
    }
    loop {
        match run.find_next() {
            Ok(Outcome::Instance(instance)) => {
                report.answer = Answer::Sat;
                report.instances.push(*instance);
            }
            Ok(Outcome::None) => {
                if report.instances.is_empty() {
                    report.answer = Answer::Unsat;
                    report.proof = options.prove.then(|| run.n_proved());
                }
                break;
            }
            Err(refusal) => {
                refused(refusal, &mut report, diagnostics);
                break;
            }
        }
        if report.instances.len() >= options.instances_max.max(1) {
            break;
        }
    }
    let Statistics {
        n_vars, n_clauses, ..
    } = run.statistics();
    (report.variables, report.clauses) = (n_vars, n_clauses);
    waiting.answered();
    // Whoever expects that there is none knows why.
    if report.answer == Answer::Unsat
        && options.unsat_core
        && !report.is_check
        && report.expect != Some(0)
        && let Ok(sources) = run.unsat_core()
    {
        report.unsat_core = sources
            .into_iter()
            .map(|it| CoreFormula {
                span: it.span,
                what: role(&it.origin),
            })
            .collect();
    }
    report
}

fn role(origin: &Blamed) -> &'static str {
    match origin {
        Blamed::Sig(_) => "declaration",
        Blamed::Fact(_) => "fact",
        Blamed::Goal => "command",
    }
}

/// Modules beside the root.
struct Files<'a> {
    origin: &'a Origin,
    host: &'a dyn Host,
}

impl Loader for Files<'_> {
    fn read(&self, path: &str) -> Option<String> {
        match self.origin {
            Origin::Gallery(entry) => entry.file(path).map(str::to_string),
            Origin::Folder(_) => String::from_utf8(self.host.read(path).ok()?).ok(),
        }
    }
}
