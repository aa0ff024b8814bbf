//! How long a running test will still take, and how it will end.
//!
//! The strength that the counts show is uncertain, at the beginning very much so; the length of a
//! test depends on it strongly. So the forecast is the mean over all strengths that the counts
//! allow, weighted by how well each fits them and by how usual it is. Under that weighting the
//! forecast end of a test is a martingale: it moves, but in neither direction on average, and not
//! wildly at the beginning.
//!
//! In units of the test everything is dimensionless: a strength is its distance `m` from the middle
//! of the bounds in widths of the bounds, and time is the variance that the ratio has gathered. A
//! ratio `llr` at time `tau` then has the mean `m tau` and the variance `tau`.

use crate::brownian::Brownian;
use crate::counts::MatchCounts;
use crate::outcomes::Outcomes;
use crate::sprt::{Test, Verdict};
use crate::walk::Walk;

/// Strengths are taken from a grid in `asinh(m)`: fine in the middle, far-reaching at the ends.
const STEPS: i32 = 120;
const STEP: f64 = 0.05;
/// For a limited test only one strength in this many is taken, and those that hardly fit the counts
/// are left out: a limited motion takes an integral for each strength.
const LIMITED_STRIDE: usize = 3;
const NEGLIGIBLE: f64 = 1e-6;
/// Steps of that integral.
const TIME_STEPS: u32 = 32;
/// The spread of an earlier, usual match counts as so many pairs of this one.
const PRIOR_PAIRS: f64 = 10.0;

/// The forecast of a running test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// Pairs that it still needs on average.
    pub expected_pairs_left: f64,
    /// How probable it is that H1 will be accepted.
    pub chance_of_h1: f64,
    /// How probable it is that the limit on its length comes before the decision.
    pub chance_undecided: f64,
}

impl Forecast {
    /// Of a test that is over.
    pub fn decided(verdict: Verdict) -> Self {
        Self {
            expected_pairs_left: 0.0,
            chance_of_h1: f64::from(u8::from(verdict == Verdict::H1)),
            chance_undecided: 0.0,
        }
    }

    /// Of a test that runs until it decides. `None` if the ratio cannot be computed from what is
    /// known, or may stay away for good.
    pub fn of(test: &Test, counts: &MatchCounts) -> Option<Self> {
        Self::limited(test, counts, None)
    }

    /// Of a test that is given up undecided after so many more pairs.
    pub fn limited(test: &Test, counts: &MatchCounts, pairs_left: Option<u64>) -> Option<Self> {
        if counts.wdl().is_some_and(|games| test.lacks_a_result(games)) {
            return None;
        }
        let pairs = counts.games() as f64 / 2.0;
        let llr = test.known_llr(counts)?;
        let middle = f64::midpoint(test.elo0, test.elo1);
        let spread = Outcomes::like_blended(counts, PRIOR_PAIRS, test.model, middle);
        let walk = Walk::of(test, &spread);
        let variance = walk.variance;
        let bounds = walk.motion(test);
        let limit = pairs_left.map(|pairs| pairs as f64 * variance);
        let stride = limit.map_or(1, |_| LIMITED_STRIDE);
        let strengths: Vec<_> = strengths(llr, variance * pairs).step_by(stride).collect();
        let total: f64 = strengths.iter().map(|(_, weight)| weight).sum();
        let mut forecast = Self {
            expected_pairs_left: 0.0,
            chance_of_h1: 0.0,
            chance_undecided: 0.0,
        };
        for (strength, weight) in strengths {
            let share = weight / total;
            if limit.is_some() && share < NEGLIGIBLE {
                continue;
            }
            let motion = Brownian {
                lower: bounds.lower - llr,
                upper: bounds.upper - llr,
                drift: strength,
                variance: 1.0,
            };
            let (time, h1, undecided) = match limit {
                None => (motion.expected_time(), motion.absorbed().1, 0.0),
                Some(limit) => {
                    let running = motion.running_after(limit);
                    let (h0, h1) = match running {
                        0.0 => motion.absorbed(),
                        _ => motion.absorbed_by(limit),
                    };
                    let time = motion.expected_time_by(limit, TIME_STEPS);
                    (time, h1, (1.0 - h0 - h1).max(0.0))
                }
            };
            forecast.expected_pairs_left += share * time / variance;
            forecast.chance_of_h1 += share * h1;
            forecast.chance_undecided += share * undecided;
        }
        let is_known =
            forecast.expected_pairs_left.is_finite() && forecast.chance_of_h1.is_finite();
        is_known.then_some(forecast)
    }
}

/// Strengths with their weights after a ratio of `llr` at `time`.
fn strengths(llr: f64, time: f64) -> impl Iterator<Item = (f64, f64)> {
    let grid = move || (-STEPS..=STEPS).map(|step| f64::from(step) * STEP);
    let fit = move |m: f64| m * llr - m * m * time / 2.0;
    // The best fit is taken out of the exponent, so that nothing overflows.
    let best = grid()
        .map(|x| fit(x.sinh()))
        .fold(f64::NEG_INFINITY, f64::max);
    grid().map(move |x| {
        let m = x.sinh();
        (m, usualness(m) * x.cosh() * (fit(m) - best).exp())
    })
}

/// Most patches are tried with bounds that suit them, some are much better or worse: Student's
/// distribution with two degrees of freedom, in widths of the bounds.
fn usualness(m: f64) -> f64 {
    (2.0 + m * m).powf(-1.5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counts::Pentanomial;
    use crate::sprt::Model;

    fn forecast(pairs: [u64; 5]) -> Forecast {
        let test = Test::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        Forecast::of(&test, &MatchCounts::of_pairs(Pentanomial(pairs)).unwrap()).unwrap()
    }

    #[test]
    fn the_first_pairs_change_the_forecast_little() {
        let before = forecast([0; 5]);
        assert!((before.chance_of_h1 - 0.5).abs() < 1e-3, "{before:?}");
        for first in [
            [1, 0, 0, 0, 0],
            [0, 0, 1, 0, 0],
            [0, 0, 0, 0, 1],
            [0, 1, 3, 4, 2],
        ] {
            let after = forecast(first);
            let ratio = after.expected_pairs_left / before.expected_pairs_left;
            assert!((0.8..1.2).contains(&ratio), "{first:?}: {ratio}");
        }
    }

    #[test]
    fn a_large_difference_is_believed_soon() {
        let found = forecast([31, 15, 116, 37, 110]);
        assert!(
            found.chance_of_h1 > 0.99 && found.expected_pairs_left < 200.0,
            "{found:?}"
        );
    }

    fn limited(pairs: [u64; 5], pairs_left: u64) -> Forecast {
        let test = Test::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        let counts = MatchCounts::of_pairs(Pentanomial(pairs)).unwrap();
        Forecast::limited(&test, &counts, Some(pairs_left)).unwrap()
    }

    #[test]
    fn no_forecast_exceeds_the_pairs_that_are_left() {
        // A run of at most 200 pairs, over time.
        let states = [
            [1, 0, 1, 0, 0],
            [3, 1, 4, 1, 1],
            [10, 4, 12, 2, 3],
            [24, 10, 25, 5, 7],
            [40, 20, 50, 18, 18],
        ];
        for pairs in states {
            let left = 200 - pairs.iter().sum::<u64>();
            let found = limited(pairs, left);
            let share = found.expected_pairs_left / left as f64;
            assert!((0.9..=1.0).contains(&share), "{pairs:?}: {found:?}");
            assert!(found.chance_undecided > 0.8, "{pairs:?}: {found:?}");
        }
        assert_eq!(limited([1, 2, 3, 2, 1], 0).expected_pairs_left, 0.0);
    }

    #[test]
    fn a_limit_that_is_far_away_changes_nothing() {
        for pairs in [
            [0; 5],
            [31, 15, 116, 37, 110],
            [28, 858, 1839, 980, 33],
            [5, 20, 50, 20, 5],
        ] {
            let (free, far) = (forecast(pairs), limited(pairs, 10_000_000));
            let ratio = far.expected_pairs_left / free.expected_pairs_left;
            assert!((0.95..1.05).contains(&ratio), "{pairs:?}: {ratio}");
            assert!(
                (far.chance_of_h1 - free.chance_of_h1).abs() < 0.01,
                "{pairs:?}"
            );
            assert!(far.chance_undecided < 0.01, "{pairs:?}: {far:?}");
        }
    }

    #[test]
    fn near_a_bound_little_is_left() {
        let found = forecast([28, 858, 1839, 980, 33]);
        assert!(found.chance_of_h1 > 0.95, "{found:?}");
        assert!(found.expected_pairs_left < 1500.0, "{found:?}");
    }
}
