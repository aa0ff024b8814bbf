//! The ratio of two speeds with its interval, from rounds in which both engines ran. Pure.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// How much faster one engine is than another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ratio {
    /// The geometric mean of the ratios of all rounds.
    pub(crate) value: f64,
    /// Its interval, in which the true ratio lies with a probability of 95 %.
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// What an interval says about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Claim {
    /// All of the interval is above what is claimed.
    Holds,
    /// All of it is below.
    Fails,
    Undecided,
}

impl Ratio {
    /// From the speeds of both engines, round by round. A slowdown of the machine affects both, so
    /// it is ratios that are averaged: their logarithms, by Student's t with n - 1 degrees of
    /// freedom.
    ///
    /// `None` for fewer than two rounds, or speeds that are not above zero.
    pub(crate) fn of(rounds: &[[f64; 2]]) -> Option<Self> {
        let logs: Vec<f64> = rounds.iter().map(|[base, new]| (new / base).ln()).collect();
        let count = logs.len() as f64;
        if logs.len() < 2 || !logs.iter().all(|log| log.is_finite()) {
            return None;
        }
        let mean = logs.iter().sum::<f64>() / count;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        let error = (squares / (count - 1.0) / count).sqrt();
        let student = StudentsT::new(0.0, 1.0, count - 1.0).ok()?;
        let reach = student.inverse_cdf(0.975) * error;
        Some(Self {
            value: mean.exp(),
            low: (mean - reach).exp(),
            high: (mean + reach).exp(),
        })
    }

    /// Whether the new engine is faster by at least `gain` percent.
    pub(crate) fn judge(&self, gain: f64) -> Claim {
        let claimed = 1.0 + gain / 100.0;
        if self.low > claimed {
            Claim::Holds
        } else if self.high < claimed {
            Claim::Fails
        } else {
            Claim::Undecided
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_students_t() {
        // Ratios of 1.02, 1.04 and 1.06: mean of the logarithms 0.039099, standard deviation 0.019233,
        // t(0.975, 2) = 4.302653.
        let rounds = [[100.0, 102.0], [50.0, 52.0], [200.0, 212.0]];
        let ratio = Ratio::of(&rounds).expect("three rounds");
        assert!((ratio.value - 1.039_872).abs() < 1e-5, "{ratio:?}");
        assert!((ratio.low - 0.991_336).abs() < 1e-4, "{ratio:?}");
        assert!((ratio.high - 1.090_783).abs() < 1e-4, "{ratio:?}");
        assert_eq!(ratio.judge(0.0), Claim::Undecided);
    }

    #[test]
    fn a_claim_holds_where_all_of_the_interval_is_beyond_it() {
        let rounds = [[100.0, 110.0], [100.0, 110.1], [100.0, 109.9]];
        let ratio = Ratio::of(&rounds).expect("three rounds");
        assert_eq!(ratio.judge(0.0), Claim::Holds);
        assert_eq!(ratio.judge(5.0), Claim::Holds);
        assert_eq!(ratio.judge(10.0), Claim::Undecided);
        assert_eq!(ratio.judge(12.0), Claim::Fails);
    }

    #[test]
    fn too_few_rounds_and_no_speed_give_no_ratio() {
        assert_eq!(Ratio::of(&[[1.0, 1.0]]), None);
        assert_eq!(Ratio::of(&[[1.0, 1.0], [0.0, 1.0]]), None);
        assert_eq!(Ratio::of(&[[1.0, 1.0], [1.0, f64::NAN]]), None);
    }

    proptest::proptest! {
        #[test]
        fn swapping_the_engines_turns_the_ratio_over(
            rounds in proptest::collection::vec([1.0..1e9_f64, 1.0..1e9_f64], 2..30)
        ) {
            let swapped: Vec<[f64; 2]> = rounds.iter().map(|[a, b]| [*b, *a]).collect();
            let (one, other) = (Ratio::of(&rounds), Ratio::of(&swapped));
            let (one, other) = (one.expect("a ratio"), other.expect("a ratio"));
            let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-6;
            proptest::prop_assert!(close(one.value, 1.0 / other.value));
            proptest::prop_assert!(close(one.low, 1.0 / other.high));
        }
    }
}
