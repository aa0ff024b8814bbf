//! Where a run's reports go.

use std::path::PathBuf;

use foundation::Failure;

use super::pgn;

/// What is asked of a run's reports.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// Folder of the run; `None` is a new one under the state folder.
    pub out: Option<PathBuf>,
    /// A PGN file to which the games are appended.
    pub pgn: Option<PathBuf>,
    /// A file to which the position at the end of each game is appended.
    pub epd: Option<PathBuf>,
    /// Each engine's dialogue, a file a game.
    pub log: Option<PathBuf>,
    /// Whether its files are compressed.
    pub log_gzip: bool,
    /// Where all events go as JSON Lines; `-` is standard output, on which nothing else is printed
    /// then.
    pub events: Option<PathBuf>,
    /// The run is a part of something else, which prints a result of its own.
    pub is_part: bool,
    /// The result on stdout as JSON instead of OpenBench's block.
    pub json: bool,
}

impl Output {
    /// Finds out what cannot be written before anything is.
    pub fn check(&self) -> Result<(), Failure> {
        for file in self.pgn.iter().chain(&self.epd) {
            pgn::check(file)?;
        }
        Ok(())
    }
}
