//! Plays the jobs of a source in slots, several at a time.
//!
//! A [`Source`] says what to play next and receives the results. A job may name engines of its own,
//! as in a tournament. Jobs come back as they end; [`InOrder`](super::InOrder) restores the order of
//! their numbers where it matters.

use std::sync::Arc;

use foundation::Failure;
use tokio::sync::{Mutex, mpsc};
use tokio::time::{Duration, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::event_buffer::EventBuffer;
use super::job_queue::JobQueue;
use super::placement::{Placement, ProcessorList};
use super::processor;
use super::setup::MatchSetup;
use super::slot_pool::SlotPool;
use super::source::{Control, Flow, SchedulerState, Source};

/// How often events are fetched while somebody watches.
const EVENTS_EVERY: Duration = Duration::from_millis(100);
/// How often a source is asked for its control.
const CONTROL_EVERY: Duration = Duration::from_millis(500);

/// Where jobs are played.
#[derive(Clone)]
pub struct Scheduler {
    pub setup: Arc<MatchSetup>,
    pub slots: usize,
    pub placement: Placement,
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
        if self.placement.own > 0 {
            processor::check_locks()?;
        }
        self.placement
            .among
            .as_ref()
            .map_or(Ok(()), ProcessorList::check)?;
        let (jobs, inbox) = mpsc::unbounded_channel();
        let (sender, mut messages) = mpsc::unbounded_channel();
        let (inbox, done) = (Arc::new(Mutex::new(inbox)), interrupt.child_token());
        let events = EventBuffer::new(source.wants_events());
        let mut pool = SlotPool::new(
            Arc::clone(&self.setup),
            self.placement.clone(),
            events.clone(),
            inbox,
            done.clone(),
            &sender,
        );
        pool.want(self.slots, false);
        drop(sender);

        let mut queue = JobQueue::new(self.slots, jobs);
        let mut control = Control::default();
        let mut asked = self.slots;
        let mut control_ticks = interval(CONTROL_EVERY);
        control_ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut event_ticks = interval(EVENTS_EVERY);
        event_ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut batch = Vec::new();
        let result = loop {
            let dispatched = if control.is_paused {
                Ok(())
            } else {
                queue.dispatch(source)
            };
            match dispatched {
                Ok(()) if queue.is_empty() && !control.is_paused => break Ok(()),
                Ok(()) => {}
                Err(failure) => break Err(failure),
            }
            tokio::select! {
                // Checked first: slots that were interrupted end too, and that is no failure.
                biased;
                () = done.cancelled() => break Ok(()),
                _ = control_ticks.tick() => {
                    control = source.control();
                    if control.stop {
                        break Ok(());
                    }
                    events.want_moves(source.wants_moves());
                    let before = std::mem::replace(&mut asked, control.slots.unwrap_or(self.slots));
                    if asked != before {
                        queue.slots = asked;
                    }
                    let slots = queue.slots;
                    pool.want(slots, control.is_paused);
                    let state = SchedulerState {
                        is_paused: control.is_paused,
                        playing: if control.is_paused { pool.playing() } else { 0 },
                        slots,
                    };
                    if let Err(failure) = source.state_changed(state) {
                        break Err(failure);
                    }
                    continue;
                },
                _ = event_ticks.tick(), if events.wants_moves() => {}
                received = messages.recv_many(&mut batch, 1024) => if received == 0 {
                    break Err(pool.all_ended().await);
                },
                Some(ended) = pool.next_end() => match ended {
                    Ok(number) => {
                        pool.slot_ended(number);
                        continue;
                    }
                    // The scheduler would wait for ever for the job that was lost with its slot.
                    Err(failure) => break Err(failure),
                }
            }
            // Before the jobs in which it happened come back.
            let mut new_events = events.fetch().into_iter();
            if let Err(failure) = new_events.try_for_each(|event| source.on_event(event)) {
                break Err(failure);
            }
            match queue.receive(source, &mut batch) {
                Ok(Flow::GoOn) => {}
                Ok(Flow::Stop) => break Ok(()),
                Err(failure) => break Err(failure),
            }
            // Before the thread of a slot that could not be opened ends, and is replaced.
            let failed = std::mem::take(&mut queue.failed);
            let mut wanted = failed.into_iter().filter(|(slot, _)| pool.give_up(*slot));
            let reported = wanted.try_for_each(|(_, failure)| {
                if queue.slots <= 1 {
                    return Err(failure);
                }
                queue.slots -= 1;
                source.slot_failed(queue.slots, &failure)
            });
            if let Err(failure) = reported {
                break Err(failure);
            }
            pool.want(queue.slots, control.is_paused);
        };
        // Where nothing is under way any more the slots close in order; otherwise their guards end
        // the engines.
        if !queue.is_empty() {
            done.cancel();
        }
        drop((queue, messages));
        // A slot of a paused run waits for nothing else.
        pool.want(0, false);
        while pool.next_end().await.is_some() {}
        result
    }
}
