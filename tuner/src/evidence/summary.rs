//! The summary of a run: what the games so far show, and the values to export.

use serde::{Deserialize, Serialize};

use super::anchors::AnchorEstimate;
use super::claim::Basis;
use super::findings::Findings;

/// The summary over all parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    pub pairs: u64,
    /// Variance of a pair's result.
    pub variance: f64,
    /// The share of the move from start to end that is kept, and the values there.
    pub kept: f64,
    pub values: Vec<f64>,
    /// Their Elo over the start, and its standard deviation, from regression and anchors
    /// together.
    pub elo: f64,
    pub elo_sd: f64,
    /// The estimate of the regression alone.
    pub regression_elo: f64,
    pub regression_sd: f64,
    pub anchors: Option<AnchorEstimate>,
    pub basis: Basis,
    pub parameters: Vec<Findings>,
}
