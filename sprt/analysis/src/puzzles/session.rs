//! Counts the blunders, and then has the positions around them searched for their two best moves.

use std::path::Path;

use engine_client::Timeouts;
use foundation::Failure;
use foundation::run_folder::{RunFolder, SPRT};
use runs::signals::Signals;

use super::folder::{PuzzlesRun, blunders_of};
use super::verification::Verification;
use crate::blunders;
use crate::worker_pool::{Question, WorkerPool};

/// How far the work is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Positions of the games that were judged.
    Games(usize),
    /// Positions around mistakes that were searched for their two best moves, and all that are to
    /// be at this limit.
    Candidates(usize, usize),
}

/// Does the work that is left. `None` where a signal came first: it can be resumed.
///
/// # Errors
/// The judge cannot be started, or a journal cannot be written.
pub async fn run(
    path: &Path,
    signals: &Signals,
    mut each: impl FnMut(Progress),
) -> Result<Option<PuzzlesRun>, Failure> {
    // For as long as the games are judged, too.
    let folder = RunFolder::open(path, &SPRT)?;
    let games = blunders_of(path);
    let counting = blunders::session::run(&games, signals, |judged| each(Progress::Games(judged)));
    if counting.await?.is_none() {
        return Ok(None);
    }
    let (mut opened, mut run) = PuzzlesRun::open(folder)?;
    for again in [false, true] {
        let open = run.open_positions(again);
        if open.is_empty() {
            continue;
        }
        let limit = &run.plan.limits[usize::from(again)];
        let question = |fen: &String| {
            vec![Question {
                engine: 0,
                fen: fen.clone(),
                limit: limit.clone(),
            }]
        };
        let batches = open.iter().map(question).collect();
        let variant = run.blunders.plan.variant()?;
        let pool = WorkerPool {
            dialect: variant.dialect(),
            launches: vec![run.plan.judge.launch(variant)],
            timeouts: Timeouts::of_seconds(run.plan.startup_timeout_s, run.plan.move_timeout_s),
            workers: run.plan.concurrency,
        };
        let mut done = 0;
        let answered = run.verifications.len();
        let at = opened.place();
        let searching = pool.search_for(&at, answered, signals, batches, |batch, _, trace| {
            let said = Verification::of(open[batch].clone(), again, trace);
            opened.append(&said)?;
            run.verifications.insert((said.fen.clone(), again), said);
            done += 1;
            each(Progress::Candidates(done, open.len()));
            Ok(())
        });
        if searching.await?.is_none() {
            return Ok(None);
        }
    }
    opened.sync()?;
    Ok(Some(run))
}
