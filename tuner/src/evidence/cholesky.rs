//! Cholesky factorisation of a symmetric, positive definite system.

/// `matrix = L L^T` of a symmetric, positive definite matrix, row by row; only its lower triangle
/// is read. Zeros at the beginning of a row stay zeros and cost nothing.
#[derive(Debug, Clone)]
pub(crate) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
    /// The first column of each row that may not be zero.
    first: Vec<usize>,
}

impl Cholesky {
    /// `None` if the matrix is not positive definite.
    pub(crate) fn new(size: usize, matrix: &[f64]) -> Option<Self> {
        let mut lower = vec![0.0; size * size];
        let mut first = Vec::with_capacity(size);
        for row in 0..size {
            let entries = &matrix[row * size..row * size + row];
            first.push(entries.iter().position(|it| *it != 0.0).unwrap_or(row));
            let (above, own) = lower.split_at_mut(row * size);
            for column in first[row]..=row {
                let begin = first[row].max(first[column]);
                let rest = |other: &[f64], own: &[f64]| {
                    matrix[row * size + column] - dot(&other[begin..column], &own[begin..column])
                };
                own[column] = if row == column {
                    let rest = rest(own, own);
                    if rest.is_nan() || rest <= 0.0 {
                        return None;
                    }
                    rest.sqrt()
                } else {
                    let other = &above[column * size..];
                    rest(other, own) / other[column]
                };
            }
        }
        Some(Self { size, lower, first })
    }

    /// The logarithm of the matrix's determinant.
    pub(crate) fn log_determinant(&self) -> f64 {
        let diagonal = (0..self.size).map(|index| self.lower[index * self.size + index]);
        2.0 * diagonal.map(f64::ln).sum::<f64>()
    }

    /// `L^-1 right`: its squared length is `right^T matrix^-1 right`.
    pub(crate) fn half_solve(&self, right: &[f64]) -> Vec<f64> {
        let zeros = right.iter().take_while(|it| **it == 0.0).count();
        let mut solution = vec![0.0; right.len()];
        for row in zeros..right.len() {
            let entries = &self.lower[row * self.size..=row * self.size + row];
            let begin = zeros.max(self.first[row]);
            let known = dot(&entries[begin..row], &solution[begin..row]);
            solution[row] = (right[row] - known) / entries[row];
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

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_solved() {
        for matrix in [
            [4.0, 2.0, 1.0, 2.0, 5.0, 3.0, 1.0, 3.0, 6.0],
            [4.0, 0.0, 1.0, 0.0, 5.0, 0.0, 1.0, 0.0, 6.0],
            [4.0, 2.0, 0.0, 2.0, 5.0, 3.0, 0.0, 3.0, 6.0],
        ] {
            let factor = Cholesky::new(3, &matrix).expect("positive definite");
            for rights in [[1.0, -2.0, 3.0], [0.0, 0.0, 3.0], [0.0, 2.0, 0.0]] {
                let solution = factor.solve(&rights);
                for (row, right) in rights.iter().enumerate() {
                    assert!((dot(&matrix[row * 3..], &solution) - right).abs() < 1e-12);
                }
                let quadratic = dot(&solution, &rights);
                assert!((factor.quadratic(&rights) - quadratic).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_is_refused() {
        assert!(Cholesky::new(2, &[1.0, 2.0, 2.0, 1.0]).is_none());
        assert!(Cholesky::new(1, &[f64::NAN]).is_none());
    }
}
