//! The slots of a scheduler, each in a thread of its own that plays jobs until none are left.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use foundation::Failure;
use tokio::sync::{Mutex, mpsc, watch};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::event::{Event, SlotClosed};
use super::event_buffer::EventBuffer;
use super::job::{FinishedJob, FinishedPair, Job, JobFault, SlotMessage};
use super::placement::Placement;
use super::processor;
use super::setup::MatchSetup;
use super::slot::Slot;

/// What slots are to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Wanted {
    /// Slots with this number and higher ones end after the job that they play.
    end: usize,
    /// None takes another job.
    is_paused: bool,
}

/// The slots, each in a thread of its own.
pub(super) struct SlotPool {
    setup: Arc<MatchSetup>,
    events: EventBuffer,
    inbox: Arc<Mutex<mpsc::UnboundedReceiver<Job>>>,
    done: CancellationToken,
    /// Weak, so that the messages end with the last slot.
    sender: mpsc::WeakUnboundedSender<SlotMessage>,
    placement: Placement,
    /// How many slots are wanted.
    slots: usize,
    wanted: watch::Sender<Wanted>,
    /// Slots that play a job now.
    playing: Arc<AtomicUsize>,
    /// Whether the run has begun: slots that are opened now are further ones.
    has_begun: bool,
    /// The numbers of the slots that have a thread.
    present: BTreeSet<usize>,
    /// The numbers of the slots that could not be opened since more were asked for.
    failed: BTreeSet<usize>,
    /// Each gives the number of its slot back.
    threads: JoinSet<usize>,
}

impl SlotPool {
    /// A pool that has no slots yet.
    pub(super) fn new(
        setup: Arc<MatchSetup>,
        placement: Placement,
        events: EventBuffer,
        inbox: Arc<Mutex<mpsc::UnboundedReceiver<Job>>>,
        done: CancellationToken,
        sender: &mpsc::UnboundedSender<SlotMessage>,
    ) -> Self {
        Self {
            setup,
            events,
            inbox,
            done,
            sender: sender.downgrade(),
            placement,
            slots: 0,
            wanted: watch::Sender::default(),
            playing: Arc::default(),
            has_begun: false,
            present: BTreeSet::new(),
            failed: BTreeSet::new(),
            threads: JoinSet::new(),
        }
    }

    /// Slots that play a job now.
    pub(super) fn playing(&self) -> usize {
        self.playing.load(Ordering::Relaxed)
    }

    /// Waits until a thread ends, and returns the number of its slot; `None` if there is none.
    ///
    /// # Errors
    /// The thread panicked.
    pub(super) async fn next_end(&mut self) -> Option<Result<usize, Failure>> {
        let broke_down = |panic| Failure::unable(format!("a slot broke down: {panic}"));
        let ended = self.threads.join_next().await?;
        Some(ended.map_err(broke_down))
    }

    /// Why no slot is left that could answer.
    pub(super) async fn all_ended(&mut self) -> Failure {
        while let Some(ended) = self.next_end().await {
            if let Err(failure) = ended {
                return failure;
            }
        }
        Failure::unable("all slots ended before the run did")
    }

    /// The thread of this slot has ended. It may be wanted again by now.
    pub(super) fn slot_ended(&mut self, number: usize) {
        self.present.remove(&number);
        self.fill();
    }

    /// A slot could not be opened, and is not tried again before more are wanted. Whether it was
    /// one of those that are wanted.
    pub(super) fn give_up(&mut self, number: usize) -> bool {
        self.failed.insert(number) && number < self.wanted.borrow().end
    }

    /// So many slots are to play.
    pub(super) fn want(&mut self, slots: usize, is_paused: bool) {
        let is_more = slots > self.slots;
        if is_more {
            self.failed.clear();
        }
        self.slots = slots;
        let end = end_of(slots, &self.failed);
        let wanted = Wanted { end, is_paused };
        let is_new = self
            .wanted
            .send_if_modified(|before| std::mem::replace(before, wanted) != wanted);
        if is_new || is_more {
            self.fill();
        }
    }

    /// Opens the slots that are missing.
    fn fill(&mut self) {
        let Some(sender) = self.sender.upgrade() else {
            return;
        };
        let placement = self.placement.for_slots(self.slots);
        let end = self.wanted.borrow().end;
        for number in 0..end {
            if self.failed.contains(&number) || !self.present.insert(number) {
                continue;
            }
            let worker = Worker {
                number,
                is_further: self.has_begun,
                setup: Arc::clone(&self.setup),
                events: self.events.clone(),
                inbox: Arc::clone(&self.inbox),
                done: self.done.clone(),
                sender: sender.clone(),
                wanted: self.wanted.subscribe(),
                playing: Arc::clone(&self.playing),
            };
            let placement = placement.clone();
            self.threads.spawn_blocking(move || {
                worker.work(&placement);
                number
            });
        }
        self.has_begun = true;
    }
}

/// The number after the last of so many slots, where some numbers are left out.
fn end_of(slots: usize, failed: &BTreeSet<usize>) -> usize {
    let mut end = slots;
    for number in failed {
        end += usize::from(slots > 0 && *number < end);
    }
    end
}

/// What a thread needs to play the jobs of one slot.
struct Worker {
    number: usize,
    /// Whether it was asked for while others played.
    is_further: bool,
    setup: Arc<MatchSetup>,
    events: EventBuffer,
    inbox: Arc<Mutex<mpsc::UnboundedReceiver<Job>>>,
    done: CancellationToken,
    sender: mpsc::UnboundedSender<SlotMessage>,
    wanted: watch::Receiver<Wanted>,
    playing: Arc<AtomicUsize>,
}

impl Worker {
    fn work(mut self, placement: &Placement) {
        let (job, failure) = match processor::run_slot(placement, self.play_jobs()) {
            Ok(Ok(())) => return,
            Ok(Err((job, failure))) => (Some(job), failure),
            Err(failure) => (None, failure),
        };
        let slot = self.number;
        self.events.push(|| Event::SlotClosed(SlotClosed { slot }));
        let broken = SlotMessage::Broken {
            further: self.is_further.then_some(slot),
            job,
            failure,
        };
        // The receiver goes only when nothing more is wanted.
        let _ = self.sender.send(broken);
    }

    /// Plays until there are no more jobs, the slot is not wanted any more, or all is cancelled.
    ///
    /// # Errors
    /// The engines for a job, which comes back, could not be started.
    async fn play_jobs(&mut self) -> Result<(), (Job, Failure)> {
        let mut kept = None;
        while let Some(job) = self.next_job().await {
            self.playing.fetch_add(1, Ordering::Relaxed);
            // On the heap, for it is the size of a game.
            let play = Box::pin(self.play(&mut kept, &job));
            let result = self.done.run_until_cancelled(play).await;
            self.playing.fetch_sub(1, Ordering::Relaxed);
            let result = match result {
                None => return Ok(()),
                Some(Err(failure)) => return Err((job, failure)),
                Some(Ok(result)) => result,
            };
            let finished = FinishedJob {
                pair: job.pair,
                result,
            };
            if self.sender.send(SlotMessage::Finished(finished)).is_err() {
                break;
            }
        }
        let slot = self.number;
        self.events.push(|| Event::SlotClosed(SlotClosed { slot }));
        if let Some(slot) = kept {
            slot.close().await;
        }
        Ok(())
    }

    /// The next job, once one may be played; the inbox is free again for other slots when this
    /// returns.
    async fn next_job(&mut self) -> Option<Job> {
        loop {
            let Wanted { end, is_paused } = *self.wanted.borrow_and_update();
            if self.number >= end {
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
            None => Slot::open(self.number, Arc::clone(setup), self.events.clone()).await?,
        };
        let result = slot.play(job).await;
        if result.is_ok() {
            *kept = Some(slot);
        }
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slots_above_one_that_failed_are_kept() {
        let end = |slots, failed: &[usize]| end_of(slots, &failed.iter().copied().collect());
        assert_eq!(end(4, &[]), 4);
        assert_eq!(end(3, &[1]), 4);
        assert_eq!(end(2, &[1, 2]), 4);
        assert_eq!(end(2, &[1]), 3, "fewer were asked for");
        assert_eq!(end(1, &[1, 2, 3]), 1);
        assert_eq!(end(2, &[2]), 2);
        assert_eq!(end(0, &[0, 1]), 0);
    }
}
