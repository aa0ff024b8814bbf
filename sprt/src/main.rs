//! `sprt`: parse, call, exit code.

use std::process::ExitCode;

use clap::CommandFactory;
use foundation::command_line::Artefact;
use foundation::{Exit, Printer};
use openbench_command::client;
use runs::wait_for;
use sprt::cli::{Cli, Command};
use sprt::commands::{
    blunders, calc, check, fastchess, list, plan, play, report, resume, run, serve, show, stats,
    suite, tournament, verify,
};

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
    let done = match cli.command {
        Command::Run(args) => wait_for(run::run(*args, printer)),
        Command::Tournament(args) => wait_for(tournament::run(*args, printer)),
        Command::Resume(args) => wait_for(resume::run(args, printer)),
        Command::List(args) => list::run(&args, printer),
        Command::Show(args) => show::run(&args, printer),
        Command::Report(args) => report::run(&args, printer),
        Command::Serve(args) => wait_for(serve::run(args, printer)),
        Command::Play(args) => wait_for(play::run(args, printer)),
        Command::Plan(args) => plan::run(&args, printer),
        Command::Calc(args) => calc::run(&args, printer),
        Command::Verify(args) => verify::run(&args, printer),
        Command::Check(args) => wait_for(check::run(args, printer)),
        Command::Blunders(args) => wait_for(blunders::run(*args, printer)),
        Command::Stats(args) => stats::run(&args, printer),
        Command::Suite(args) => wait_for(suite::run(*args, printer)),
        Command::Fastchess(args) => wait_for(fastchess::run(args, printer)),
        Command::Book(command) => wait_for(command.run(printer)),
        Command::Openbench(_) => Err(client::hand_over(printer)),
        Command::Artefact(artefact @ Artefact::Completions { .. }) => artefact
            .write(Cli::for_completions(), printer)
            .map(|()| Exit::Yes),
        Command::Artefact(artefact) => artefact.write(Cli::command(), printer).map(|()| Exit::Yes),
    };
    printer.finish(done).into()
}
