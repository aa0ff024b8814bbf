//! Hands out pairs, and gives them back in the order in which they were handed out.
//!
//! The order matters twice: a stopping rule that saw short games first would be biased, and a run must end the same at
//! any concurrency. So a pair that finishes early waits for those scheduled before it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use foundation::Failure;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::processor;
use super::slot::{Contest, FinishedPair, Slot};
use crate::openings::Book;

/// What the receiver of pairs wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    GoOn,
    /// The question is answered; what else is being played is of no use.
    Enough,
}

/// A match to be played.
pub struct Dispatcher {
    pub contest: Arc<Contest>,
    pub book: Arc<Book>,
    pub concurrency: usize,
    /// Whether each slot gets a processor of its own, where there are enough.
    pub own_processors: bool,
    /// Pairs with these numbers are played.
    pub pairs: std::ops::Range<u64>,
}

impl Dispatcher {
    /// Plays until all pairs are played, `receive` has had enough, or `interrupt` is cancelled; pairs that are under way
    /// then are void. `receive` gets batches of pairs in order, without gaps.
    ///
    /// # Errors
    /// An engine could not be started (again), an opening was unusable, or `receive` failed.
    pub async fn run(
        &self,
        interrupt: &CancellationToken,
        mut receive: impl FnMut(&[FinishedPair]) -> Result<Stop, Failure>,
    ) -> Result<(), Failure> {
        let slots = self
            .concurrency
            .min(usize::try_from(self.pairs.end - self.pairs.start).unwrap_or(usize::MAX));
        let next = Arc::new(AtomicU64::new(self.pairs.start));
        let done = interrupt.child_token();
        let (sender, mut receiver) = mpsc::unbounded_channel();
        let own_processors = self.own_processors && processor::suffice_for(slots);
        let mut threads = JoinSet::new();
        for _ in 0..slots {
            let worker = Worker {
                contest: Arc::clone(&self.contest),
                book: Arc::clone(&self.book),
                next: Arc::clone(&next),
                end: self.pairs.end,
                done: done.clone(),
                sender: sender.clone(),
            };
            threads.spawn_blocking(move || worker.work(own_processors));
        }
        drop(sender);

        let mut order = Order {
            next: self.pairs.start,
            waiting: BTreeMap::new(),
        };
        let mut result = Ok(());
        let mut batch = Vec::new();
        while result.is_ok() {
            tokio::select! {
                received = receiver.recv_many(&mut batch, 1024) => if received == 0 { break },
                // A pair that went down with its slot would be waited for in vain.
                Some(Err(panic)) = threads.join_next() => {
                    result = Err(Failure::unable(format!("a slot broke down: {panic}")));
                }
            }
            for finished in batch.drain(..) {
                match finished {
                    Ok(pair) => order.add(pair),
                    Err(failure) => result = Err(failure),
                }
            }
            let ready = order.ready();
            if !ready.is_empty() {
                match receive(&ready) {
                    Ok(Stop::GoOn) => {}
                    // An engine that failed in the same batch changes nothing any more.
                    Ok(Stop::Enough) => {
                        result = Ok(());
                        break;
                    }
                    Err(failure) => result = Err(failure),
                }
            }
        }
        done.cancel();
        drop(receiver);
        while threads.join_next().await.is_some() {}
        result
    }
}

/// What a thread needs to play the pairs of one slot.
struct Worker {
    contest: Arc<Contest>,
    book: Arc<Book>,
    /// The next pair that nobody plays yet.
    next: Arc<AtomicU64>,
    end: u64,
    done: CancellationToken,
    sender: mpsc::UnboundedSender<Result<FinishedPair, Failure>>,
}

impl Worker {
    /// Plays until there is nothing more to do.
    fn work(self, own_processor: bool) {
        let result = processor::run_slot(own_processor, self.play());
        if let Err(failure) = result.flatten() {
            // The receiver goes only when nothing more is wanted.
            let _ = self.sender.send(Err(failure));
        }
    }

    async fn play(&self) -> Result<(), Failure> {
        let opened = self
            .done
            .run_until_cancelled(Slot::open(Arc::clone(&self.contest)))
            .await;
        let Some(slot) = opened else {
            return Ok(());
        };
        let mut slot = slot?;
        let result = self.play_pairs(&mut slot).await;
        slot.close().await;
        result
    }

    async fn play_pairs(&self, slot: &mut Slot) -> Result<(), Failure> {
        loop {
            let pair = self.next.fetch_add(1, Ordering::Relaxed);
            if pair >= self.end {
                return Ok(());
            }
            let opening = self.book.opening(pair)?;
            let played = self
                .done
                .run_until_cancelled(slot.play(pair, &opening))
                .await;
            let Some(finished) = played else {
                return Ok(());
            };
            if self.sender.send(Ok(finished?)).is_err() {
                return Ok(());
            }
        }
    }
}

/// Pairs that wait for their predecessors.
struct Order {
    next: u64,
    waiting: BTreeMap<u64, FinishedPair>,
}

impl Order {
    fn add(&mut self, pair: FinishedPair) {
        self.waiting.insert(pair.pair, pair);
    }

    /// All pairs whose predecessors have been given out.
    fn ready(&mut self) -> Vec<FinishedPair> {
        let mut ready = Vec::new();
        while let Some(pair) = self.waiting.remove(&self.next) {
            self.next += 1;
            ready.push(pair);
        }
        ready
    }
}
