//! Before a game is played: does each parameter do anything, and is its c of the right size?
//!
//! The engine searches the same positions to the same depth with the parameter at start, start - c,
//! start + c, minimum and maximum. What changes nothing at all, node for node, is dead (or gated by
//! a switch, or needs a deeper search). The share of positions at which c changes the move or the
//! score is a stand-in for the Elo that c is worth; shares of all parameters should be alike, and a
//! suggested c aims at their median. It is a proxy, not a measurement of strength.

use std::sync::Arc;

use foundation::Failure;
use referee::tasks;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::checks::liveness::{self, Bounds};
use crate::checks::pool::Pool;
use crate::checks::prober::{Prober, Questions, Trace, share_changed};
use crate::evidence::levels::Levels;
use crate::parameter::{Kind, Parameter, some_of};

/// What was seen of one parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Screened {
    pub name: String,
    pub c_end: f64,
    /// Shares of positions whose move or score changes, at start - c, start + c, minimum and
    /// maximum; of a choice null, null, and the least and the greatest share of its other values.
    /// All are null where there was no time, as are the other figures.
    pub shares: [Option<f64>; 4],
    /// Whether anything changes, nodes included, at start -+ c, and at the bounds.
    pub changes_at_c: Option<bool>,
    pub changes_at_bounds: Option<bool>,
    pub verdict: ScreenVerdict,
    pub suggested_c: Option<f64>,
    /// How the engine failed, and at which value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScreenVerdict {
    Fine,
    Dead,
    /// Alive in deeper searches or in endgames alone.
    Deep,
    /// It changes nothing, but there was no time for deeper searches.
    Unsettled,
    /// Searches change, but no move and no score, not even at its bounds or other values.
    NoEffect,
    /// There was no time for it.
    Unprobed,
    /// Alive; there was no time to judge c.
    Alive,
    SmallC,
    LargeC,
    /// The engine fails at a value that a tune may play.
    Fails,
}

impl ScreenVerdict {
    pub fn words(self) -> &'static str {
        match self {
            Self::Fine => "",
            Self::Dead => "dead: changes nothing, not even at its bounds or other values",
            Self::Deep => "acts in deeper searches or endgames only",
            Self::Unsettled => "changes nothing; no time for deeper searches",
            Self::NoEffect => {
                "no effect on move or score in these searches, not even at its bounds or other values"
            }
            Self::Unprobed => "not probed: no time",
            Self::Alive => "alive; no time to judge c",
            Self::SmallC => "c too small",
            Self::LargeC => "c too large",
            Self::Fails => "the engine fails at a value of it",
        }
    }
}

/// A parameter whose c changes this many times fewer or more positions than the median's is out of
/// scale.
const OUT_OF_SCALE: f64 = 5.0;
/// A suggestion changes c by no more than this.
const BOLDEST: f64 = 4.0;

/// Screens the parameters, on `jobs` engines at a time and until `stop`; `progress` gets the number
/// of those probed so far.
pub(crate) async fn screen(
    questions: &Questions,
    parameters: &[Parameter],
    jobs: usize,
    stop: &CancellationToken,
    mut progress: impl FnMut(usize),
) -> Result<Vec<Screened>, Failure> {
    let mut screened: Vec<Screened> = parameters.iter().map(Screened::unprobed).collect();
    let pool = Arc::new(Pool::new(questions.clone(), parameters));
    let base = stop.run_until_cancelled(base(&pool)).await;
    let Some(base) = base.transpose()?.map(Arc::new) else {
        return Ok(screened);
    };
    // What matters most comes first, and takes a search or two where a parameter is alive.
    let count = parameters.len();
    let half = |done: usize| progress(done / 2);
    let verdicts = verdicts(questions, parameters, &base, jobs, stop, half).await?;
    for (seen, verdict) in screened.iter_mut().zip(verdicts) {
        seen.verdict = verdict;
    }
    let tasks = parameters.iter().cloned().enumerate().map(|(index, own)| {
        let (pool, base) = (Arc::clone(&pool), Arc::clone(&base));
        async move {
            let mut prober = pool.take().await?;
            let seen = match screen_parameter(&mut prober, &own, &base).await {
                Ok(seen) => {
                    pool.give_back(prober);
                    seen
                }
                // The next one asks another process.
                Err(failure) if failure.is_engine_fault() => Screened {
                    verdict: ScreenVerdict::Fails,
                    failure: Some(failure.message().to_owned()),
                    ..Screened::unprobed(&own)
                },
                Err(failure) => return Err(failure),
            };
            Ok((index, seen))
        }
    });
    let seen = tasks::run_all(tasks, jobs, stop, |done, _| {
        progress(usize::midpoint(count, done));
    })
    .await?;
    pool.dismiss().await;
    for (index, seen) in seen {
        let verdict = match screened[index].verdict {
            ScreenVerdict::Alive => seen.verdict,
            _ if seen.verdict == ScreenVerdict::Fails => seen.verdict,
            // What c changes is alive, whatever the bounds do.
            _ if seen.changes_at_c == Some(true) => seen.verdict,
            other => other,
        };
        screened[index] = Screened { verdict, ..seen };
    }
    judge(&mut screened, parameters);
    Ok(screened)
}

/// Which parameters are alive, whatever their c is worth.
async fn verdicts(
    questions: &Questions,
    parameters: &[Parameter],
    base: &Trace,
    jobs: usize,
    stop: &CancellationToken,
    progress: impl FnMut(usize),
) -> Result<Vec<ScreenVerdict>, Failure> {
    let mut verdicts = vec![ScreenVerdict::Unprobed; parameters.len()];
    let all: Vec<usize> = (0..parameters.len()).collect();
    let bounds = Bounds::new(questions.clone(), parameters);
    let asked = bounds.changed(base, &all, jobs, stop, progress).await?;
    let mut asleep = Vec::new();
    for (index, is_awake) in asked {
        if is_awake {
            verdicts[index] = ScreenVerdict::Alive;
        } else {
            asleep.push(index);
        }
    }
    let found = liveness::settle(questions, parameters, asleep, jobs, stop).await?;
    for (indices, verdict) in [
        (found.awake, ScreenVerdict::Deep),
        (found.dead, ScreenVerdict::Dead),
        (found.unsettled, ScreenVerdict::Unsettled),
    ] {
        for index in indices {
            verdicts[index] = verdict;
        }
    }
    Ok(verdicts)
}

/// The answers at the starts, which must be the same twice.
async fn base(pool: &Pool) -> Result<Trace, Failure> {
    let mut prober = pool.take().await?;
    let base = prober.trace().await?;
    if prober.trace().await? != base {
        return Err(Failure::unable(
            "the same search gave two different answers: the engine is not deterministic here",
        )
        .hint(
            "with several threads no search is: screen with Threads=1; `tuner spsa --force` tunes without a \
             screen",
        ));
    }
    pool.give_back(prober);
    Ok(base)
}

impl Screened {
    fn unprobed(parameter: &Parameter) -> Self {
        Self {
            name: parameter.name.clone(),
            c_end: parameter.c_end,
            shares: [None; 4],
            changes_at_c: None,
            changes_at_bounds: None,
            verdict: ScreenVerdict::Unprobed,
            suggested_c: None,
            failure: None,
        }
    }

    pub(crate) fn shares_in_words(&self) -> [String; 4] {
        self.shares.map(|share| match share {
            Some(share) => format!("{:.0}%", 100.0 * share),
            None => "-".to_owned(),
        })
    }
}

async fn screen_parameter(
    prober: &mut Prober,
    parameter: &Parameter,
    base: &Trace,
) -> Result<Screened, Failure> {
    let start = parameter.settle(parameter.value);
    let mut seen = Screened {
        verdict: ScreenVerdict::Fine,
        suggested_c: Some(parameter.c_end),
        ..Screened::unprobed(parameter)
    };
    if !parameter.choices.is_empty() {
        let (mut least, mut most, mut changes_any) = (1.0_f64, 0.0_f64, false);
        for value in parameter.telling_values() {
            if value != start {
                let (share, changes) = share_at(prober, parameter, value, base).await?;
                (least, most) = (least.min(share), most.max(share));
                changes_any |= changes;
            }
        }
        (seen.changes_at_c, seen.changes_at_bounds) = (Some(changes_any), Some(changes_any));
        seen.shares = [None, None, Some(least), Some(most)];
        return Ok(seen);
    }
    let c = match parameter.kind {
        // A probe by half a step is played by a whole one, half of the time.
        Kind::Int => parameter.c_end.max(1.0),
        Kind::Float => parameter.c_end,
    };
    let place = |value: f64| parameter.settle(value);
    let values = [
        place(start - c),
        place(start + c),
        parameter.min,
        parameter.max,
    ];
    let (mut shares, mut changes) = ([0.0; 4], [false; 4]);
    for (index, value) in values.into_iter().enumerate() {
        if value != start {
            (shares[index], changes[index]) = share_at(prober, parameter, value, base).await?;
        }
    }
    seen.shares = shares.map(Some);
    seen.changes_at_c = Some(changes[0] || changes[1]);
    seen.changes_at_bounds = Some(changes[2] || changes[3]);
    Ok(seen)
}

/// The share of positions that a value changes, and whether it changes anything at all.
async fn share_at(
    prober: &mut Prober,
    parameter: &Parameter,
    value: f64,
    base: &Trace,
) -> Result<(f64, bool), Failure> {
    let start = parameter.settle(parameter.value);
    let (value, usual) = (parameter.text(value), parameter.text(start));
    let trace = prober.trace_with(&parameter.name, &value, &usual).await?;
    Ok((share_changed(base, &trace), trace != *base))
}

/// Verdicts and suggestions, from how each compares with all.
fn judge(screened: &mut [Screened], parameters: &[Parameter]) {
    let share = |seen: &Screened| {
        let [below, above, ..] = seen.shares.map(Option::unwrap_or_default);
        f64::midpoint(below, above)
    };
    let live = screened.iter().map(share).filter(|share| *share > 0.0);
    let target = stats::median(live.map(|share| (share, 1))).unwrap_or(0.5);
    for (seen, parameter) in screened.iter_mut().zip(parameters) {
        if seen.verdict != ScreenVerdict::Fine {
            continue;
        }
        if seen.shares.iter().flatten().all(|share| *share == 0.0) {
            seen.verdict = ScreenVerdict::NoEffect;
            continue;
        }
        if Levels::of(parameter).is_some() {
            continue;
        }
        let ratio = target / share(seen).max(target / (2.0 * OUT_OF_SCALE));
        seen.verdict = if ratio > OUT_OF_SCALE {
            ScreenVerdict::SmallC
        } else if ratio < 1.0 / OUT_OF_SCALE {
            ScreenVerdict::LargeC
        } else {
            ScreenVerdict::Fine
        };
        if matches!(seen.verdict, ScreenVerdict::SmallC | ScreenVerdict::LargeC) {
            let most = ((parameter.max - parameter.min) / 4.0).max(parameter.kind.smallest_c());
            let wished = parameter.c_end * ratio.clamp(1.0 / BOLDEST, BOLDEST);
            seen.suggested_c = Some(wished.clamp(parameter.kind.smallest_c(), most));
        }
    }
}

/// What a person should hear of those at whose values the engine fails.
pub(crate) fn failures(screened: &[Screened]) -> impl Iterator<Item = &str> {
    screened.iter().filter_map(|seen| seen.failure.as_deref())
}

/// The names of those with this verdict.
pub(crate) fn named(screened: &[Screened], verdict: ScreenVerdict) -> Vec<&str> {
    screened
        .iter()
        .filter(|seen| seen.verdict == verdict)
        .map(|seen| seen.name.as_str())
        .collect()
}

/// What was not found out for want of time, a sentence each.
pub(crate) fn omissions(screened: &[Screened], depth: u32) -> Vec<String> {
    let unprobed = named(screened, ScreenVerdict::Unprobed);
    let unsettled = named(screened, ScreenVerdict::Unsettled);
    let mut omissions = Vec::new();
    if !unprobed.is_empty() {
        omissions.push(format!(
            "no time to probe {} of {} parameters: {}",
            unprobed.len(),
            screened.len(),
            some_of(&unprobed)
        ));
    }
    if !unsettled.is_empty() {
        omissions.push(format!(
            "nothing changes at depth {depth}, and there was no time for deeper searches: {}",
            some_of(&unsettled)
        ));
    }
    omissions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::study;

    fn seen(share: f64, changes_at_c: bool, changes_at_bounds: bool) -> Screened {
        Screened {
            name: "P".into(),
            c_end: 4.0,
            shares: [share, share, 0.9, 0.9].map(Some),
            changes_at_c: Some(changes_at_c),
            changes_at_bounds: Some(changes_at_bounds),
            verdict: ScreenVerdict::Fine,
            suggested_c: Some(4.0),
            failure: None,
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
            Screened {
                verdict: ScreenVerdict::Dead,
                ..seen(0.0, false, false)
            },
        ];
        let mut parameters = study::parameters(6, 1);
        for parameter in &mut parameters {
            (parameter.c_end, parameter.min, parameter.max) = (4.0, 960.0, 1040.0);
        }
        // A few levels are played as they are, whatever c is.
        let mut switch = study::parameters(1, 1).remove(0);
        (switch.min, switch.max) = (999.0, 1000.0);
        parameters.push(switch);
        screened.push(seen(0.01, true, true));
        parameters.push(parameters[0].clone());
        screened.push(Screened {
            shares: [Some(0.0); 4],
            ..seen(0.0, true, true)
        });
        judge(&mut screened, &parameters);
        let verdicts: Vec<ScreenVerdict> = screened.iter().map(|seen| seen.verdict).collect();
        let [fine, small] = [ScreenVerdict::Fine, ScreenVerdict::SmallC];
        let [dead_one, none] = [ScreenVerdict::Dead, ScreenVerdict::NoEffect];
        assert_eq!(
            verdicts,
            [fine, fine, fine, small, small, dead_one, fine, none]
        );
        let suggested: Vec<f64> = screened
            .iter()
            .filter_map(|seen| seen.suggested_c)
            .collect();
        assert_eq!(suggested, [4.0, 4.0, 4.0, 16.0, 16.0, 4.0, 4.0, 4.0]);
        assert_eq!(named(&screened, dead_one), ["P"]);
    }
}
