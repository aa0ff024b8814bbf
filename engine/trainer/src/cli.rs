//! The command line: its subcommands, and the part of the library that runs each.

use clap::{Parser, Subcommand};
use foundation::printer::OutputArgs;
use foundation::{Exit, Failure, Printer};

use crate::commands::average::{self, AverageArgs};
use crate::commands::inspect::{self, InspectArgs};
use crate::commands::measure::{self, MeasureArgs};
use crate::commands::train::{self, TrainArgs};

/// Trains the network of the engine's evaluation on games of the engine against itself
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
    /// Train a network, print the losses of each epoch, write the network after each
    Train(TrainArgs),
    /// Write the mean of networks that were trained on from the same one
    Average(AverageArgs),
    /// Count the games and positions of the data
    Inspect(InspectArgs),
    /// Print how well networks predict the results and scores of positions
    Measure(MeasureArgs),
}

impl Cli {
    pub fn run(self, printer: Printer) -> Result<Exit, Failure> {
        match self.command {
            Command::Train(args) => train::run(&args, printer),
            Command::Average(args) => average::run(&args, printer),
            Command::Inspect(args) => inspect::run(&args, printer),
            Command::Measure(args) => measure::run(&args, printer),
        }
    }
}
