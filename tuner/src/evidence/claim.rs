//! The claimed Elo: the estimates of the regression and of the anchors, and their errors.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::anchors::AnchorEstimate;

/// The factor of the posterior's own spread. This and the next three constants account for what the
/// regression's standard deviation leaves out, because the model is wrong: parameters interact,
/// optima are asymmetric, curvatures change, and uncertain coefficients are shrunk. With them, the
/// errors of claims on the study's surfaces agree with the stated ones.
const SPREAD_FACTOR: f64 = 1.5;
/// The relative error of the Elo that gradients promise, even if curvatures take all of it, so that
/// a claim of 0 Elo is not taken for a certain one.
const PROMISE_ERROR: f64 = 0.4;
/// The relative error of the remainder, and of what curvatures take.
pub(super) const MODEL_ERROR: f64 = 0.3;
/// The least error of any claim, in Elo.
pub(super) const LEAST_ERROR: f64 = 1.5;
/// The degrees of freedom of Student's t whose tails the regression's error has: sometimes the
/// model is entirely wrong.
const FREEDOM: f64 = 4.0;

/// The basis of an Elo claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// There are no anchors yet.
    Regression,
    /// Both agree, and are weighted by their precision.
    Both,
    /// They disagree: the regression does not describe this surface. The anchors have most of the
    /// weight, and the interval is wider.
    Anchors,
}

/// The standard deviation of the regression's estimate of a move for which gradients promise
/// `promised` Elo and curvatures take `taken`.
pub(super) fn regression_sd(spread: f64, elo: f64, promised: f64, taken: f64) -> f64 {
    (SPREAD_FACTOR * spread)
        .hypot(PROMISE_ERROR * promised)
        .hypot(MODEL_ERROR * elo)
        .hypot(MODEL_ERROR * taken)
        .hypot(LEAST_ERROR)
}

/// Where regression and anchors differ by more than this many standard deviations, the regression
/// is wrong.
const DISAGREEMENT: f64 = 2.0;

pub(super) fn combined(
    regression: (f64, f64),
    anchors: Option<AnchorEstimate>,
) -> (Basis, (f64, f64)) {
    let Some(anchors) = anchors else {
        return (Basis::Regression, regression);
    };
    let own = (anchors.elo, anchors.elo_sd);
    let differ = (regression.0 - own.0).abs() > DISAGREEMENT * regression.1.hypot(own.1);
    let basis = if differ { Basis::Anchors } else { Basis::Both };
    (basis, together(regression, own))
}

/// Mean and standard deviation given the estimate of the regression, which has heavy tails, and
/// that of the anchors, whose error is normal. If they agree, the mean is close to that weighted by
/// precision; the more they differ, the more weight the anchors get, and the larger is the error.
fn together(regression: (f64, f64), anchors: (f64, f64)) -> (f64, f64) {
    const STEPS: i32 = 400;
    /// Both are integrated as far as this, in standard deviations.
    const REACH: f64 = 6.0;
    let low = (regression.0 - REACH * regression.1).min(anchors.0 - REACH * anchors.1);
    let high = (regression.0 + REACH * regression.1).max(anchors.0 + REACH * anchors.1);
    let (mut weights, mut mean, mut square) = (0.0, 0.0, 0.0);
    for step in 0..=STEPS {
        let elo = low + (high - low) * f64::from(step) / f64::from(STEPS);
        let [far, off] = [regression, anchors].map(|(mean, sd)| ((elo - mean) / sd).powi(2));
        let weight = (1.0 + far / FREEDOM).powf(-(FREEDOM + 1.0) / 2.0) * (-off / 2.0).exp();
        weights += weight;
        mean += weight * elo;
        square += weight * elo * elo;
    }
    mean /= weights;
    (mean, (square / weights - mean * mean).max(0.0).sqrt())
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
        assert_eq!(basis, Basis::Both);
        assert!(
            (elo - 8.0).abs() < 0.5 && (sd - 3.0).abs() < 0.4,
            "{elo} {sd}"
        );
        assert_eq!(
            combined((10.0, 4.0), None),
            (Basis::Regression, (10.0, 4.0))
        );
    }

    #[test]
    fn the_farther_apart_they_are_the_less_is_known() {
        let apart = |elo| combined((0.0, 2.0), Some(anchors(elo, 8.0)));
        let [near, far] = [4.0, 32.0].map(|elo| apart(elo).1);
        assert!(near.0 < 1.0 && near.1 < 3.0, "{near:?}");
        assert!(far.1 > 1.5 * near.1, "{far:?}");
        assert_eq!(apart(32.0).0, Basis::Anchors);
        // Thirty lucky anchors do not outweigh everything else.
        assert!(far.0 < 30.0, "{far:?}");
    }

    #[test]
    fn precise_anchors_decide_against_a_model_that_is_wrong() {
        let (basis, (elo, sd)) = combined((36.0, 11.0), Some(anchors(-2.0, 3.0)));
        assert_eq!(basis, Basis::Anchors);
        assert!(elo < 0.0 && sd >= 2.9, "{elo} {sd}");
    }

    #[test]
    fn a_claim_of_nothing_is_no_surer_than_what_it_was_made_of() {
        assert!(regression_sd(0.5, 0.0, 10.0, 10.0) > 4.0);
        assert!(regression_sd(0.5, 0.0, 0.0, 0.0) < 2.0);
    }
}
