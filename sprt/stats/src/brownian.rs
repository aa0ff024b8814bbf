//! A Brownian motion between two absorbing bounds: the log-likelihood ratio of a long test.

use std::f64::consts::PI;

use super::normal::phi;

/// The series below stops at terms of this size.
const NEGLIGIBLE: f64 = 1e-9;
/// The most terms; under the conditions of [`Brownian::below`], some tens are needed.
const MOST_TERMS: u32 = 1000;

/// A motion from 0 with the given drift and variance per unit of time, absorbed at `lower` < 0 or
/// `upper` > 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Brownian {
    pub lower: f64,
    pub upper: f64,
    pub drift: f64,
    pub variance: f64,
}

impl Brownian {
    /// The probability that the motion passes below the point `y` at `time`: that it is absorbed at
    /// `lower` by then, or is still moving and below `y`, or is absorbed at `lower` later for
    /// `y` = `upper`. fishtest's `brownian.outcome_cdf`.
    pub(crate) fn below(&self, time: f64, y: f64) -> f64 {
        let width = self.upper - self.lower;
        let gamma = self.drift / self.variance;
        let probability =
            if self.variance * time / (width * width) < 1e-2 || (gamma * width).abs() > 15.0 {
                self.below_by_reflection(time, y)
            } else {
                self.below_by_series(time, y)
            };
        probability.clamp(0.0, 1.0)
    }

    /// Exact, by the eigenfunctions of the strip between the bounds. Converges slowly for short
    /// times.
    fn below_by_series(&self, time: f64, y: f64) -> f64 {
        let width = self.upper - self.lower;
        let (start, y) = (-self.lower, y - self.lower);
        let gamma = self.drift / self.variance;
        let decay = |n: f64| 0.5 * ((n * PI / width).powi(2) * self.variance + self.drift * gamma);
        let leading = (gamma * (y - start) - decay(1.0) * time).exp();
        let mut sum = 0.0;
        for n in (1..=MOST_TERMS).map(f64::from) {
            let wave = n * PI / width;
            let damping = ((decay(1.0) - decay(n)) * time).exp();
            // A primitive of e^(gamma y) sin(wave y), times 2 / width e^(-gamma y).
            let primitive = 2.0 / width * (gamma * (wave * y).sin() - wave * (wave * y).cos())
                / (gamma * gamma + wave * wave);
            sum += damping * primitive * (wave * start).sin();
            if (leading * damping * primitive).abs() <= NEGLIGIBLE {
                break;
            }
        }
        self.absorbed_below() + leading * sum
    }

    /// The probabilities of having ended at the lower and at the upper bound by `time`.
    pub(crate) fn absorbed_by(&self, time: f64) -> (f64, f64) {
        (
            self.below(time, self.lower),
            1.0 - self.below(time, self.upper),
        )
    }

    /// The probabilities of ending at the lower and at the upper bound at any time.
    pub(crate) fn absorbed(&self) -> (f64, f64) {
        if self.lower >= 0.0 {
            return (1.0, 0.0);
        }
        if self.upper <= 0.0 {
            return (0.0, 1.0);
        }
        let below = self.absorbed_below();
        (below, 1.0 - below)
    }

    /// The probability of ending at the lower bound at any time.
    fn absorbed_below(&self) -> f64 {
        let exponent = 2.0 * self.drift / self.variance;
        let width = self.upper - self.lower;
        if (exponent * width).abs() < 2e-8 {
            self.upper / width
        } else if exponent > 0.0 {
            // Multiplied through by e^(-exponent width), so that nothing overflows.
            (exponent * self.lower).exp() * (-exponent * self.upper).exp_m1()
                / (-exponent * width).exp_m1()
        } else {
            (exponent * self.upper).exp_m1() / (exponent * width).exp_m1()
        }
    }

    /// The probability that it is not absorbed at `time`.
    pub(crate) fn running_after(&self, time: f64) -> f64 {
        if self.lower >= 0.0 || self.upper <= 0.0 {
            return 0.0;
        }
        if time <= 0.0 {
            return 1.0;
        }
        let (lower, upper) = self.absorbed_by(time);
        (1.0 - lower - upper).clamp(0.0, 1.0)
    }

    /// The expected time until absorption or `limit`, whichever comes first: the integral over the
    /// time of the probability that the motion is not absorbed (Simpson's rule with an even number
    /// of `steps`).
    pub(crate) fn expected_time_by(&self, limit: f64, steps: u32) -> f64 {
        let unlimited = self.expected_time();
        if limit <= 0.0 || self.lower >= 0.0 || self.upper <= 0.0 {
            return 0.0;
        }
        // Beyond this time nearly every motion is absorbed: the slowest mode has decayed.
        let wave = PI / (self.upper - self.lower);
        let decay = 0.5 * (wave * wave * self.variance + self.drift * self.drift / self.variance);
        let horizon = limit.min(2.0 * unlimited + 20.0 / decay);
        // Integrated over the square root of the time, since near a bound most happens early.
        let width = 1.0 / f64::from(steps);
        let sum: f64 = (0..=steps)
            .map(|step| {
                let weight = match step {
                    first_or_last if first_or_last == 0 || first_or_last == steps => 1.0,
                    odd if odd % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                let root = f64::from(step) * width;
                weight * 2.0 * root * self.running_after(horizon * root * root)
            })
            .sum();
        (horizon * sum * width / 3.0).min(unlimited).min(limit)
    }

    /// Siegmund's approximation by one reflection at each bound, for short times and strong drifts.
    fn below_by_reflection(&self, time: f64, y: f64) -> f64 {
        let deviation = (time * self.variance).sqrt();
        let offset = self.drift * time;
        let gamma = self.drift / self.variance;
        let at_lower = reflected(
            2.0 * gamma * self.lower,
            (2.0 * self.lower + offset - y) / deviation,
        );
        let at_upper = reflected(
            2.0 * gamma * self.upper,
            (y - offset - 2.0 * self.upper) / deviation,
        );
        phi((y - offset) / deviation) + at_lower - at_upper
    }

    /// The expected time until absorption.
    pub(crate) fn expected_time(&self) -> f64 {
        let (below, above) = (-self.lower, self.upper);
        if below <= 0.0 || above <= 0.0 {
            return 0.0;
        }
        // By symmetry, with the drift towards `ahead`.
        let (behind, ahead) = if self.drift >= 0.0 {
            (below, above)
        } else {
            (above, below)
        };
        let exponent = 2.0 * self.drift.abs() / self.variance;
        let width = behind + ahead;
        if exponent * width < 1e-4 {
            return behind * ahead / self.variance;
        }
        let arrives = (-exponent * behind).exp_m1() / (-exponent * width).exp_m1();
        (arrives * width - behind) / self.drift.abs()
    }
}

/// e^exponent phi(z); where the exponential is large, by the first terms of phi's asymptotic
/// expansion.
fn reflected(exponent: f64, z: f64) -> f64 {
    if exponent >= 10.0 {
        let density = (exponent - z * z / 2.0).exp() / (2.0 * PI).sqrt();
        -density * (1.0 / z - 1.0 / z.powi(3))
    } else {
        exponent.exp() * phi(z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WALD: Brownian = Brownian {
        lower: -2.944,
        upper: 2.944,
        drift: 0.0,
        variance: 0.01,
    };

    #[test]
    fn without_drift_both_bounds_are_as_likely() {
        assert!((WALD.below(1e9, 0.0) - 0.5).abs() < 1e-9);
        assert!((WALD.expected_time() - 2.944 * 2.944 / 0.01).abs() < 1e-6);
    }

    #[test]
    fn a_strong_drift_takes_the_direct_way() {
        for drift in [-10.0, 10.0] {
            let motion = Brownian { drift, ..WALD };
            assert!((motion.expected_time() - 0.2944).abs() < 1e-9);
            assert_eq!(motion.below(1e9, motion.upper) > 0.5, drift < 0.0);
        }
    }

    #[test]
    fn a_limit_shortens_a_motion_by_what_would_come_after_it() {
        for drift in [-10.0, -0.02, 0.0, 0.004, 1.0] {
            for start in [0.0, -2.7, 2.9] {
                let motion = Brownian {
                    lower: WALD.lower - start,
                    upper: WALD.upper - start,
                    drift,
                    variance: 0.01,
                };
                let mean = motion.expected_time();
                let whole = motion.expected_time_by(1e9, 32);
                assert!(
                    (whole / mean - 1.0).abs() < 0.05,
                    "{drift} {start}: {whole} {mean}"
                );
                // Hardly any motion is absorbed by then.
                let begun = motion.expected_time_by(1e-3 * mean, 32) / (1e-3 * mean);
                assert!((0.9..1.001).contains(&begun), "{drift} {start}: {begun}");
                let half = motion.expected_time_by(0.5 * mean, 32);
                let fine = motion.expected_time_by(0.5 * mean, 400);
                assert!(
                    (half / fine - 1.0).abs() < 0.03,
                    "{drift} {start}: {half} {fine}"
                );
            }
        }
    }

    #[test]
    fn at_the_hypotheses_the_errors_are_those_asked_for() {
        // Under H1 the ratio's drift is half its variance: beta = 0.05 ends at the lower bound.
        let bound = 19f64.ln();
        let h1 = Brownian {
            lower: -bound,
            upper: bound,
            drift: 0.005,
            variance: 0.01,
        };
        assert!((h1.absorbed_below() - 0.05).abs() < 1e-12);
    }
}
