//! What the commands that play have in common: where they write, and `--dry-run`.

use std::path::PathBuf;

use foundation::{Exit, Failure, Printer};

use runs::plan::RecordFlags;
use runs::report::Output;
use runs::session::{self, RunKind};
use runs::signals::Signals;

/// Where a run is written, and how.
#[derive(clap::Args, Clone, Debug)]
pub struct OutputFlags {
    /// Folder of the run [default: a new one under the state folder]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub reports: Output,
    #[command(flatten)]
    pub records: RecordFlags,
    /// Print the plan as JSON and play nothing
    #[arg(long, help_heading = "Output")]
    pub dry_run: bool,
}

/// Plays what is planned, or prints the plan.
pub(crate) async fn play<P: RunKind>(
    planning: impl Future<Output = Result<P, Failure>>,
    flags: OutputFlags,
    printer: Printer,
) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    let Some(plan) = signals.unless_interrupted(planning).await? else {
        return Ok(signals.exit());
    };
    if flags.dry_run {
        printer.result(&plan.to_json()?);
        return Ok(Exit::Yes);
    }
    let output = Output {
        out: flags.out,
        ..flags.reports
    };
    // On the heap, for it is large.
    Box::pin(session::start(plan, &output, &signals, printer)).await
}
