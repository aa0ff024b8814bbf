//! Records what happens while a run is played: writes it to the journal before it counts, and tells
//! the user.

use foundation::{Failure, Printer};
use referee::arena::Flow;

use crate::run::arena::{ATTEMPTS, Event};
use crate::run::attribution::{Attribution, Suspect};
use crate::run::journal::{Journal, Plan};
use crate::run::lines::{FaultLine, Line, PairLine};
use crate::run::progress::Progress;
use crate::run::session::Session;

/// Pairs given up after which the engine is to blame rather than luck, if it is known with which
/// values it fails.
const TOO_MANY_GIVEN_UP: u64 = 10;

/// Records a run under way.
pub(crate) struct Recorder {
    plan: Plan,
    journal: Journal,
    attribution: Attribution,
    progress: Progress,
    /// Pairs given up since the run was started or resumed: whoever resumes it has a reason to try
    /// again.
    given_up: u64,
}

impl Recorder {
    pub(crate) fn new(
        plan: Plan,
        journal: Journal,
        attribution: Attribution,
        session: &Session,
        printer: Printer,
    ) -> Self {
        Self {
            progress: Progress::start(session, &journal.path().display().to_string(), printer),
            plan,
            journal,
            attribution,
            given_up: 0,
        }
    }

    /// Records an event of a pair that is still open.
    pub(crate) fn receive(
        &mut self,
        session: &Session,
        pair: u64,
        event: &Event,
    ) -> Result<Flow, Failure> {
        let Some(perturbation) = session.perturbation(pair) else {
            return Err(Failure::unable(format!(
                "pair {pair} was played but never sent out"
            )));
        };
        let count = self.plan.tune.parameters.len();
        let (plus, minus) = (
            perturbation.plus[..count].to_vec(),
            perturbation.minus[..count].to_vec(),
        );
        match event {
            Event::Played(penta) => {
                let line = PairLine {
                    pair,
                    penta: *penta,
                    plus,
                    minus,
                };
                self.attribution.sound(&line);
                self.journal.append(&Line::Pair(line))?;
            }
            Event::Fault {
                attempt,
                side,
                what,
            } => {
                let line = FaultLine {
                    pair,
                    attempt: *attempt,
                    side: *side,
                    what: what.clone(),
                    plus,
                    minus,
                };
                self.progress.fault(&line, &self.plan.tune.parameters);
                self.attribution.fault(&line, perturbation.is_anchor);
                self.journal.append(&Line::Fault(line))?;
                if attempt.saturating_add(1) >= ATTEMPTS {
                    self.journal.append(&Line::GivenUp { pair })?;
                    self.given_up += 1;
                }
                if self.is_broken() {
                    return Ok(Flow::Stop);
                }
            }
        }
        self.progress.pair(session);
        Ok(Flow::GoOn)
    }

    /// Whether the run should end: it is known with which values the engine fails, or it fails too
    /// often for luck.
    fn is_broken(&self) -> bool {
        self.given_up >= 2 * TOO_MANY_GIVEN_UP
            || self.given_up >= TOO_MANY_GIVEN_UP && !self.attribution.suspects().is_empty()
    }

    /// Brings everything to disk; which values the engine failed with, if it did.
    pub(crate) fn close(mut self) -> Result<Vec<Suspect>, Failure> {
        self.progress.finish();
        self.journal.sync()?;
        Ok(self.attribution.suspects())
    }
}
