//! `tuner report`: a run as one self-contained HTML page, as a table, or as JSON.

use std::path::PathBuf;

use clap::Args;
use foundation::{Exit, Failure, Printer, files};

use crate::report::page;
use crate::run::journal::{self, Replayed};
use crate::run::result::RunResult;

/// What `tuner report` was told.
#[derive(Args, Clone, Debug)]
pub struct ReportArgs {
    /// The run's folder, also while it is being played
    pub run: PathBuf,
    /// File to write [default: report.html in the run's folder]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print the figures as JSON instead
    #[arg(long, conflicts_with = "out")]
    pub json: bool,
    /// Print the table instead
    #[arg(long, conflicts_with_all = ["out", "json"])]
    pub text: bool,
}

impl ReportArgs {
    pub fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        let replayed: Replayed = journal::replay(&self.run)?;
        let result = RunResult::new(&replayed.session);
        if self.json {
            printer.result(&result.to_json(&self.run)?);
            return Ok(Exit::Yes);
        }
        if self.text {
            printer.result(&result.table());
            return Ok(Exit::Yes);
        }
        let out = self
            .out
            .clone()
            .unwrap_or_else(|| self.run.join("report.html"));
        files::replace(&out, page::html(&replayed, &result))?;
        printer.result(&out.display().to_string());
        Ok(Exit::Yes)
    }
}
