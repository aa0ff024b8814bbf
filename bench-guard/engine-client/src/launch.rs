//! What it takes to start an engine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::{Dialect, LogTarget};

/// How to start an engine.
#[derive(Clone, Debug)]
pub struct Launch {
    /// What messages call the engine.
    pub name: String,
    pub command: PathBuf,
    pub arguments: Vec<String>,
    /// Its working folder; `None` for that of this process.
    pub folder: Option<PathBuf>,
    /// All its environment variables; `None` for those of this process.
    pub variables: Option<Vec<(OsString, OsString)>>,
    /// Set in this order, once, after the handshake.
    pub options: Vec<(String, String)>,
    /// Set before these where the engine has them.
    pub offered_options: Vec<(String, String)>,
    /// Lines that are sent as they stand, after the options.
    pub init: Vec<String>,
    /// When its process is started again although it did nothing wrong.
    pub restart: Restart,
    /// Whether it thinks on its opponent's time.
    pub ponder: bool,
    /// The dialect that it speaks.
    pub dialect: &'static dyn Dialect,
    /// Where the dialogue is written down.
    pub log: Option<LogTarget>,
    /// Regular expressions: the last line of a search that matches each is kept with the move.
    pub keep_lines: Vec<String>,
}

impl Launch {
    /// A program that is started in the current folder with the current variables, and that gets no
    /// options.
    pub fn new(name: &str, command: &Path, dialect: &'static dyn Dialect) -> Self {
        Self {
            name: name.to_owned(),
            command: command.to_owned(),
            arguments: Vec::new(),
            folder: None,
            variables: None,
            options: Vec::new(),
            offered_options: Vec::new(),
            init: Vec::new(),
            restart: Restart::Never,
            ponder: false,
            dialect,
            log: None,
            keep_lines: Vec::new(),
        }
    }
}

/// How long an engine may be silent when no clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeouts {
    /// From the start of the process to `uciok`.
    pub startup: Duration,
    /// Any other answer: `readyok`, and moves at fixed nodes or depth.
    pub answer: Duration,
}

impl Timeouts {
    pub fn of_seconds(startup: u64, answer: u64) -> Self {
        Self {
            startup: Duration::from_secs(startup),
            answer: Duration::from_secs(answer),
        }
    }
}

/// When the process of an engine is started anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// Only after it failed
    #[default]
    Never,
    /// Before every pair of games
    Pair,
    /// Before every game
    Game,
}
