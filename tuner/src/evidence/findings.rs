//! The findings about one parameter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::verdict::Verdict;

/// What is known about one parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// From the start to the given point, in c.
    pub moved: f64,
    /// Elo per c at the start, and Elo per c squared, with standard deviations; zero where there
    /// are levels.
    pub gradient: f64,
    pub gradient_sd: f64,
    pub curvature: f64,
    pub curvature_sd: f64,
    /// Where the parameter has few values, what each is worth.
    pub levels: Vec<Worth>,
    /// Of the sign test, to be compared with [`super::SEEN`].
    pub chi2: f64,
    pub verdict: Verdict,
}

/// What a level is worth, in Elo over the start.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Worth {
    pub value: f64,
    pub elo: f64,
    pub elo_sd: f64,
}

impl Findings {
    /// The best level, where there are levels and one is better than the start.
    pub(crate) fn best_level(&self) -> Option<&Worth> {
        let better = self.levels.iter().filter(|level| level.elo > 0.0);
        better.max_by(|a, b| a.elo.total_cmp(&b.elo))
    }
}
