//! The findings about one parameter.

use serde::{Deserialize, Serialize};

use super::verdict::Verdict;

/// What is known about one parameter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// From the start to the given point, in c.
    pub moved: f64,
    /// Elo per c at the start, and Elo per c squared, with standard deviations.
    pub gradient: f64,
    pub gradient_sd: f64,
    pub curvature: f64,
    pub curvature_sd: f64,
    /// Of the sign test, to be compared with [`super::SEEN`].
    pub chi2: f64,
    pub verdict: Verdict,
}
