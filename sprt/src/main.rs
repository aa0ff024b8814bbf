//! `sprt`: parse, call, exit code.

use std::process::ExitCode;

use foundation::Printer;
use sprt::cli::Cli;
use sprt::commands::fastchess;

fn main() -> ExitCode {
    // The same program is started again to guard an engine.
    if let Some(code) = engine_client::guard::run_if_guard() {
        return code;
    }
    let cli = match fastchess::called(std::env::args_os()) {
        Some(args) => Cli::fastchess(args),
        None => Cli::read(std::env::args_os()),
    };
    let printer = Printer::new(cli.output);
    printer.finish(cli.command.run(printer)).into()
}
