//! The sufficient statistics of a linear regression, and its posterior.

use super::cholesky::Cholesky;
use super::posterior::Given;

/// Sums over the observations so far.
#[derive(Debug, Clone)]
pub(crate) struct Sums {
    size: usize,
    /// Lower triangle of the sum of `x x^T`, row by row in a full square.
    information: Vec<f64>,
    /// Sum of `x y`.
    moments: Vec<f64>,
}

impl Sums {
    pub(crate) fn new(size: usize) -> Self {
        Self {
            size,
            information: vec![0.0; size * size],
            moments: vec![0.0; size],
        }
    }

    pub(crate) fn add(&mut self, row: &[f64], y: f64) {
        for (index, left) in row.iter().enumerate() {
            self.moments[index] += left * y;
            let entries = &mut self.information[index * self.size..=index * self.size + index];
            for (entry, right) in entries.iter_mut().zip(row) {
                *entry += left * right;
            }
        }
    }

    /// The posterior of coefficients with the prior `N(mean, sd^2)` each, given observations with
    /// noise of `variance`, with the logarithm of its evidence as its weight; `None` if rounding
    /// makes the factorisation fail.
    pub(crate) fn given(
        &self,
        variance: f64,
        prior: impl Fn(usize) -> (f64, f64),
    ) -> Option<Given> {
        let mut precision: Vec<f64> = self.information.iter().map(|sum| sum / variance).collect();
        let mut right = Vec::with_capacity(self.size);
        let mut weight = 0.0;
        for index in 0..self.size {
            let (mean, sd) = prior(index);
            precision[index * self.size + index] += 1.0 / (sd * sd);
            right.push(self.moments[index] / variance + mean / (sd * sd));
            weight -= sd.ln() + (mean / sd).powi(2) / 2.0;
        }
        let factor = Cholesky::new(self.size, &precision)?;
        weight += (factor.quadratic(&right) - factor.log_determinant()) / 2.0;
        Some(Given {
            weight,
            mean: factor.solve(&right),
            factor,
        })
    }
}
