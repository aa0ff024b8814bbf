//! What a score is worth as a chance to win: Win% = 100 / (1 + e^(-slope cp)).
//!
//! lichess's fit to human games has a slope of 0.00368208, and writes the same as
//! Win% = 50 + 50 (2 / (1 + e^(-0.00368208 cp)) - 1). Engines make more of an advantage, so a slope
//! can be fitted to the results of the games at hand.

use engine_client::EngineScore;

/// Scores beyond this count as this in a fit, so that a few won positions do not decide it.
const MOST_CENTIPAWNS: f64 = 1000.0;
/// Slopes that a fit can find; beyond them the games do not say how steep the curve is.
const SLOPES: [f64; 2] = [1e-4, 0.1];
const HALVINGS: u32 = 60;

/// From scores to chances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinCurve {
    /// Of a centipawn, in the exponent of the logistic function.
    pub slope: f64,
}

impl WinCurve {
    pub const LICHESS: Self = Self {
        slope: 0.003_682_08,
    };

    /// In percent, for the side whose score it is.
    pub fn percent(self, score: EngineScore) -> f64 {
        match score {
            EngineScore::Cp(centipawns) => 100.0 * self.chance(f64::from(centipawns)),
            EngineScore::Mate(moves) if moves > 0 => 100.0,
            EngineScore::Mate(_) => 0.0,
        }
    }

    /// The likeliest curve for scores in centipawns and the results that followed, from 0 to 1.
    /// `None` where results do not rise with scores, or rise from 0 to 1 at once.
    pub fn fit(seen: &[(i32, f64)]) -> Option<Self> {
        let seen: Vec<(f64, f64)> = seen
            .iter()
            .map(|(score, result)| {
                let score = f64::from(*score);
                (score.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS), *result)
            })
            .collect();
        // The derivative of the log-likelihood falls with the slope.
        let rises = |slope: f64| {
            let curve = Self { slope };
            seen.iter()
                .map(|(score, result)| score * (result - curve.chance(*score)))
                .sum::<f64>()
                > 0.0
        };
        let [mut low, mut high] = SLOPES;
        if !rises(low) || rises(high) {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if rises(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(Self {
            slope: f64::midpoint(low, high),
        })
    }

    fn chance(self, centipawns: f64) -> f64 {
        1.0 / (1.0 + (-self.slope * centipawns).exp())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn scores_are_worth_what_lichess_says() {
        let near = |score, percent: f64| (WinCurve::LICHESS.percent(score) - percent).abs() < 0.05;
        assert!(near(EngineScore::Cp(0), 50.0) && near(EngineScore::Cp(100), 59.1));
        assert!(near(EngineScore::Cp(-300), 24.9) && near(EngineScore::Cp(1000), 97.5));
        assert!(near(EngineScore::Mate(3), 100.0) && near(EngineScore::Mate(0), 0.0));
    }

    proptest! {
        #[test]
        fn a_fit_finds_the_curve_that_results_follow(slope in 0.0005..0.02_f64) {
            let curve = WinCurve { slope };
            let seen: Vec<(i32, f64)> = (-20..=20)
                .map(|step| (20 * step, curve.percent(EngineScore::Cp(20 * step)) / 100.0))
                .collect();
            let found = WinCurve::fit(&seen).expect("results rise with scores");
            prop_assert!((found.slope / slope - 1.0).abs() < 1e-6, "{}", found.slope);
        }
    }

    #[test]
    fn games_that_do_not_say_how_steep_it_is_have_no_fit() {
        assert_eq!(WinCurve::fit(&[]), None);
        assert_eq!(WinCurve::fit(&[(100, 0.5), (-100, 0.5)]), None, "all drawn");
        assert_eq!(WinCurve::fit(&[(100, 0.0), (-100, 1.0)]), None, "reversed");
        assert_eq!(
            WinCurve::fit(&[(900, 1.0), (-900, 0.0)]),
            None,
            "no exception"
        );
    }
}
