//! Online Bayesian linear regression: a Kalman filter for constant or slowly drifting coefficients.
//!
//! Model: `y = x . beta + noise`, noise of variance s2, `beta ~ N(mean, covariance)`. One
//! observation costs two passes over the covariance. Drift is modelled by adding to the variances
//! ([`Regression::add_drift`]).

/// The posterior of the coefficients.
#[derive(Debug, Clone)]
pub(crate) struct Regression {
    mean: Vec<f64>,
    /// Symmetric, row by row.
    covariance: Vec<f64>,
    /// Scratch: covariance times x.
    gain: Vec<f64>,
}

impl Regression {
    /// Starts from independent coefficients with these means and variances.
    pub(crate) fn new(mean: Vec<f64>, variance: &[f64]) -> Self {
        let size = mean.len();
        let mut covariance = vec![0.0; size * size];
        for (index, variance) in variance.iter().enumerate() {
            covariance[index * size + index] = *variance;
        }
        Self {
            mean,
            covariance,
            gain: vec![0.0; size],
        }
    }

    /// Starts from a prior.
    pub(crate) fn from_prior(mean: Vec<f64>, covariance: Vec<f64>) -> Self {
        Self {
            gain: vec![0.0; mean.len()],
            mean,
            covariance,
        }
    }

    pub(crate) fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// One observation `y` at `x`, with noise of variance `s2`.
    pub(crate) fn observe(&mut self, x: &[f64], y: f64, s2: f64) {
        let size = self.mean.len();
        for (gain, row) in self.gain.iter_mut().zip(self.covariance.chunks_exact(size)) {
            *gain = dot(row, x);
        }
        let spread = s2 + dot(&self.gain, x);
        let surprise = (y - dot(&self.mean, x)) / spread;
        for (mean, gain) in self.mean.iter_mut().zip(&self.gain) {
            *mean += gain * surprise;
        }
        for (row, left) in self.covariance.chunks_exact_mut(size).zip(&self.gain) {
            let factor = left / spread;
            for (entry, right) in row.iter_mut().zip(&self.gain) {
                *entry -= factor * right;
            }
        }
    }

    /// Lets every coefficient drift: adds to each variance.
    pub(crate) fn add_drift(&mut self, drift: &[f64]) {
        let size = self.mean.len();
        for (index, drift) in drift.iter().enumerate() {
            self.covariance[index * size + index] += drift;
        }
    }

    pub(crate) fn variance(&self, index: usize) -> f64 {
        self.covariance(index, index)
    }

    pub(crate) fn covariance(&self, row: usize, column: usize) -> f64 {
        self.covariance[row * self.mean.len() + column]
    }
}

/// Inner product, with four sums so that additions do not wait for each other.
fn dot(left: &[f64], right: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (left_chunks, right_chunks) = (left.chunks_exact(4), right.chunks_exact(4));
    let rest: f64 = left_chunks
        .remainder()
        .iter()
        .zip(right_chunks.remainder())
        .map(|(a, b)| a * b)
        .sum();
    for (a, b) in left_chunks.zip(right_chunks) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    rest + sums.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two coefficients, three observations: the posterior solves the normal equations by hand.
    #[test]
    fn the_posterior_is_ridge_regression() {
        let mut regression = Regression::new(vec![0.0, 1.0], &[4.0, 1.0]);
        for (x, y) in [([1.0, 0.0], 2.0), ([1.0, 1.0], 3.0), ([0.0, 2.0], 1.0)] {
            regression.observe(&x, y, 0.5);
        }
        // Precision: diag(1/4, 1) + 2 * X'X, X'X = [[2, 1], [1, 5]]; right side: prior + 2 * X'y,
        // X'y = [5, 5].
        let (a, b, d) = (0.25 + 4.0, 2.0, 1.0 + 10.0);
        let (p, q) = (10.0, 1.0 + 10.0);
        let determinant = a * d - b * b;
        let expected = [(d * p - b * q) / determinant, (a * q - b * p) / determinant];
        for (ours, expected) in regression.mean().iter().zip(expected) {
            assert!((ours - expected).abs() < 1e-12);
        }
        assert!((regression.variance(0) - d / determinant).abs() < 1e-12);
    }

    #[test]
    fn drift_follows_a_coefficient_that_moves() {
        let follow = |drift: f64| {
            let mut regression = Regression::new(vec![0.0], &[1.0]);
            for step in 0..2000 {
                regression.add_drift(&[drift]);
                regression.observe(&[1.0], if step < 1000 { 0.0 } else { 1.0 }, 0.5);
            }
            regression.mean()[0]
        };
        assert!((follow(0.0) - 0.5).abs() < 0.01);
        assert!(follow(0.001) > 0.999);
    }
}
