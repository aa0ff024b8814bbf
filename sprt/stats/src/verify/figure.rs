//! A printed figure and the recomputed one.

use schemars::JsonSchema;
use serde::Serialize;

use crate::block::Figure;

/// A printed figure and ours, with the same number of digits.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CheckedFigure {
    pub name: &'static str,
    pub found: String,
    pub recomputed: String,
    pub agrees: bool,
}

impl CheckedFigure {
    pub(super) fn compare(name: &'static str, found: &Figure, recomputed: f64) -> Self {
        Self {
            name,
            found: format!("{:.*}", found.decimals, found.value),
            recomputed: format!("{:.*}", found.decimals, recomputed),
            agrees: prints_as(recomputed, found),
        }
    }
}

/// Whether a program that computes the figure up to rounding errors could print this.
pub(super) fn prints_as(exact: f64, printed: &Figure) -> bool {
    let half_a_digit = 0.5 * 10f64.powi(-(printed.decimals as i32));
    (exact - printed.value).abs() <= half_a_digit + 1e-9 * (1.0 + exact.abs())
}
