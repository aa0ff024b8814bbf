//! Hands out pairs, and gives them back in the order in which they were handed out.
//!
//! The order matters twice: a stopping rule that saw short games first would be biased, and a run must end the same at
//! any concurrency. So a pair that finishes early waits for those scheduled before it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bench_guard::Failure;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

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
        let mut tasks = JoinSet::new();
        for _ in 0..slots {
            tasks.spawn(work(
                Arc::clone(&self.contest),
                Arc::clone(&self.book),
                Arc::clone(&next),
                self.pairs.end,
                done.clone(),
                sender.clone(),
            ));
        }
        drop(sender);

        let mut order = Order {
            next: self.pairs.start,
            waiting: BTreeMap::new(),
        };
        let mut result = Ok(());
        let mut batch = Vec::new();
        while result.is_ok() && receiver.recv_many(&mut batch, 1024).await > 0 {
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
                    Ok(Stop::Enough) => break,
                    Err(failure) => result = Err(failure),
                }
            }
        }
        done.cancel();
        drop(receiver);
        while tasks.join_next().await.is_some() {}
        result
    }
}

/// What one slot does until there is nothing more to do.
async fn work(
    contest: Arc<Contest>,
    book: Arc<Book>,
    next: Arc<AtomicU64>,
    end: u64,
    done: CancellationToken,
    sender: mpsc::UnboundedSender<Result<FinishedPair, Failure>>,
) {
    let mut slot = match done.run_until_cancelled(Slot::open(contest)).await {
        None => return,
        Some(Ok(slot)) => slot,
        Some(Err(failure)) => {
            let _ = sender.send(Err(failure));
            return;
        }
    };
    loop {
        let pair = next.fetch_add(1, Ordering::Relaxed);
        if pair >= end {
            break;
        }
        let played = done
            .run_until_cancelled(async { slot.play(pair, &book.opening(pair)?).await })
            .await;
        match played {
            None => break,
            Some(result) => {
                let failed = result.is_err();
                // The receiver goes only when nothing more is wanted.
                if sender.send(result).is_err() || failed {
                    break;
                }
            }
        }
    }
    slot.close().await;
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
