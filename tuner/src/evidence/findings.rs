//! What the games say, in figures.

use serde::{Deserialize, Serialize};

use super::anchors::AnchorEstimate;
use super::claim::Basis;
use super::verdict::{NEGLIGIBLE, SEEN, Verdict};

/// What is known about one parameter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// From the start to the point asked about, in c.
    pub moved: f64,
    /// Elo per c at the start, and Elo per c squared, with standard deviations.
    pub gradient: f64,
    pub gradient_sd: f64,
    pub curvature: f64,
    pub curvature_sd: f64,
    /// Of the sign test, to be held against [`SEEN`].
    pub chi2: f64,
    pub verdict: Verdict,
}

impl Findings {
    /// What the figures say; [`verdict`](Self::verdict) is set to it.
    pub fn judged(&self) -> Verdict {
        let most_gradient = self.gradient.abs() + 2.0 * self.gradient_sd;
        let most_curvature = self.curvature.abs() + 2.0 * self.curvature_sd;
        if self.chi2 > SEEN {
            Verdict::Evident
        } else if most_gradient < NEGLIGIBLE && most_curvature / 2.0 < NEGLIGIBLE {
            Verdict::Dead
        } else {
            Verdict::Undecided
        }
    }
}

/// What is known about all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub pairs: u64,
    /// Variance of a pair's result.
    pub variance: f64,
    /// How much is kept of the way from the start to the end asked about, and the values there.
    pub kept: f64,
    pub values: Vec<f64>,
    /// Their Elo over the start, and its standard deviation: what regression and anchors say
    /// together.
    pub elo: f64,
    pub elo_sd: f64,
    /// What the regression says alone.
    pub regression_elo: f64,
    pub regression_sd: f64,
    pub anchors: Option<AnchorEstimate>,
    pub basis: Basis,
    pub parameters: Vec<Findings>,
}
