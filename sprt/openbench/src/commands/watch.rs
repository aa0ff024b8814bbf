//! `sprt openbench watch`.

use std::time::Duration;

use foundation::{Exit, Failure, Printer};
use openbench::address::WorkloadName;
use openbench::settings::ServerArgs;

use super::session::session;
use runs::signals::Signals;

/// A workload to follow.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Its number, or the address of its page
    #[arg(value_name = "ID|URL")]
    workload: WorkloadName,
    /// Seconds between two looks; the machines of a server report every 30
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(5..=3600))]
    interval: u64,
    /// Print one JSON object a line, for each change
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

pub async fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    let mut session = session(&args.server, Some(&args.workload), printer)?;
    let interval = Duration::from_secs(args.interval);
    let mut last = None;
    let mut tell = |view: &openbench::watch::View| {
        if args.json {
            printer.result(&view.json().to_string());
        } else {
            printer.result(&view.line());
        }
        last = Some(view.clone());
    };
    let outcome = tokio::select! {
        outcome = openbench::watch::watch(&mut session, args.workload.id, interval, printer, &mut tell) => outcome?,
        () = signals.interrupt.cancelled() => return Ok(signals.exit()),
    };
    if let Some(view) = last.filter(|_| !args.json) {
        for line in view.details() {
            printer.result(&line);
        }
    }
    if let Some(text) = outcome.error() {
        printer.warn(&format!("ended by an error: {text}"));
    }
    Ok(outcome.exit())
}
