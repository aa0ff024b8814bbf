//! Requests to a run that another process plays: a file in the run's folder, which that process
//! reads.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use foundation::{Failure, failure::OrUnable, files};
use serde::{Deserialize, Serialize};

use referee::arena;

const FILE: &str = "control.json";

/// The file's content. Where a member is missing, the plan holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Control {
    /// No new pair is begun.
    pub paused: bool,
    /// End as after Ctrl-C, with the same exit code; the run can be resumed.
    pub stop: bool,
    /// Games at a time.
    pub concurrency: Option<usize>,
}

impl Control {
    /// How many games at a time may be asked for.
    pub const GAMES: RangeInclusive<usize> = 1..=1024;

    /// A file that is missing or malformed requests nothing, and so does a number out of range.
    pub fn read(run: &Path) -> Self {
        let text = fs::read(path(run)).unwrap_or_default();
        let control: Self = serde_json::from_slice(&text).unwrap_or_default();
        Self {
            concurrency: control.concurrency.filter(|it| Self::GAMES.contains(it)),
            ..control
        }
    }

    pub fn write(&self, run: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string(self).or_unable("write a request as JSON")?;
        files::replace(&path(run), text)
    }

    /// Forgets what was asked of an earlier process.
    pub fn clear(run: &Path) {
        // It may not be there, which is as well.
        let _ = fs::remove_file(path(run));
    }

    pub fn asked(self) -> arena::Control {
        arena::Control {
            is_paused: self.paused,
            stop: self.stop,
            slots: self.concurrency,
        }
    }
}

fn path(run: &Path) -> PathBuf {
    run.join(FILE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_games_that_cannot_be_played_is_not_asked_for() {
        let run = tempfile::tempdir().expect("a folder");
        let read = |concurrency| {
            let asked = Control {
                paused: true,
                concurrency: Some(concurrency),
                ..Control::default()
            };
            asked.write(run.path()).expect("written");
            Control::read(run.path()).asked()
        };
        for (asked, read) in [0, 1, 1024, 1025].map(|asked| (asked, read(asked))) {
            let slots = (1..=1024).contains(&asked).then_some(asked);
            assert_eq!((read.is_paused, read.slots), (true, slots));
        }
    }
}
