//! Plays the pairs that a session asks for, in the slots of `sprt`.
//!
//! Each slot has two processes of the same engine; before a pair, NEW gets the plus values and BASE
//! the minus values. A pair in which an engine spoiled a game says nothing about strength: it is
//! played again with the same values and another opening, and given up after [`ATTEMPTS`].

use std::collections::HashMap;
use std::sync::Arc;

use foundation::Failure;
use referee::arena::{
    FinishedGame, FinishedJob, FinishedPair, Flow, Job, JobFault, Scheduler, Source,
};
use referee::openings::Book;
use runs::plan::PlayPlan;
use runs::plan::contender::Contender;
use tokio_util::sync::CancellationToken;

use crate::parameter::{Parameter, options};
use crate::run::lines::Side;
use crate::run::session::{Outcome, Session};

/// The number of attempts at a pair.
pub(crate) const ATTEMPTS: u32 = 3;

/// Where pairs are played.
pub(crate) struct Arena {
    scheduler: Scheduler,
    book: Book,
    parameters: Vec<Parameter>,
}

/// What happened to a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    Played(u8),
    /// An engine spoiled it.
    Fault {
        attempt: u32,
        side: Option<Side>,
        what: String,
    },
}

impl Arena {
    /// The games of a plan, in which the engine plays itself.
    pub(crate) fn new(
        plan: &PlayPlan,
        engine: &Contender,
        parameters: &[Parameter],
    ) -> Result<Self, Failure> {
        Ok(Self {
            scheduler: Scheduler {
                setup: Arc::new(plan.setup(engine, engine)?),
                slots: plan.concurrency.max(1),
                placement: plan.placement(&[&engine.settings, &engine.settings]),
            },
            book: plan.open_book()?,
            parameters: parameters.to_vec(),
        })
    }

    /// Plays until the session is finished, `interrupt` is cancelled, or `receive` fails or wants
    /// to stop.
    ///
    /// `receive` gets each event while its pair is still open. Pairs under way at an interrupt do
    /// not count.
    pub(crate) async fn run(
        &self,
        session: &mut Session,
        attempts: HashMap<u64, u32>,
        interrupt: &CancellationToken,
        receive: impl FnMut(&Session, u64, &Event) -> Result<Flow, Failure>,
    ) -> Result<(), Failure> {
        let mut pairs = Pairs {
            arena: self,
            session,
            attempts,
            under_way: Vec::new(),
            receive,
        };
        self.scheduler.run(&mut pairs, interrupt).await
    }
}

/// The pairs that a session has sent out.
struct Pairs<'a, R> {
    arena: &'a Arena,
    session: &'a mut Session,
    /// How often pairs were tried before.
    attempts: HashMap<u64, u32>,
    under_way: Vec<u64>,
    receive: R,
}

impl<R: FnMut(&Session, u64, &Event) -> Result<Flow, Failure>> Pairs<'_, R> {
    fn attempt(&self, pair: u64) -> u32 {
        self.attempts.get(&pair).copied().unwrap_or(0)
    }
}

impl<R: FnMut(&Session, u64, &Event) -> Result<Flow, Failure>> Source for Pairs<'_, R> {
    fn next_job(&mut self) -> Result<Option<Job>, Failure> {
        let mut open = self.session.open();
        let Some((pair, perturbation)) = open.find(|(pair, _)| !self.under_way.contains(pair))
        else {
            return Ok(None);
        };
        // A second try gets an opening of its own, far from those of other pairs.
        let opening = pair + (u64::from(self.attempt(pair)) << 40);
        let parameters = &self.arena.parameters;
        let mut job = Job::pair(pair, self.arena.book.opening(opening)?);
        job.options =
            [&perturbation.minus, &perturbation.plus].map(|values| options(parameters, values));
        self.under_way.push(pair);
        Ok(Some(job))
    }

    fn receive(&mut self, finished: Vec<FinishedJob>) -> Result<Flow, Failure> {
        for FinishedJob { pair, result } in finished {
            let attempt = self.attempt(pair);
            let event = event(result, attempt)?;
            self.under_way.retain(|under_way| *under_way != pair);
            let next = (self.receive)(self.session, pair, &event)?;
            match event {
                Event::Played(index) => {
                    self.session.answer(pair, Outcome::Played(index));
                }
                Event::Fault { .. } if attempt.saturating_add(1) >= ATTEMPTS => {
                    self.session.answer(pair, Outcome::GivenUp);
                }
                Event::Fault { .. } => {
                    self.attempts.insert(pair, attempt.saturating_add(1));
                }
            }
            if next == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::GoOn)
    }
}

/// The outcome of a pair.
///
/// # Errors
/// Something other than an engine failed.
fn event(result: Result<FinishedPair, JobFault>, attempt: u32) -> Result<Event, Failure> {
    let (side, what) = match result {
        Ok(pair) => match pair.faulty_game() {
            None => {
                let points: usize = pair.games.iter().map(FinishedGame::new_half_points).sum();
                return Ok(Event::Played(points as u8));
            }
            Some(game) => {
                let side = if game.end.spoiled_by() == Some(game.new) {
                    Side::Plus
                } else {
                    Side::Minus
                };
                let detail = game.end.detail().map(|detail| format!(": {detail}"));
                let what = format!("{}{}", game.end.text(), detail.unwrap_or_default());
                (Some(side), what)
            }
        },
        // The engine cannot be started with these values: the pair is at fault, not the tune.
        Err(JobFault { is_new, failure }) if failure.is_engine_fault() => {
            let side = is_new.map(|is_new| if is_new { Side::Plus } else { Side::Minus });
            (side, failure.message().to_owned())
        }
        Err(JobFault { failure, .. }) => return Err(failure),
    };
    Ok(Event::Fault {
        attempt,
        side,
        what,
    })
}
