//! `sprt`: parse, call, exit code.

use std::process::ExitCode;

use clap::CommandFactory;
use foundation::{Exit, Failure, Printer, failure::OrUnable};
use sprt::cli::{Cli, Command};
use sprt::{calc, run, show, verify};

fn main() -> ExitCode {
    let cli = Cli::read(std::env::args_os());
    let printer = Printer::new(cli.output);
    let done = match cli.command {
        Command::Run(args) => wait_for(run::start(*args, printer)),
        Command::Resume(args) => wait_for(run::resume(args, printer)),
        Command::List => show::list(printer),
        Command::Show(args) => show::show(&args, printer),
        Command::Calc(args) => calc::run(&args, printer),
        Command::Verify(args) => verify::run(&args, printer),
        Command::Book(command) => wait_for(command.run(printer)),
        Command::Artefact(artefact) => artefact.write(Cli::command(), printer).map(|()| Exit::Yes),
    };
    done.unwrap_or_else(|failure| printer.fail(&failure)).into()
}

/// Runs a command that waits for engines. Two threads carry any number of slots: they only pass lines on.
fn wait_for(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        // A slot has a thread of its own, and there may be as many as `--concurrency` allows.
        .max_blocking_threads(8192)
        .enable_all()
        .build()
        .or_unable("start the runtime")?
        .block_on(command)
}
