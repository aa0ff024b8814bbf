//! Functions of the normal and Student distributions.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::erf::{erfc, erfc_inv};

/// The 97.5 % quantile of the standard normal distribution: half the width of a 95 % interval, in
/// deviations.
pub(crate) const Z_975: f64 = 1.959_963_984_540_054;

/// The standard normal distribution function.
pub(crate) fn phi(x: f64) -> f64 {
    erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// The value below which a share `p` of the standard normal distribution lies.
pub(crate) fn quantile(p: f64) -> f64 {
    -std::f64::consts::SQRT_2 * erfc_inv(2.0 * p)
}

/// The 97.5 % quantile of Student's distribution with `freedom` degrees of freedom, at least 1.
pub fn student_975(freedom: f64) -> f64 {
    // From here on the expansion below is accurate to the last digits, while `statrs` gets slower.
    const MANY: f64 = 1000.0;
    if freedom < MANY
        && let Ok(student) = StudentsT::new(0.0, 1.0, freedom)
    {
        return student.inverse_cdf(0.975);
    }
    // Cornish-Fisher expansion in powers of 1/freedom: Abramowitz and Stegun, 26.7.5.
    let z = Z_975;
    let square = z * z;
    let terms = [
        (square + 1.0) / 4.0,
        ((5.0 * square + 16.0) * square + 3.0) / 96.0,
        (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0,
        ((((79.0 * square + 776.0) * square + 1482.0) * square - 1920.0) * square - 945.0)
            / 92160.0,
    ];
    z + z * terms
        .iter()
        .rev()
        .fold(0.0, |sum, term| (sum + term) / freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_quantiles_are_those_of_the_tables() {
        for (freedom, quantile) in [
            (1.0, 12.706204736174705),
            (2.0, 4.302652729749464),
            (10.0, 2.2281388519862744),
            (100.0, 1.983971518523552),
            (1e6, 1.9599663568141074),
            (1e12, 1.9599639845424263),
        ] {
            let found = student_975(freedom);
            assert!((found / quantile - 1.0).abs() < 1e-11, "{freedom}: {found}");
        }
    }

    #[test]
    fn the_expansion_continues_the_search() {
        let (below, above) = (student_975(999.999_999), student_975(1000.0));
        assert!((below - above).abs() < 1e-10, "{below} {above}");
    }

    #[test]
    fn phi_keeps_its_tails() {
        assert_eq!(phi(0.0), 0.5);
        assert!((phi(-10.0) / 7.619853024160527e-24 - 1.0).abs() < 1e-10);
    }
}
