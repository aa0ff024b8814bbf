//! Whether a parameter that no search has shown to do anything is dead: one method for `lint`,
//! `screen` and the look before a tune.
//!
//! Much acts only where searches are deep, or where few pieces are left. So a suspect gets deeper
//! searches, with endgames among the positions, until its minimum or maximum changes one, or the
//! deepest has changed nothing. Who runs out of time before that is told so.

use std::sync::Arc;

use foundation::Failure;
use sprt::team;
use tokio_util::sync::CancellationToken;

use crate::checks::pool::Pool;
use crate::checks::prober::{Questions, Trace};
use crate::parameter::{Parameter, options};

/// So much deeper than the searches before are those of each step.
const STEP: u32 = 2;
/// How many steps there are.
const STEPS: u32 = 3;

/// The depth that a dead parameter was tried at after searches of this one.
pub fn deepest(first: u32) -> u32 {
    first + STEPS * STEP
}

/// What deeper searches made of the suspects.
#[derive(Debug, Default)]
pub struct Verdicts {
    /// They change a search.
    pub awake: Vec<usize>,
    /// Not even the deepest searches differ.
    pub dead: Vec<usize>,
    /// The deepest searches were not made, for want of time.
    pub unsettled: Vec<usize>,
}

/// Searches deeper for each of the suspects, which are indices, on `jobs` engines at a time and
/// until `stop`.
pub async fn settle(
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
        let search = Deeper {
            pool: Pool::new(deeper, parameters),
            parameters: parameters.to_vec(),
        };
        let Some(found) = search.step(&asleep, jobs, stop).await? else {
            verdicts.unsettled.extend(asleep);
            return Ok(verdicts);
        };
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

/// Searches of one depth.
struct Deeper {
    pool: Pool,
    parameters: Vec<Parameter>,
}

impl Deeper {
    /// Which of these were asked before `stop`, and whether they change a search; none where not
    /// even a search at the usual values came to an end.
    async fn step(
        self,
        suspects: &[usize],
        jobs: usize,
        stop: &CancellationToken,
    ) -> Result<Option<Vec<(usize, bool)>>, Failure> {
        let mut prober = self.pool.take().await?;
        let usual = match stop.run_until_cancelled(prober.try_trace()).await {
            Some(Ok(usual)) => Arc::new(usual),
            // Too slow for searches as deep as that.
            None | Some(Err(_)) => return Ok(None),
        };
        self.pool.give_back(prober);
        let shared = Arc::new(self);
        let tasks = suspects.iter().map(|&index| {
            let (search, usual) = (Arc::clone(&shared), Arc::clone(&usual));
            async move { Ok((index, search.changes(index, &usual).await?)) }
        });
        let found = team::all(tasks, jobs, stop, |_, _| ()).await?;
        shared.pool.dismiss().await;
        Ok(Some(found))
    }

    /// Whether a bound of this parameter changes an answer. An engine that fails at a bound and not
    /// at the usual value reads it.
    async fn changes(&self, index: usize, usual: &Trace) -> Result<bool, Failure> {
        let parameter = &self.parameters[index];
        let start = parameter.settle(parameter.value);
        let text = |value: f64| options(std::slice::from_ref(parameter), &[value]);
        for value in [parameter.min, parameter.max] {
            if value == start {
                continue;
            }
            let mut prober = self.pool.take().await?;
            prober.engine.set_options(&text(value)).await?;
            if !prober.agrees(usual).await.unwrap_or(false) {
                prober.quit().await;
                return Ok(true);
            }
            prober.engine.set_options(&text(start)).await?;
            self.pool.give_back(prober);
        }
        Ok(false)
    }
}
