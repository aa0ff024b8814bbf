//! Parses, calls, exits.

use std::process::ExitCode;

use bench_guard::cli::Cli;
use clap::Parser;
use foundation::{Printer, signals};

fn main() -> ExitCode {
    // The same program is started again to guard an engine.
    if let Some(code) = engine_client::guard::run_if_guard() {
        return code;
    }
    let cli = Cli::parse();
    let printer = Printer::new(cli.output);
    let done = signals::watch().and_then(|()| cli.run(printer));
    signals::end_as_signalled();
    printer.finish(done).into()
}
