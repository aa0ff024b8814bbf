//! Whether a parameter that no search has shown to do anything is dead: one method for `lint`,
//! `screen` and the look before a tune.
//!
//! Much acts only where searches are deep, or where few pieces are left. So a suspect gets deeper
//! searches, with endgames among the positions, until its minimum or maximum changes one, or the
//! deepest has changed nothing. If time runs out before that, it is reported as unsettled.

use std::sync::Arc;

use foundation::Failure;
use referee::tasks;
use tokio_util::sync::CancellationToken;

use crate::checks::pool::Pool;
use crate::checks::prober::{Questions, Trace};
use crate::parameter::{Parameter, options};

/// How much deeper the searches of each step are than those of the step before.
const STEP: u32 = 2;
/// The number of steps.
const STEPS: u32 = 3;

/// The depth that a dead parameter was tried at after searches of this one.
pub(crate) fn deepest(first: u32) -> u32 {
    first + STEPS * STEP
}

/// What deeper searches made of the suspects.
#[derive(Debug, Default)]
pub(crate) struct Verdicts {
    /// They change a search.
    pub awake: Vec<usize>,
    /// Not even the deepest searches differ.
    pub dead: Vec<usize>,
    /// The deepest searches were not made, for want of time.
    pub unsettled: Vec<usize>,
}

/// Searches deeper for each of the suspects, which are indices, on `jobs` engines at a time and
/// until `stop`.
pub(crate) async fn settle(
    questions: &Questions,
    parameters: &[Parameter],
    suspects: Vec<usize>,
    jobs: usize,
    stop: &CancellationToken,
) -> Result<Verdicts, Failure> {
    let mut verdicts = Verdicts::default();
    let Some(first) = questions.limit().depth else {
        verdicts.unsettled = suspects;
        return Ok(verdicts);
    };
    let mut asleep = suspects;
    for step in 1..=STEPS {
        if asleep.is_empty() {
            break;
        }
        let deeper = questions.deeper(first + step * STEP)?;
        let search = Bounds::new(deeper, parameters);
        let Some(usual) = stop.run_until_cancelled(search.usual()).await.flatten() else {
            verdicts.unsettled.extend(asleep);
            return Ok(verdicts);
        };
        let found = search.changed(&usual, &asleep, jobs, stop, |_| ()).await?;
        let was_asked = |index: &usize| found.iter().any(|(asked, _)| asked == index);
        let is_awake = |index: &usize| found.contains(&(*index, true));
        verdicts
            .unsettled
            .extend(asleep.iter().filter(|index| !was_asked(index)).copied());
        verdicts
            .awake
            .extend(asleep.iter().filter(|index| is_awake(index)).copied());
        asleep.retain(|index| was_asked(index) && !is_awake(index));
    }
    verdicts.dead = asleep;
    Ok(verdicts)
}

/// Searches with each parameter at its bounds, or with each of its choices.
#[derive(Clone)]
pub(crate) struct Bounds {
    pool: Arc<Pool>,
    parameters: Arc<Vec<Parameter>>,
}

impl Bounds {
    pub(crate) fn new(questions: Questions, parameters: &[Parameter]) -> Self {
        Self {
            pool: Arc::new(Pool::new(questions, parameters)),
            parameters: Arc::new(parameters.to_vec()),
        }
    }

    /// The answers at the starts; none where the engine is too slow for searches like these.
    async fn usual(&self) -> Option<Trace> {
        let mut prober = self.pool.take().await.ok()?;
        let usual = prober.try_trace().await.ok()?;
        self.pool.give_back(prober);
        Some(usual)
    }

    /// Which of these parameters were asked before `stop`, and whether they change an answer;
    /// `progress` gets the number of those that were.
    pub(crate) async fn changed(
        &self,
        usual: &Trace,
        suspects: &[usize],
        jobs: usize,
        stop: &CancellationToken,
        mut progress: impl FnMut(usize),
    ) -> Result<Vec<(usize, bool)>, Failure> {
        let usual = Arc::new(usual.clone());
        let tasks = suspects.iter().map(|&index| {
            let (search, usual) = (self.clone(), Arc::clone(&usual));
            async move { Ok((index, search.changes(index, &usual).await?)) }
        });
        let found = tasks::run_all(tasks, jobs, stop, |done, _| progress(done)).await?;
        self.pool.dismiss().await;
        Ok(found)
    }

    /// Whether a bound of this parameter, or one of its choices, changes an answer. An engine that
    /// fails there and not at the usual value reads it.
    async fn changes(&self, index: usize, usual: &Trace) -> Result<bool, Failure> {
        let parameter = &self.parameters[index];
        let start = parameter.settle(parameter.value);
        let text = |value: f64| options(std::slice::from_ref(parameter), &[value]);
        for value in parameter.telling_values() {
            if value == start {
                continue;
            }
            let mut prober = self.pool.take().await?;
            let is_set = prober.engine.set_options(&text(value)).await.is_ok();
            if !is_set || !prober.agrees(usual).await.unwrap_or(false) {
                prober.quit().await;
                return Ok(true);
            }
            prober.engine.set_options(&text(start)).await?;
            self.pool.give_back(prober);
        }
        Ok(false)
    }
}
