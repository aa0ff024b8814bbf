//! Before a game is played: does each parameter do anything, and is its c of the right size?
//!
//! The engine searches the same positions to the same depth with the parameter at start, start - c,
//! start + c, minimum and maximum. What changes nothing at all, node for node, is dead (or gated by
//! a switch, or needs a deeper search). The share of positions at which c changes the move or the
//! score is a stand-in for the Elo that c is worth; shares of all parameters should be alike, and a
//! suggested c aims at their median. It is a proxy, not a measurement of strength.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use foundation::Failure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sprt::team;
use tokio_util::sync::CancellationToken;

use crate::checks::liveness;
use crate::checks::prober::{Prober, Questions, Trace, share_changed};
use crate::parameter::options;
use crate::parameter::{Kind, Parameter};

/// What was seen of one parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Screened {
    pub name: String,
    pub c_end: f64,
    /// Shares of positions whose move or score changes, at start - c, start + c, minimum and
    /// maximum.
    pub shares: [f64; 4],
    /// Whether anything changes, nodes included, at start -+ c, and at the bounds.
    pub changes_at_c: bool,
    pub changes_at_bounds: bool,
    pub verdict: ScreenVerdict,
    pub suggested_c: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScreenVerdict {
    Fine,
    Dead,
    /// Alive in deeper searches or in endgames alone.
    Deep,
    SmallC,
    LargeC,
}

impl ScreenVerdict {
    pub fn words(self) -> &'static str {
        match self {
            Self::Fine => "",
            Self::Dead => "dead: changes nothing, not even at its bounds",
            Self::Deep => "acts in deeper searches or endgames only",
            Self::SmallC => "c too small",
            Self::LargeC => "c too large",
        }
    }
}

/// A parameter whose c changes this many times fewer or more positions than the median's is out of
/// scale.
const OUT_OF_SCALE: f64 = 5.0;
/// A suggestion changes c by no more than this.
const BOLDEST: f64 = 4.0;

/// Screens all parameters, on `jobs` engines at a time.
pub async fn screen(
    questions: &Questions,
    parameters: &[Parameter],
    jobs: usize,
    progress: impl Fn(usize),
) -> Result<Vec<Screened>, Failure> {
    let mut prober = Prober::start(questions).await?;
    prober
        .engine
        .set_options(&options(parameters, &starts(parameters)))
        .await?;
    let base = prober.trace().await?;
    if prober.trace().await? != base {
        return Err(Failure::unable(
            "the same search gave two different answers: the engine is not deterministic here",
        )
        .hint("screen with Threads=1 and a fixed --depth or --nodes"));
    }
    prober.quit().await;

    let base = Arc::new(base);
    let list = Arc::new(parameters.to_vec());
    let next = Arc::new(AtomicUsize::new(0));
    let jobs = jobs.clamp(1, parameters.len().max(1));
    let workers = (0..jobs).map(|_| {
        work(
            questions.clone(),
            Arc::clone(&list),
            Arc::clone(&base),
            Arc::clone(&next),
        )
    });
    let (nobody_stops, mut ended) = (CancellationToken::new(), 0);
    let seen = team::all(workers, jobs, &nobody_stops, |_, part: &Vec<_>| {
        ended += part.len();
        progress(ended);
    });
    let mut seen: Vec<(usize, Screened)> = seen.await?.into_iter().flatten().collect();
    seen.sort_by_key(|(index, _)| *index);
    let mut screened: Vec<Screened> = seen.into_iter().map(|(_, screened)| screened).collect();
    judge(&mut screened, parameters);
    let suspects: Vec<usize> = (0..screened.len())
        .filter(|&index| screened[index].verdict == ScreenVerdict::Dead)
        .collect();
    for index in liveness::awake(questions, parameters, &suspects, jobs).await? {
        screened[index].verdict = ScreenVerdict::Deep;
    }
    Ok(screened)
}

fn starts(parameters: &[Parameter]) -> Vec<f64> {
    parameters
        .iter()
        .map(|parameter| parameter.settle(parameter.value))
        .collect()
}

async fn work(
    questions: Questions,
    parameters: Arc<Vec<Parameter>>,
    base: Arc<Trace>,
    next: Arc<AtomicUsize>,
) -> Result<Vec<(usize, Screened)>, Failure> {
    let mut prober = Prober::start(&questions).await?;
    prober
        .engine
        .set_options(&options(&parameters, &starts(&parameters)))
        .await?;
    let mut seen = Vec::new();
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(parameter) = parameters.get(index) else {
            prober.quit().await;
            return Ok(seen);
        };
        seen.push((index, look(&mut prober, parameter, &base).await?));
    }
}

async fn look(
    prober: &mut Prober,
    parameter: &Parameter,
    base: &Trace,
) -> Result<Screened, Failure> {
    let start = parameter.settle(parameter.value);
    let c = match parameter.kind {
        // A probe by half a step is played by a whole one, half of the time.
        Kind::Int => parameter.c_end.max(1.0),
        Kind::Float => parameter.c_end,
    };
    let place = |value: f64| parameter.clip(parameter.settle(value));
    let values = [
        place(start - c),
        place(start + c),
        parameter.min,
        parameter.max,
    ];
    let mut shares = [0.0; 4];
    let mut changes = [false; 4];
    let one = std::slice::from_ref(parameter);
    for (index, value) in values.into_iter().enumerate() {
        if value == start {
            continue;
        }
        let text = |value: f64| options(one, &[value]).remove(0);
        let ((name, value), (_, usual)) = (text(value), text(start));
        let trace = prober.trace_with(&name, &value, &usual).await?;
        shares[index] = share_changed(base, &trace);
        changes[index] = trace != *base;
    }
    Ok(Screened {
        name: parameter.name.clone(),
        c_end: parameter.c_end,
        shares,
        changes_at_c: changes[0] || changes[1],
        changes_at_bounds: changes[2] || changes[3],
        verdict: ScreenVerdict::Fine,
        suggested_c: parameter.c_end,
    })
}

/// Verdicts and suggestions, from how each compares with all.
fn judge(screened: &mut [Screened], parameters: &[Parameter]) {
    let share = |seen: &Screened| f64::midpoint(seen.shares[0], seen.shares[1]);
    let mut live: Vec<f64> = screened
        .iter()
        .map(share)
        .filter(|share| *share > 0.0)
        .collect();
    live.sort_by(f64::total_cmp);
    let target = live.get(live.len() / 2).copied().unwrap_or(0.5);
    for (seen, parameter) in screened.iter_mut().zip(parameters) {
        let ratio = target / share(seen).max(target / (2.0 * OUT_OF_SCALE));
        seen.verdict = if !seen.changes_at_c && !seen.changes_at_bounds {
            ScreenVerdict::Dead
        } else if ratio > OUT_OF_SCALE {
            ScreenVerdict::SmallC
        } else if ratio < 1.0 / OUT_OF_SCALE {
            ScreenVerdict::LargeC
        } else {
            ScreenVerdict::Fine
        };
        if matches!(seen.verdict, ScreenVerdict::SmallC | ScreenVerdict::LargeC) {
            let most = ((parameter.max - parameter.min) / 4.0).max(parameter.kind.smallest_c());
            let wished = parameter.c_end * ratio.clamp(1.0 / BOLDEST, BOLDEST);
            seen.suggested_c = wished.clamp(parameter.kind.smallest_c(), most);
        }
    }
}

/// The names of the dead ones.
pub fn dead(screened: &[Screened]) -> Vec<&str> {
    screened
        .iter()
        .filter(|seen| seen.verdict == ScreenVerdict::Dead)
        .map(|seen| seen.name.as_str())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::study;

    fn seen(share: f64, changes_at_c: bool, changes_at_bounds: bool) -> Screened {
        Screened {
            name: "P".into(),
            c_end: 4.0,
            shares: [share, share, 0.9, 0.9],
            changes_at_c,
            changes_at_bounds,
            verdict: ScreenVerdict::Fine,
            suggested_c: 4.0,
        }
    }

    #[test]
    fn parameters_are_judged_by_their_like() {
        let mut screened = vec![
            seen(0.5, true, true),
            seen(0.4, true, true),
            seen(0.5, true, true),
            seen(0.05, true, true),
            seen(0.0, false, true),
            seen(0.0, false, false),
        ];
        let mut parameters = study::parameters(6, 1);
        for parameter in &mut parameters {
            (parameter.c_end, parameter.min, parameter.max) = (4.0, 960.0, 1040.0);
        }
        judge(&mut screened, &parameters);
        let verdicts: Vec<ScreenVerdict> = screened.iter().map(|seen| seen.verdict).collect();
        let (fine, small, dead_one) = (
            ScreenVerdict::Fine,
            ScreenVerdict::SmallC,
            ScreenVerdict::Dead,
        );
        assert_eq!(verdicts, [fine, fine, fine, small, small, dead_one]);
        let suggested: Vec<f64> = screened.iter().map(|seen| seen.suggested_c).collect();
        assert_eq!(suggested, [4.0, 4.0, 4.0, 16.0, 16.0, 4.0]);
        assert_eq!(dead(&screened), ["P"]);
    }
}
