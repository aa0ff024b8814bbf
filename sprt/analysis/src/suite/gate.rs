//! The one question that is asked of two engines, named before the run: is the share of solved
//! searches, or of points, lower by as much as matters?

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use stats::paired::Power;

/// Positions that differ between two engines, where nothing better is known.
pub const USUALLY_DIFFERING: f64 = 0.2;

/// What is asked of two engines.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    pub measure: Measure,
    /// The smallest loss that matters, as a share of 1.
    pub margin: f64,
    /// The error rate of either answer.
    pub alpha: f64,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Whether a search ends with a solution
    Solved,
    /// The share of the points that a search can earn
    Points,
}

impl Gate {
    /// The power of the comparison with so many positions.
    pub fn power(&self, positions: usize) -> Power {
        Power::of(positions, USUALLY_DIFFERING, self.margin, self.alpha)
    }
}
