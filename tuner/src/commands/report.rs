//! `tuner report`: a run as one self-contained HTML page, as a table, or as JSON.

use std::path::PathBuf;

use clap::Args;
use foundation::{Exit, Failure, Printer, files};

use crate::report::{page, server_page};
use crate::run::journal::{self, Replayed};
use crate::run::result::RunResult;
use crate::run::server::ServerTune;

/// What `tuner report` was told.
#[derive(Args, Clone, Debug)]
pub struct ReportArgs {
    /// The run's folder, also while it is being played; of a tune on an OpenBench server, the folder
    /// that was fetched
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
        if let Some(tune) = ServerTune::read(&self.run)? {
            return self.of_server(&tune, printer);
        }
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

    /// A tune on an OpenBench server, as far as its digests tell.
    fn of_server(&self, tune: &ServerTune, printer: Printer) -> Result<Exit, Failure> {
        if self.json {
            printer.result(&tune.result.to_json(&self.run)?);
            return Ok(Exit::Yes);
        }
        if self.text {
            printer.result(&tune.result.table());
            return Ok(Exit::Yes);
        }
        let out = self.out.clone().unwrap_or_else(|| {
            if self.run.is_dir() {
                self.run.join("report.html")
            } else {
                self.run.with_extension("html")
            }
        });
        let name = self.run.display().to_string();
        files::replace(&out, server_page::html(tune, &name))?;
        printer.result(&out.display().to_string());
        Ok(Exit::Yes)
    }
}
