//! Welch's t-test: two independent samples with unequal variances.
//!
//! B. L. Welch, "The generalization of 'Student's' problem when several different population
//! variances are involved", Biometrika 34 (1947), 28-35.

use statrs::distribution::{ContinuousCDF as _, StudentsT};

use crate::normal::student_975;

/// The difference of two means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Welch {
    /// The second mean minus the first.
    pub difference: f64,
    error: f64,
    freedom: f64,
}

impl Welch {
    /// `None` if a sample has fewer than two values or neither sample varies.
    pub fn of(first: &[f64], second: &[f64]) -> Option<Self> {
        let [(a, a_error), (b, b_error)] = [mean_and_error(first)?, mean_and_error(second)?];
        let sum = a_error + b_error;
        let freedom = sum.powi(2)
            / (a_error.powi(2) / (first.len() - 1) as f64
                + b_error.powi(2) / (second.len() - 1) as f64);
        (sum > 0.0).then(|| Self {
            difference: b - a,
            error: sum.sqrt(),
            freedom,
        })
    }

    /// The two-sided p-value.
    pub fn two_sided(&self) -> f64 {
        StudentsT::new(0.0, 1.0, self.freedom).map_or(1.0, |it| {
            2.0 * it.cdf(-(self.difference / self.error).abs())
        })
    }

    /// The 95 % interval of the difference.
    pub fn interval_95(&self) -> [f64; 2] {
        let half = student_975(self.freedom) * self.error;
        [self.difference - half, self.difference + half]
    }
}

/// The mean, and the square of its standard error; `None` of fewer than two values.
pub fn mean_and_error(values: &[f64]) -> Option<(f64, f64)> {
    if values.len() < 2 {
        return None;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|it| (it - mean).powi(2)).sum();
    Some((mean, squares / (count - 1.0) / count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_equal_variances_it_is_the_test_of_student() {
        let first = [-1.0, 1.0, -1.0, 1.0, -1.0, 1.0];
        // The 97.5 % quantile with ten degrees of freedom, and the error of the difference.
        let second = first.map(|it| it + 2.228_138_851_986_274 * 0.4_f64.sqrt());
        let found = Welch::of(&first, &second).expect("both vary");
        assert!((found.freedom - 10.0).abs() < 1e-9, "{found:?}");
        assert!((found.two_sided() - 0.05).abs() < 1e-9);
        let [low, high] = found.interval_95();
        assert!(low.abs() < 1e-9 && (high - 2.0 * found.difference).abs() < 1e-9);
        let back = Welch::of(&second, &first).expect("both vary");
        assert!((back.two_sided() - found.two_sided()).abs() < 1e-12);
    }

    #[test]
    fn degrees_of_freedom_follow_welch_and_satterthwaite() {
        let found = Welch::of(&[0.0, 2.0], &[0.0, 3.0, 6.0]).expect("both vary");
        assert_eq!(found.difference, 2.0);
        assert!((found.freedom - 16.0 / (1.0 / 1.0 + 9.0 / 2.0)).abs() < 1e-9);
    }

    #[test]
    fn samples_that_cannot_be_compared_give_nothing() {
        assert_eq!(Welch::of(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(Welch::of(&[1.0, 1.0], &[2.0, 2.0]), None);
    }
}
