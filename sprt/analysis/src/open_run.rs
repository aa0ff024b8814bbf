//! A run that this process alone may write to: its folder and its journal.

use std::time::Duration;

use foundation::Failure;
use foundation::journal::Journal;
use foundation::run_folder::{Place, RunFolder};
use serde::Serialize;

const RESULT: &str = "result.json";
/// Searches that follow each other faster than this wait for the disk together.
const SYNC: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(crate) struct OpenRun {
    folder: RunFolder,
    journal: Journal,
}

impl OpenRun {
    /// Goes on behind the whole lines of the journal of that name.
    pub(crate) fn new(folder: RunFolder, name: &str, length: u64) -> Result<Self, Failure> {
        let journal = Journal::open(&folder.file(name), length)?;
        Ok(Self { folder, journal })
    }

    pub(crate) fn append(&mut self, line: &impl Serialize) -> Result<(), Failure> {
        self.folder.place().check()?;
        self.journal.append([line])?;
        self.journal.sync_after(SYNC)
    }

    pub(crate) fn place(&self) -> Place {
        self.folder.place()
    }

    pub(crate) fn sync(&mut self) -> Result<(), Failure> {
        self.journal.sync()
    }

    /// Writes the result beside the journal.
    pub(crate) fn finish(&mut self, result: &str) -> Result<(), Failure> {
        self.folder.place().check()?;
        self.journal.sync()?;
        self.folder.write(RESULT, result)
    }
}
