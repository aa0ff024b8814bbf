//! Plays the pairs that a session asks for, on engines that are started once.
//!
//! Each slot has two processes of the same engine; before a pair, the one gets the plus values and the other the minus
//! values. A pair in which an engine spoiled a game says nothing about strength: it is played again with the same values
//! and another opening, and given up after [`ATTEMPTS`].

use std::collections::HashMap;
use std::sync::Arc;

use foundation::Failure;
use sprt::arena::{Contest, FinishedPair, GameRecord, Slot, processor};
use sprt::contender::Contender;
use sprt::openings::Book;
use sprt::plan::PlayPlan;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::parameter::{Kind, Parameter};
use crate::run::journal::Side;
use crate::run::session::{Outcome, Session};

/// How often a pair is tried.
pub const ATTEMPTS: u32 = 3;

/// Where pairs are played.
pub struct Arena {
    contest: Arc<Contest>,
    book: Arc<Book>,
    slots: usize,
    /// Whether each slot gets a processor of its own, where there are enough.
    own_processors: bool,
    parameters: Vec<Parameter>,
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

/// What came of one.
struct Done {
    pair: u64,
    event: Event,
}

impl Arena {
    /// The games of a plan, in which the engine plays itself.
    pub fn new(
        plan: &PlayPlan,
        engine: &Contender,
        parameters: &[Parameter],
    ) -> Result<Self, Failure> {
        Ok(Self {
            contest: Arc::new(plan.contest(engine, engine)?),
            book: Arc::new(plan.open_book()?),
            slots: plan.concurrency.max(1),
            own_processors: plan.own_processors,
            parameters: parameters.to_vec(),
        })
    }

    /// Plays until the session is finished, `interrupt` is cancelled, or `receive` fails or wants to stop.
    ///
    /// `receive` is told of each event while its pair is still open. Pairs under way at an interrupt are void.
    pub async fn run(
        &self,
        session: &mut Session,
        attempts: HashMap<u64, u32>,
        interrupt: &CancellationToken,
        receive: impl FnMut(&Session, u64, &Event) -> Result<Next, Failure>,
    ) -> Result<(), Failure> {
        let (jobs, inbox) = mpsc::unbounded_channel();
        let (sender, answers) = mpsc::unbounded_channel();
        let (inbox, done) = (Arc::new(Mutex::new(inbox)), interrupt.child_token());
        let own_processors = self.own_processors && processor::suffice_for(self.slots);
        let mut threads = JoinSet::new();
        for _ in 0..self.slots {
            let player = Player {
                contest: Arc::clone(&self.contest),
                book: Arc::clone(&self.book),
                inbox: Arc::clone(&inbox),
                done: done.clone(),
                sender: sender.clone(),
            };
            threads.spawn_blocking(move || player.work(own_processors));
        }
        drop(sender);
        let mut desk = Desk {
            arena: self,
            jobs,
            answers,
            attempts,
            under_way: Vec::new(),
        };
        let result = desk.run(session, &mut threads, &done, receive).await;
        // Where nothing is under way any more the slots close in order; else their wardens end the engines.
        if !desk.under_way.is_empty() {
            done.cancel();
        }
        drop(desk);
        while threads.join_next().await.is_some() {}
        result
    }
}

/// Where jobs go out and answers come in.
struct Desk<'a> {
    arena: &'a Arena,
    jobs: mpsc::UnboundedSender<Job>,
    answers: mpsc::UnboundedReceiver<Result<Done, Failure>>,
    attempts: HashMap<u64, u32>,
    under_way: Vec<u64>,
}

impl Desk<'_> {
    async fn run(
        &mut self,
        session: &mut Session,
        threads: &mut JoinSet<()>,
        done: &CancellationToken,
        mut receive: impl FnMut(&Session, u64, &Event) -> Result<Next, Failure>,
    ) -> Result<(), Failure> {
        loop {
            self.hand_out(session);
            if self.under_way.is_empty() {
                return Ok(());
            }
            let answer = tokio::select! {
                () = done.cancelled() => return Ok(()),
                answer = self.answers.recv() => answer,
                // A pair that went down with its slot would be waited for in vain.
                Some(Err(panic)) = threads.join_next() => {
                    return Err(Failure::unable(format!("a slot broke down: {panic}")));
                }
            };
            let Some(answer) = answer else {
                return Err(Failure::unable("all slots ended before the run did"));
            };
            let Done { pair, event } = answer?;
            self.under_way.retain(|under_way| *under_way != pair);
            let next = receive(session, pair, &event)?;
            match event {
                Event::Played(index) => {
                    session.answer(pair, Outcome::Played(index));
                }
                Event::Fault { attempt, .. } if attempt.saturating_add(1) >= ATTEMPTS => {
                    session.answer(pair, Outcome::Void);
                }
                Event::Fault { attempt, .. } => {
                    self.attempts.insert(pair, attempt.saturating_add(1));
                }
            }
            match next {
                Next::GoOn => {}
                Next::Stop => return Ok(()),
                Next::EndAt(iterations) => session.extend(iterations),
            }
        }
    }

    /// Gives every slot a pair, and has another one ready for each, so that none waits for what is done with the last.
    fn hand_out(&mut self, session: &Session) {
        let free = (2 * self.arena.slots).saturating_sub(self.under_way.len());
        let open: Vec<Job> = session
            .open()
            .filter(|(pair, _)| !self.under_way.contains(pair))
            .take(free)
            .map(|(pair, perturbation)| Job {
                pair,
                attempt: self.attempts.get(&pair).copied().unwrap_or(0),
                plus: options(&self.arena.parameters, &perturbation.plus),
                minus: options(&self.arena.parameters, &perturbation.minus),
            })
            .collect();
        for job in open {
            self.under_way.push(job.pair);
            // Were nobody there to take it, the answers would end too, which is found out there.
            let _ = self.jobs.send(job);
        }
    }
}

/// What a thread needs to play the pairs of one slot.
struct Player {
    contest: Arc<Contest>,
    book: Arc<Book>,
    inbox: Arc<Mutex<mpsc::UnboundedReceiver<Job>>>,
    done: CancellationToken,
    sender: mpsc::UnboundedSender<Result<Done, Failure>>,
}

impl Player {
    fn work(self, own_processor: bool) {
        let result = processor::run_slot(own_processor, self.play_jobs());
        if let Err(failure) = result.flatten() {
            // The receiver goes only when nothing more is wanted.
            let _ = self.sender.send(Err(failure));
        }
    }

    /// Plays until there are no more jobs, or until all is cancelled.
    async fn play_jobs(&self) -> Result<(), Failure> {
        let mut slot = None;
        while let Some(job) = self.next_job().await {
            let played = self
                .done
                .run_until_cancelled(self.play(&mut slot, &job))
                .await;
            let Some(event) = played else {
                return Ok(());
            };
            let done = Done {
                pair: job.pair,
                event: event?,
            };
            if self.sender.send(Ok(done)).is_err() {
                break;
            }
        }
        if let Some(slot) = slot {
            slot.close().await;
        }
        Ok(())
    }

    /// The inbox is free again for other slots when this returns.
    async fn next_job(&self) -> Option<Job> {
        self.inbox.lock().await.recv().await
    }

    /// Plays one pair, on the engines of the pair before if they are sound.
    async fn play(&self, kept: &mut Option<Slot>, job: &Job) -> Result<Event, Failure> {
        let mut slot = match kept.take() {
            Some(slot) => slot,
            None => Slot::open(Arc::clone(&self.contest)).await?,
        };
        // A second try gets an opening of its own, far from those of other pairs.
        let opening = self
            .book
            .opening(job.pair + (u64::from(job.attempt) << 40))?;
        let set = slot.set_options(job.minus.clone(), job.plus.clone()).await;
        let (side, failure) = match set {
            Ok(()) => match slot.play(job.pair, &opening).await {
                Ok(pair) => {
                    *kept = Some(slot);
                    return Ok(event(&pair, job.attempt));
                }
                Err(failure) => (None, failure),
            },
            Err(fault) if fault.is_new => (Some(Side::Plus), fault.failure),
            Err(fault) => (Some(Side::Minus), fault.failure),
        };
        // The engine cannot be had with these values: the pair is at fault, not the tune.
        if failure.is_engine_fault() {
            Ok(Event::Fault {
                attempt: job.attempt,
                side,
                what: failure.message().to_owned(),
            })
        } else {
            Err(failure)
        }
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
