//! The jobs that slots have been given and not yet played.

use std::collections::BTreeSet;

use foundation::Failure;
use tokio::sync::mpsc;

use super::job::{Job, SlotMessage};
use super::source::{Flow, Source};

/// Jobs handed out to each slot, so that no slot waits until its last result has been processed.
const JOBS_PER_SLOT: usize = 2;
/// How far job numbers may run ahead of the oldest unfinished job, for each slot. Where order
/// matters, finished jobs wait for that one, and would fill the memory if one slot hung.
const AHEAD_PER_SLOT: u64 = 8;

/// The jobs under way.
pub(super) struct JobQueue {
    pub(super) slots: usize,
    /// The numbers of the jobs that are not back yet.
    under_way: BTreeSet<u64>,
    /// The highest number that was handed out.
    highest: u64,
    /// The further slots that could not be opened, until somebody takes them.
    pub(super) failed: Vec<(usize, Failure)>,
    jobs: mpsc::UnboundedSender<Job>,
}

impl JobQueue {
    pub(super) fn new(slots: usize, jobs: mpsc::UnboundedSender<Job>) -> Self {
        Self {
            slots,
            under_way: BTreeSet::new(),
            highest: 0,
            failed: Vec::new(),
            jobs,
        }
    }

    /// Whether every job is finished.
    pub(super) fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    fn has_room(&self) -> bool {
        let oldest = self.under_way.first();
        let ahead = oldest.map_or(0, |oldest| self.highest.saturating_sub(*oldest));
        self.under_way.len() < JOBS_PER_SLOT * self.slots
            && ahead < AHEAD_PER_SLOT * self.slots as u64
    }

    pub(super) fn dispatch(&mut self, source: &mut impl Source) -> Result<(), Failure> {
        while self.has_room() {
            let Some(job) = source.next_job()? else {
                return Ok(());
            };
            self.under_way.insert(job.pair);
            self.highest = self.highest.max(job.pair);
            // If the receiver is gone, the answers end too, and the error is handled there.
            let _ = self.jobs.send(job);
        }
        Ok(())
    }

    pub(super) fn receive(
        &mut self,
        source: &mut impl Source,
        batch: &mut Vec<SlotMessage>,
    ) -> Result<Flow, Failure> {
        let mut finished = Vec::new();
        let mut broken = None;
        for message in batch.drain(..) {
            match message {
                SlotMessage::Finished(job) => finished.push(job),
                SlotMessage::Broken {
                    further: Some(slot),
                    job,
                    failure,
                } => {
                    // Another slot plays it.
                    if let Some(job) = job {
                        let _ = self.jobs.send(job);
                    }
                    self.failed.push((slot, failure));
                }
                SlotMessage::Broken { failure, .. } => broken = Some(failure),
            }
        }
        for job in &finished {
            self.under_way.remove(&job.pair);
        }
        let flow = if finished.is_empty() {
            Flow::GoOn
        } else {
            source.receive(finished)?
        };
        match broken {
            // An engine that failed after the question was answered changes nothing any more.
            Some(failure) if flow == Flow::GoOn => Err(failure),
            _ => Ok(flow),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::job::FinishedJob;
    use super::*;
    use crate::openings::Opening;

    /// Jobs without end, which come back at once but for the first.
    struct Endless(u64);

    impl Source for Endless {
        fn next_job(&mut self) -> Result<Option<Job>, Failure> {
            self.0 += 1;
            Ok(Some(Job::pair(self.0 - 1, Opening::default())))
        }

        fn receive(&mut self, _: Vec<FinishedJob>) -> Result<Flow, Failure> {
            Ok(Flow::GoOn)
        }
    }

    #[test]
    fn a_slot_that_stands_still_keeps_the_others_from_running_ahead() {
        let (jobs, mut inbox) = mpsc::unbounded_channel();
        let mut queue = JobQueue::new(2, jobs);
        let mut source = Endless(0);
        for _ in 0..1000 {
            queue.dispatch(&mut source).expect("jobs");
            assert!(queue.under_way.len() <= JOBS_PER_SLOT * 2);
            while let Ok(job) = inbox.try_recv() {
                if job.pair > 0 {
                    queue.under_way.remove(&job.pair);
                }
            }
        }
        assert_eq!(queue.highest, AHEAD_PER_SLOT * 2);
        queue.under_way.clear();
        queue.dispatch(&mut source).expect("jobs");
        assert!(queue.highest > AHEAD_PER_SLOT * 2);
    }
}
