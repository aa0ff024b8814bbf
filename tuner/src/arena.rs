//! Plays the pairs that a session asks for, on engines that are started once.
//!
//! Each slot has two processes of the same engine; before a pair, the one gets the plus values and the other the minus
//! values. A pair in which an engine spoiled a game says nothing about strength: it is played again with the same values
//! and another opening, and given up after [`ATTEMPTS`].

use std::collections::HashMap;
use std::sync::Arc;

use bench_guard::Failure;
use sprt::arena::{Contest, FinishedPair, GameRecord, Slot};
use sprt::openings::Book;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::journal::Side;
use crate::parameter::{Kind, Parameter};
use crate::session::{Outcome, Session};

/// How often a pair is tried.
pub const ATTEMPTS: u32 = 3;

/// Where pairs are played.
pub struct Arena {
    pub contest: Arc<Contest>,
    pub book: Arc<Book>,
    pub slots: usize,
    pub parameters: Vec<Parameter>,
}

/// What happened to a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    Played(u8),
    /// An engine spoiled it.
    Fault {
        attempt: u32,
        side: Option<Side>,
        what: String,
    },
}

/// What the receiver of events wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    GoOn,
    Stop,
    /// Play what is sent out, and end the run with it: this many iterations.
    EndAt(u64),
}

/// One try at a pair.
struct Job {
    pair: u64,
    attempt: u32,
    plus: Vec<(String, String)>,
    minus: Vec<(String, String)>,
}

struct Done {
    slot: Option<Slot>,
    job: Job,
    event: Result<Event, Failure>,
}

impl Arena {
    /// Plays until the session is finished, `interrupt` is cancelled, or `receive` fails or wants to stop.
    ///
    /// `receive` is told of each event while its pair is still open. Pairs under way at an interrupt are void.
    pub async fn run(
        &self,
        session: &mut Session,
        mut attempts: HashMap<u64, u32>,
        interrupt: &CancellationToken,
        mut receive: impl FnMut(&Session, u64, &Event) -> Result<Next, Failure>,
    ) -> Result<(), Failure> {
        let mut idle: Vec<Option<Slot>> = (0..self.slots.max(1)).map(|_| None).collect();
        let mut playing: JoinSet<Done> = JoinSet::new();
        let mut under_way: Vec<u64> = Vec::new();
        let result = loop {
            let free = session.open().filter(|(pair, _)| !under_way.contains(pair));
            let jobs: Vec<Job> = free
                .take(idle.len())
                .map(|(pair, perturbation)| Job {
                    pair,
                    attempt: attempts.get(&pair).copied().unwrap_or(0),
                    plus: options(&self.parameters, &perturbation.plus),
                    minus: options(&self.parameters, &perturbation.minus),
                })
                .collect();
            for job in jobs {
                under_way.push(job.pair);
                let slot = idle.pop().flatten();
                playing.spawn(try_pair(
                    Arc::clone(&self.contest),
                    Arc::clone(&self.book),
                    slot,
                    job,
                ));
            }
            let done = tokio::select! {
                () = interrupt.cancelled() => break Ok(()),
                done = playing.join_next() => done,
            };
            let Some(done) = done else { break Ok(()) };
            let Done { slot, job, event } = match done {
                Ok(done) => done,
                Err(error) => break Err(Failure::unable(format!("a slot failed: {error}"))),
            };
            idle.push(slot);
            under_way.retain(|pair| *pair != job.pair);
            let event = match event {
                Ok(event) => event,
                Err(failure) => break Err(failure),
            };
            let next = match receive(session, job.pair, &event) {
                Ok(next) => next,
                Err(failure) => break Err(failure),
            };
            match event {
                Event::Played(index) => {
                    session.answer(job.pair, Outcome::Played(index));
                }
                Event::Fault { attempt, .. } if attempt + 1 >= ATTEMPTS => {
                    session.answer(job.pair, Outcome::Void);
                }
                Event::Fault { attempt, .. } => {
                    attempts.insert(job.pair, attempt + 1);
                }
            }
            match next {
                Next::GoOn => {}
                Next::Stop => break Ok(()),
                Next::EndAt(iterations) => session.extend(iterations),
            }
        };
        // Slots that are playing are dropped, and their wardens end the engines.
        playing.shutdown().await;
        for slot in idle.into_iter().flatten() {
            slot.close().await;
        }
        result
    }
}

async fn try_pair(contest: Arc<Contest>, book: Arc<Book>, slot: Option<Slot>, job: Job) -> Done {
    match play(contest, &book, slot, &job).await {
        Ok((slot, event)) => Done {
            slot,
            job,
            event: Ok(event),
        },
        Err(failure) => Done {
            slot: None,
            job,
            event: Err(failure),
        },
    }
}

/// Plays one pair; gives the slot back where its engines are sound.
async fn play(
    contest: Arc<Contest>,
    book: &Book,
    slot: Option<Slot>,
    job: &Job,
) -> Result<(Option<Slot>, Event), Failure> {
    let mut slot = match slot {
        Some(slot) => slot,
        None => Slot::open(contest).await?,
    };
    // A second try gets an opening of its own, far from those of other pairs.
    let opening = book.opening(job.pair + (u64::from(job.attempt) << 40))?;
    let played = match slot.set_options(job.minus.clone(), job.plus.clone()).await {
        Ok(()) => slot.play(job.pair, &opening).await,
        Err(failure) => Err(failure),
    };
    match played {
        Ok(pair) => Ok((Some(slot), event(&pair, job.attempt))),
        // The engine cannot be had with these values: the pair is at fault, not the tune.
        Err(failure) if failure.is_engine_fault() => {
            let what = failure.message().to_owned();
            Ok((
                None,
                Event::Fault {
                    attempt: job.attempt,
                    side: None,
                    what,
                },
            ))
        }
        Err(failure) => Err(failure),
    }
}

fn event(pair: &FinishedPair, attempt: u32) -> Event {
    if let Some(game) = pair.games.iter().find(|game| game.end.is_fault()) {
        let side = Some(if game.winner == Some(game.new) {
            Side::Minus
        } else {
            Side::Plus
        });
        let detail = game
            .detail
            .as_deref()
            .map_or(String::new(), |detail| format!(": {detail}"));
        let what = format!("{}{detail}", game.text);
        return Event::Fault {
            attempt,
            side,
            what,
        };
    }
    let points: usize = pair.games.iter().map(GameRecord::new_half_points).sum();
    Event::Played(points as u8)
}

/// Values as the engine is told them.
pub fn options(parameters: &[Parameter], values: &[f64]) -> Vec<(String, String)> {
    let text = |parameter: &Parameter, value: f64| match parameter.kind {
        Kind::Int => (value as i64).to_string(),
        Kind::Float => value.to_string(),
    };
    parameters
        .iter()
        .zip(values)
        .map(|(parameter, &value)| (parameter.name.clone(), text(parameter, value)))
        .collect()
}
