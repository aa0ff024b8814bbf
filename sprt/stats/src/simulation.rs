//! Simulations of a short test with random outcomes.
//!
//! Where one pair moves the log-likelihood ratio by a large part of the distance to a bound, a
//! Brownian motion does not approximate it and its first steps are not independent. But a test of
//! some hundred pairs is quickly simulated like a match: after each pair, the ratio of all counts
//! is compared with the bounds. Far from them an approximate ratio suffices, which takes a
//! hundredth of the time. The generator has a fixed seed, so results are reproducible.

use rand::{RngExt as _, SeedableRng, rngs::ChaCha8Rng};

use crate::counts::{Pentanomial, Wdl};
use crate::likelihood::{closed_form_llr, gaussian_llr};
use crate::outcomes::Outcomes;
use crate::overshoot::Overshoot;
use crate::sprt::{Model, Test};

const SEED: u64 = 0x5eed;
/// Beyond this fraction of a bound, the exact ratio is computed.
const NEAR: f64 = 0.75;
/// The most pairs of a simulated test: a thousand times the tests that are simulated.
const LONGEST: u64 = 500_000;

/// How the simulated tests ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Simulation {
    /// In pairs, ascending.
    lengths: Vec<u64>,
    accepted_h0: usize,
    accepted_h1: usize,
}

impl Simulation {
    pub(crate) fn of(
        test: &Test,
        outcomes: &Outcomes,
        max_pairs: Option<u64>,
        tests: usize,
    ) -> Self {
        Self::near(NEAR, test, outcomes, max_pairs, tests)
    }

    fn near(
        near: f64,
        test: &Test,
        outcomes: &Outcomes,
        max_pairs: Option<u64>,
        tests: usize,
    ) -> Self {
        let mut dice = ChaCha8Rng::seed_from_u64(SEED);
        let mut simulation = Self {
            lengths: Vec::with_capacity(tests),
            accepted_h0: 0,
            accepted_h1: 0,
        };
        let longest = max_pairs.unwrap_or(LONGEST).max(1);
        for _ in 0..tests {
            simulation.play(near, test, outcomes, longest, &mut dice);
        }
        simulation.lengths.sort_unstable();
        simulation
    }

    fn play(
        &mut self,
        near: f64,
        test: &Test,
        outcomes: &Outcomes,
        longest: u64,
        dice: &mut ChaCha8Rng,
    ) {
        let (mut pairs, mut games) = (Pentanomial::default(), Wdl::default());
        let mut overshoot = Overshoot::default();
        let (mut lower, mut upper) = (test.lower(), test.upper());
        for length in 1..=longest {
            if test.model == Model::Bayesian {
                // Its games are independent, and only they count.
                for _ in 0..2 {
                    match thrown(&outcomes.games, dice) {
                        0 => games.losses += 1,
                        1 => games.draws += 1,
                        _ => games.wins += 1,
                    }
                }
            } else {
                pairs.0[thrown(&outcomes.pairs, dice)] += 1;
            }
            // The correction needs the ratio after every pair.
            let is_far = !test.overshoot_correction
                && rough_llr(test, &pairs)
                    .is_some_and(|llr| (near * lower..near * upper).contains(&llr));
            if is_far && length < longest {
                continue;
            }
            let llr = test.llr(&pairs, &games);
            if test.overshoot_correction {
                overshoot.update(llr);
                (lower, upper) = overshoot.corrected(test.lower(), test.upper());
            }
            self.accepted_h1 += usize::from(llr > upper);
            self.accepted_h0 += usize::from(llr < lower);
            if llr > upper || llr < lower || length == longest {
                self.lengths.push(length);
                return;
            }
        }
    }

    pub(crate) fn h0(&self) -> f64 {
        self.accepted_h0 as f64 / self.tests()
    }

    pub(crate) fn h1(&self) -> f64 {
        self.accepted_h1 as f64 / self.tests()
    }

    pub(crate) fn expected_pairs(&self) -> f64 {
        self.lengths.iter().sum::<u64>() as f64 / self.tests()
    }

    fn tests(&self) -> f64 {
        self.lengths.len() as f64
    }

    /// The number of pairs by which this share of the tests has ended.
    pub(crate) fn pairs_for(&self, share: f64) -> f64 {
        let ended = (share * self.tests()).ceil() as usize;
        self.lengths
            .get(ended.saturating_sub(1))
            .map_or(0.0, |&length| length as f64)
    }
}

/// The approximation of the ratio for normally distributed counts, which is cheap.
fn rough_llr(test: &Test, pairs: &Pentanomial) -> Option<f64> {
    match test.model {
        Model::Normalized => Some(closed_form_llr(&pairs.0, test.elo0, test.elo1)),
        Model::Logistic => Some(gaussian_llr(&pairs.0, test.elo0, test.elo1)),
        Model::Bayesian => None,
    }
}

/// Draws the index of an outcome.
fn thrown(probabilities: &[f64], dice: &mut ChaCha8Rng) -> usize {
    let mut left: f64 = dice.random();
    probabilities
        .iter()
        .position(|probability| {
            left -= probability;
            left < 0.0
        })
        .unwrap_or(probabilities.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_of_one_pair_ends_after_it() {
        let test = Test::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        let outcomes = Outcomes::usual(Model::Normalized, 0.0);
        let simulation = Simulation::of(&test, &outcomes, Some(1), 10);
        assert_eq!(simulation.expected_pairs(), 1.0);
        assert_eq!(
            [0.01, 0.5, 1.0].map(|share| simulation.pairs_for(share)),
            [1.0; 3]
        );
        assert_eq!(simulation.h0() + simulation.h1(), 0.0);
    }

    /// With `near` 0, every ratio is exact.
    #[test]
    fn the_rough_ratio_changes_no_test() {
        for (model, elo1) in [(Model::Normalized, 100.0), (Model::Logistic, 50.0)] {
            let test = Test::new(0.0, elo1, 0.05, 0.05, model).unwrap();
            for elo in [0.0, 0.3 * elo1] {
                let outcomes = Outcomes::usual(model, elo);
                let [rough, exact] =
                    [NEAR, 0.0].map(|near| Simulation::near(near, &test, &outcomes, None, 500));
                assert_eq!(rough, exact, "{model:?} {elo}");
            }
        }
    }

    #[test]
    fn outcomes_come_up_as_often_as_they_should() {
        let mut dice = ChaCha8Rng::seed_from_u64(1);
        let mut seen = [0_u32; 3];
        for _ in 0..10_000 {
            seen[thrown(&[0.2, 0.5, 0.3], &mut dice)] += 1;
        }
        for (count, expected) in seen.into_iter().zip([2000.0, 5000.0, 3000.0]) {
            assert!((f64::from(count) - expected).abs() < 200.0, "{seen:?}");
        }
    }
}
