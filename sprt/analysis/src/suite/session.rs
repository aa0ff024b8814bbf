//! Has the engines of a plan answer what is open, several positions at a time.
//!
//! Each worker has a process of every engine and takes the next position when it has done one: all
//! engines search it, one after the other. A search that fails is made once more by a new process;
//! when that fails too, the fault is the answer.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use engine_client::{BatchPolicy, Supervisor};
use foundation::{Failure, failure::OrUnable};
use referee::game::{self, variants};
use runs::signals::Signals;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use super::answer::Answer;
use super::folder::{SuiteFolder, SuiteRun};
use super::plan::SuitePlan;
use super::{Position, report};
use crate::search::ask;

/// What all workers share.
struct Work {
    plan: SuitePlan,
    positions: Vec<Position>,
    /// Positions with what is to be searched there.
    questions: Vec<(usize, Vec<(usize, u32)>)>,
    next: AtomicUsize,
}

/// Searches whatever a run's journal does not have yet; `told` hears of each answer how many there
/// are. `None` where a signal came first: the run can be resumed.
///
/// # Errors
/// An engine cannot be started, or the journal not be written.
pub async fn run(
    path: &Path,
    signals: &Signals,
    mut told: impl FnMut(usize, &Answer),
) -> Result<Option<SuiteRun>, Failure> {
    let (mut folder, mut run) = SuiteFolder::open(path)?;
    for engine in &run.plan.engines {
        engine.verify()?;
    }
    let work = Arc::new(Work {
        plan: run.plan.clone(),
        positions: run.positions.clone(),
        questions: run.open_questions(),
        next: AtomicUsize::new(0),
    });
    let (sender, mut answers) = unbounded_channel();
    let mut workers = JoinSet::new();
    for _ in 0..run.plan.concurrency.min(work.questions.len()) {
        workers.spawn(work_through(work.clone(), sender.clone()));
    }
    drop(sender);
    // This thread reads what engines say, and must not interrupt them for each line.
    let _policy = BatchPolicy::begin();
    let searching = async {
        while let Some(answer) = answers.recv().await {
            folder.append(&answer)?;
            run.answers.push(answer);
            if let Some(last) = run.answers.last() {
                told(run.answers.len(), last);
            }
        }
        while let Some(ended) = workers.join_next().await {
            ended.or_unable("wait for an engine's searches")??;
        }
        Ok(())
    };
    if signals.unless_interrupted(searching).await?.is_none() {
        return Ok(None);
    }
    folder.finish(&report::json(&run)?)?;
    Ok(Some(run))
}

/// One worker: its engines are started when they are first asked.
async fn work_through(work: Arc<Work>, answers: UnboundedSender<Answer>) -> Result<(), Failure> {
    let mut engines: Vec<Option<Supervisor>> = work.plan.engines.iter().map(|_| None).collect();
    while let Some((position, questions)) = work
        .questions
        .get(work.next.fetch_add(1, Ordering::Relaxed))
    {
        for &(engine, search) in questions {
            let answer = match &mut engines[engine] {
                Some(supervisor) => work.answer(supervisor, *position, search).await?,
                none => {
                    let supervisor = none.insert(work.start(engine).await?);
                    work.answer(supervisor, *position, search).await?
                }
            };
            let answer = Answer {
                position: *position,
                engine,
                search,
                ..answer
            };
            if answers.send(answer).is_err() {
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
    async fn start(&self, engine: usize) -> Result<Supervisor, Failure> {
        let variant = game::find(variants::USUAL)?;
        let launch = self.plan.engines[engine].launch(variant);
        Supervisor::start(&launch, self.plan.timeouts()).await
    }

    async fn answer(
        &self,
        supervisor: &mut Supervisor,
        position: usize,
        search: u32,
    ) -> Result<Answer, Failure> {
        let asked = &self.positions[position];
        let limit = self.plan.limit_of(position, search);
        let patience = self.plan.timeouts().answer;
        let mut failed = None;
        for _ in 0..2 {
            supervisor.restart_if_failed().await?;
            match ask(supervisor.engine_mut(), &asked.fen, &limit, patience).await {
                Ok(course) => return Ok(Answer::of(asked, &course, self.plan.mates)),
                Err(fault) => failed = Some(fault.to_string()),
            }
        }
        Ok(Answer {
            fault: failed,
            ..Answer::default()
        })
    }
}
