//! `sprt-openbench`: the OpenBench client, which `sprt openbench` and `tuner openbench` start.

use std::process::ExitCode;

use clap::Parser;
use foundation::printer::OutputArgs;
use foundation::{Exit, Failure, Printer, failure::OrUnable, signals};
use openbench::commands::{
    doctor, engines, errors, events, fetch, init, list, machines, manage, modify, networks,
    perturbation, results, submit, users, watch,
};
use openbench::manage::Action;
use openbench_command::command::Command;

/// Submit workloads to an OpenBench server, follow them, fetch their results
#[derive(Parser, Debug)]
#[command(name = "sprt-openbench", version, bin_name = "sprt openbench")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    output: OutputArgs,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let printer = Printer::new(cli.output);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .or_unable("start the runtime");
    let done = runtime.and_then(|runtime| runtime.block_on(run(cli.command, printer)));
    printer.finish(done).into()
}

async fn run(command: Command, printer: Printer) -> Result<Exit, Failure> {
    match command {
        Command::Submit(command) => submit::run(command, printer).await,
        Command::Watch(args) => watch::run(&args, interrupted()?, printer).await,
        Command::Fetch(args) => fetch::run(&args, printer).await,
        Command::List(args) => list::run(&args, printer).await,
        Command::Stop(args) => manage::run(&args, Action::Stop, printer).await,
        Command::Restart(args) => manage::run(&args, Action::Restart, printer).await,
        Command::Delete(args) => manage::run(&args, Action::Delete, printer).await,
        Command::Restore(args) => manage::run(&args, Action::Restore, printer).await,
        Command::Approve(args) => manage::run(&args, Action::Approve, printer).await,
        Command::Modify(args) => modify::run(&args, printer).await,
        Command::Networks(command) => networks::run(command, printer).await,
        Command::Errors(args) => errors::run(&args, printer).await,
        Command::Results(args) => results::run(&args, printer).await,
        Command::Perturbation(args) => perturbation::run(&args, printer).await,
        Command::Events(args) => events::run(&args, printer).await,
        Command::Machines(args) => machines::run(&args, printer).await,
        Command::Users(args) => users::run(&args, printer).await,
        Command::Engines(args) => engines::run(&args, printer).await,
        Command::Doctor(args) => doctor::run(&args, printer).await,
        Command::Init(args) => init::run(&args, printer),
    }
}

/// Waits for a signal, and returns what to exit with.
fn interrupted() -> Result<impl Future<Output = Exit>, Failure> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let mut sender = Some(sender);
    signals::listen(move |again| {
        if again {
            signals::end_as_signalled();
        }
        // A caller that has stopped waiting needs no answer.
        let _ = sender.take().map(|sender| sender.send(()));
    })?;
    Ok(async {
        let _ = receiver.await;
        signals::exit().unwrap_or(Exit::Terminated)
    })
}
