//! The values of the two sides of a pair.
//!
//! Every parameter is moved at once, each up for one side and down for the other by a fair coin
//! (Spall's simultaneous perturbation). Integers are rounded by `floor(x + u)` with one uniform `u`
//! shared by both sides, so that the two sides lie 2c apart up to one unit and never coincide while
//! c is at least one half; algorithms use the distance that was actually played. The random numbers
//! of a pair depend only on the run's seed and the pair's number.

use rand::Rng;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::parameter::{Kind, Parameter};

/// One pair's values: `plus` for the side whose result is counted, `minus` for its opponent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Perturbation {
    pub plus: Vec<f64>,
    pub minus: Vec<f64>,
    /// How far a point of result moves each parameter, fixed when the pair was sent out.
    pub step: Vec<f64>,
    /// Whether it plays the end of the run against its start, and is not a perturbation.
    pub is_anchor: bool,
    /// Whether it is an anchor that counts for the strength of the run's values.
    pub counts: bool,
}

impl Perturbation {
    /// A pair of the current values of a run against those of its start.
    pub fn anchor(proposal: Vec<f64>, start: Vec<f64>, counts: bool) -> Self {
        Self {
            step: vec![0.0; proposal.len()],
            plus: proposal,
            minus: start,
            is_anchor: true,
            counts,
        }
    }
}

/// The random numbers of one pair.
#[derive(Debug)]
pub(crate) struct Draws(ChaCha8Rng);

impl Draws {
    pub(crate) fn new(seed: u64, pair: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(pair);
        Self(generator)
    }

    /// A fair sign and a uniform number in [0, 1).
    pub(crate) fn draw(&mut self) -> (f64, f64) {
        let bits = self.0.next_u64();
        let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
        (sign, (bits >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// A number of the standard normal distribution, by Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let (radius, angle) = (self.draw().1, self.draw().1);
        (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
    }
}

/// The values of the two sides around `centre`, `c` apart from it, with the draws given.
pub(crate) fn probe(
    parameter: &Parameter,
    centre: f64,
    c: f64,
    (sign, u): (f64, f64),
) -> (f64, f64) {
    let place = |value: f64| match parameter.kind {
        Kind::Int => parameter.clip((value + u).floor()),
        Kind::Float => parameter.settle(value),
    };
    (place(centre + sign * c), place(centre - sign * c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parameter(kind: Kind, min: f64, max: f64) -> Parameter {
        Parameter {
            name: "P".into(),
            kind,
            value: min,
            min,
            max,
            c_end: 1.0,
            r_end: None,
            doc: None,
            choices: Vec::new(),
        }
    }

    proptest! {
        #[test]
        fn integers_differ_by_two_c_up_to_one_unit(
            centre in -50.0..50.0_f64, c in 0.5..20.0_f64, u in 0.0..1.0_f64, up: bool
        ) {
            let wide = parameter(Kind::Int, -1000.0, 1000.0);
            let sign = if up { 1.0 } else { -1.0 };
            let (plus, minus) = probe(&wide, centre, c, (sign, u));
            prop_assert_eq!((plus.fract(), minus.fract()), (0.0, 0.0));
            prop_assert!((plus - minus) * sign >= 1.0);
            prop_assert!(((plus - minus) * sign - 2.0 * c).abs() < 1.0);
        }

        #[test]
        fn nothing_leaves_the_range(centre in 0.0..10.0_f64, c in 0.0..40.0_f64, u in 0.0..1.0_f64) {
            for kind in [Kind::Int, Kind::Float] {
                let narrow = parameter(kind, 0.0, 10.0);
                let (plus, minus) = probe(&narrow, centre, c, (1.0, u));
                prop_assert!((0.0..=10.0).contains(&plus) && (0.0..=10.0).contains(&minus));
                prop_assert!(minus <= plus);
            }
        }
    }

    #[test]
    fn rounding_is_unbiased() {
        let wide = parameter(Kind::Int, -1000.0, 1000.0);
        let mut sum = 0.0;
        for pair in 0..20_000 {
            let (plus, minus) = probe(&wide, 3.3, 0.7, Draws::new(1, pair).draw());
            sum += f64::midpoint(plus, minus);
        }
        assert!((sum / 20_000.0 - 3.3).abs() < 0.02, "{sum}");
    }

    #[test]
    fn draws_depend_on_seed_and_pair_only() {
        let first = |seed, pair| Draws::new(seed, pair).draw();
        assert_eq!(first(7, 12), first(7, 12));
        assert_ne!(first(7, 12), first(7, 13));
        assert_ne!(first(7, 12), first(8, 12));
    }
}
