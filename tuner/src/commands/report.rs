//! `tuner report`: a run as one self-contained HTML page, as a table, or as JSON.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use foundation::{Exit, Failure, Printer, run_folder};

use crate::report::page::{self, Live};
use crate::report::server_page;
use crate::run::journal::{self, Replayed};
use crate::run::result::RunResult;
use crate::run::server::ServerTune;

/// Before a page is written again, games get so many times as long as it took to make it.
const REST: u32 = 9;

/// The arguments of `tuner report`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReportArgs {
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
    /// Write the page anew every so many seconds until the run is finished, or less often where that
    /// would take more than a tenth of the time; it loads itself
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "10", conflicts_with_all = ["json", "text"], value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub live: Option<u64>,
}

impl ReportArgs {
    pub(crate) fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        if let Some(tune) = ServerTune::read(&self.run)? {
            if self.live.is_some() {
                return Err(Failure::unable(format!(
                    "--live: `{}` is what was fetched of a server's tune, which changes only when it is fetched again",
                    self.run.display()
                ))
                .hint("`tuner openbench fetch` fetches it; leave --live out"));
            }
            return self.of_server(&tune, printer);
        }
        if let Some(seconds) = self.live {
            return self.live(Duration::from_secs(seconds), printer);
        }
        let replayed: Replayed = journal::replay_with_claims(&self.run)?;
        let result = RunResult::new(&replayed.session);
        if self.json {
            printer.result(&result.to_json(&self.run)?);
            return Ok(Exit::Yes);
        }
        if self.text {
            printer.result(&result.table());
            return Ok(Exit::Yes);
        }
        let out = self.out();
        run_folder::write_output(&out, page::html(&replayed, &result, None))?;
        printer.result(&out.display().to_string());
        Ok(Exit::Yes)
    }

    fn out(&self) -> PathBuf {
        let usual = || self.run.join("report.html");
        self.out.clone().unwrap_or_else(usual)
    }

    /// Writes the page again and again; a signal ends it.
    fn live(&self, interval: Duration, printer: Printer) -> Result<Exit, Failure> {
        let out = self.out();
        let mut is_told = false;
        // How long the last page took; the next one states its pause before it is drawn.
        let mut taken = Duration::ZERO;
        loop {
            let started = Instant::now();
            let replayed = journal::replay_with_claims(&self.run)?;
            let result = RunResult::new(&replayed.session);
            let pause = interval.max(REST * taken.max(started.elapsed()));
            let live = Live {
                interval: pause,
                now: jiff::Timestamp::now().as_millisecond(),
                is_being_played: run_folder::is_being_played(&self.run),
            };
            run_folder::write_output(&out, page::html(&replayed, &result, Some(&live)))?;
            if !is_told {
                printer.result(&out.display().to_string());
                is_told = true;
            }
            if replayed.session.is_finished() {
                return Ok(Exit::Yes);
            }
            taken = started.elapsed();
            std::thread::sleep(interval.max(REST * taken));
        }
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
        run_folder::write_output(&out, server_page::html(tune, &name))?;
        printer.result(&out.display().to_string());
        Ok(Exit::Yes)
    }
}
