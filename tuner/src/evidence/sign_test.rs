//! The sign test: whether a parameter has an effect, from the coins that chose the sides.

/// Sums of the sign test of one parameter.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SignSums {
    slope: f64,
    turn: f64,
    slope_variance: f64,
    mixed_variance: f64,
    turn_variance: f64,
}

impl SignSums {
    pub(super) fn add(&mut self, half: f64, middle: f64, result: f64) {
        let (slope, turn) = (half * result, half * middle * result);
        self.slope += slope;
        self.turn += turn;
        self.slope_variance += slope * slope;
        self.mixed_variance += slope * turn;
        self.turn_variance += turn * turn;
    }

    /// Of both sums; of the first alone until the middle has moved enough to distinguish them.
    pub(super) fn chi2(self) -> f64 {
        let product = self.slope_variance * self.turn_variance;
        let determinant = product - self.mixed_variance.powi(2);
        if self.slope_variance == 0.0 {
            0.0
        } else if determinant <= 1e-3 * product {
            self.slope.powi(2) / self.slope_variance
        } else {
            (self.slope.powi(2) * self.turn_variance
                - 2.0 * self.slope * self.turn * self.mixed_variance
                + self.turn.powi(2) * self.slope_variance)
                / determinant
        }
    }
}
