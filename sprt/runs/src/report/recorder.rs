//! Writes the activity of a run's process, for readers of the run.

use std::path::{Path, PathBuf};

use foundation::Failure;

use super::{Event, Reporter};
use crate::activity::{Activity, now};

/// Writes the file of the [`Activity`].
pub(super) struct Recorder {
    run: PathBuf,
    activity: Activity,
}

impl Recorder {
    pub(super) fn new(run: &Path) -> Self {
        Self {
            run: run.to_owned(),
            activity: Activity::default(),
        }
    }
}

impl Reporter for Recorder {
    fn on_event(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        match event {
            Event::Started(state) => {
                let slots = state.play().concurrency;
                self.activity = Activity::begin_in(&self.run, state.games(), slots);
            }
            Event::StateChanged(state) => self.activity.change(*state, now()),
            Event::Finished(..) => self.activity.end(now()),
            _ => return Ok(()),
        }
        self.activity.write(&self.run);
        Ok(())
    }
}
