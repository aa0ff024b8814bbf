//! What is being done with a run.

use std::path::Path;

use foundation::run_folder;

use crate::activity::Activity;
use crate::control::Control;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Running,
    /// No new game is begun, and so many pairs are played to their end.
    Pausing(usize),
    Paused,
    /// Its process was asked to end.
    Stopping,
    /// It can be continued.
    Interrupted,
    /// Nothing is left to play.
    Over,
}

impl Status {
    /// `is_over`: nothing is left to play.
    pub fn of(run: &Path, is_over: bool) -> Self {
        if !run_folder::is_being_played(run) {
            return if is_over {
                Self::Over
            } else {
                Self::Interrupted
            };
        }
        let control = Control::read(run);
        if control.stop {
            return Self::Stopping;
        }
        if !control.paused {
            return Self::Running;
        }
        match Activity::read(run).map(|activity| activity.state) {
            Some(state) if state.is_paused && state.playing == 0 => Self::Paused,
            state => Self::Pausing(state.map_or(0, |state| state.playing)),
        }
    }

    pub fn is_being_played(self) -> bool {
        !matches!(self, Self::Interrupted | Self::Over)
    }

    /// For a table.
    pub fn word(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Pausing(_) => "pausing",
            Self::Paused => "paused",
            Self::Stopping => "stopping",
            Self::Interrupted => "interrupted",
            Self::Over => "finished",
        }
    }

    pub fn words(self) -> String {
        match self {
            Self::Pausing(1) => "pausing, when the pair under way is over".to_owned(),
            Self::Pausing(pairs) if pairs > 1 => {
                format!("pausing, when the {pairs} pairs under way are over")
            }
            Self::Interrupted => "interrupted; it can be continued with `sprt resume`".to_owned(),
            other => other.word().to_owned(),
        }
    }
}
