//! The Elo claimed: what the regression and the anchors say, and how far either may be wrong.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::anchors::AnchorEstimate;

/// What the regression's standard deviation leaves out, because the model is wrong: parameters
/// interact, sides are lopsided, curvatures change, and what is hardly known is shrunk. The
/// posterior's own spread counts so many times,
const SPREAD_FACTOR: f64 = 2.0;
/// the Elo that gradients promise less what curvatures take, and what curvatures take, err by this
/// share of each,
pub(super) const MODEL_ERROR: f64 = 0.7;
/// and nothing is known better than this, in Elo. With these the claims on the study's surfaces are
/// off by what they state.
pub(super) const LEAST_ERROR: f64 = 1.0;
/// What an Elo claim rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// There are no anchors yet.
    Regression,
    /// Both agree, and are weighted by their precision.
    Both,
    /// They disagree: the regression does not describe this surface.
    Anchors,
}

/// The standard deviation of what the regression expects, where curvatures take so many Elo.
pub(super) fn regression_sd(spread: f64, elo: f64, taken: f64) -> f64 {
    (SPREAD_FACTOR * spread)
        .hypot(MODEL_ERROR * elo)
        .hypot(MODEL_ERROR * taken)
        .hypot(LEAST_ERROR)
}

/// Regression and anchors differ by more than this many standard deviations where the regression is
/// wrong.
const DISAGREEMENT: f64 = 2.0;

pub(super) fn combined(
    regression: (f64, f64),
    anchors: Option<AnchorEstimate>,
) -> (Basis, (f64, f64)) {
    let Some(anchors) = anchors else {
        return (Basis::Regression, regression);
    };
    let own = (anchors.elo, anchors.elo_sd);
    if (regression.0 - own.0).abs() > DISAGREEMENT * regression.1.hypot(own.1) {
        return (Basis::Anchors, own);
    }
    let [left, right] = [regression, own].map(|(_, sd)| 1.0 / (sd * sd));
    let mean = (left * regression.0 + right * own.0) / (left + right);
    (Basis::Both, (mean, (left + right).sqrt().recip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchors(elo: f64, elo_sd: f64) -> AnchorEstimate {
        AnchorEstimate {
            pairs: 500,
            elo,
            elo_sd,
        }
    }

    #[test]
    fn what_agrees_is_weighted_by_precision() {
        let (basis, (elo, sd)) = combined((10.0, 4.0), Some(anchors(6.0, 4.0)));
        assert_eq!((basis, elo), (Basis::Both, 8.0));
        assert!((sd - 8.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(
            combined((10.0, 4.0), None),
            (Basis::Regression, (10.0, 4.0))
        );
    }

    #[test]
    fn anchors_stand_alone_where_they_contradict_the_regression() {
        let (basis, claimed) = combined((36.0, 11.0), Some(anchors(-2.0, 6.0)));
        assert_eq!((basis, claimed), (Basis::Anchors, (-2.0, 6.0)));
    }
}
