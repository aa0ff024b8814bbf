//! Plays the jobs of a source in slots, several at a time.
//!
//! A [`Source`] says what to play next and takes in what came of it; a match under test and a tune
//! are two of them. A job may name engines of its own, as in a tournament. Jobs come back as they
//! end; [`InOrder`](super::InOrder) puts them back in the order of their numbers where that matters.

use std::sync::Arc;

use foundation::Failure;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, mpsc};
use tokio::time::{Duration, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::crew::{Crew, Wanted};
use super::desk::Desk;
use super::event::Event;
use super::processor;
use super::slot::{FinishedPair, JobFault, Listener, MatchSetup};
use crate::openings::Opening;
use engine_client::Color;

/// What a slot is to play.
#[derive(Clone, Debug)]
pub struct Job {
    /// The number of the pair, which comes back with its games.
    pub pair: u64,
    pub opening: Opening,
    /// The new engine's colour in each game.
    pub games: Vec<Color>,
    /// Options of base and new for this job, besides those of the match. Engines keep what they
    /// were given, so whoever sets an option sets it in every job.
    pub options: [Vec<(String, String)>; 2],
    /// Who plays, and by which rules; `None` is the setup of the scheduler.
    pub setup: Option<Arc<MatchSetup>>,
}

impl Job {
    /// Two games with one opening, in which the new engine has White first and Black then.
    pub fn pair(pair: u64, opening: Opening) -> Self {
        Self {
            pair,
            opening,
            games: vec![Color::White, Color::Black],
            options: Default::default(),
            setup: None,
        }
    }
}

/// How often a source hears what happens in the slots.
const HEAR: Duration = Duration::from_millis(100);
/// How often a source is asked what it wishes.
const LOOK: Duration = Duration::from_millis(500);

/// A job that came back.
#[derive(Clone, Debug)]
pub struct Finished {
    pub pair: u64,
    pub result: Result<FinishedPair, JobFault>,
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    GoOn,
    /// The question is answered; what else is being played is of no use.
    Stop,
}

/// What somebody may ask of jobs that are under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// No new job is begun; those under way are played to their end.
    pub is_paused: bool,
    /// What is being played is of no use any more.
    pub stop: bool,
    /// Jobs to play at a time, where others are wanted than there were slots at first.
    pub slots: Option<usize>,
}

/// What is being done about a [`Wishes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pace {
    pub is_paused: bool,
    /// Jobs that are still being played; only told where it is paused.
    pub playing: usize,
    /// Jobs that are played at a time where there are enough.
    pub slots: usize,
}

/// Where jobs come from and go back to.
pub trait Source {
    /// The next job; `None` if there is none now, which may change when others come back.
    fn next_job(&mut self) -> Result<Option<Job>, Failure>;

    /// Takes in jobs that came back, in any order.
    ///
    /// # Errors
    /// They cannot be kept, or one of them cannot be done without.
    fn take_in(&mut self, finished: Vec<Finished>) -> Result<Flow, Failure>;

    /// What is wished now; asked for every now and then.
    fn wishes(&mut self) -> Wishes {
        Wishes::default()
    }

    /// Hears what is done about its wishes, every now and then.
    fn keep_pace(&mut self, pace: Pace) -> Result<(), Failure> {
        let _ = pace;
        Ok(())
    }

    /// Whether [`hear`](Self::hear) wants to be called.
    fn listens(&self) -> bool {
        false
    }

    /// Whether somebody looks at the moves as they are made; asked for every now and then. All
    /// else that it hears may come as late as the end of a job.
    fn wants_moves(&mut self) -> bool {
        self.listens()
    }

    /// Hears what happens in the slots, hardly later than it happens.
    fn hear(&mut self, event: Event) -> Result<(), Failure> {
        let _ = event;
        Ok(())
    }
}

/// Where jobs are played.
#[derive(Clone)]
pub struct Scheduler {
    pub setup: Arc<MatchSetup>,
    pub slots: usize,
    /// Processors that each slot has for itself, where there are enough; 0 is none.
    pub own_processors: usize,
}

impl Scheduler {
    /// Plays until the source has no more jobs and none is under way, it has had enough, or
    /// `interrupt` is cancelled; what is under way then is void.
    ///
    /// # Errors
    /// The engines of a slot could not be started, or the source failed.
    pub async fn run(
        &self,
        source: &mut impl Source,
        interrupt: &CancellationToken,
    ) -> Result<(), Failure> {
        if self.own_processors > 0 {
            processor::check_locks()?;
        }
        let (jobs, inbox) = mpsc::unbounded_channel();
        let (sender, mut messages) = mpsc::unbounded_channel();
        let (inbox, done) = (Arc::new(Mutex::new(inbox)), interrupt.child_token());
        let listener = Listener::new(source.listens());
        let wanted = Wanted {
            slots: self.slots,
            is_paused: false,
        };
        let mut crew = Crew::new(self, listener.clone(), inbox, done.clone(), &sender, wanted);
        crew.fill();
        drop(sender);

        let mut desk = Desk::new(self.slots, jobs);
        let mut wishes = Wishes::default();
        let mut look = interval(LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut hear = interval(HEAR);
        hear.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut batch = Vec::new();
        let result = loop {
            let handed_out = if wishes.is_paused {
                Ok(())
            } else {
                desk.hand_out(source)
            };
            match handed_out {
                Ok(()) if desk.is_clear() && !wishes.is_paused => break Ok(()),
                Ok(()) => {}
                Err(failure) => break Err(failure),
            }
            tokio::select! {
                // First, for slots that were interrupted end too, and that is no failure.
                biased;
                () = done.cancelled() => break Ok(()),
                _ = look.tick() => {
                    wishes = source.wishes();
                    if wishes.stop {
                        break Ok(());
                    }
                    listener.want_moves(source.wants_moves());
                    let slots = wishes.slots.unwrap_or(self.slots);
                    crew.want(Wanted { slots, is_paused: wishes.is_paused });
                    desk.slots = slots;
                    let pace = Pace {
                        is_paused: wishes.is_paused,
                        playing: if wishes.is_paused {
                            crew.playing()
                        } else {
                            0
                        },
                        slots,
                    };
                    if let Err(failure) = source.keep_pace(pace) {
                        break Err(failure);
                    }
                    continue;
                },
                _ = hear.tick(), if listener.wants_moves() => {}
                received = messages.recv_many(&mut batch, 1024) => if received == 0 {
                    break Err(Failure::unable("all slots ended before the run did"));
                },
                Some(ended) = crew.next_end() => match ended {
                    Ok(number) => {
                        crew.left(number);
                        continue;
                    }
                    // A job that went down with its slot would be waited for in vain.
                    Err(panic) => {
                        break Err(Failure::unable(format!("a slot broke down: {panic}")));
                    }
                }
            }
            // Before the jobs in which it happened come back.
            let mut events = listener.fetch().into_iter();
            if let Err(failure) = events.try_for_each(|event| source.hear(event)) {
                break Err(failure);
            }
            match desk.take_in(source, &mut batch) {
                Ok(Flow::GoOn) => {}
                Ok(Flow::Stop) => break Ok(()),
                Err(failure) => break Err(failure),
            }
        };
        // Where nothing is under way any more the slots close in order; else their guards end the
        // engines.
        if !desk.is_clear() {
            done.cancel();
        }
        drop((desk, messages));
        // A slot of a paused run waits for nothing else.
        crew.want(Wanted {
            slots: 0,
            is_paused: false,
        });
        while crew.next_end().await.is_some() {}
        result
    }
}
