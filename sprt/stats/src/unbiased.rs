//! Elo after a sequential test.
//!
//! A test that stops when the result looks good overstates it. The estimate here is the strength
//! under which an outcome at least as good and one at least as bad are equally likely, counting
//! early acceptance as the best outcome and early rejection as the worst: median unbiased.
//! fishtest's `sprt.analytics`; `GSPRT_approximation.pdf`. It rests on the approximation by a
//! Brownian motion, so it is qualitative where the strengths are far apart.

use super::brownian::Brownian;
use super::distribution::Distribution;
use super::elo::{Interval, NORMALIZED_ELO_PER_T, expected_score};
use super::sprt::{Model, Test};

/// No strength beyond this, in logistic Elo, is considered.
pub(crate) const LIMIT: f64 = 1000.0;

/// A median-unbiased estimate in logistic Elo, whatever the unit of the test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnbiasedElo {
    pub elo: Interval,
    /// The likelihood of superiority that allows for the stopping rule.
    pub los: f64,
}

/// The estimate from the counts (worst to best) of a test that ended or still runs. `None` where
/// the hypotheses are equal, without counts, and in the Bayesian model, whose unit is not one of
/// Elo.
pub fn unbiased_elo<const K: usize>(test: &Test, counts: &[u64; K]) -> Option<UnbiasedElo> {
    if counts.iter().all(|&count| count == 0) {
        return None;
    }
    let walk = Walk::of(test, &Distribution::of(counts))?;
    let [pessimistic, value, optimistic] =
        [0.975, 0.5, 0.025].map(|probability| walk.strength_with(probability));
    Some(UnbiasedElo {
        elo: Interval {
            // With hypotheses in the wrong order a better outcome is one of a weaker engine.
            low: pessimistic.min(optimistic),
            value,
            high: pessimistic.max(optimistic),
        },
        los: if walk.score0 < walk.score1 {
            walk.worse_outcome(0.0)
        } else {
            1.0 - walk.worse_outcome(0.0)
        },
    })
}

/// Where the log-likelihood ratio stands, and how it moves for a given strength.
struct Walk {
    score0: f64,
    score1: f64,
    variance_of_score: f64,
    lower: f64,
    upper: f64,
    time: f64,
    llr: f64,
}

impl Walk {
    fn of<const K: usize>(test: &Test, data: &Distribution<K>) -> Option<Self> {
        let score = |elo: f64| match test.model {
            Model::Normalized => Some(0.5 + elo / NORMALIZED_ELO_PER_T * data.deviation_per_game()),
            Model::Logistic => Some(expected_score(elo)),
            Model::Bayesian => None,
        };
        let moments = data.moments();
        let mut walk = Self {
            score0: score(test.elo0)?,
            score1: score(test.elo1)?,
            variance_of_score: moments.variance,
            lower: test.lower(),
            upper: test.upper(),
            time: data.total,
            llr: 0.0,
        };
        if walk.score0 == walk.score1 {
            return None;
        }
        // A ratio beyond a bound is taken back to the moment when it reached it.
        let slope = walk.motion(moments.mean).drift;
        walk.llr = (slope * data.total).clamp(walk.lower, walk.upper);
        if walk.llr != slope * data.total {
            walk.time = walk.llr / slope;
        }
        Some(walk)
    }

    /// The ratio's motion for an engine with this expected score: `GSPRT_approximation.pdf`,
    /// fishtest's `LLR_drift_variance_alt2`.
    fn motion(&self, score: f64) -> Brownian {
        let distance = self.score1 - self.score0;
        let from_middle = score - f64::midpoint(self.score0, self.score1);
        Brownian {
            lower: self.lower,
            upper: self.upper,
            drift: from_middle * distance / self.variance_of_score,
            variance: distance * distance / self.variance_of_score,
        }
    }

    /// The probability that a test of an engine of this strength goes worse than ours went.
    fn worse_outcome(&self, elo: f64) -> f64 {
        self.motion(expected_score(elo)).below(self.time, self.llr)
    }

    /// The strength at which a worse outcome has the given probability, which falls as strength
    /// rises.
    fn strength_with(&self, probability: f64) -> f64 {
        let excess = |elo: f64| self.worse_outcome(elo) - probability;
        let (mut low, mut high) = (-LIMIT, LIMIT);
        let at_low = excess(low);
        if (at_low > 0.0) == (excess(high) > 0.0) {
            return if at_low > 0.0 { high } else { low };
        }
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if (excess(middle) > 0.0) == (at_low > 0.0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let found = f64::midpoint(low, high);
        // The search ends within rounding of 0 where nobody is favoured.
        if found.abs() < 1e-9 { 0.0 } else { found }
    }
}
