//! Linear algebra for ratings: square matrices as rows.

/// A smaller pivot means that the matrix is singular.
const LEAST_PIVOT: f64 = 1e-12;

/// The inverse by Gauss-Jordan elimination with row pivots; `None` for a singular matrix.
pub(super) fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let scale = matrix
        .iter()
        .flatten()
        .fold(0.0, |most: f64, x| most.max(x.abs()));
    let mut inverse: Vec<Vec<f64>> = (0..size)
        .map(|row| (0..size).map(|column| f64::from(row == column)).collect())
        .collect();
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))?;
        matrix.swap(column, pivot);
        inverse.swap(column, pivot);
        let divisor = matrix[column][column];
        // Also if it is not a number.
        if divisor.abs().partial_cmp(&(LEAST_PIVOT * scale)) != Some(std::cmp::Ordering::Greater) {
            return None;
        }
        for rows in [&mut matrix, &mut inverse] {
            for value in &mut rows[column] {
                *value /= divisor;
            }
        }
        let pivots = [matrix[column].clone(), inverse[column].clone()];
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[row][column];
            for (rows, pivot) in [&mut matrix, &mut inverse].into_iter().zip(&pivots) {
                for (value, part) in rows[row].iter_mut().zip(pivot) {
                    *value -= factor * part;
                }
            }
        }
    }
    Some(inverse)
}

/// The pseudo-inverse of a matrix whose rows and columns sum to zero.
pub(crate) fn centred_inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len() as f64;
    // The matrix is zero in the direction of equal components. Adding a multiple of that projection
    // makes it invertible; its inverse is subtracted afterwards.
    let filling = (0..matrix.len()).map(|i| matrix[i][i]).sum::<f64>() / size;
    for value in matrix.iter_mut().flatten() {
        *value += filling / size;
    }
    let mut inverse = inverse(matrix)?;
    for value in inverse.iter_mut().flatten() {
        *value -= 1.0 / (filling * size);
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = vec![
            vec![0.0, 2.0, 1.0],
            vec![1.0, -1.0, 4.0],
            vec![3.0, 0.5, 2.0],
        ];
        let inverse = inverse(matrix.clone()).expect("regular");
        for (row, values) in matrix.iter().enumerate() {
            let product = |column: usize| -> f64 {
                let pairs = values.iter().zip(&inverse);
                pairs.map(|(value, other)| value * other[column]).sum()
            };
            for column in 0..3 {
                assert!((product(column) - f64::from(row == column)).abs() < 1e-12);
            }
        }
        assert_eq!(super::inverse(vec![vec![1.0, 2.0], vec![2.0, 4.0]]), None);
        assert_eq!(super::inverse(vec![vec![f64::NAN]]), None);
    }

    #[test]
    fn the_centred_inverse_of_two_players_is_a_quarter() {
        let inverse = centred_inverse(vec![vec![1.0, -1.0], vec![-1.0, 1.0]]).expect("regular");
        for (value, expected) in inverse.iter().flatten().zip([0.25, -0.25, -0.25, 0.25]) {
            assert!((value - expected).abs() < 1e-12, "{inverse:?}");
        }
    }
}
