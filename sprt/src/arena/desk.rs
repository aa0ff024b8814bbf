//! Where jobs go out and come back, and in which order.

use std::collections::{BTreeMap, BTreeSet};

use foundation::Failure;
use tokio::sync::mpsc;

use super::crew::Message;
use super::scheduler::{Flow, Job, Source};

/// Jobs that are given out for each slot, so that none waits for what is done with its last.
const JOBS_PER_SLOT: usize = 2;
/// How many numbers jobs may be ahead of the oldest that is not back yet, for each slot. Those that
/// are back wait for it where order matters, and would fill the memory if one slot stands still.
const AHEAD_PER_SLOT: u64 = 8;

/// Where jobs go out and come back.
pub(super) struct Desk {
    pub(super) slots: usize,
    /// The numbers of the jobs that are not back yet.
    under_way: BTreeSet<u64>,
    /// The highest number that was handed out.
    highest: u64,
    jobs: mpsc::UnboundedSender<Job>,
}

impl Desk {
    pub(super) fn new(slots: usize, jobs: mpsc::UnboundedSender<Job>) -> Self {
        Self {
            slots,
            under_way: BTreeSet::new(),
            highest: 0,
            jobs,
        }
    }

    /// Whether no job is out that has not come back.
    pub(super) fn is_clear(&self) -> bool {
        self.under_way.is_empty()
    }

    fn has_room(&self) -> bool {
        let oldest = self.under_way.first();
        let ahead = oldest.map_or(0, |oldest| self.highest.saturating_sub(*oldest));
        self.under_way.len() < JOBS_PER_SLOT * self.slots
            && ahead < AHEAD_PER_SLOT * self.slots as u64
    }

    pub(super) fn hand_out(&mut self, source: &mut impl Source) -> Result<(), Failure> {
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

    pub(super) fn take_in(
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
    use super::super::scheduler::Finished;
    use super::*;
    use crate::openings::Opening;

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
        let mut desk = Desk::new(2, jobs);
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
