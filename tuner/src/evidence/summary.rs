//! What the games so far say of a run, and the values to export.

use serde::{Deserialize, Serialize};

use super::anchors::AnchorEstimate;
use super::claim::Basis;
use super::findings::Findings;

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
