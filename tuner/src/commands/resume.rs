//! `tuner resume`: continues an interrupted run.

use std::path::PathBuf;

use clap::Args;
use foundation::{Exit, Failure, Printer};
use runs::signals::Signals;

use crate::run::journal::{Journal, Replayed};
use crate::run::play;

/// A run to resume.
#[derive(Args, Clone, Debug)]
pub(crate) struct ResumeArgs {
    /// The run's folder
    pub run: PathBuf,
    /// Games played at the same time, up to four times as many as at the start [default: as before]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub concurrency: Option<u64>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

pub(crate) async fn run(args: ResumeArgs, printer: Printer) -> Result<Exit, Failure> {
    let (journal, replayed) = Journal::open(&args.run)?;
    if let Some(loss) = replayed.loss() {
        printer.warn(&loss);
    }
    go_on(args, journal, replayed, printer).await
}

pub(super) async fn go_on(
    args: ResumeArgs,
    journal: Journal,
    mut replayed: Replayed,
    printer: Printer,
) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    if let Some(concurrency) = args.concurrency {
        let window = replayed.plan.tune.window;
        if concurrency > window {
            printer.warn(&format!(
                "--concurrency {concurrency}: no more than {window} games are played at a time, since the \
                 run was begun with a lower --concurrency"
            ));
        }
        replayed.plan.play.concurrency = concurrency as usize;
    }
    replayed.plan.engine.verify()?;
    play::play(replayed, journal, args.json, &signals, printer).await
}
