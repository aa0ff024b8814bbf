//! Where a run's reports go, as flags.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use clap::Args;
use foundation::process::{command_on, word};
use foundation::{Failure, failure::OrUnable, files, run_folder};

use super::events::is_stdout;

/// What is asked of a run's reports.
#[derive(Args, Clone, Debug, Default)]
pub struct Output {
    /// Folder of a new run; `None` is one under the state folder.
    #[arg(skip)]
    pub out: Option<PathBuf>,
    /// Append the games to this file at the end
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub pgn: Option<PathBuf>,
    /// Print the CRC-32 of the file of --pgn at the end
    #[arg(long, requires = "pgn", help_heading = "Output")]
    pub pgn_crc32: bool,
    /// Append the position at the end of each game to this file, as EPD
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub epd: Option<PathBuf>,
    /// Log the dialogue with each engine to this folder, one file per game, with time stamps
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub log: Option<PathBuf>,
    /// Compress the files of --log by gzip
    #[arg(long, requires = "log", help_heading = "Output")]
    pub log_gzip: bool,
    /// Write everything that happens to this file as JSON Lines; `-` is standard output
    // Nothing else is printed on standard output then.
    #[arg(long, value_name = "FILE|-", help_heading = "Output")]
    pub events: Option<PathBuf>,
    /// Print the result as JSON
    // Instead of OpenBench's block.
    #[arg(long, help_heading = "Output")]
    pub json: bool,
    /// The run is a part of something else, which prints a result of its own.
    #[arg(skip)]
    pub is_part: bool,
    /// The command that continues the run; `None` is `sprt resume`.
    #[arg(skip)]
    pub resume: Option<String>,
}

impl Output {
    /// Finds out what cannot be written before anything is.
    pub fn check(&self) -> Result<(), Failure> {
        for file in [&self.pgn, &self.epd, &self.events].into_iter().flatten() {
            run_folder::refuse_record(file)?;
        }
        // Scripts throw the games away so.
        let is_kept = |file: &&PathBuf| *file != Path::new("/dev/null");
        if let Some(file) = self.pgn.as_ref().filter(is_kept) {
            files::refuse_stream(file).map_err(|failure| failure.hint(next_step("--pgn")))?;
        }
        let events = self.events.as_ref().filter(|file| !is_stdout(file));
        for (file, what, flag) in [
            (self.pgn.as_ref(), "games", "--pgn"),
            (self.epd.as_ref(), "positions", "--epd"),
            (events, "events", "--events"),
        ] {
            if let Some(file) = file {
                check_writable(file, what, flag)?;
            }
        }
        Ok(())
    }

    /// What a message about an interrupted run tells to do. A file of events is begun anew, and is not
    /// named again.
    pub(crate) fn resume_command(&self, run: &Path) -> String {
        if let Some(command) = &self.resume {
            return command.clone();
        }
        let mut command = command_on("sprt resume", run);
        let files = [
            ("--pgn", &self.pgn),
            ("--epd", &self.epd),
            ("--log", &self.log),
        ];
        for (flag, file) in files {
            if let Some(file) = file {
                command = format!("{command} {flag} {}", word(&file.to_string_lossy()));
            }
        }
        for (flag, is_given) in [
            (" --pgn-crc32", self.pgn_crc32),
            (" --log-gzip", self.log_gzip),
            (" --json", self.json),
        ] {
            command.push_str(if is_given { flag } else { "" });
        }
        format!("`{command}`")
    }
}

/// Finds out before hours of play or of judging that something cannot be written to the file.
///
/// # Errors
/// It cannot; `flag` names another file.
pub fn check_writable(file: &Path, what: &str, flag: &str) -> Result<(), Failure> {
    // The reader of a pipe that is closed again would take that for the end.
    if files::refuse_stream(file).is_err() {
        return Ok(());
    }
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(file)
        .map(drop)
        .or_unable(format_args!("write {what} to `{}`", file.display()))
        .map_err(|failure| failure.hint(next_step(flag)))
}

fn next_step(flag: &str) -> String {
    format!("name a file that you may write to with {flag}")
}
