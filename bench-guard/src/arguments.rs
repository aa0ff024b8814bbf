//! What is typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use foundation::{command_line::Artefact, printer::OutputArgs};

/// Keeps the bench of a chess engine right: in commit messages, at push and in CI.
///
/// A bench is the node count an engine prints for fixed positions: the signature of its search. OpenBench reads it from
/// the message of a commit and stops a test for everybody when an engine prints another. bench-guard reads messages
/// exactly as OpenBench does, builds engines as its workers do, and compares.
///
/// Exit codes: 0 right, 1 wrong or missing, 2 could not answer, 3 an engine's fault prevented an answer.
#[derive(Parser, Debug)]
#[command(name = "bench-guard", version, arg_required_else_help = true)]
pub struct Arguments {
    /// Work in this folder
    #[arg(
        short = 'C',
        long,
        global = true,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true
    )]
    pub directory: PathBuf,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Read a commit message as OpenBench would
    Message(MessageArguments),
    /// Check the benches of commits: their messages, and the engines built from them
    Check(CheckArguments),
    /// Build a revision, run its bench several times at once, print nodes and speed
    Bench(BenchArguments),
    /// Find the first commit whose bench differs
    Bisect(BisectArguments),
    /// Compare the nodes of two engines, position by position at equal depth
    Compare(CompareArguments),
    /// Install the git hooks prepare-commit-msg, commit-msg and pre-push
    Install,
    /// Remove the git hooks again
    Uninstall,
    /// What an installed hook runs
    Hook(HookArguments),
    #[command(flatten)]
    Artefact(Artefact),
}

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    /// Annotations and a job summary for GitHub Actions
    Github,
}

/// The format flags of a command.
#[derive(Args, Debug, Clone, Copy)]
pub struct FormatArguments {
    /// How to write the result
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub format: Format,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
}

impl FormatArguments {
    pub fn chosen(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

#[derive(Args, Debug)]
pub struct MessageArguments {
    /// The file with the message; `-` is stdin
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    #[command(flatten)]
    pub format: FormatArguments,
}

#[derive(Args, Debug)]
pub struct CheckArguments {
    /// `A..B`, or one commit [default: what the upstream branch has not, or else HEAD]
    #[arg(value_name = "RANGE")]
    pub range: Option<String>,
    /// Every commit that the one given reaches
    #[arg(long)]
    pub all: bool,
    /// Read messages, build nothing
    #[arg(long)]
    pub no_build: bool,
    /// Demand of each functional commit an OpenBench block that passed its test
    #[arg(long)]
    pub require_sprt: bool,
    /// Fail on `silent` and `insensitive` too
    #[arg(long)]
    pub strict: bool,
    /// Benches run at once [default: `runs` of whetstone.toml, or one a core]
    #[arg(long, value_name = "N")]
    pub runs: Option<usize>,
    #[command(flatten)]
    pub format: FormatArguments,
}

#[derive(Args, Debug)]
pub struct BenchArguments {
    /// A revision, or `.` for the working tree
    #[arg(value_name = "REF", default_value = ".")]
    pub revision: String,
    /// Benches run at once [default: `runs` of whetstone.toml, or one a core]
    #[arg(long, value_name = "N")]
    pub runs: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct BisectArguments {
    /// A commit that still had the right bench
    pub good: String,
    /// A later commit that has another
    #[arg(default_value = "HEAD")]
    pub bad: String,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct CompareArguments {
    /// A binary, a revision, or `.`
    pub a: String,
    /// A binary, a revision, or `.`
    pub b: String,
    /// Depth each position is searched to
    #[arg(long, default_value_t = 10, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=120))]
    pub depth: u32,
    /// Positions, one FEN or EPD a line [default: a built-in set]
    #[arg(long, value_name = "FILE")]
    pub positions: Option<PathBuf>,
    /// A UCI option for both engines
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// Seconds a position may take
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub limit: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct HookArguments {
    #[command(subcommand)]
    pub hook: Hook,
}

/// The hooks, with the arguments git gives them.
#[derive(Subcommand, Debug)]
pub enum Hook {
    /// Write the bench of what is about to be committed into the message
    PrepareCommitMsg {
        file: PathBuf,
        /// Where the message comes from: message, template, merge, squash or commit
        source: Option<String>,
        commit: Option<String>,
    },
    /// Refuse a message without the bench it owes
    CommitMsg { file: PathBuf },
    /// Refuse to push wrong benches; the refs are read from stdin
    PrePush { remote: String, url: Option<String> },
}
