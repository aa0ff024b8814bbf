//! Elo estimates with their 95 % intervals, as OpenBench and as fishtest print them.

use super::distribution::{Distribution, average, points};
use super::normal::{Z_975, phi, student_975};

/// Normalised Elo for a t-value of 1 per game: 800 / ln 10.
pub(crate) const NORMALIZED_ELO_PER_T: f64 = 800.0 / std::f64::consts::LN_10;

/// A mean score is kept this far from 0 and 1 before it is turned into Elo.
const EXTREME_SCORE: f64 = 1e-3;

/// The Elo of such a score, beyond which no bound of an interval has a finite one.
pub(crate) fn extreme_elo() -> f64 {
    elo_of_score(1.0)
}

/// An estimate with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub value: f64,
    pub high: f64,
}

impl Interval {
    /// The larger half of the interval, which OpenBench prints behind `+-`.
    pub fn larger_side(&self) -> f64 {
        (self.high - self.value).max(self.value - self.low)
    }
}

/// Logistic Elo of a mean score.
fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(EXTREME_SCORE, 1.0 - EXTREME_SCORE);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The mean score to be expected at a strength in logistic Elo.
pub(crate) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// OpenBench's `Elo`: Student's interval around the mean score of the counts (worst to best), all
/// zeros for fewer than two.
pub fn openbench_elo<const K: usize>(counts: &[u64; K]) -> Interval {
    let total: u64 = counts.iter().sum();
    if total < 2 {
        return Interval {
            low: 0.0,
            value: 0.0,
            high: 0.0,
        };
    }
    interval(counts, student_975(total as f64 - 1.0))
}

/// The same by OpenBench from May to November 2024, and by servers that were not updated since: the
/// normal interval, narrower in short matches.
pub fn openbench_elo_of_2024(pairs: &[u64; 5]) -> Interval {
    interval(pairs, Z_975)
}

/// The same by OpenBench before May 2024: from single games (losses, draws, wins), with an
/// approximate quantile.
pub fn openbench_elo_of_2023(games: &[u64; 3]) -> Interval {
    // By S. Winitzki's approximation of the inverse error function, which comes out at this.
    const APPROXIMATE_Z_975: f64 = 1.957_161_931_655_7;
    interval(games, APPROXIMATE_Z_975)
}

/// The mean score with `quantile` standard errors to both sides.
fn interval<const K: usize>(counts: &[u64; K], quantile: f64) -> Interval {
    let total: u64 = counts.iter().sum();
    let number = total as f64;
    // Sums before quotients, so that a score on the edge of a class comes out exact.
    let mean = (0..K)
        .map(|index| points::<K>(index) * counts[index] as f64)
        .sum::<f64>()
        / number;
    let variance = (0..K)
        .map(|index| (points::<K>(index) - mean).powi(2) * counts[index] as f64)
        .sum::<f64>()
        / number;
    let margin = quantile * (variance / number).sqrt();
    Interval {
        low: elo_of_score(mean - margin),
        value: elo_of_score(mean),
        high: elo_of_score(mean + margin),
    }
}

/// fishtest's figures: `stat_util.get_elo`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogisticElo {
    pub value: f64,
    /// Half the width of the 95 % interval.
    pub margin: f64,
    /// The likelihood of superiority.
    pub los: f64,
}

/// fishtest's Elo: the normal interval around the mean score of the regularised counts, worst to
/// best.
pub fn logistic_elo<const K: usize>(counts: &[u64; K]) -> LogisticElo {
    let data = Distribution::of(counts);
    let moments = data.moments();
    let error = (moments.variance / data.total).sqrt();
    let [low, high] = [-1.0, 1.0].map(|side| elo_of_score(moments.mean + side * Z_975 * error));
    LogisticElo {
        // Not the minus zero that OpenBench prints.
        value: elo_of_score(moments.mean) + 0.0,
        margin: (high - low) / 2.0,
        los: phi((moments.mean - 0.5) / error),
    }
}

/// Elo in units of the spread of the games' results, which hardly depends on book and time control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NormalizedElo {
    pub value: f64,
    /// Half the width of the 95 % interval.
    pub margin: f64,
    /// The same for engines of nearly equal strength, from the number of games alone.
    pub simple_margin: f64,
}

/// fishtest's normalised Elo of the regularised counts, worst to best, with the error bar of its
/// result page (`template_helpers.t_conf`: the variance of a t-value from skewness and kurtosis).
pub fn normalized_elo<const K: usize>(counts: &[u64; K]) -> NormalizedElo {
    let data = Distribution::of(counts);
    let moments = data.moments();
    let t = moments.t_value();
    let central = |power| {
        average(&data.frequencies, |score| {
            (score - moments.mean).powi(power)
        })
    };
    let skewness = central(3) / moments.variance.powf(1.5);
    let excess_kurtosis = central(4) / moments.variance.powi(2) - 3.0;
    let t_variance = (1.0 - t * skewness + t * t * (excess_kurtosis + 2.0) / 4.0).max(0.0);
    let per_t = NORMALIZED_ELO_PER_T / Distribution::<K>::games_per_outcome().sqrt();
    NormalizedElo {
        value: t * per_t,
        margin: per_t * Z_975 * (t_variance / data.total).sqrt(),
        simple_margin: NORMALIZED_ELO_PER_T * Z_975 / data.games().sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unbiased::unbiased_elo;
    use crate::{Model, Test};

    #[test]
    fn counts_that_favour_nobody_show_no_strength() {
        for counts in [
            [0, 0, 1, 0, 0],
            [0, 1, 0, 1, 0],
            [7, 3, 0, 3, 7],
            [1, 0, 5, 0, 1],
        ] {
            let LogisticElo { value, los, .. } = logistic_elo(&counts);
            assert_eq!((value, los), (0.0, 0.5), "{counts:?}");
            assert!(value.is_sign_positive());
            let test = Test::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).expect("a test");
            let unbiased = unbiased_elo(&test, &counts).expect("an estimate");
            assert_eq!(unbiased.elo.value, 0.0, "{counts:?}");
            assert_eq!(normalized_elo(&counts).value, 0.0, "{counts:?}");
        }
        assert!(logistic_elo(&[0, 0, 1_000_000_000, 1, 0]).value > 0.0);
    }
}
