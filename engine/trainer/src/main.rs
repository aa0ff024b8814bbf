//! The trainer's executable; see the library for what it does.

use std::process::ExitCode;

use clap::Parser;
use foundation::Printer;
use trainer::cli::Cli;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let printer = Printer::new(cli.output);
    printer.finish(cli.run(printer)).into()
}
