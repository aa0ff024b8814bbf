//! What is believed of gradients and curvatures after some pairs: a mixture of normal distributions.

use super::cholesky::Cholesky;

/// A normal distribution for each belief about the scale of gradients and curvatures.
pub(super) struct Posterior(pub Vec<Given>);

pub(super) struct Given {
    pub weight: f64,
    pub mean: Vec<f64>,
    /// Of each coefficient.
    pub variance: Vec<f64>,
    pub factor: Cholesky,
}

impl Posterior {
    /// Mean and standard deviation of `form . beta`.
    pub(super) fn linear(&self, form: &[f64]) -> (f64, f64) {
        self.mixture(|given| {
            let mean = form.iter().zip(&given.mean).map(|(a, b)| a * b).sum();
            (mean, given.factor.quadratic(form))
        })
    }

    pub(super) fn coefficient(&self, index: usize) -> (f64, f64) {
        self.mixture(|given| (given.mean[index], given.variance[index]))
    }

    /// Mean and standard deviation of what has this mean and variance under each belief.
    fn mixture(&self, of: impl Fn(&Given) -> (f64, f64)) -> (f64, f64) {
        // Sums of squares plus a positive prior are positive definite; should rounding ever say
        // otherwise, nothing is known.
        if self.0.is_empty() {
            return (0.0, f64::INFINITY);
        }
        let (mut mean, mut square) = (0.0, 0.0);
        for given in &self.0 {
            let (own, variance) = of(given);
            mean += given.weight * own;
            square += given.weight * (own * own + variance);
        }
        (mean, (square - mean * mean).max(0.0).sqrt())
    }
}
