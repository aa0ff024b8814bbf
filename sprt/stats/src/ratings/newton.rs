//! The maximum of a concave function by Newton's method.

use super::matrix::inverse;

/// The search ends when nothing moves by more than this.
const PRECISION: f64 = 1e-10;
const MOST_STEPS: usize = 200;
/// The longest step: beyond it, slope and curvature are not valid.
const LONGEST_STEP: f64 = 2.0;
/// A step is halved at most this often until it leads upwards.
const MOST_HALVINGS: u32 = 40;

/// A function at one point: its value, its first derivatives, and its negated second ones.
pub(crate) struct Slope {
    pub value: f64,
    gradient: Vec<f64>,
    curvature: Vec<Vec<f64>>,
}

impl Slope {
    pub(super) fn new(size: usize) -> Self {
        Self {
            value: 0.0,
            gradient: vec![0.0; size],
            curvature: vec![vec![0.0; size]; size],
        }
    }

    /// Adds a function of one combination of the variables: its value, derivative and curvature.
    pub(super) fn add(&mut self, along: &[(usize, f64)], value: f64, slope: f64, curvature: f64) {
        self.value += value;
        for &(a, weight) in along {
            self.gradient[a] += weight * slope;
            for &(b, other) in along {
                self.curvature[a][b] += weight * other * curvature;
            }
        }
    }

    /// Treats all variables but the first ones as constants.
    pub(super) fn truncate(&mut self, size: usize) {
        self.gradient.truncate(size);
        self.curvature.truncate(size);
        for row in &mut self.curvature {
            row.truncate(size);
        }
    }

    fn step(&self) -> Option<Vec<f64>> {
        let rows = inverse(self.curvature.clone())?;
        let product = |row: &Vec<f64>| row.iter().zip(&self.gradient).map(|(a, b)| a * b).sum();
        Some(rows.iter().map(product).collect())
    }
}

/// The maximum of the function; `None` if it has none that can be reached.
pub(crate) fn maximize(start: Vec<f64>, function: impl Fn(&[f64]) -> Slope) -> Option<Vec<f64>> {
    let mut values = start;
    let mut here = function(&values);
    for _ in 0..MOST_STEPS {
        let step = here.step()?;
        let longest = step
            .iter()
            .fold(0.0, |most: f64, part| most.max(part.abs()));
        let mut length = (LONGEST_STEP / longest).min(1.0);
        for _ in 0..MOST_HALVINGS {
            let place = |length: f64| -> Vec<f64> {
                values
                    .iter()
                    .zip(&step)
                    .map(|(value, part)| value + length * part)
                    .collect()
            };
            let there = function(&place(length));
            // Rounding may make the last steps seem to lead downwards.
            if there.value >= here.value - 1e-12 * here.value.abs() {
                values = place(length);
                here = there;
                break;
            }
            length /= 2.0;
        }
        if longest < PRECISION {
            return Some(values);
        }
    }
    None
}

/// `ln(1/(1 + exp(-x)))` with its derivative and its curvature.
pub(crate) fn log_logistic(x: f64) -> [f64; 3] {
    let value = if x > 0.0 {
        -(-x).exp().ln_1p()
    } else {
        x - x.exp().ln_1p()
    };
    let share = value.exp();
    [value, 1.0 - share, share * (1.0 - share)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_hill_is_found_from_far_away() {
        let top = maximize(vec![9.0, -8.0], |at| {
            let mut slope = Slope::new(2);
            // ln σ(x) + ln σ(3 - x), and the same of y - x around 0.
            for (along, sign, offset) in [(0, 1.0, 0.0), (0, -1.0, 3.0)] {
                let [value, first, second] = log_logistic(sign * at[along] + offset);
                slope.add(&[(along, sign)], value, first, second);
            }
            for sign in [1.0, -1.0] {
                let [value, first, second] = log_logistic(sign * (at[1] - at[0]));
                slope.add(&[(1, sign), (0, -sign)], value, first, second);
            }
            slope
        });
        let top = top.expect("a maximum");
        assert!(
            (top[0] - 1.5).abs() < 1e-9 && (top[1] - 1.5).abs() < 1e-9,
            "{top:?}"
        );
    }

    #[test]
    fn a_slope_without_end_has_no_maximum() {
        let found = maximize(vec![0.0], |at| {
            let mut slope = Slope::new(1);
            let [value, first, second] = log_logistic(at[0]);
            slope.add(&[(0, 1.0)], value, first, second);
            slope
        });
        assert_eq!(found, None);
    }
}
