//! Plays the jobs of a source in slots, several at a time.
//!
//! A [`Source`] says what to play next and takes in what came of it; a match under test and a tune
//! are two of them. A job may name engines of its own, as in a tournament. Jobs come back as they end; [`InOrder`] puts them back in the order of their
//! numbers where that matters.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use foundation::Failure;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Duration, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::event::{Event, SlotClosed};
use super::processor;
use super::slot::{FinishedPair, JobFault, Listener, MatchSetup, Slot};
use crate::game::Color;
use crate::openings::Opening;

/// Jobs that are given out for each slot, so that none waits for what is done with its last.
const JOBS_PER_SLOT: usize = 2;
/// How many numbers jobs may be ahead of the oldest that is not back yet, for each slot. Those that
/// are back wait for it where order matters, and would fill the memory if one slot stands still.
const AHEAD_PER_SLOT: u64 = 8;

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

    /// Hears what happens in the slots, hardly later than it happens.
    fn hear(&mut self, event: Event) -> Result<(), Failure> {
        let _ = event;
        Ok(())
    }
}

/// What slots send back.
#[derive(Debug)]
pub(super) enum Message {
    Finished(Finished),
    /// A slot could not start its engines.
    Broken(Failure),
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
        let (jobs, inbox) = mpsc::unbounded_channel();
        let (sender, mut messages) = mpsc::unbounded_channel();
        let (inbox, done) = (Arc::new(Mutex::new(inbox)), interrupt.child_token());
        let listener = Listener(source.listens().then(Arc::default));
        let mut crew = Crew {
            setup: Arc::clone(&self.setup),
            listener: listener.clone(),
            inbox,
            done: done.clone(),
            sender: sender.downgrade(),
            own_processors: self.own_processors,
            wanted: watch::Sender::new(Wanted {
                slots: self.slots,
                is_paused: false,
            }),
            playing: Arc::default(),
            present: BTreeSet::new(),
            threads: JoinSet::new(),
        };
        crew.fill();
        drop(sender);

        let mut desk = Desk {
            slots: self.slots,
            under_way: BTreeSet::new(),
            highest: 0,
            jobs,
        };
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
                Ok(()) if desk.under_way.is_empty() && !wishes.is_paused => break Ok(()),
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
                    let slots = wishes.slots.unwrap_or(self.slots);
                    crew.want(Wanted { slots, is_paused: wishes.is_paused });
                    desk.slots = slots;
                    let pace = Pace {
                        is_paused: wishes.is_paused,
                        playing: if wishes.is_paused {
                            crew.playing.load(Ordering::Relaxed)
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
                _ = hear.tick(), if listener.0.is_some() => {}
                received = messages.recv_many(&mut batch, 1024) => if received == 0 {
                    break Err(Failure::unable("all slots ended before the run did"));
                },
                Some(ended) = crew.threads.join_next() => match ended {
                    Ok(number) => {
                        crew.present.remove(&number);
                        // It may be wanted again by now.
                        crew.fill();
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
        if !desk.under_way.is_empty() {
            done.cancel();
        }
        drop((desk, messages));
        // A slot of a paused run waits for nothing else.
        crew.want(Wanted {
            slots: 0,
            is_paused: false,
        });
        while crew.threads.join_next().await.is_some() {}
        result
    }
}

/// What slots are to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted {
    /// Those with higher numbers end after the job that they play.
    slots: usize,
    /// None takes another job.
    is_paused: bool,
}

/// The slots, each in a thread of its own.
struct Crew {
    setup: Arc<MatchSetup>,
    listener: Listener,
    inbox: Arc<Mutex<mpsc::UnboundedReceiver<Job>>>,
    done: CancellationToken,
    /// Weak, so that the messages end with the last slot.
    sender: mpsc::WeakUnboundedSender<Message>,
    own_processors: usize,
    wanted: watch::Sender<Wanted>,
    /// Slots that play a job now.
    playing: Arc<AtomicUsize>,
    /// The numbers of the slots that have a thread.
    present: BTreeSet<usize>,
    /// Each gives the number of its slot back.
    threads: JoinSet<usize>,
}

impl Crew {
    fn want(&mut self, wanted: Wanted) {
        let is_new = self.wanted.send_if_modified(|before| {
            let is_new = *before != wanted;
            *before = wanted;
            is_new
        });
        if is_new {
            self.fill();
        }
    }

    /// Opens the slots that are missing.
    fn fill(&mut self) {
        let Some(sender) = self.sender.upgrade() else {
            return;
        };
        let slots = self.wanted.borrow().slots;
        let wanted = slots.saturating_mul(self.own_processors);
        let own_processors = if processor::suffice_for(wanted) {
            self.own_processors
        } else {
            0
        };
        for number in 0..slots {
            if !self.present.insert(number) {
                continue;
            }
            let worker = Worker {
                number,
                setup: Arc::clone(&self.setup),
                listener: self.listener.clone(),
                inbox: Arc::clone(&self.inbox),
                done: self.done.clone(),
                sender: sender.clone(),
                wanted: self.wanted.subscribe(),
                playing: Arc::clone(&self.playing),
            };
            self.threads.spawn_blocking(move || {
                worker.work(own_processors);
                number
            });
        }
    }
}

/// Where jobs go out and come back.
struct Desk {
    slots: usize,
    /// The numbers of the jobs that are not back yet.
    under_way: BTreeSet<u64>,
    /// The highest number that was handed out.
    highest: u64,
    jobs: mpsc::UnboundedSender<Job>,
}

impl Desk {
    fn has_room(&self) -> bool {
        let oldest = self.under_way.first();
        let ahead = oldest.map_or(0, |oldest| self.highest.saturating_sub(*oldest));
        self.under_way.len() < JOBS_PER_SLOT * self.slots
            && ahead < AHEAD_PER_SLOT * self.slots as u64
    }

    fn hand_out(&mut self, source: &mut impl Source) -> Result<(), Failure> {
        while self.has_room() {
            let Some(job) = source.next_job()? else {
                return Ok(());
            };
            self.under_way.insert(job.pair);
            self.highest = self.highest.max(job.pair);
            // Were nobody there to take it, the answers would end too, which is found out there.
            let _ = self.jobs.send(job);
        }
        Ok(())
    }

    fn take_in(
        &mut self,
        source: &mut impl Source,
        batch: &mut Vec<Message>,
    ) -> Result<Flow, Failure> {
        let mut finished = Vec::new();
        let mut broken = None;
        for message in batch.drain(..) {
            match message {
                Message::Finished(job) => finished.push(job),
                Message::Broken(failure) => broken = Some(failure),
            }
        }
        for job in &finished {
            self.under_way.remove(&job.pair);
        }
        let flow = if finished.is_empty() {
            Flow::GoOn
        } else {
            source.take_in(finished)?
        };
        match broken {
            // An engine that failed after the question was answered changes nothing any more.
            Some(failure) if flow == Flow::GoOn => Err(failure),
            _ => Ok(flow),
        }
    }
}

/// What a thread needs to play the jobs of one slot.
struct Worker {
    number: usize,
    setup: Arc<MatchSetup>,
    listener: Listener,
    inbox: Arc<Mutex<mpsc::UnboundedReceiver<Job>>>,
    done: CancellationToken,
    sender: mpsc::UnboundedSender<Message>,
    wanted: watch::Receiver<Wanted>,
    playing: Arc<AtomicUsize>,
}

impl Worker {
    fn work(mut self, own_processors: usize) {
        let result = processor::run_slot(own_processors, self.play_jobs());
        if let Err(failure) = result.flatten() {
            // The receiver goes only when nothing more is wanted.
            let _ = self.sender.send(Message::Broken(failure));
        }
    }

    /// Plays until there are no more jobs, the slot is not wanted any more, or all is cancelled.
    async fn play_jobs(&mut self) -> Result<(), Failure> {
        let mut kept = None;
        while let Some(job) = self.next_job().await {
            self.playing.fetch_add(1, Ordering::Relaxed);
            // On the heap, for it is the size of a game.
            let play = Box::pin(self.play(&mut kept, &job));
            let result = self.done.run_until_cancelled(play).await;
            self.playing.fetch_sub(1, Ordering::Relaxed);
            let Some(result) = result else {
                return Ok(());
            };
            let finished = Finished {
                pair: job.pair,
                result: result?,
            };
            if self.sender.send(Message::Finished(finished)).is_err() {
                break;
            }
        }
        let slot = self.number;
        self.listener
            .tell(|| Event::SlotClosed(SlotClosed { slot }));
        if let Some(slot) = kept {
            slot.close().await;
        }
        Ok(())
    }

    /// The next job, once one may be played; the inbox is free again for other slots when this
    /// returns.
    async fn next_job(&mut self) -> Option<Job> {
        loop {
            let Wanted { slots, is_paused } = *self.wanted.borrow_and_update();
            if self.number >= slots {
                return None;
            }
            // Either may be given up without losing a job.
            tokio::select! {
                biased;
                changed = self.wanted.changed() => changed.ok()?,
                job = async { self.inbox.lock().await.recv().await }, if !is_paused => return job,
            }
        }
    }

    /// Plays a job, on the engines of the one before if it went well.
    async fn play(
        &self,
        kept: &mut Option<Slot>,
        job: &Job,
    ) -> Result<Result<FinishedPair, JobFault>, Failure> {
        let setup = job.setup.as_ref().unwrap_or(&self.setup);
        let mut slot = match kept.take() {
            Some(slot) => slot.with_setup(setup).await?,
            None => Slot::open(self.number, Arc::clone(setup), self.listener.clone()).await?,
        };
        let result = slot.play(job).await;
        if result.is_ok() {
            *kept = Some(slot);
        }
        Ok(result)
    }
}

/// Puts things that come in any order back in the order of their numbers, without gaps.
///
/// The order matters twice: a stopping rule that saw short games first would be biased, and a run
/// must end the same at any concurrency. So a pair that finishes early waits for those scheduled
/// before it.
#[derive(Debug)]
pub struct InOrder<T> {
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> InOrder<T> {
    /// Begins with number `next`.
    pub fn new(next: u64) -> Self {
        Self {
            next,
            waiting: BTreeMap::new(),
        }
    }

    pub fn add(&mut self, number: u64, item: T) {
        self.waiting.insert(number, item);
    }

    /// The next in order, if it is there.
    pub fn pop(&mut self) -> Option<T> {
        let item = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Jobs without end, which come back at once but for the first.
    struct Endless(u64);

    impl Source for Endless {
        fn next_job(&mut self) -> Result<Option<Job>, Failure> {
            self.0 += 1;
            Ok(Some(Job::pair(self.0 - 1, Opening::default())))
        }

        fn take_in(&mut self, _: Vec<Finished>) -> Result<Flow, Failure> {
            Ok(Flow::GoOn)
        }
    }

    #[test]
    fn a_slot_that_stood_still_let_the_others_run_ahead_without_end() {
        let (jobs, mut inbox) = mpsc::unbounded_channel();
        let mut desk = Desk {
            slots: 2,
            under_way: BTreeSet::new(),
            highest: 0,
            jobs,
        };
        let mut source = Endless(0);
        for _ in 0..1000 {
            desk.hand_out(&mut source).expect("jobs");
            assert!(desk.under_way.len() <= JOBS_PER_SLOT * 2);
            while let Ok(job) = inbox.try_recv() {
                if job.pair > 0 {
                    desk.under_way.remove(&job.pair);
                }
            }
        }
        assert_eq!(desk.highest, AHEAD_PER_SLOT * 2);
        desk.under_way.clear();
        desk.hand_out(&mut source).expect("jobs");
        assert!(desk.highest > AHEAD_PER_SLOT * 2);
    }

    #[test]
    fn what_comes_early_waits_for_those_before_it() {
        let mut order = InOrder::new(4);
        order.add(6, 'c');
        order.add(5, 'b');
        assert_eq!(order.pop(), None);
        order.add(4, 'a');
        let all: Vec<char> = std::iter::from_fn(|| order.pop()).collect();
        assert_eq!(all, ['a', 'b', 'c']);
    }
}
