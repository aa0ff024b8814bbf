//! When to end a run that finds nothing, for those who ask for it with `--stop-early`.

use crate::evidence::{Findings, Verdict};
use crate::session::Session;

/// How often in a run it is asked whether anything can be gained.
const CHECKS: u64 = 20;
/// A gradient of fewer standard deviations than this is no sign of anything.
const NO_SIGN: f64 = 2.0;

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

    /// The iterations to end the run with, if it is time to look and nothing is to be seen: no effect, no gradient,
    /// nowhere to go.
    pub fn check(&mut self, session: &Session) -> Option<u64> {
        let pairs = session.pairs();
        let taken_in = session.taken_in();
        if taken_in < self.checked + pairs / CHECKS || taken_in < pairs / 2 || session.is_finished()
        {
            return None;
        }
        self.checked = taken_in;
        let summary = session.summary();
        let (_, tuned) = summary.parameters.split_last()?;
        let shows = |found: &Findings| {
            found.verdict == Verdict::Evident || found.gradient.abs() > NO_SIGN * found.gradient_sd
        };
        let per_iteration = session.tune().schedule.pairs_per_iteration;
        (!tuned.iter().any(shows)).then(|| session.sent_out().div_ceil(per_iteration))
    }
}
