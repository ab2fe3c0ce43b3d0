//! What can be typed.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

/// A workbench for formal specifications: TLA+ and Alloy, checked, solved and played.
#[derive(Parser, Debug)]
#[command(name = "babbage", version, about, arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check everything that a model asks for, exhaustively
    Check(CheckArgs),
    /// The value of an expression; a prompt when none is given
    Eval(EvalArgs),
    /// Read a specification and say what is wrong with it
    Parse(ParseArgs),
    /// List the specifications that are built in
    Gallery(GalleryArgs),
}

#[derive(ClapArgs, Debug)]
pub struct ParseArgs {
    /// A `.tla` or `.md` file, or a name of the gallery
    pub spec: String,
    /// Only the grammar: names need not be declared, other modules are not read
    #[arg(long)]
    pub syntax_only: bool,
    /// A TLC configuration to read against the specification
    #[arg(long, value_name = "FILE")]
    pub config: Option<String>,
    #[arg(long, value_enum, default_value_t = ParseFormat::Text)]
    pub format: ParseFormat,
}

#[derive(ClapArgs, Debug)]
pub struct CheckArgs {
    /// A `.tla` or `.md` file, or a name of the gallery
    pub spec: String,
    /// The TLC configuration; without it the one beside the specification, else `Spec`, or `Init` and `Next`, and the
    /// theorems
    #[arg(long, value_name = "FILE")]
    pub config: Option<String>,
    /// Threads; all cores when not given
    #[arg(long, value_name = "N")]
    pub workers: Option<usize>,
    /// A state without successors is no violation
    #[arg(long)]
    pub no_deadlock: bool,
    /// Go on after the first violation
    #[arg(long)]
    pub keep_going: bool,
    /// How visited states are remembered
    #[arg(long, value_enum, default_value_t = StoreArg::Exact)]
    pub store: StoreArg,
    /// Memory to use at most, such as 512M or 4G; three quarters of what is free when not given
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<usize>,
    /// Stop after so many distinct states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Do not go deeper than this
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,
    /// Stop after so many seconds
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
    /// How often each action was taken
    #[arg(long)]
    pub coverage: bool,
    /// Evaluate every formula anew in every state; only the time differs
    #[arg(long)]
    pub no_tables: bool,
    /// How states and instances are shown; boards where there are some, else tables, when not given
    #[arg(long, value_enum)]
    pub view: Option<ViewArg>,
    #[command(flatten)]
    pub alloy: AlloyArgs,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
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

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViewArg {
    /// Step by step, with boards
    Trace,
    /// A table for each signature
    Table,
    /// Names and values, a line each
    Text,
    /// Signatures, atoms and fields, indented
    Tree,
    /// A graph for Graphviz
    Dot,
    /// A graph as a picture
    Svg,
    /// For programs
    Json,
    /// As the Alloy Analyzer writes it
    Xml,
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
    pub alloy: AlloyArgs,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreArg {
    /// Whole states: no two are ever taken for one
    Exact,
    /// 64 bits a state, as TLC does
    Fingerprint,
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
