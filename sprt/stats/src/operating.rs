//! The operating characteristic and the expected length of a test, before it is run.

use schemars::JsonSchema;
use serde::Serialize;

use crate::brownian::Brownian;
use crate::outcomes::Outcomes;
use crate::simulation::Simulation;
use crate::sprt::Test;
use crate::walk::Walk;

/// Integration steps for the length of a limited test.
const STEPS: u32 = 400;
/// Tests shorter than this are simulated: the formulas are off by up to 4% in length and 2
/// percentage points for tests of 50 pairs, and by less than 2% and 1 point for longer ones than
/// this.
const SHORT: f64 = 250.0;
/// How many tests are simulated. Standard errors: 0.35 percentage points of a probability, 0.5% of
/// a length.
const TESTS: usize = 20_000;
/// How many tests with corrected bounds are simulated, whose pairs take ten times as long. Standard
/// errors: 0.8 percentage points, 1.1%.
const CORRECTED_TESTS: usize = 4000;

/// The outcome of a test of engines whose strengths are known; the field names are those of the
/// JSON output.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Prospect {
    /// Probabilities of the verdicts. The last is zero without a limit on the number of pairs.
    pub h1: f64,
    pub h0: f64,
    pub undecided: f64,
    pub expected_pairs: f64,
    /// The number of pairs by which half, 80% and 95% of all tests end.
    pub median_pairs: f64,
    pub pairs_80: f64,
    pub pairs_95: f64,
}

impl Prospect {
    /// `max_pairs`: the test is given up undecided after this many.
    pub fn of(test: &Test, outcomes: &Outcomes, max_pairs: Option<u64>) -> Self {
        let long = LongTest {
            motion: Walk::of(test, outcomes).motion(test),
            max_pairs,
        };
        if long.expected_pairs() < SHORT {
            let tests = if test.overshoot_correction {
                CORRECTED_TESTS
            } else {
                TESTS
            };
            Self::of_short(&Simulation::of(test, outcomes, max_pairs, tests))
        } else {
            Self::of_long(&long)
        }
    }

    fn of_short(tests: &Simulation) -> Self {
        Self::new(tests.h0(), tests.h1(), tests.expected_pairs(), |share| {
            tests.pairs_for(share)
        })
    }

    fn of_long(test: &LongTest) -> Self {
        let (h0, h1) = match test.limit() {
            Some(limit) => test.motion.absorbed_by(limit),
            None => test.motion.absorbed(),
        };
        Self::new(h0, h1, test.expected_pairs(), |share| test.pairs_for(share))
    }

    fn new(h0: f64, h1: f64, expected_pairs: f64, pairs_for: impl Fn(f64) -> f64) -> Self {
        Self {
            h1,
            h0,
            undecided: (1.0 - h1 - h0).max(0.0),
            expected_pairs,
            median_pairs: pairs_for(0.5),
            pairs_80: pairs_for(0.8),
            pairs_95: pairs_for(0.95),
        }
    }
}

/// A test whose ratio moves in small steps.
#[derive(Clone, Copy, Debug)]
struct LongTest {
    motion: Brownian,
    max_pairs: Option<u64>,
}

impl LongTest {
    fn limit(&self) -> Option<f64> {
        self.max_pairs.map(|pairs| pairs as f64)
    }

    fn expected_pairs(&self) -> f64 {
        let unlimited = self.motion.expected_time();
        self.limit().map_or(unlimited, |limit| {
            self.motion.expected_time_by(limit, STEPS)
        })
    }

    fn running_after(&self, pairs: f64) -> f64 {
        self.motion.running_after(pairs)
    }

    /// The number of pairs by which this share of tests has ended.
    fn pairs_for(&self, share: f64) -> f64 {
        let limit = self.limit().unwrap_or(f64::INFINITY);
        let mut high = self.motion.expected_time().max(1.0);
        while self.running_after(high) > 1.0 - share {
            if high >= limit {
                return limit;
            }
            high *= 2.0;
        }
        let mut low = 0.0;
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.running_after(middle) > 1.0 - share {
                low = middle;
            } else {
                high = middle;
            }
        }
        high.min(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprt::Model;

    fn prospect(elo: f64, max_pairs: Option<u64>) -> Prospect {
        let test = Test::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        Prospect::of(&test, &Outcomes::usual(Model::Normalized, elo), max_pairs)
    }

    /// Both methods are accurate for test lengths between theirs.
    #[test]
    fn simulated_and_computed_figures_agree_where_they_meet() {
        for model in [Model::Normalized, Model::Logistic, Model::Bayesian] {
            let elo1 = if model == Model::Normalized {
                32.0
            } else {
                16.0
            };
            let test = Test::new(0.0, elo1, 0.05, 0.05, model).unwrap();
            let outcomes = Outcomes::usual(model, elo1 / 2.0);
            let long = LongTest {
                motion: Walk::of(&test, &outcomes).motion(&test),
                max_pairs: Some(600),
            };
            let long = Prospect::of_long(&long);
            let short = Prospect::of_short(&Simulation::of(&test, &outcomes, Some(600), 3000));
            let longer = short.expected_pairs / long.expected_pairs;
            assert!((longer - 1.0).abs() < 0.05, "{short:?} {long:?}");
            assert!((short.h1 - long.h1).abs() < 0.035, "{short:?} {long:?}");
            assert!(
                (short.pairs_80 / long.pairs_80 - 1.0).abs() < 0.04,
                "{short:?} {long:?}"
            );
        }
    }

    #[test]
    fn in_the_middle_both_verdicts_are_as_likely_and_the_test_is_longest() {
        let middle = prospect(2.5, None);
        assert!((middle.h1 - 0.5).abs() < 0.005, "{middle:?}");
        // (ln 19)^2 over the variance of a step, and a little for the overshoot.
        assert!(
            (20_900.0..21_400.0).contains(&middle.expected_pairs),
            "{middle:?}"
        );
        for elo in [0.0, 2.0, 3.0, 5.0] {
            assert!(prospect(elo, None).expected_pairs < middle.expected_pairs);
        }
    }

    #[test]
    fn a_limit_leaves_tests_undecided_and_none_is_longer() {
        let limited = prospect(2.5, Some(5000));
        assert!(
            limited.undecided > 0.5 && limited.expected_pairs < 5000.0,
            "{limited:?}"
        );
        assert_eq!(limited.pairs_95, 5000.0);
        let hardly = prospect(2.5, Some(1_000_000));
        let free = prospect(2.5, None);
        assert!(
            (hardly.expected_pairs / free.expected_pairs - 1.0).abs() < 1e-3,
            "{hardly:?} {free:?}"
        );
        assert!((hardly.h1 - free.h1).abs() < 1e-6);
    }

    #[test]
    fn shares_of_tests_end_in_order() {
        let figures = prospect(1.0, None);
        assert!(figures.median_pairs < figures.expected_pairs);
        assert!(figures.expected_pairs < figures.pairs_80 && figures.pairs_80 < figures.pairs_95);
    }
}
