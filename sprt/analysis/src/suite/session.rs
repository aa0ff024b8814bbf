//! Runs the searches that are left, several positions at a time: at each, all engines search one
//! after the other.

use std::path::Path;

use engine_client::Timeouts;
use foundation::Failure;
use runs::signals::Signals;

use super::answer::Answer;
use super::folder::SuiteRun;
use super::report;
use crate::worker_pool::{Question, WorkerPool};

/// Searches whatever a run's journal does not have yet; `each` is called after each answer with the
/// number of answers. `None` where a signal came first: the run can be resumed.
///
/// # Errors
/// An engine cannot be started, or the journal cannot be written.
pub async fn run(
    path: &Path,
    signals: &Signals,
    mut each: impl FnMut(usize),
) -> Result<Option<SuiteRun>, Failure> {
    let (mut opened, mut run) = SuiteRun::open(path)?;
    for engine in &run.plan.engines {
        engine.verify()?;
    }
    let open = run.open_questions();
    let batches = open.iter().map(|(position, questions)| {
        let question = |&(engine, search): &(usize, u32)| Question {
            engine,
            fen: run.positions[*position].fen.clone(),
            limit: run.plan.limit_of(engine, *position, search),
        };
        questions.iter().map(question).collect()
    });
    let batches = batches.collect();
    let variant = run.plan.variant()?;
    let pool = WorkerPool {
        dialect: variant.dialect(),
        launches: run
            .plan
            .engines
            .iter()
            .map(|engine| engine.launch(variant))
            .collect(),
        timeouts: Timeouts::of_seconds(run.plan.startup_timeout_s, run.plan.move_timeout_s),
        workers: run.plan.concurrency,
    };
    let answered = run.answers.len();
    let at = opened.place();
    let searching = pool.search_for(&at, answered, signals, batches, |batch, place, trace| {
        let (position, questions) = &open[batch];
        let (engine, search) = questions[place];
        let found = match trace {
            Ok(trace) => Answer::of(&run.positions[*position], &trace, run.plan.mates),
            Err(fault) => Answer {
                fault: Some(fault),
                ..Answer::default()
            },
        };
        let answer = Answer {
            position: *position,
            engine,
            search,
            ..found
        };
        opened.append(&answer)?;
        run.answers.push(answer);
        each(run.answers.len());
        Ok(())
    });
    if searching.await?.is_none() {
        return Ok(None);
    }
    opened.finish(&report::json(&run)?)?;
    Ok(Some(run))
}
