//! Where jobs come from and go back to: a match, a tournament and a tune are each a [`Source`].

use foundation::Failure;
use serde::{Deserialize, Serialize};

use super::event::Event;
use super::job::{FinishedJob, Job};

/// Whether to continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    GoOn,
    /// The match is decided; the jobs under way are of no use.
    Stop,
}

/// What a user asks of a run while it is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// No new job is begun; those under way are played to their end.
    pub is_paused: bool,
    /// The jobs under way are of no use any more.
    pub stop: bool,
    /// Jobs to play at a time, where others are wanted than there were slots at first.
    pub slots: Option<usize>,
}

/// How the scheduler is working, as far as a [`Control`] changes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SchedulerState {
    pub is_paused: bool,
    /// Jobs that are still being played; only set where it is paused.
    pub playing: usize,
    /// Jobs that are played at a time where there are enough.
    pub slots: usize,
}

/// Where jobs come from and go back to.
pub trait Source {
    /// The next job; `None` if there is none now, which may change when others come back.
    fn next_job(&mut self) -> Result<Option<Job>, Failure>;

    /// Receives jobs that were played, in any order.
    ///
    /// # Errors
    /// They cannot be recorded, or the run cannot continue without one that failed.
    fn receive(&mut self, finished: Vec<FinishedJob>) -> Result<Flow, Failure>;

    /// What the user asks for now; called twice a second.
    fn control(&mut self) -> Control {
        Control::default()
    }

    /// Called after each [`control`](Self::control) with what the scheduler made of it.
    fn state_changed(&mut self, state: SchedulerState) -> Result<(), Failure> {
        let _ = state;
        Ok(())
    }

    /// A slot that was asked for by [`control`](Self::control) could not be opened; the run goes on
    /// with so many `slots` until another number is asked for.
    fn slot_failed(&mut self, slots: usize, failure: &Failure) -> Result<(), Failure> {
        let _ = (slots, failure);
        Ok(())
    }

    /// Whether [`on_event`](Self::on_event) is to be called.
    fn wants_events(&self) -> bool {
        false
    }

    /// Whether somebody watches the moves as they are made; called twice a second. All other
    /// events may arrive as late as the end of a job.
    fn wants_moves(&mut self) -> bool {
        self.wants_events()
    }

    /// Called with each event in the slots, soon after it happened.
    fn on_event(&mut self, event: Event) -> Result<(), Failure> {
        let _ = event;
        Ok(())
    }
}
