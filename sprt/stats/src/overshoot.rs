//! By how much the log-likelihood ratio steps over a bound, estimated while the test runs.
//!
//! Wald's bounds assume that the ratio stops on a bound; it stops beyond it, so the errors are smaller than asked for
//! and the test is a little longer than it need be. Each new record of the ratio is a bound once stepped over: half the
//! ratio of the mean square to the mean of those steps estimates the overshoot (Siegmund, Sequential Analysis,
//! corollary 8.33). fishtest stops by bounds moved inwards by it (`stat_util.update_SPRT`); OpenBench does not.

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
    /// Takes in the ratio after one more pair.
    pub fn update(&mut self, llr: f64) {
        self.down.update(-llr);
        self.up.update(llr);
    }

    /// Wald's bounds moved inwards.
    pub fn corrected(&self, lower: f64, upper: f64) -> (f64, f64) {
        (lower + self.down.overshoot(), upper - self.up.overshoot())
    }
}
