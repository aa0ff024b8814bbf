//! The command line: which command, and the flags that all commands share.

use std::path::PathBuf;

use clap::{CommandFactory, Parser};
use foundation::{Exit, Failure, Printer, failure::OrUnable, printer::OutputArgs};

use crate::commands::Command;

/// Keeps the bench of a chess engine right: in commit messages, at push and in CI.
///
/// A bench is the node count an engine prints for fixed positions: the signature of its search.
/// OpenBench reads it from the commit message and stops a test for everybody when an engine prints
/// another. bench-guard reads messages exactly as OpenBench does, builds engines as its workers do,
/// and compares.
///
/// Exit codes: 0 right, 1 wrong or missing, 2 could not answer, 3 an engine's fault prevented an
/// answer, 4 undecided (`nps`).
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

impl Cli {
    /// Does what the program does with these arguments, of which the first is its name. Tests of other
    /// crates, which cannot name its binary, start themselves as bench-guard with it.
    pub fn answer<'a>(arguments: impl Iterator<Item = &'a str>) -> Exit {
        let cli = Self::parse_from(arguments);
        let printer = Printer::new(cli.output);
        printer.finish(cli.run(printer))
    }

    /// Runs the command.
    pub fn run(self, printer: Printer) -> Result<Exit, Failure> {
        if let Some(folder) = &self.directory {
            std::env::set_current_dir(folder)
                .or_unable(format_args!("enter the folder `{}`", folder.display()))?;
        }
        self.command.run(Self::command(), printer)
    }
}
