//! The command line: what was typed, and which part of the library answers it.

use bench_guard::command_line::Artefact;
use bench_guard::printer::OutputArgs;
use bench_guard::{Exit, Failure, Printer};
use clap::{CommandFactory, Parser, Subcommand};

use crate::convert::ConvertArgs;
use crate::simulate::SimulateArgs;

/// Tunes the parameters of a chess engine by SPSA over game pairs, and says how sure it is
#[derive(Parser, Debug)]
#[command(version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub output: OutputArgs,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Rewrite a parameter list in the format of another tuner
    Convert(ConvertArgs),
    /// Play a tune against a synthetic surface: what can this budget find?
    Simulate(SimulateArgs),
    #[command(flatten)]
    Artefact(Artefact),
}

impl Cli {
    pub fn run(self, printer: Printer) -> Result<Exit, Failure> {
        match self.command {
            Command::Convert(args) => args.run(printer),
            Command::Simulate(args) => args.run(printer),
            Command::Artefact(artefact) => {
                artefact.write(Self::command(), printer).map(|()| Exit::Yes)
            }
        }
    }
}
