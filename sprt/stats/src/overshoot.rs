//! The overshoot of the log-likelihood ratio over a bound, estimated while the test runs.
//!
//! Wald's bounds assume that the ratio stops on a bound; it stops beyond it, so the errors are
//! smaller than specified and the test is a little longer than necessary. Each new record of the
//! ratio is a bound once stepped over: half the ratio of the mean square to the mean of those steps
//! estimates the overshoot (Siegmund, Sequential Analysis, corollary 8.33). fishtest stops by
//! bounds moved inwards by it (`stat_util.update_SPRT`); OpenBench does not.

use crate::outcomes::tilted;

/// The steps by which the ratio has set new lows (`down`) and new highs (`up`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Overshoot {
    down: Records,
    up: Records,
}

/// The records of a walk from zero, as positive distances.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Records {
    /// The sum of the steps is the record itself.
    reached: f64,
    squares: f64,
}

impl Records {
    fn update(&mut self, distance: f64) {
        if distance > self.reached {
            self.squares += (distance - self.reached).powi(2);
            self.reached = distance;
        }
    }

    fn overshoot(self) -> f64 {
        if self.reached > 0.0 {
            self.squares / self.reached / 2.0
        } else {
            0.0
        }
    }
}

impl Overshoot {
    /// Records the ratio after one more pair.
    pub fn update(&mut self, llr: f64) {
        self.down.update(-llr);
        self.up.update(llr);
    }

    /// Wald's bounds moved inwards.
    pub fn corrected(&self, lower: f64, upper: f64) -> (f64, f64) {
        (lower + self.down.overshoot(), upper - self.up.overshoot())
    }
}

/// The mean overshoot over a lower and an upper bound, in steps, of a walk without drift whose
/// steps from -2 to 2 have these probabilities. The bound may lie anywhere between two steps.
///
/// Exact: the equation `z^2 = sum p[k] z^(k+2)` of such a walk has the double root 1 and two
/// negative ones, and by the Wiener-Hopf factorization the one outside the unit circle says how
/// often a new high is two steps above the last, the one inside the same of new lows.
pub(crate) fn mean_overshoot(probabilities: &[f64; 5]) -> (f64, f64) {
    let [ll, ld, _, dw, ww] = without_drift(probabilities);
    // The equation divided by its double root: ww z^2 + linear z + ll.
    let linear = f64::midpoint(dw + 2.0 * ww, ld + 2.0 * ll);
    let root = (linear * linear - 4.0 * ww * ll).max(0.0).sqrt();
    let [up, down] = [ww, ll].map(|farthest| {
        let ratio = 2.0 * farthest / (linear + root);
        // The mean square of a new record's step over twice its mean; the step is 2 in `ratio` of 1
        // + `ratio` cases.
        (1.0 + 3.0 * ratio) / (2.0 * (1.0 + ratio))
    });
    (down, up)
}

/// Tilts the steps of the walk until their mean is zero.
fn without_drift(probabilities: &[f64; 5]) -> [f64; 5] {
    tilted(probabilities, |moments| moments.mean - 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_of_single_steps_oversteps_by_half_a_step() {
        let (down, up) = mean_overshoot(&[0.0, 0.3, 0.4, 0.3, 0.0]);
        assert!((down - 0.5).abs() < 1e-12 && (up - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_walk_of_double_steps_oversteps_by_one() {
        let (down, up) = mean_overshoot(&[0.3, 0.0, 0.4, 0.0, 0.3]);
        assert!(
            (down - 1.0).abs() < 1e-9 && (up - 1.0).abs() < 1e-9,
            "{down} {up}"
        );
    }

    /// The estimate from records along a walk agrees.
    #[test]
    fn the_mean_overshoot_is_what_records_show() {
        let probabilities = [0.05, 0.25, 0.4, 0.2, 0.1];
        let (down, up) = mean_overshoot(&probabilities);
        let drifting = without_drift(&probabilities);
        // Marsaglia's xorshift: the same walk each time.
        let mut state = 88_172_645_463_325_252_u64;
        let (mut position, mut records) = (0.0, Overshoot::default());
        for _ in 0..2_000_000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mut left = (state >> 11) as f64 / (1u64 << 53) as f64;
            let mut step = -2.0;
            for probability in drifting {
                if left < probability {
                    break;
                }
                left -= probability;
                step += 1.0;
            }
            position += f64::min(step, 2.0);
            records.update(position);
        }
        let (low, high) = records.corrected(0.0, 0.0);
        assert!(
            (low - down).abs() < 0.05 && (high + up).abs() < 0.05,
            "{low} {down} {high} {up}"
        );
    }
}
