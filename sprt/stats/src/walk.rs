//! The log-likelihood ratio as a random walk, for engines of known strength: one step a pair of
//! games.
//!
//! Near the decision the ratio behaves like a sum of independent steps, what each outcome adds to
//! it. Drift and variance of the steps give a Brownian motion; that the walk stops beyond a bound
//! and not on it is allowed for by moving the bounds outwards by the mean overshoot (Siegmund,
//! Sequential Analysis, chapter X).

use crate::bayes_elo::bayes_elo_llr;
use crate::brownian::Brownian;
use crate::distribution::Distribution;
use crate::likelihood::{logistic_increments, normalized_increments};
use crate::outcomes::Outcomes;
use crate::overshoot::mean_overshoot;
use crate::sprt::{Model, Test};

/// The ratio's steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    /// Mean of what one pair adds.
    pub drift: f64,
    pub variance: f64,
    /// How far the ratio steps over the lower and the upper bound on average.
    overshoot: (f64, f64),
}

impl Walk {
    pub(crate) fn of(test: &Test, outcomes: &Outcomes) -> Self {
        let steps = match test.model {
            Model::Normalized => {
                normalized_increments(&as_data(outcomes.pairs), test.elo0, test.elo1).0
            }
            Model::Logistic => {
                logistic_increments(&as_data(outcomes.pairs), test.elo0, test.elo1).0
            }
            Model::Bayesian => bayesian_steps(test, outcomes),
        };
        let average = |figure: &dyn Fn(f64) -> f64| -> f64 {
            outcomes
                .pairs
                .iter()
                .zip(steps)
                .map(|(p, step)| p * figure(step))
                .sum()
        };
        let drift = average(&|step| step);
        let span = (steps[4] - steps[0]).abs() / 4.0;
        let (down, up) = mean_overshoot(&outcomes.pairs);
        Self {
            drift,
            variance: average(&|step| (step - drift).powi(2)),
            overshoot: (down * span, up * span),
        }
    }

    /// The motion from 0 that ends when the test does.
    pub(crate) fn motion(&self, test: &Test) -> Brownian {
        let (down, up) = if test.overshoot_correction {
            // The test moves its bounds inwards by just this.
            (0.0, 0.0)
        } else {
            self.overshoot
        };
        Brownian {
            lower: test.lower() - down,
            upper: test.upper() + up,
            drift: self.drift,
            variance: self.variance,
        }
    }
}

fn as_data<const K: usize>(frequencies: [f64; K]) -> Distribution<K> {
    Distribution {
        total: 1.0,
        frequencies,
    }
}

/// What one more pair adds to the ratio of single games. The draw parameter comes from the counts
/// and changes with them, so this is a derivative: by differences, in a match so long that one pair
/// is little.
fn bayesian_steps(test: &Test, outcomes: &Outcomes) -> [f64; 5] {
    const GAMES: f64 = 1e11;
    const MORE: u64 = 1_000_000;
    let counts = outcomes
        .games
        .map(|frequency| (frequency * GAMES).round() as u64);
    let llr = |counts: &[u64; 3]| bayes_elo_llr(counts, test.elo0, test.elo1).unwrap_or(0.0);
    let before = llr(&counts);
    let [loss, draw, win] = [0, 1, 2].map(|result| {
        let mut more = counts;
        more[result] += MORE;
        (llr(&more) - before) / MORE as f64
    });
    [
        2.0 * loss,
        loss + draw,
        // Two draws, or a win and a loss: weighted by how often each occurs.
        middle(outcomes, draw, loss, win),
        draw + win,
        2.0 * win,
    ]
}

fn middle(outcomes: &Outcomes, draw: f64, loss: f64, win: f64) -> f64 {
    let [losses, draws, wins] = outcomes.games;
    let (drawn, decisive) = (draws * draws, 2.0 * wins * losses);
    (drawn * 2.0 * draw + decisive * (loss + win)) / (drawn + decisive)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_the_hypotheses_the_drift_is_half_the_variance() {
        for model in [Model::Normalized, Model::Logistic, Model::Bayesian] {
            let test = Test::new(0.0, 5.0, 0.05, 0.05, model).unwrap();
            for (elo, side) in [(0.0, -1.0), (5.0, 1.0)] {
                let walk = Walk::of(&test, &Outcomes::usual(model, elo));
                let ratio = walk.drift / walk.variance;
                assert!(
                    (ratio - side * 0.5).abs() < 0.01,
                    "{model:?} {elo}: {ratio}"
                );
            }
        }
    }

    #[test]
    fn the_overshoot_is_about_half_a_step() {
        let test = Test::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        let walk = Walk::of(&test, &Outcomes::usual(Model::Normalized, 0.0));
        let beyond = walk.motion(&test).upper - test.upper();
        let deviation = walk.variance.sqrt();
        assert!(
            (0.4..1.2).contains(&(beyond / deviation)),
            "{beyond} {deviation}"
        );
    }
}
