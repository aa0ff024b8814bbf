//! Workers that ask engines, several at a time.
//!
//! Each worker has a process of every engine, started when it is first asked, and takes the next
//! batch of questions when it has finished one. A search that fails is made once more by a new
//! process; when that fails too, the fault is the answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use engine_client::{Dialect, Launch, Limit, Supervisor, Timeouts};
use foundation::{Failure, failure::OrUnable, platform::BatchPolicy, run_folder::Place};
use runs::activity::{Activity, now};
use runs::signals::Signals;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::search::{SearchTrace, search};

/// A search that is to be made.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// Place of the engine in the pool's list.
    pub engine: usize,
    pub fen: String,
    pub limit: Limit,
}

/// The engines, and how many workers ask them.
pub(crate) struct WorkerPool {
    pub dialect: &'static dyn Dialect,
    pub launches: Vec<Launch>,
    pub timeouts: Timeouts,
    pub workers: usize,
}

/// The answer to a question, or why there is none; the places of its batch and in its batch.
type Reply = (usize, usize, Result<SearchTrace, String>);

/// What all workers share.
struct Work {
    pool: WorkerPool,
    batches: Vec<Vec<Question>>,
    next: AtomicUsize,
}

impl WorkerPool {
    /// Asks everything for the run in this place, in which so many questions were answered before,
    /// and records meanwhile that it is being searched. `None` where a signal came first.
    ///
    /// # Errors
    /// As for [`search_all`](Self::search_all).
    pub(crate) async fn search_for(
        self,
        place: &Place,
        answered: usize,
        signals: &Signals,
        batches: Vec<Vec<Question>>,
        handle: impl FnMut(usize, usize, Result<SearchTrace, String>) -> Result<(), Failure>,
    ) -> Result<Option<()>, Failure> {
        let run = place.path();
        let mut activity = Activity::begin_in(run, answered as u64, self.workers);
        activity.write(run);
        let searching = self.search_all(batches, handle);
        let searched = signals.unless_interrupted(searching).await;
        // Whoever failed may have lost the folder, and ended when the last answer was written.
        if searched.is_ok() {
            place.check()?;
            activity.end(now());
            activity.write(run);
        }
        searched
    }

    /// Asks everything. `handle` gets each answer as it comes.
    ///
    /// # Errors
    /// An engine cannot be started, or `handle` failed: at once, whatever is left to ask.
    async fn search_all(
        self,
        batches: Vec<Vec<Question>>,
        mut handle: impl FnMut(usize, usize, Result<SearchTrace, String>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let size = self.workers.min(batches.len());
        let work = Arc::new(Work {
            pool: self,
            batches,
            next: AtomicUsize::new(0),
        });
        let (sender, mut answers) = unbounded_channel();
        let mut workers = JoinSet::new();
        for _ in 0..size {
            workers.spawn(work_through(work.clone(), sender.clone()));
        }
        drop(sender);
        // This thread reads what engines say, and must not interrupt them for each line.
        let _policy = BatchPolicy::begin();
        loop {
            tokio::select! {
                biased;
                Some((batch, place, answer)) = answers.recv() => handle(batch, place, answer)?,
                Some(ended) = workers.join_next() => ended.or_unable("wait for an engine's searches")??,
                else => return Ok(()),
            }
        }
    }
}

async fn work_through(work: Arc<Work>, answers: UnboundedSender<Reply>) -> Result<(), Failure> {
    let mut engines: Vec<Option<Supervisor>> = work.pool.launches.iter().map(|_| None).collect();
    loop {
        let batch = work.next.fetch_add(1, Ordering::Relaxed);
        let Some(questions) = work.batches.get(batch) else {
            break;
        };
        for (place, question) in questions.iter().enumerate() {
            let engine = &mut engines[question.engine];
            let answer = match engine {
                Some(supervisor) => work.answer(supervisor, question).await?,
                none => {
                    let launch = &work.pool.launches[question.engine];
                    let supervisor =
                        none.insert(Supervisor::start(launch, work.pool.timeouts).await?);
                    work.answer(supervisor, question).await?
                }
            };
            if answers.send((batch, place, answer)).is_err() {
                return Ok(());
            }
        }
    }
    for supervisor in engines.into_iter().flatten() {
        supervisor.quit().await;
    }
    Ok(())
}

impl Work {
    async fn answer(
        &self,
        supervisor: &mut Supervisor,
        question: &Question,
    ) -> Result<Result<SearchTrace, String>, Failure> {
        let timeout = self.pool.timeouts.answer;
        let mut failed = String::new();
        for _ in 0..2 {
            supervisor.restart_if_failed().await?;
            match search(
                supervisor.engine_mut(),
                self.pool.dialect,
                &question.fen,
                &question.limit,
                timeout,
            )
            .await
            {
                Ok(trace) => return Ok(Ok(trace)),
                Err(fault) => failed = fault.to_string(),
            }
        }
        Ok(Err(failed))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use engine_client::UCI;

    use super::*;

    /// One never answers a search, the other ends before its handshake.
    #[tokio::test]
    async fn an_engine_that_cannot_be_started_ends_the_work_at_once() {
        const SILENT: &str = "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; esac; done";
        let launch = |script: &str| Launch {
            arguments: vec!["-c".to_owned(), script.to_owned()],
            ..Launch::new("engine", Path::new("/bin/sh"), &UCI)
        };
        let timeout = Duration::from_hours(1);
        let pool = WorkerPool {
            dialect: &UCI,
            launches: vec![launch(SILENT), launch("exit 1")],
            timeouts: Timeouts {
                startup: timeout,
                answer: timeout,
            },
            workers: 2,
        };
        let question = |engine| Question {
            engine,
            fen: "8/8/8/8/8/4k3/8/4K3 w - - 0 1".to_owned(),
            limit: Limit::nodes(5),
        };
        let batches = vec![vec![question(0)], vec![question(1)]];
        let searched = pool.search_all(batches, |_, _, _| Ok(())).await;
        assert!(searched.is_err());
    }
}
