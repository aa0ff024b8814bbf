//! The sign test: whether a parameter has an effect, from the coins that chose the sides.

/// Sums of the sign test of one parameter.
#[derive(Debug, Clone, Default)]
pub(super) struct SignSums {
    /// Of each of its terms.
    sums: Vec<f64>,
    /// Of their products, row by row.
    squares: Vec<f64>,
}

/// A sum whose variance is less than this, given the sums before it, is collinear with them.
const COLLINEAR: f64 = 1e-3;

impl SignSums {
    /// Adds the differences of the two sides in each term.
    pub(super) fn add(&mut self, terms: impl Iterator<Item = f64>, result: f64) {
        let own: Vec<f64> = terms.map(|term| term * result).collect();
        self.sums.resize(own.len(), 0.0);
        self.squares.resize(own.len() * own.len(), 0.0);
        for (row, left) in own.iter().enumerate() {
            self.sums[row] += left;
            for (column, right) in own.iter().enumerate() {
                self.squares[row * own.len() + column] += left * right;
            }
        }
    }

    /// Of all sums that are not collinear with those before them: the middle must have moved enough
    /// before the second is.
    pub(super) fn chi2(&self) -> f64 {
        let size = self.sums.len();
        let mut lower = vec![0.0; size * size];
        let mut scores: Vec<f64> = Vec::with_capacity(size);
        for row in 0..size {
            let mut variance = self.squares[row * size + row];
            let least = COLLINEAR * variance;
            let mut sum = self.sums[row];
            for column in 0..row {
                let known: f64 = (0..column)
                    .map(|k| lower[row * size + k] * lower[column * size + k])
                    .sum();
                let pivot = lower[column * size + column];
                if pivot > 0.0 {
                    let entry = (self.squares[row * size + column] - known) / pivot;
                    lower[row * size + column] = entry;
                    variance -= entry * entry;
                    sum -= entry * scores[column];
                }
            }
            let is_independent = variance > least;
            lower[row * size + row] = if is_independent { variance.sqrt() } else { 0.0 };
            scores.push(if is_independent {
                sum / variance.sqrt()
            } else {
                0.0
            });
        }
        scores.iter().map(|score| score * score).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collinear_sums_count_once() {
        let mut sums = SignSums::default();
        assert_eq!(sums.chi2(), 0.0);
        for result in [1.0, 1.0, -1.0, 1.0] {
            sums.add([2.0, 6.0].into_iter(), result);
        }
        assert!((sums.chi2() - 1.0).abs() < 1e-12, "{}", sums.chi2());
        // S = (4, 9), V = [[17, 46], [46, 136]]: S V^-1 S by hand.
        sums.add([-1.0, 2.0].into_iter(), 1.0);
        let by_hand = |s: [f64; 2], v: [f64; 3]| {
            (s[0] * s[0] * v[2] - 2.0 * s[0] * s[1] * v[1] + s[1] * s[1] * v[0])
                / (v[0] * v[2] - v[1] * v[1])
        };
        let expected = by_hand([3.0, 14.0], [17.0, 46.0, 148.0]);
        assert!((sums.chi2() - expected).abs() < 1e-9, "{}", sums.chi2());
    }
}
