//! When to end a run that finds nothing, for those who ask for it with `--stop-early`.

use crate::run::session::Session;

/// How often in a run it is asked whether anything can be gained.
const CHECKS: u64 = 20;
/// Less than this, in Elo, is not worth the second half of a run.
const NEGLIGIBLE: f64 = 2.0;

/// Watches a run from its half on.
#[derive(Debug)]
pub struct EarlyStop {
    checked: u64,
}

impl EarlyStop {
    pub fn new(session: &Session) -> Self {
        Self {
            checked: session.taken_in(),
        }
    }

    /// The iterations to end the run with, if it is time to look and next to nothing can be hoped for.
    ///
    /// That a run has shown nothing yet is no reason: a short one that gains much has often shown nothing either. What is
    /// asked is whether its games leave room for a gain.
    pub fn check(&mut self, session: &Session) -> Option<u64> {
        let pairs = session.pairs();
        let taken_in = session.taken_in();
        if taken_in < self.checked + pairs / CHECKS || taken_in < pairs / 2 || session.is_finished()
        {
            return None;
        }
        self.checked = taken_in;
        let per_iteration = session.tune().schedule.pairs_per_iteration;
        (session.summary().hope < NEGLIGIBLE).then(|| session.sent_out().div_ceil(per_iteration))
    }
}
