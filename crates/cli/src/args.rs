//! What can be typed.

use std::sync::LazyLock;
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use view::TraceFormat;
use workbench::{Audit, Overrides, RuleChoice};

use crate::outside::Permissions;
use crate::report::VERSION;

/// What the exit status says, at the end of every help.
const STATUS: &str = "\
Exit status:
  0    everything overrides for holds, and every Alloy `expect` is met
  1    a counterexample was found, or an `expect` was not met
  2    the specification, the configuration or the command line is wrong
  3    a limit was reached (time, memory, states, disk, Ctrl-C): the answer is unknown
  101  a bug of babbage itself";

/// The same for questions that have no counterexample.
const SOLVE_STATUS: &str = "\
Exit status:
  0    there is a solution
  1    the goal cannot be reached
  2    the specification, the configuration or the command line is wrong
  3    a limit was reached (time, memory, states, Ctrl-C): the answer is unknown
  101  a bug of babbage itself";

/// And for games.
const STRATEGY_STATUS: &str = "\
A play ends where an outcome holds, and where nobody can move. A step that changes nothing is no move. A play that does not
end, or ends without an outcome, is a draw. Where several players can move, nobody counts on coming first.

Exit status:
  0    the player can force the goal; or there is a value; or the strategy that is followed is as good as the best
  1    the player cannot; or the strategy that is followed gives something away
  2    the specification, the configuration or the command line is wrong
  3    a limit was reached (time, memory, states, Ctrl-C): the answer is unknown
  101  a bug of babbage itself";

/// And for translations.
const TRANSLATE_STATUS: &str = "\
Options in the file, as `PlusCal options (-wf, -label)`, go before those given here.

Exit status:
  0    translated; with `--check`, the translation in the file is the one that the algorithm gives
  1    with `--check`, it is not
  2    the algorithm or the command line is wrong
  101  a bug of babbage itself";

/// A workbench for formal specifications: TLA+ and Alloy, checked, solved and played.
#[derive(Parser, Debug)]
#[command(name = "babbage", version = VERSION, about, arg_required_else_help = true, after_help = STATUS)]
pub struct Args {
    /// A folder with further modules, for what does not lie beside the specification; can be repeated. Those of the environment
    /// variable `TLA_PATH` come after
    #[arg(long, global = true, value_name = "FOLDER")]
    pub library: Vec<String>,
    #[command(flatten)]
    pub effects: EffectArgs,
    #[command(subcommand)]
    pub command: Command,
}

/// What a specification may do outside of its own state.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "What a specification may do")]
pub struct EffectArgs {
    /// Let specifications write no files (`JsonSerialize`, `SVGSerialize`, `CSVWrite`, …)
    #[arg(long, global = true, conflicts_with = "allow_exec")]
    pub no_effects: bool,
    /// Let specifications run programs (`IOExec` and its relatives); otherwise that is an error
    #[arg(long, global = true)]
    pub allow_exec: bool,
}

impl EffectArgs {
    pub fn permissions(&self) -> Permissions {
        Permissions {
            write: !self.no_effects,
            execute: self.allow_exec,
        }
    }

    /// Whether anything was said.
    pub fn are_given(&self) -> bool {
        self.no_effects || self.allow_exec
    }
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check everything that a TLA+ model asks for, exhaustively; for Alloy, run every command
    #[command(after_help = STATUS)]
    Check(CheckArgs),
    /// Go on with a check that was interrupted, from its last checkpoint; what is not given is as it was
    #[command(after_help = STATUS)]
    Resume(ResumeArgs),
    /// Take random walks through a model, the same for the same seed
    #[command(after_help = STATUS)]
    Simulate(SimulateArgs),
    /// Play a specification: see the state, choose a step, go back
    Play(PlayArgs),
    /// Find the fewest steps, or the least cost, to a state where a goal holds
    #[command(after_help = SOLVE_STATUS)]
    Solve(SolveArgs),
    /// Who can force what in a game, in how many moves, and how
    #[command(after_help = STRATEGY_STATUS)]
    Strategy(StrategyArgs),
    /// The value of an expression; a prompt when none is given
    Eval(EvalArgs),
    /// List the rules that a specification is a conjunction of, and which sets of them give which properties
    #[command(after_help = STATUS)]
    Rules(RulesArgs),
    /// Read a specification and say what is wrong with it
    Parse(ParseArgs),
    /// Write a small, complete example to begin with
    New(NewArgs),
    /// Translate the PlusCal algorithm of a file to TLA+, into the file
    #[command(after_help = TRANSLATE_STATUS)]
    Translate(TranslateArgs),
    /// List the specifications that are built in
    Gallery(GalleryArgs),
    /// Serve the workbench to a browser on this machine
    Serve(ServeArgs),
    /// What `serve` starts for every session: requests on standard input, answers on standard output
    #[command(hide = true)]
    Worker(WorkerArgs),
}

#[derive(ClapArgs, Debug)]
pub struct ServeArgs {
    /// What to show first: a `.tla`, `.als` or `.md` file, or a name of the gallery; the gallery when not given
    pub spec: Option<String>,
    /// The TLC configuration, in the folder of the specification
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub config: Option<String>,
    #[command(flatten)]
    pub server: ServerArgs,
}

/// How a server is reached, and what one person may use of it.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Server")]
pub struct ServerArgs {
    /// The address to listen on; others than this machine's own open it to the network
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: std::net::IpAddr,
    /// The port; a free one when not given
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub port: u16,
    /// The secret in the address, at least 8 letters or digits; a fresh one when not given
    #[arg(long, value_name = "TEXT")]
    pub token: Option<String>,
    /// How long a check or a search may take, such as 90, 90s, 5m or 2h
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = duration)]
    pub job_time: Duration,
    /// How long a single step may take
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub step_time: Duration,
    /// Memory of each session and each search, such as 512M or 4G
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = bytes)]
    pub session_memory: usize,
    /// Sessions at a time
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub sessions: usize,
    /// A session that nobody uses for so long ends
    #[arg(long, value_name = "TIME", default_value = "15m", value_parser = duration)]
    pub idle: Duration,
}

#[derive(ClapArgs, Debug)]
pub struct WorkerArgs {
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: usize,
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<std::path::PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub struct ParseArgs {
    /// A `.tla` or `.md` file, or a name of the gallery
    #[arg(value_parser = path)]
    pub spec: String,
    /// Only the grammar: names need not be declared, other modules are not read
    #[arg(long)]
    pub syntax_only: bool,
    /// A TLC configuration to read against the specification
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub config: Option<String>,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[arg(long, value_enum, default_value_t = ParseFormat::Text)]
    pub format: ParseFormat,
}

#[derive(ClapArgs, Debug)]
#[command(group = clap::ArgGroup::new("language").required(true))]
pub struct NewArgs {
    /// What it is called: a name of TLA+, which the files get too
    #[arg(value_parser = module_name)]
    pub name: String,
    /// An algorithm in PlusCal, with its configuration
    #[arg(long, group = "language")]
    pub pluscal: bool,
    /// A module in TLA+, with its configuration
    #[arg(long, group = "language")]
    pub tla: bool,
    /// A model in Alloy
    #[arg(long, group = "language")]
    pub alloy: bool,
}

#[derive(ClapArgs, Debug)]
pub struct TranslateArgs {
    /// A `.tla` or `.md` file
    #[arg(value_parser = path)]
    pub spec: String,
    /// Only say whether the translation in the file is the one that the algorithm gives
    #[arg(long, conflicts_with_all = ["output", "stdout"])]
    pub check: bool,
    /// Write to this file instead
    #[arg(long, value_name = "FILE", conflicts_with = "stdout")]
    pub output: Option<String>,
    /// Print instead of writing
    #[arg(long)]
    pub stdout: bool,
    /// Weak fairness of each process
    #[arg(long, conflicts_with_all = ["sf", "wf_next", "nof"])]
    pub wf: bool,
    /// Strong fairness of each process
    #[arg(long, conflicts_with_all = ["wf_next", "nof"])]
    pub sf: bool,
    /// Weak fairness of the next-state action
    #[arg(long, conflicts_with = "nof")]
    pub wf_next: bool,
    /// No fairness, whatever the algorithm says
    #[arg(long)]
    pub nof: bool,
    /// Termination is to be checked: weak fairness, unless another one is given
    #[arg(long)]
    pub termination: bool,
    /// Add the labels that are missing
    #[arg(long)]
    pub label: bool,
    /// What added labels start with
    #[arg(long, value_name = "NAME", default_value = "Lbl_", value_parser = label_root)]
    pub label_root: String,
    /// How wide lines get, where they can be broken
    #[arg(long, value_name = "N", default_value_t = 78, value_parser = clap::value_parser!(u32).range(60..=100_000))]
    pub line_width: u32,
    /// Leave out the disjunct that lets a terminated algorithm stutter
    #[arg(long)]
    pub no_done_disjunct: bool,
}

/// A file by the shorter of its names: below the folder where the command was typed, from there on.
fn path(text: &str) -> Result<String, std::convert::Infallible> {
    let here = std::env::current_dir().unwrap_or_default();
    let below = std::path::Path::new(text).strip_prefix(&here).ok();
    let below = below
        .and_then(std::path::Path::to_str)
        .filter(|it| !it.is_empty());
    Ok(below.unwrap_or(text).to_owned())
}

fn module_name(text: &str) -> Result<String, String> {
    let is_name = text.starts_with(|it: char| it.is_ascii_alphabetic())
        && text.chars().all(|it| it.is_ascii_alphanumeric() || it == '_');
    match is_name {
        true => Ok(text.to_owned()),
        false => Err("not a name: ASCII letters, digits and `_`, a letter first".to_owned()),
    }
}

fn label_root(text: &str) -> Result<String, String> {
    workbench::PlusCalOptions::default()
        .set_label_root(text)
        .map(|()| text.to_string())
        .map_err(|_| "not a name: ASCII letters, digits and `_`, a letter first".to_string())
}

#[derive(ClapArgs, Debug)]
pub struct CheckArgs {
    /// A `.tla`, `.als` or `.md` file, or a name of the gallery
    #[arg(value_parser = path)]
    pub spec: String,
    /// Alloy: write what the solver is given for the one command to a file, as DIMACS
    #[arg(long, value_name = "FILE", value_parser = path, requires = "command")]
    pub cnf: Option<String>,
    /// The TLC configuration; without it the one beside the specification, else `Spec`, or `Init` and `Next`, and the
    /// theorems
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub config: Option<String>,
    /// Check the theorems of the module as they stand, instead of what the model asks for
    #[arg(long, conflicts_with_all = ["processes", "cluster"])]
    pub theorems: bool,
    /// A state without successors is no violation
    #[arg(long)]
    pub no_deadlock: bool,
    /// Go on after the first violation
    #[arg(long)]
    pub keep_going: bool,
    /// No initial state, or nothing to check, is no error: then everything holds
    #[arg(long)]
    pub allow_empty: bool,
    /// How visited states are remembered: `exact`, whole, so that no two are ever taken for one; `fingerprint`, as 64 bits
    /// each; `disk`, as 64 bits each, and what does not fit into memory in files of a folder, which are removed at the end
    #[arg(long, value_name = "exact|fingerprint|disk[=FOLDER]", default_value = "exact", value_parser = store,
          conflicts_with_all = ["processes", "cluster"])]
    pub store: StoreArg,
    /// Write down now and then, in this folder, where the check is, so that `babbage resume FOLDER` can go on; files of
    /// `--store disk` are there too. Of the hosts of a list, each has its own folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "theorems")]
    pub checkpoint: Option<String>,
    /// How often that is
    #[arg(long, value_name = "TIME", default_value = "5m", requires = "checkpoint", value_parser = duration)]
    pub every: Duration,
    /// How often each action was taken and each definition evaluated
    #[arg(long)]
    pub coverage: bool,
    /// Check with the reference checker: slow and plain, for small models, and it shares nothing with the engine but the names that
    /// are resolved. It uses neither SYMMETRY nor VIEW, and one thread
    #[arg(long, conflicts_with_all = ["processes", "cluster", "theorems", "checkpoint", "coverage"])]
    pub reference: bool,
    #[command(flatten)]
    pub audit: AuditArgs,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    #[command(flatten)]
    pub overrides: OverrideArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub processes: ProcessArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    #[command(flatten)]
    pub alloy: AlloyArgs,
}

/// The options of the check are in the checkpoint; these replace them.
#[derive(ClapArgs, Debug)]
pub struct ResumeArgs {
    /// The folder that `check --checkpoint` named
    pub folder: String,
    /// How often to write a checkpoint
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub every: Option<Duration>,
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub processes: ProcessArgs,
}

/// A check that several processes share. The answer is that of one.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Several processes")]
pub struct ProcessArgs {
    /// Check with so many processes on this machine; `--workers` and `--memory` are those of each
    #[arg(long, value_name = "N", conflicts_with = "cluster", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub processes: Option<u32>,
    /// Check with a process on each host of a list, one `host:port` a line; the same command runs on each, with its own
    /// `--process`. What they send each other is not encrypted
    #[arg(long, value_name = "FILE", requires = "process")]
    pub cluster: Option<String>,
    /// Which line of the list this process is, from 0; process 0 tells the answer
    #[arg(long, value_name = "I", requires = "cluster")]
    pub process: Option<usize>,
    /// A process that is not heard of for so long ends the run; 10s when not given
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub patience: Option<Duration>,
    /// One of the processes that `--processes` starts: reads from standard input where to connect
    #[arg(long, hide = true)]
    pub member: bool,
}

#[derive(ClapArgs, Debug)]
pub struct SimulateArgs {
    /// A `.tla` or `.md` file, or a name of the gallery
    #[arg(value_parser = path)]
    pub spec: String,
    /// The TLC configuration; without it as for `check`
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub config: Option<String>,
    #[command(flatten)]
    pub overrides: OverrideArgs,
    /// How many walks to take; 1000 when neither this nor `--until` is given
    #[arg(long, value_name = "N")]
    pub traces: Option<u64>,
    /// Walk for so long, such as 90s, 10m or 2h, and call it an answer
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with = "timeout")]
    pub until: Option<Duration>,
    /// States on a walk, at most
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub depth: u32,
    /// The same seed gives the same walks
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Threads, all there are when not given; the walks are the same for any number
    #[arg(long, value_name = "N")]
    pub workers: Option<usize>,
    /// How likely an action is where others have 1, such as Timeout=0.1; can be repeated
    #[arg(long = "weight", value_name = "ACTION=WEIGHT", value_parser = weight)]
    pub weights: Vec<(String, f64)>,
    /// How likely is it that a walk comes to such a state?
    #[arg(long, value_name = "EXPR")]
    pub goal: Option<String>,
    /// Count the values that an expression has in the last states
    #[arg(long, value_name = "EXPR")]
    pub histogram: Option<String>,
    /// Go on after a violation, and count
    #[arg(long = "continue")]
    pub keep_going: bool,
    /// States to look at for a shorter way to a violation; 0 shows the walk as it was
    #[arg(long, value_name = "N", default_value_t = workbench::SHRINK)]
    pub shrink: u64,
    /// A state without successors is no violation
    #[arg(long)]
    pub no_deadlock: bool,
    /// Memory to use at most, such as 512M or 4G; three quarters of what is free when not given
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<usize>,
    /// Stop after this time, such as 90, 90s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// How often each action was taken and each definition evaluated, how far walks get, about how many states they see
    #[arg(long)]
    pub coverage: bool,
    #[command(flatten)]
    pub audit: AuditArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(ClapArgs, Debug)]
pub struct PlayArgs {
    /// A `.tla`, `.als` or `.md` file, or a name of the gallery
    #[arg(value_parser = path)]
    pub spec: String,
    /// The TLC configuration; without it as for `check`
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub config: Option<String>,
    /// Your steps: an action, or an expression that is true of them; the machine takes the others
    #[arg(long, value_name = "ACTION|EXPR")]
    pub you: Option<String>,
    /// What the machine does when it is its turn
    #[arg(long, value_enum, default_value_t = MachineArg::Random)]
    pub machine: MachineArg,
    /// The same seed gives the same machine
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// For `--machine best`, a player and its moves, as for `strategy`; once for each player
    #[arg(long = "player", value_name = "NAME=EXPR", value_parser = named)]
    pub players: Vec<(String, String)>,
    /// For `--machine best`, an outcome: a win of the player with this name, else a draw; can be repeated
    #[arg(long = "outcome", value_name = "NAME=EXPR", value_parser = named)]
    pub outcomes: Vec<(String, String)>,
    /// Where hints lead; what the specification calls `Goal`, or what ends so, when not given
    #[arg(long, value_name = "EXPR")]
    pub goal: Option<String>,
    /// An expression to watch; can be repeated
    #[arg(long = "watch", value_name = "EXPR")]
    pub watches: Vec<String>,
    /// A definition, or an expression about a state, to look at instead of the variables
    #[arg(long, value_name = "EXPR")]
    pub view: Option<String>,
    /// Line by line, even on a terminal
    #[arg(long)]
    pub lines: bool,
    /// In a browser on this machine; the page has no place for what else would change the specification or the machine
    #[arg(long, conflicts_with_all = [
        "lines", "machine", "seed", "players", "outcomes", "view", "behaviour", "init", "next", "invariants", "properties",
        "constants", "only", "with",
    ])]
    pub web: bool,
    #[command(flatten)]
    pub overrides: OverrideArgs,
    #[command(flatten)]
    pub alloy: AlloyArgs,
    #[command(flatten)]
    pub server: ServerArgs,
}

#[derive(ClapArgs, Clone, Copy, Debug)]
pub struct AuditArgs {
    /// How much of what is found is found again by a second, plain evaluator, and compared: nothing, a sample that takes at most 3% of
    /// the time (or 5 milliseconds), or all of it. For Alloy, `full` lets a proof checker confirm that there is no instance
    #[arg(long, value_enum, default_value_t = AuditArg::Sample)]
    pub audit: AuditArg,
}

impl AuditArgs {
    pub fn mode(self) -> Audit {
        match self.audit {
            AuditArg::Off => Audit::Off,
            AuditArg::Sample => Audit::Sample,
            AuditArg::Full => Audit::Full,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AuditArg {
    Off,
    Sample,
    Full,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum MachineArg {
    /// One of its steps, by chance
    Random,
    /// Its best step: the game is solved first
    Best,
    /// Nothing: you choose for it too
    Ask,
}

#[derive(ClapArgs, Debug)]
pub struct SolveArgs {
    /// A `.tla` or `.md` file, or a name of the gallery
    #[arg(value_parser = path)]
    pub spec: String,
    /// The state predicate to be reached; `Goal`, or the only definition that is called so at its end, when not given
    #[arg(long, value_name = "EXPR")]
    pub goal: Option<String>,
    /// What a step costs, an integer: an expression about the step, such as `IF x' = x THEN 0 ELSE 1`; or the name of an
    /// operator `Op(last)` whose value is `[cost |-> …, state |-> …]`, `last` being the state that the step before left
    #[arg(long, value_name = "EXPR")]
    pub cost: Option<String>,
    /// What a step leaves behind for the cost of the next one: an expression, called `CostState` there, or `name == expression`
    #[arg(long, value_name = "EXPR")]
    pub cost_state: Option<String>,
    /// A guess of the cost from a state to the goal that is never too high: A* search
    #[arg(long, value_name = "EXPR")]
    pub heuristic: Option<String>,
    /// Show up to so many different best solutions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = several)]
    pub all: usize,
    /// Count the best solutions
    #[arg(long)]
    pub count: bool,
    /// Write every state with its distance from the goal to this file: `.csv`, `.parquet` or `.jsonl`
    #[arg(long, value_name = "FILE")]
    pub table: Option<String>,
    #[command(flatten)]
    pub behaviour: BehaviourArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub audit: AuditArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(ClapArgs, Debug)]
pub struct StrategyArgs {
    /// A `.tla` or `.md` file, or a name of the gallery
    #[arg(value_parser = path)]
    pub spec: String,
    /// A player and its moves: an action, or a state predicate that says when the steps of the specification are this
    /// player's; once for each player. Without it, the players are the disjuncts of `Next`: `MoveX \/ MoveO` are X and O
    #[arg(long = "player", value_name = "NAME=EXPR", value_parser = named)]
    pub players: Vec<(String, String)>,
    /// What the first player wants to reach, and the others to prevent
    #[arg(long, value_name = "EXPR", conflicts_with_all = ["outcomes", "infinitely_often"])]
    pub goal: Option<String>,
    /// An outcome: a win of the player with this name, else a draw; can be repeated
    #[arg(long = "outcome", value_name = "NAME=EXPR", value_parser = named, conflicts_with = "infinitely_often")]
    pub outcomes: Vec<(String, String)>,
    /// What the first player wants to happen again and again, for ever
    #[arg(long, value_name = "EXPR", alias = "buchi")]
    pub infinitely_often: Option<String>,
    /// Who wants it, if it is not the first player; whose strategy is written
    #[arg(long = "for", value_name = "NAME")]
    pub hero: Option<String>,
    /// Is this action, followed by its player, as good as the best moves?
    #[arg(long, value_name = "[NAME=]ACTION")]
    pub follow: Option<String>,
    /// Write every position with its value and its best move to this file: `.csv`, `.parquet` or `.jsonl`
    #[arg(long, value_name = "FILE")]
    pub table: Option<String>,
    /// Write the strategy to this file, `-` for standard output, as a TLA+ definition to be put into the specification
    #[arg(long, value_name = "FILE")]
    pub definition: Option<String>,
    #[command(flatten)]
    pub behaviour: BehaviourArgs,
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub audit: AuditArgs,
    #[command(flatten)]
    pub show: ShowArgs,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

/// As many as a person may want to see.
fn several(text: &str) -> Result<usize, String> {
    const MANY: usize = 10_000;
    match text.parse() {
        Ok(n) if (1..=MANY).contains(&n) => Ok(n),
        _ => Err(format!(
            "a number from 1 to {MANY} is needed; `--count` counts more than these"
        )),
    }
}

/// `X=MoveX`.
fn named(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, expr)) if !name.trim().is_empty() && !expr.trim().is_empty() => {
            Ok((name.trim().to_owned(), expr.trim().to_owned()))
        }
        _ => Err("write a name, `=` and an expression, such as `X=MoveX`".to_owned()),
    }
}

/// `Timeout=0.1`.
fn weight(text: &str) -> Result<(String, f64), String> {
    let (name, weight) =
        named(text).map_err(|_| "write an action, `=` and a number, such as `Timeout=0.1`")?;
    match weight.parse() {
        Ok(it) if (0.0..1e9).contains(&it) => Ok((name, it)),
        _ => Err(format!("`{weight}` is no weight: a number from 0 on is")),
    }
}

/// Which behaviours are meant, beside or instead of a configuration.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Which behaviours")]
pub struct BehaviourArgs {
    /// The TLC configuration; without it as for `check`
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub config: Option<String>,
    /// A temporal formula such as `Init /\ [][Next]_vars`
    #[arg(long = "spec", value_name = "EXPR", conflicts_with_all = ["init", "next"])]
    pub formula: Option<String>,
    /// The initial predicate
    #[arg(long, value_name = "EXPR")]
    pub init: Option<String>,
    /// The next-state action
    #[arg(long, value_name = "EXPR")]
    pub next: Option<String>,
    /// The value of a constant, or a definition in place of another; can be repeated
    #[arg(long = "constant", value_name = "N=EXPR|OP<-DEF")]
    pub constants: Vec<String>,
}

impl BehaviourArgs {
    pub fn overrides(&self) -> Overrides {
        Overrides {
            spec: self.formula.clone(),
            init: self.init.clone(),
            next: self.next.clone(),
            constants: self.constants.clone(),
            ..Overrides::default()
        }
    }
}

/// How far to search.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "How to search")]
pub struct SearchArgs {
    /// Threads, where the search can use several; all cores when not given
    #[arg(long, value_name = "N")]
    pub workers: Option<usize>,
    /// Memory to use at most, such as 512M or 4G; three quarters of what is free when not given
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<usize>,
    /// Stop after so many distinct states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Do not go deeper than this
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,
    /// Stop after this time, such as 90, 90s, 5m or 2h, counted from now
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// Evaluate every formula anew in every state; only the time differs
    #[arg(long)]
    pub no_tables: bool,
    /// Keep the value of every variable in one piece; only time and memory differ
    #[arg(long)]
    pub no_slots: bool,
}

impl SearchArgs {
    /// These, and where nothing is said, what was said before.
    pub fn over(&self, before: &SearchArgs) -> SearchArgs {
        SearchArgs {
            workers: self.workers.or(before.workers),
            memory: self.memory.or(before.memory),
            max_states: self.max_states.or(before.max_states),
            max_depth: self.max_depth.or(before.max_depth),
            timeout: self.timeout.or(before.timeout),
            no_tables: self.no_tables || before.no_tables,
            no_slots: self.no_slots || before.no_slots,
        }
    }
}

/// What to check, beside or instead of a configuration: TLA+ expressions with the names of the specification.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "What to check")]
pub struct OverrideArgs {
    /// The behaviours: a temporal formula such as `Init /\ [][Next]_vars`
    #[arg(long = "spec", value_name = "EXPR", conflicts_with_all = ["init", "next"])]
    pub behaviour: Option<String>,
    /// The initial predicate
    #[arg(long, value_name = "EXPR")]
    pub init: Option<String>,
    /// The next-state action
    #[arg(long, value_name = "EXPR")]
    pub next: Option<String>,
    /// A state predicate that must hold in every state; can be repeated
    #[arg(long = "invariant", value_name = "EXPR")]
    pub invariants: Vec<String>,
    /// A temporal formula that must hold of every behaviour; can be repeated
    #[arg(long = "property", value_name = "EXPR")]
    pub properties: Vec<String>,
    /// The value of a constant, or a definition in place of another; can be repeated
    #[arg(long = "constant", value_name = "N=EXPR|OP<-DEF")]
    pub constants: Vec<String>,
    #[command(flatten)]
    pub rules: RuleArgs,
}

/// Which rules of a conjoined specification are in force.
#[derive(ClapArgs, Debug, Clone)]
#[command(next_help_heading = "Rules of a conjoined specification")]
pub struct RuleArgs {
    /// Leave these rules out: names of rules, or of definitions that have rules in them
    #[arg(long, value_name = "RULE,…")]
    pub without: Vec<String>,
    /// Only these rules, and what belongs to no rule
    #[arg(long, value_name = "RULE,…")]
    pub only: Vec<String>,
    /// A further conjunct: a definition such as `Fairness`, or a formula such as `[][x' > x]_x`
    #[arg(long, value_name = "FORMULA")]
    pub with: Vec<String>,
}

impl RuleArgs {
    pub fn choice(&self) -> RuleChoice {
        RuleChoice {
            without: self.without.iter().flat_map(|it| listed(it)).collect(),
            only: self.only.iter().flat_map(|it| listed(it)).collect(),
            with: self.with.clone(),
        }
    }
}

/// `A, Rule(1, 2)` as two names.
fn listed(text: &str) -> Vec<String> {
    let mut depth = 0;
    let parts = text.split(|c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    });
    parts
        .map(|it| it.trim().to_string())
        .filter(|it| !it.is_empty())
        .collect()
}

#[derive(ClapArgs, Debug)]
pub struct RulesArgs {
    /// A `.tla` or `.md` file, or a name of the gallery
    #[arg(value_parser = path)]
    pub spec: String,
    /// The TLC configuration; without it as for `check`
    #[arg(long, value_name = "FILE", value_parser = path)]
    pub config: Option<String>,
    #[command(flatten)]
    pub overrides: OverrideArgs,
    /// Check the properties against the first rule, the first two, and so on; the default where a property is named
    #[arg(long, conflicts_with = "subsets")]
    pub prefixes: bool,
    /// Check the properties against all sets of rules, as far as one does not follow from another
    #[arg(long)]
    pub subsets: bool,
    /// Threads; all cores when not given
    #[arg(long, value_name = "N")]
    pub workers: Option<usize>,
    /// Memory to use at most, such as 512M or 4G; three quarters of what is free when not given
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<usize>,
    /// Stop each search after so many distinct states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Stop after this time, such as 90, 90s, 5m or 2h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    #[command(flatten)]
    pub audit: AuditArgs,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

impl OverrideArgs {
    pub fn overrides(&self) -> Overrides {
        Overrides {
            spec: self.behaviour.clone(),
            init: self.init.clone(),
            next: self.next.clone(),
            invariants: self.invariants.clone(),
            properties: self.properties.clone(),
            constants: self.constants.clone(),
            rules: self.rules.choice(),
            ..Overrides::default()
        }
    }
}

/// For Alloy models.
#[derive(ClapArgs, Debug, Clone)]
pub struct AlloyArgs {
    /// Alloy: only this command, by its label or its number from 1
    #[arg(long, value_name = "LABEL|N")]
    pub command: Option<String>,
    /// Alloy: show up to so many different instances of each command
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub all: usize,
    /// Alloy: the SAT solver
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Alloy: what integers that do not fit do
    #[arg(long, value_enum, default_value_t = OverflowArg::Forbid)]
    pub overflow: OverflowArg,
    /// Alloy: how many bits the predicate that breaks symmetries compares; 0 switches it off
    #[arg(long, value_name = "N")]
    pub symmetry: Option<usize>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum OverflowArg {
    /// They are no reason for an instance or a counterexample
    Forbid,
    /// They wrap around
    Wrap,
}

/// How traces and instances are shown.
#[derive(ClapArgs, Debug, Clone)]
#[command(next_help_heading = "How traces and instances are shown")]
pub struct ShowArgs {
    /// trace (with boards), table, text, markdown, json, csv, itf, html, animation, dot or svg (the graph of states), for Alloy
    /// also tree and xml; or a definition of the specification, which is shown instead of the variables
    #[arg(long, value_name = "VIEW|DEFINITION", value_parser = view)]
    pub view: Option<View>,
    /// Write the trace to a file too, in the format that its ending says
    #[arg(long, value_name = "FILE")]
    pub trace_file: Option<String>,
    /// The format of that file; without one, of what is printed
    #[arg(long, value_enum, value_name = "VIEW", hide_possible_values = true)]
    pub trace_format: Option<ViewArg>,
}

/// Something built in, or something that the specification defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum View {
    BuiltIn(ViewArg),
    Definition(String),
}

/// A view: a format of traces, or one of what only instances and graphs can be shown as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewArg {
    Story(TraceFormat),
    Tree,
    Dot,
    Svg,
    Xml,
}

impl ViewArg {
    /// Whether it is for other programs: then nothing else is printed around it.
    pub fn is_document(self) -> bool {
        match self {
            ViewArg::Story(format) => format.is_document(),
            ViewArg::Tree => false,
            ViewArg::Dot | ViewArg::Svg | ViewArg::Xml => true,
        }
    }
}

impl ValueEnum for ViewArg {
    fn value_variants<'a>() -> &'a [ViewArg] {
        static ALL: LazyLock<Vec<ViewArg>> = LazyLock::new(|| {
            let stories = TraceFormat::ALL.iter().map(|it| ViewArg::Story(*it));
            let others = [ViewArg::Tree, ViewArg::Dot, ViewArg::Svg, ViewArg::Xml];
            stories.chain(others).collect()
        });
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, about) = match self {
            ViewArg::Story(format) => (format.name(), format.about()),
            ViewArg::Tree => ("tree", "Signatures, atoms and fields, indented"),
            ViewArg::Dot => ("dot", "A graph for Graphviz"),
            ViewArg::Svg => ("svg", "A graph as a picture"),
            ViewArg::Xml => ("xml", "As the Alloy Analyzer writes it"),
        };
        Some(PossibleValue::new(name).help(about))
    }
}

impl ShowArgs {
    /// What is printed, if that was said.
    pub fn printed(&self) -> Option<ViewArg> {
        match (&self.view, &self.trace_file) {
            (Some(View::BuiltIn(view)), _) => Some(*view),
            (_, None) => self.trace_format,
            (_, Some(_)) => None,
        }
    }

    /// Whether what is printed is for other programs.
    pub fn is_document(&self) -> bool {
        self.printed().is_some_and(ViewArg::is_document)
    }

    /// The definition that is shown instead of the variables.
    pub fn definition(&self) -> Option<&str> {
        match &self.view {
            Some(View::Definition(name)) => Some(name),
            _ => None,
        }
    }

    /// The file to write to, and in which format.
    pub fn file(&self) -> Result<Option<(&str, ViewArg)>, String> {
        let Some(file) = &self.trace_file else {
            return Ok(None);
        };
        let name = file.to_ascii_lowercase();
        let known = match name.rsplit('.').next() {
            Some("dot" | "gv") => Some(ViewArg::Dot),
            Some("xml") => Some(ViewArg::Xml),
            _ => TraceFormat::of_file(&name).map(ViewArg::Story),
        };
        match self.trace_format.or(known) {
            Some(format) => Ok(Some((file, format))),
            None => Err(format!(
                "the ending of `{file}` says no format: add `--trace-format`, or end it with .md, .json, .csv, .itf.json, .dot, \
                 .svg, .html or .txt"
            )),
        }
    }
}

/// A built-in view by its name; any other name is that of a definition.
fn view(text: &str) -> Result<View, String> {
    let is_name = |text: &str| {
        let first = text.chars().find(|it| *it != '_');
        first.is_some_and(char::is_alphabetic)
            && text
                .chars()
                .all(|it| it.is_alphanumeric() || matches!(it, '_' | '!'))
    };
    match ViewArg::from_str(text, true) {
        Ok(view) => Ok(View::BuiltIn(view)),
        Err(_) if is_name(text) => Ok(View::Definition(text.to_owned())),
        Err(_) => Err("neither a view nor the name of a definition".to_owned()),
    }
}

#[derive(ClapArgs, Debug)]
pub struct EvalArgs {
    /// An expression of TLA+, or of Alloy if `--in` names a model
    pub expr: Option<String>,
    /// The specification whose definitions it uses; for Alloy, the model whose instance it is about
    #[arg(long = "in", value_name = "SPEC")]
    pub spec: Option<String>,
    /// Alloy: which state of a trace, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub state: usize,
    #[command(flatten)]
    pub rules: RuleArgs,
    #[command(flatten)]
    pub alloy: AlloyArgs,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StoreArg {
    /// Whole states: no two are ever taken for one
    Exact,
    /// 64 bits a state, as TLC does
    Fingerprint,
    /// The same, with files in this folder, or in one for temporary files
    Disk(Option<String>),
}

fn store(text: &str) -> Result<StoreArg, String> {
    match text.split_once('=') {
        None if text == "exact" => Ok(StoreArg::Exact),
        None if text == "fingerprint" => Ok(StoreArg::Fingerprint),
        None if text == "disk" => Ok(StoreArg::Disk(None)),
        Some(("disk", folder)) if !folder.is_empty() => Ok(StoreArg::Disk(Some(folder.to_owned()))),
        _ => Err("use exact, fingerprint, disk or disk=FOLDER".to_owned()),
    }
}

/// `90`, `90s`, `1.5m`, `2h`, `250ms`.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        other => return Err(format!("`{other}` is no unit of time: use s, m or h")),
    };
    let number: f64 = digits
        .parse()
        .map_err(|_| format!("`{digits}` is not a number"))?;
    Duration::try_from_secs_f64(number * seconds).map_err(|it| it.to_string())
}

/// `512M`, `4G`, `100000`.
fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: usize = match &text[digits.len()..] {
        "" | "B" => 1,
        "k" | "K" | "KB" | "KiB" => 1 << 10,
        "M" | "MB" | "MiB" => 1 << 20,
        "G" | "GB" | "GiB" => 1 << 30,
        other => return Err(format!("`{other}` is no unit of memory: use K, M or G")),
    };
    let number: usize = digits
        .parse()
        .map_err(|_| format!("`{digits}` is not a number"))?;
    number
        .checked_mul(unit)
        .ok_or_else(|| "more than there can be".to_string())
}

#[derive(ClapArgs, Debug)]
pub struct GalleryArgs {
    /// Print the text of one of them instead
    pub name: Option<String>,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParseFormat {
    /// A summary of the module, or its diagnostics with excerpts of the source
    Text,
    /// One JSON object on standard output
    Json,
    /// The syntax tree
    Tree,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Text,
    Json,
}
