//! One module a command: from its arguments to what is printed and the exit code.

pub(crate) mod bench;
pub(crate) mod bisect;
mod check;
pub(crate) mod compare;
pub(crate) mod fix;
mod hook;
pub(crate) mod init;
mod install;
mod message;
pub(crate) mod nps;
pub(crate) mod perft;
mod project;

use clap::Subcommand;
use foundation::{Exit, Failure, Printer, command_line::Artefact};

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Read a commit message as OpenBench would
    Message(message::MessageArgs),
    /// Check the benches of commits: their messages, and the engines built from them
    Check(check::CheckArgs),
    /// Build a revision, run its bench several times at once, print nodes and speed
    Bench(bench::BenchArgs),
    /// Find the first commit whose bench differs
    Bisect(bisect::BisectArgs),
    /// Compare the nodes of engines, position by position at equal depth
    Compare(compare::CompareArgs),
    /// Find out whether one build is faster than another, by benches in turn
    Nps(nps::NpsArgs),
    /// Compare an engine's counts of moves with known ones
    Perft(perft::PerftArgs),
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

impl Command {
    /// Runs the command; `parser` is the whole command line, from which completions and manual
    /// pages are made.
    pub(crate) fn run(self, parser: clap::Command, printer: Printer) -> Result<Exit, Failure> {
        match self {
            Self::Message(args) => message::run(&args, printer),
            Self::Check(args) => check::run(&args, printer),
            Self::Bench(args) => bench::run(&args, printer),
            Self::Bisect(args) => bisect::run(&args, printer),
            Self::Compare(args) => compare::run(&args, printer),
            Self::Nps(args) => nps::run(&args, printer),
            Self::Perft(args) => perft::run(&args, printer),
            Self::Fix(args) => fix::run(&args, printer),
            Self::Init(args) => init::run(&args, printer),
            Self::Install(args) => install::run(&args, printer),
            Self::Uninstall => install::uninstall(printer),
            Self::Hook(args) => hook::run(&args, printer),
            Self::Artefact(artefact) => artefact.write(parser, printer).map(|()| Exit::Yes),
        }
    }
}
