//! The posterior of gradients and curvatures: a mixture of normal distributions.

use super::cholesky::Cholesky;

/// A normal distribution for each prior of the scale of gradients and curvatures.
pub(super) struct Posterior {
    given: Vec<Given>,
    /// For each prior, the mean of each coefficient.
    variances: Vec<Vec<f64>>,
}

/// The posterior for one prior.
pub(crate) struct Given {
    pub weight: f64,
    pub mean: Vec<f64>,
    pub factor: Cholesky,
}

impl Given {
    /// The variance of each coefficient.
    pub(crate) fn variances(&self) -> Vec<f64> {
        let mut unit = vec![0.0; self.mean.len()];
        (0..unit.len())
            .map(|index| {
                unit[index] = 1.0;
                let variance = self.factor.quadratic(&unit);
                unit[index] = 0.0;
                variance
            })
            .collect()
    }
}

/// Turns logarithms of evidence into weights.
pub(crate) fn weigh(given: &mut [Given]) {
    let best = given
        .iter()
        .map(|given| given.weight)
        .fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for given in given.iter_mut() {
        given.weight = (given.weight - best).exp();
        sum += given.weight;
    }
    for given in given {
        given.weight /= sum;
    }
}

impl Posterior {
    pub(super) fn new(mut given: Vec<Given>) -> Self {
        weigh(&mut given);
        Self {
            variances: given.iter().map(Given::variances).collect(),
            given,
        }
    }

    /// Mean and standard deviation of `form . beta`.
    pub(super) fn linear(&self, form: &[f64]) -> (f64, f64) {
        self.mixture(|given, _| {
            let mean = form.iter().zip(&given.mean).map(|(a, b)| a * b).sum();
            (mean, given.factor.quadratic(form))
        })
    }

    pub(super) fn coefficient(&self, index: usize) -> (f64, f64) {
        self.mixture(|given, variance| (given.mean[index], variance[index]))
    }

    /// Mean and standard deviation of a mixture with this mean and variance for each prior.
    fn mixture(&self, of: impl Fn(&Given, &[f64]) -> (f64, f64)) -> (f64, f64) {
        // Sums of squares plus a positive prior are positive definite; if rounding makes them
        // indefinite, nothing is known.
        if self.given.is_empty() {
            return (0.0, f64::INFINITY);
        }
        let (mut mean, mut square) = (0.0, 0.0);
        for (given, variances) in self.given.iter().zip(&self.variances) {
            let (own, variance) = of(given, variances);
            mean += given.weight * own;
            square += given.weight * (own * own + variance);
        }
        (mean, (square - mean * mean).max(0.0).sqrt())
    }
}
