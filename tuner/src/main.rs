use std::process::ExitCode;

use bench_guard::Printer;
use clap::Parser;
use tuner::cli::Cli;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let printer = Printer::new(cli.output);
    match cli.run(printer) {
        Ok(exit) => exit.into(),
        Err(failure) => printer.fail(&failure).into(),
    }
}
