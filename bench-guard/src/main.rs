//! Parses, calls, exits.

use std::process::ExitCode;

use bench_guard::{arguments::Arguments, commands};
use clap::Parser;
use foundation::{Failure, Printer, signals};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let printer = Printer::new(arguments.output);
    let answer: Result<_, Failure> =
        signals::watch().and_then(|()| commands::run(arguments, printer));
    signals::end_as_signalled();
    answer
        .unwrap_or_else(|failure| printer.fail(&failure))
        .into()
}
