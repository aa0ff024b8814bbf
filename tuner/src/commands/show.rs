//! `tuner show`: where a run stands, as a table or as JSON.

use std::path::PathBuf;

use clap::Args;
use foundation::{Exit, Failure, Printer, process::command_on};

use crate::run::journal;
use crate::run::result::RunResult;

/// The arguments of `tuner show`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ShowArgs {
    /// The run's folder, also while it is being played
    run: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl ShowArgs {
    pub(crate) fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        let replayed = journal::replay_with_pairs(&self.run)?;
        let result = RunResult::new(&replayed.session);
        if self.json {
            printer.result(&result.to_json(&self.run)?);
            return Ok(Exit::Yes);
        }
        printer.result(&result.table());
        if !replayed.session.is_finished() {
            let next = match replayed.plan.engine.verify() {
                Ok(()) => format!(
                    "continue it with `{}`",
                    command_on("tuner resume", &self.run)
                ),
                Err(failure) => match failure.next_step() {
                    Some(next) => format!("{}; {next}", failure.message()),
                    None => failure.message().to_owned(),
                },
            };
            printer.note(&format!("the run is not finished; {next}"));
        }
        for warning in result.warnings() {
            printer.warn(&warning);
        }
        Ok(Exit::Yes)
    }
}
