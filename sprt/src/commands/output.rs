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
    /// Append the games to this file at the end
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub pgn: Option<PathBuf>,
    /// Append the position at the end of each game to this file, as EPD
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub epd: Option<PathBuf>,
    #[command(flatten)]
    pub records: RecordFlags,
    /// Log the dialogue with each engine to this folder, one file per game, with time stamps
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// Compress the files of --log by gzip
    #[arg(long, requires = "log", help_heading = "Output")]
    pub log_gzip: bool,
    /// Write everything that happens to this file as JSON Lines; `-` is standard output
    #[arg(long, value_name = "FILE|-", help_heading = "Output")]
    pub events: Option<PathBuf>,
    /// Print the plan as JSON and play nothing
    #[arg(long, help_heading = "Output")]
    pub dry_run: bool,
    /// Print the result as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
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
        pgn: flags.pgn,
        epd: flags.epd,
        log: flags.log,
        log_gzip: flags.log_gzip,
        events: flags.events,
        json: flags.json,
        is_part: false,
    };
    // On the heap, for it is large.
    Box::pin(session::start(plan, &output, &signals, printer)).await
}
