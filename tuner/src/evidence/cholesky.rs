//! Cholesky factorisation of a symmetric, positive definite system.

/// `matrix = L L^T` of a symmetric, positive definite matrix, row by row; only its lower triangle
/// is read.
#[derive(Debug, Clone)]
pub(crate) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// `None` if the matrix is not positive definite.
    pub(crate) fn new(size: usize, matrix: &[f64]) -> Option<Self> {
        let mut lower = vec![0.0; size * size];
        for row in 0..size {
            for column in 0..=row {
                let known: f64 = (0..column)
                    .map(|k| lower[row * size + k] * lower[column * size + k])
                    .sum();
                let rest = matrix[row * size + column] - known;
                lower[row * size + column] = if row == column {
                    if rest.is_nan() || rest <= 0.0 {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    rest / lower[column * size + column]
                };
            }
        }
        Some(Self { size, lower })
    }

    /// The logarithm of the matrix's determinant.
    pub(crate) fn log_determinant(&self) -> f64 {
        let diagonal = (0..self.size).map(|index| self.lower[index * self.size + index]);
        2.0 * diagonal.map(f64::ln).sum::<f64>()
    }

    /// `L^-1 right`: its squared length is `right^T matrix^-1 right`.
    pub(crate) fn half_solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solution: Vec<f64> = Vec::with_capacity(self.size);
        for (row, value) in right.iter().enumerate() {
            let entries = &self.lower[row * self.size..=row * self.size + row];
            let known: f64 = entries.iter().zip(&solution).map(|(a, b)| a * b).sum();
            solution.push((value - known) / entries[row]);
        }
        solution
    }

    /// `matrix^-1 right`.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut solution = self.half_solve(right);
        for row in (0..self.size).rev() {
            let known: f64 = (row + 1..self.size)
                .map(|below| self.lower[below * self.size + row] * solution[below])
                .sum();
            solution[row] = (solution[row] - known) / self.lower[row * self.size + row];
        }
        solution
    }

    /// `right^T matrix^-1 right`.
    pub(crate) fn quadratic(&self, right: &[f64]) -> f64 {
        self.half_solve(right)
            .iter()
            .map(|value| value * value)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        let matrix = [4.0, 2.0, 1.0, 2.0, 5.0, 3.0, 1.0, 3.0, 6.0];
        let factor = Cholesky::new(3, &matrix).expect("positive definite");
        let solution = factor.solve(&[1.0, -2.0, 3.0]);
        for (row, right) in [1.0, -2.0, 3.0].iter().enumerate() {
            let left: f64 = (0..3).map(|k| matrix[row * 3 + k] * solution[k]).sum();
            assert!((left - right).abs() < 1e-12);
        }
        let quadratic: f64 = solution
            .iter()
            .zip([1.0, -2.0, 3.0])
            .map(|(a, b)| a * b)
            .sum();
        assert!((factor.quadratic(&[1.0, -2.0, 3.0]) - quadratic).abs() < 1e-12);
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        assert!(Cholesky::new(2, &[1.0, 2.0, 2.0, 1.0]).is_none());
        assert!(Cholesky::new(1, &[f64::NAN]).is_none());
    }
}
