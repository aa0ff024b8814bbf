//! Whether a parameter that no search has shown to do anything is dead: one method for `lint`,
//! `screen` and the look before a tune.
//!
//! Much acts only where searches are deep, or where few pieces are left. So a suspect gets deeper
//! searches, with endgames among the positions, until its minimum or maximum changes one, or the
//! deepest has changed nothing.

use std::sync::Arc;
use std::time::{Duration, Instant};

use foundation::Failure;
use sprt::team;
use tokio_util::sync::CancellationToken;

use crate::checks::prober::{Prober, Questions};
use crate::parameter::{Parameter, options};

/// So much deeper than the searches before are those of each step.
const STEP: u32 = 2;
/// How many steps there are.
const STEPS: u32 = 3;
/// The depth that a dead parameter was tried at after searches of this one.
pub fn deepest(first: u32) -> u32 {
    first + STEPS * STEP
}

/// No step begins later than this.
const LONGEST: Duration = Duration::from_mins(2);

/// Which of the suspects change a deeper search at a bound, on `jobs` engines at a time. All
/// parameters are at their starts; suspects are indices.
pub async fn awake(
    questions: &Questions,
    parameters: &[Parameter],
    suspects: &[usize],
    jobs: usize,
) -> Result<Vec<usize>, Failure> {
    let Some(first) = questions.limit().depth else {
        return Ok(Vec::new());
    };
    let (began, list) = (Instant::now(), Arc::new(parameters.to_vec()));
    let mut asleep = suspects.to_vec();
    let mut awake = Vec::new();
    for step in 1..=STEPS {
        if asleep.is_empty() || began.elapsed() > LONGEST {
            break;
        }
        let deeper = questions.deeper(first + step * STEP)?;
        let share = asleep.len().div_ceil(jobs.max(1));
        let tasks: Vec<_> = asleep
            .chunks(share)
            .map(|part| look(deeper.clone(), Arc::clone(&list), part.to_vec()))
            .collect();
        let nobody_stops = CancellationToken::new();
        let seen = team::all(
            tasks.into_iter(),
            jobs,
            &nobody_stops,
            |_, _: &Vec<usize>| {},
        );
        let found: Vec<usize> = seen.await?.into_iter().flatten().collect();
        asleep.retain(|index| !found.contains(index));
        awake.extend(found);
    }
    Ok(awake)
}

/// Those of the suspects that change an answer.
async fn look(
    questions: Questions,
    parameters: Arc<Vec<Parameter>>,
    suspects: Vec<usize>,
) -> Result<Vec<usize>, Failure> {
    let mut prober = Prober::start(&questions).await?;
    let starts: Vec<f64> = parameters
        .iter()
        .map(|parameter| parameter.settle(parameter.value))
        .collect();
    prober
        .engine
        .set_options(&options(&parameters, &starts))
        .await?;
    let usual = prober.trace().await?;
    let mut awake = Vec::new();
    for index in suspects {
        let (parameter, start) = (&parameters[index], starts[index]);
        let one = std::slice::from_ref(parameter);
        for value in [parameter.min, parameter.max] {
            if value == start {
                continue;
            }
            let text = |value: f64| options(one, &[value]).remove(0);
            let ((name, value), (_, before)) = (text(value), text(start));
            if prober.trace_with(&name, &value, &before).await? != usual {
                awake.push(index);
                break;
            }
        }
    }
    prober.quit().await;
    Ok(awake)
}
