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
