//! The command line: which command, and the flags that all commands share.

use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use foundation::{
    Exit, Failure, Printer, command_line::Artefact, failure::OrUnable, printer::OutputArgs,
};

use crate::commands::{bench, bisect, check, compare, fix, hook, init, install, message};

/// Keeps the bench of a chess engine right: in commit messages, at push and in CI.
///
/// A bench is the node count an engine prints for fixed positions: the signature of its search.
/// OpenBench reads it from the commit message and stops a test for everybody when an engine prints
/// another. bench-guard reads messages exactly as OpenBench does, builds engines as its workers do,
/// and compares.
///
/// Exit codes: 0 right, 1 wrong or missing, 2 could not answer, 3 an engine's fault prevented an
/// answer.
#[derive(Parser, Debug)]
#[command(name = "bench-guard", version, arg_required_else_help = true)]
pub struct Cli {
    /// Work in this folder
    #[arg(short = 'C', long, global = true, value_name = "DIR")]
    directory: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Read a commit message as OpenBench would
    Message(message::MessageArgs),
    /// Check the benches of commits: their messages, and the engines built from them
    Check(check::CheckArgs),
    /// Build a revision, run its bench several times at once, print nodes and speed
    Bench(bench::BenchArgs),
    /// Find the first commit whose bench differs
    Bisect(bisect::BisectArgs),
    /// Compare the nodes of two engines, position by position at equal depth
    Compare(compare::CompareArgs),
    /// Correct the benches in the messages of commits, after a rebase for instance
    Fix(fix::FixArgs),
    /// Find out how the engine is built, and write it into whetstone.toml
    Init(init::InitArgs),
    /// Install the git hooks prepare-commit-msg, commit-msg and pre-push
    Install(install::InstallArgs),
    /// Remove the git hooks
    Uninstall,
    /// Run by the installed hooks
    Hook(hook::HookArgs),
    #[command(flatten)]
    Artefact(Artefact),
}

impl Cli {
    /// Runs the command.
    pub fn run(self, printer: Printer) -> Result<Exit, Failure> {
        if let Some(folder) = &self.directory {
            std::env::set_current_dir(folder)
                .or_unable(format_args!("enter the folder `{}`", folder.display()))?;
        }
        match self.command {
            Command::Message(args) => message::run(&args, printer),
            Command::Check(args) => check::run(&args, printer),
            Command::Bench(args) => bench::run(&args, printer),
            Command::Bisect(args) => bisect::run(&args, printer),
            Command::Compare(args) => compare::run(&args, printer),
            Command::Fix(args) => fix::run(&args, printer),
            Command::Init(args) => init::run(&args, printer),
            Command::Install(args) => install::run(&args, printer),
            Command::Uninstall => install::uninstall(printer),
            Command::Hook(args) => hook::run(&args, printer),
            Command::Artefact(artefact) => {
                artefact.write(Self::command(), printer).map(|()| Exit::Yes)
            }
        }
    }
}

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    /// Annotations and a job summary for GitHub Actions
    Github,
}

/// The format flags of a command.
#[derive(Args, Debug, Clone, Copy)]
pub(crate) struct FormatArgs {
    /// How to write the result
    #[arg(long, value_enum, default_value = "text", value_name = "FORMAT")]
    format: Format,
    /// Short for --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl FormatArgs {
    pub(crate) fn chosen(self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}
