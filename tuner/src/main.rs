use std::process::ExitCode;

use clap::Parser;
use foundation::Printer;
use tuner::cli::Cli;

fn main() -> ExitCode {
    // The same program is started again to guard an engine.
    if let Some(code) = engine_client::guard::run_if_guard() {
        return code;
    }
    let cli = Cli::parse();
    let printer = Printer::new(cli.output);
    printer.finish(cli.run(printer)).into()
}
