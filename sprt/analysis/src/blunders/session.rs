//! Has the judge search whatever it has not searched yet.

use std::path::Path;

use engine_client::Timeouts;
use foundation::Failure;
use runs::signals::Signals;

use super::folder::BlundersRun;
use super::judgement::Judgement;
use super::report;
use crate::worker_pool::{Question, WorkerPool};

/// `each` is called with the number of positions that have been judged. `None` where a signal came
/// first: the count can be resumed.
///
/// # Errors
/// The judge cannot be started, or the journal cannot be written.
pub async fn run(
    path: &Path,
    signals: &Signals,
    mut each: impl FnMut(usize),
) -> Result<Option<BlundersRun>, Failure> {
    let (mut opened, mut run) = BlundersRun::open(path)?;
    run.plan.judge.verify()?;
    let mut open = run.positions();
    open.retain(|position| !run.judgements.contains_key(position));
    let limit = |again: bool| {
        run.plan
            .again
            .as_ref()
            .filter(|_| again)
            .unwrap_or(&run.plan.limit)
    };
    let batches = open.iter().map(|(fen, again)| {
        vec![Question {
            engine: 0,
            fen: fen.clone(),
            limit: limit(*again).clone(),
        }]
    });
    let batches = batches.collect();
    let variant = run.plan.variant()?;
    let pool = WorkerPool {
        dialect: variant.dialect(),
        launches: vec![run.plan.judge.launch(variant)],
        timeouts: Timeouts::of_seconds(run.plan.startup_timeout_s, run.plan.move_timeout_s),
        workers: run.plan.concurrency,
    };
    let judged = run.judgements.len();
    let at = opened.place();
    let judging = pool.search_for(&at, judged, signals, batches, |batch, _, trace| {
        let (fen, again) = open[batch].clone();
        let (score, best, fault) = match trace {
            Ok(trace) if trace.last.score.is_none() => {
                (None, trace.best, Some("it reported no score".to_owned()))
            }
            Ok(trace) => (trace.last.score, trace.best, None),
            Err(fault) => (None, String::new(), Some(fault)),
        };
        let judgement = Judgement {
            fen: fen.clone(),
            again,
            score,
            best,
            fault,
        };
        opened.append(&judgement)?;
        run.judgements.insert((fen, again), judgement);
        each(run.judgements.len());
        Ok(())
    });
    if judging.await?.is_none() {
        return Ok(None);
    }
    opened.finish(&report::json(&run)?)?;
    Ok(Some(run))
}
