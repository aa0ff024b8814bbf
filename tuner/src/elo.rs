//! Elo and the results of pairs.

/// Expected wins - losses of a pair for one Elo of difference, near equality: two games, `ln 10 /
/// 800` score points each twice over.
pub(crate) const POINTS_PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// Variance of a pair's result in a usual match.
pub(crate) const USUAL_VARIANCE: f64 = 0.89;

/// Standard deviations of a 95% interval.
pub(crate) const TWO_SIDED_95: f64 = 1.96;

/// A mean score is kept this far from 0 and 1, whose Elo is infinite.
const LEAST_SCORE: f64 = 0.005;

/// The Elo of a side whose pairs have this mean of wins - losses, and the Elo per point there.
pub(crate) fn of_mean(points: f64) -> (f64, f64) {
    let score = (0.5 + points / 4.0).clamp(LEAST_SCORE, 1.0 - LEAST_SCORE);
    let elo = -400.0 * (1.0 / score - 1.0).log10();
    (
        elo,
        100.0 / (std::f64::consts::LN_10 * score * (1.0 - score)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_is_logistic_in_the_mean_result() {
        assert_eq!(of_mean(0.0).0, 0.0);
        assert!((of_mean(0.0).1 * POINTS_PER_ELO - 1.0).abs() < 1e-12);
        // A score of 10/11 is 400 Elo.
        assert!((of_mean(4.0 * (10.0 / 11.0 - 0.5)).0 - 400.0).abs() < 1e-9);
        assert!(of_mean(2.0).0.is_finite() && of_mean(-2.0).0 < -500.0);
    }
}
