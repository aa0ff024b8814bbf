//! Every figure that a report prints, from counts and a test.

use schemars::JsonSchema;
use serde::Serialize;

use super::counts::{MatchCounts, Pentanomial};
use super::elo::{
    Interval, NormalizedElo, extreme_elo, logistic_elo, normalized_elo, openbench_elo,
};
use super::forecast::Forecast;
use super::sprt::{Model, Test, Verdict};
use super::unbiased::{self, unbiased_elo};

/// The statistics of a match so far. A figure that does not exist is `None`; the field names are
/// those of the JSON output.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    pub verdict: Verdict,
    pub llr: Option<f64>,
    pub lower: Option<f64>,
    pub upper: Option<f64>,
    pub elo0: Option<f64>,
    pub elo1: Option<f64>,
    pub model: Option<Model>,
    pub games: u64,
    pub wins: Option<u64>,
    pub losses: Option<u64>,
    pub draws: Option<u64>,
    pub pentanomial: Option<Pentanomial>,
    /// OpenBench's: logistic Elo with Student's 95 % interval.
    pub elo: EloFigures,
    pub nelo: Option<f64>,
    /// The likelihood of superiority. Where all results are of one kind, only level ones have one.
    pub los: Option<f64>,
    /// Half the width of the 95 % interval of `nelo`.
    pub nelo_margin: Option<f64>,
    /// What the test has shown of the strength in logistic Elo, corrected for its stopping rule.
    pub unbiased_elo: EloFigures,
    pub unbiased_los: Option<f64>,
    /// Pairs that a test like this one still needs on average, to the decision or to the limit on
    /// its length.
    pub expected_pairs_left: Option<f64>,
    /// The probability that it will accept H1.
    pub chance_of_h1: Option<f64>,
    /// The probability that it reaches the limit on its length before a decision; only if there is
    /// a limit.
    pub chance_undecided: Option<f64>,
}

/// An estimate and its 95 % interval, each where it exists. A bound at a score of 0 or 1, or nearly, is infinite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct EloFigures {
    /// Null where there is no interval, and where it reaches a score of 0, or nearly.
    pub low: Option<f64>,
    pub value: Option<f64>,
    /// Null where there is no interval, and where it reaches a score of 1, or nearly.
    pub high: Option<f64>,
}

impl From<Interval> for EloFigures {
    fn from(interval: Interval) -> Self {
        Self::within(interval, extreme_elo())
    }
}

impl EloFigures {
    /// The figures of an interval that was computed as far as to this limit on either side.
    fn within(Interval { low, value, high }: Interval, limit: f64) -> Self {
        let low = if low > -limit { low } else { f64::NEG_INFINITY };
        let high = if high < limit { high } else { f64::INFINITY };
        Self {
            low: Some(low),
            value: finite(value),
            high: Some(high),
        }
    }

    /// The estimate and the larger half of its interval, where that says anything.
    pub fn with_larger_side(&self) -> Option<(f64, f64)> {
        let (low, value, high) = (self.low?, self.value?, self.high?);
        let says_something = low.is_finite() || high.is_finite();
        says_something.then(|| (value, (high - value).max(value - low)))
    }

    /// As in OpenBench's block, from pairs where there are any.
    pub fn of(counts: &MatchCounts) -> Self {
        let figures = match (counts.pentanomial(), counts.wdl()) {
            (Some(pairs), _) => Self::of_classes(&pairs.0),
            (None, Some(games)) => Self::of_classes(&games.worst_to_best()),
            (None, None) => None,
        };
        figures.unwrap_or_default()
    }

    fn of_classes<const K: usize>(counts: &[u64; K]) -> Option<Self> {
        match different(counts) {
            0 => None,
            1 => Some(Self {
                value: finite(logistic_elo(counts).value),
                ..Self::default()
            }),
            _ => Some(openbench_elo(counts).into()),
        }
    }
}

/// How many kinds of results there are. If all are the same, their spread is unknown.
fn different(counts: &[u64]) -> usize {
    counts.iter().filter(|&&count| count > 0).count()
}

/// The figures that depend on the counts alone.
struct Estimates {
    elo: EloFigures,
    /// Elo divided by the spread of results, which is unknown if all are the same.
    normalized: Option<NormalizedElo>,
    /// The likelihood of superiority: results of one kind, unless they are level, have no spread to
    /// hold the difference against.
    los: Option<f64>,
}

impl Estimates {
    fn of<const K: usize>(counts: &[u64; K]) -> Option<Self> {
        let elo = EloFigures::of_classes(counts)?;
        let logistic = logistic_elo(counts);
        let varies = different(counts) > 1;
        Some(Self {
            elo,
            normalized: varies.then(|| normalized_elo(counts)),
            los: finite(logistic.los).filter(|_| varies || logistic.value == 0.0),
        })
    }
}

impl Summary {
    /// Whether the test could be played: H0 is below H1.
    pub(crate) fn is_ascending(&self) -> bool {
        self.elo0 < self.elo1
    }

    pub fn of(test: &Test, score: &MatchCounts) -> Self {
        let llr = test.known_llr(score).and_then(finite);
        let verdict = llr.map_or(Verdict::Undecided, |llr| test.verdict(llr));
        let wdl = score.wdl();
        let (estimates, unbiased) = match (score.pentanomial(), wdl) {
            (Some(pairs), _) => (Estimates::of(&pairs.0), unbiased_elo(test, &pairs.0)),
            (None, Some(games)) => {
                let counts = games.worst_to_best();
                (Estimates::of(&counts), unbiased_elo(test, &counts))
            }
            (None, None) => (None, None),
        };
        let normalized = estimates
            .as_ref()
            .and_then(|found| found.normalized.as_ref());
        let los = estimates.as_ref().and_then(|found| found.los);
        let forecast = match verdict {
            Verdict::Undecided => Forecast::of(test, score),
            decided => Some(Forecast::decided(decided)),
        };
        Self {
            verdict,
            llr,
            lower: Some(test.lower()),
            upper: Some(test.upper()),
            elo0: Some(test.elo0),
            elo1: Some(test.elo1),
            model: Some(test.model),
            games: score.games(),
            wins: wdl.map(|wdl| wdl.wins),
            losses: wdl.map(|wdl| wdl.losses),
            draws: wdl.map(|wdl| wdl.draws),
            pentanomial: score.pentanomial().copied(),
            elo: estimates
                .as_ref()
                .map_or_else(EloFigures::default, |found| found.elo),
            nelo: normalized.and_then(|found| finite(found.value)),
            nelo_margin: normalized.and_then(|found| finite(found.margin)),
            los,
            unbiased_elo: match (unbiased, &estimates) {
                (None, _) => EloFigures::default(),
                // Without an interval from the counts, the test gives none either.
                (Some(found), Some(known)) if known.elo.low.is_none() => EloFigures {
                    value: finite(found.elo.value),
                    ..EloFigures::default()
                },
                (Some(found), _) => EloFigures::within(found.elo, unbiased::LIMIT),
            },
            unbiased_los: los.and(unbiased).and_then(|found| finite(found.los)),
            expected_pairs_left: forecast.map(|it| it.expected_pairs_left),
            chance_of_h1: forecast.map(|it| it.chance_of_h1),
            chance_undecided: None,
        }
    }

    /// The summary of a match of fixed length, without the figures of a test.
    #[must_use]
    pub fn without_test(self) -> Self {
        Self {
            verdict: Verdict::NoTest,
            llr: None,
            lower: None,
            upper: None,
            elo0: None,
            elo1: None,
            model: None,
            unbiased_elo: EloFigures::default(),
            unbiased_los: None,
            expected_pairs_left: None,
            chance_of_h1: None,
            chance_undecided: None,
            ..self
        }
    }

    /// The summary of games that do not measure strength: only the counts.
    #[must_use]
    pub fn without_strength(self) -> Self {
        Self {
            elo: EloFigures::default(),
            nelo: None,
            nelo_margin: None,
            los: None,
            unbiased_elo: EloFigures::default(),
            unbiased_los: None,
            expected_pairs_left: None,
            chance_of_h1: None,
            chance_undecided: None,
            ..self
        }
    }

    /// The same test, given up undecided after some more pairs.
    #[must_use]
    pub fn limited(mut self, test: &Test, score: &MatchCounts, pairs_left: u64) -> Self {
        if self.verdict == Verdict::Undecided {
            let forecast = Forecast::limited(test, score, Some(pairs_left));
            self.expected_pairs_left = forecast.map(|it| it.expected_pairs_left);
            self.chance_of_h1 = forecast.map(|it| it.chance_of_h1);
            self.chance_undecided = forecast.map(|it| it.chance_undecided);
        }
        self
    }
}

/// The figure if it is finite; never a negative zero.
fn finite(figure: f64) -> Option<f64> {
    figure.is_finite().then_some(figure + 0.0)
}
