//! The levels of an integer that has few values: each has a worth of its own.
//!
//! Worths are sums of orthonormal contrasts: the polynomials of degree 1, 2 … over the levels. So a
//! prior that is independent for each contrast holds independent worths, and trends that are
//! somewhat likelier. A choice has no trend: its contrasts have the same spread.

use crate::parameter::{Kind, MOST_CHOICES, Parameter};

/// A parameter with more values than this has a slope and a curvature instead.
const MOST: usize = MOST_CHOICES;
/// The prior spread of the contrasts, from the first degree on, in those of a worth.
const TREND: [f64; MOST - 1] = [1.5, 1.2, 1.0, 1.0, 1.0];

#[derive(Debug, Clone)]
pub(crate) struct Levels {
    min: f64,
    start: usize,
    /// Of each level, the value of each contrast.
    contrasts: Vec<Vec<f64>>,
    /// The prior spread of each contrast, in those of a worth.
    spreads: [f64; MOST - 1],
}

impl Levels {
    /// Those of a parameter, where it has few.
    pub(crate) fn of(parameter: &Parameter) -> Option<Self> {
        let count = parameter.max - parameter.min + 1.0;
        let are_few = parameter.kind == Kind::Int && (2.0..=MOST as f64).contains(&count);
        (are_few && parameter.value.fract() == 0.0).then(|| Self {
            min: parameter.min,
            start: (parameter.value - parameter.min) as usize,
            contrasts: contrasts(count as usize),
            spreads: spreads(count as usize, parameter.choices.is_empty()),
        })
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = f64> {
        (0..self.contrasts.len()).map(|level| self.min + level as f64)
    }

    /// How many contrasts there are.
    pub(crate) fn degrees(&self) -> usize {
        self.contrasts.len() - 1
    }

    /// The contrasts of the level of a value.
    pub(crate) fn at(&self, value: f64) -> &[f64] {
        let level = (value - self.min).round().max(0.0) as usize;
        &self.contrasts[level.min(self.degrees())]
    }

    pub(crate) fn at_start(&self) -> &[f64] {
        &self.contrasts[self.start]
    }

    /// Mean and standard deviation of a contrast, where worths have this spread, and the start is
    /// worth so much more than the others.
    pub(crate) fn prior(&self, degree: usize, spread: f64, lead: f64) -> (f64, f64) {
        let at_start = self.at_start().get(degree).copied().unwrap_or(0.0);
        (lead * at_start, self.spreads[degree] * spread)
    }
}

/// The spreads of the contrasts of so many levels; without an order all are alike, and worths differ
/// as much as with one.
fn spreads(count: usize, is_ordered: bool) -> [f64; MOST - 1] {
    if is_ordered {
        return TREND;
    }
    let squares = TREND[..count - 1].iter().map(|spread| spread * spread);
    [(squares.sum::<f64>() / (count - 1) as f64).sqrt(); MOST - 1]
}

/// Of each of so many levels, the value of each polynomial of degree 1, 2 …, by Gram and Schmidt.
fn contrasts(count: usize) -> Vec<Vec<f64>> {
    let mut known = vec![vec![(count as f64).sqrt().recip(); count]];
    for degree in 1..count {
        let power = |level: usize| (level as f64 / count as f64).powi(degree as i32);
        let mut column: Vec<f64> = (0..count).map(power).collect();
        // Twice, so that rounding leaves nothing of the lower degrees.
        for other in known.iter().chain(&known) {
            let share: f64 = column.iter().zip(other).map(|(a, b)| a * b).sum();
            for (entry, other) in column.iter_mut().zip(other) {
                *entry -= share * other;
            }
        }
        let length = column.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        known.push(column.iter().map(|entry| entry / length).collect());
    }
    (0..count)
        .map(|level| known[1..].iter().map(|column| column[level]).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parameter::tests::margin;

    #[test]
    fn only_integers_with_few_values_have_levels() {
        let of = |kind, max| {
            let few = Parameter {
                kind,
                value: 2.0,
                max,
                ..margin()
            };
            Levels::of(&few).map(|levels| levels.values().collect::<Vec<_>>())
        };
        assert_eq!(of(Kind::Int, 3.0), Some(vec![0.0, 1.0, 2.0, 3.0]));
        assert_eq!(of(Kind::Int, 6.0), None);
        assert_eq!(of(Kind::Float, 3.0), None);
        // A plan that somebody wrote may have such a range.
        assert_eq!((of(Kind::Int, 0.0), of(Kind::Int, -1.0)), (None, None));
    }

    #[test]
    fn any_two_of_a_choice_are_as_likely_to_differ() {
        let spread = |levels: &Levels, one: f64, other: f64| {
            let squares = (0..levels.degrees()).map(|degree| {
                let apart = levels.at(one)[degree] - levels.at(other)[degree];
                (apart * levels.prior(degree, 1.0, 0.0).1).powi(2)
            });
            squares.sum::<f64>()
        };
        let choices = ["a", "b", "c", "d"].map(str::to_owned);
        let mut choice = Parameter::choice("Style".into(), choices.to_vec(), 0);
        let nominal = Levels::of(&choice).expect("levels");
        choice.choices.clear();
        let ordered = Levels::of(&choice).expect("levels");
        let apart =
            |levels| [(0.0, 1.0), (0.0, 3.0), (1.0, 2.0)].map(|(a, b)| spread(levels, a, b));
        let [near, far, middle] = apart(&nominal);
        assert!(
            (near - far).abs() + (near - middle).abs() < 1e-9,
            "{near} {far} {middle}"
        );
        let [near, far, _] = apart(&ordered);
        assert!(near < far, "{near} {far}");
    }

    #[test]
    fn contrasts_are_orthonormal() {
        for count in 2..=MOST {
            let levels = contrasts(count);
            for a in 0..count - 1 {
                let sum: f64 = levels.iter().map(|level| level[a]).sum();
                assert!(sum.abs() < 1e-12, "{count} {a}");
                for b in 0..count - 1 {
                    let product: f64 = levels.iter().map(|level| level[a] * level[b]).sum();
                    let expected = f64::from(u8::from(a == b));
                    assert!((product - expected).abs() < 1e-12, "{count} {a} {b}");
                }
            }
        }
    }
}
