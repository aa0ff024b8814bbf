//! The size of c, which may be wrong: it is estimated from the curvatures, and from results that are
//! saturated.

use crate::evidence::posterior::{Given, weigh};
use crate::evidence::sums::Sums;
use crate::evidence::terms::Prior;

use super::super::regression::Regression;
use super::Bayes;

/// Candidate factors for the correction of all c.
const SCALES: [f64; 9] = [
    1.0 / 16.0,
    1.0 / 8.0,
    1.0 / 4.0,
    1.0 / 2.0,
    1.0,
    2.0,
    4.0,
    8.0,
    16.0,
];
/// Prior standard deviation of the logarithm of that factor.
const SCALE_SD: f64 = 1.0;
/// An error of c within these factors is usual; only larger ones are corrected. Linear tails look
/// like a c that is too small, and are no reason to move far.
const TOO_SMALL: f64 = 4.0;
const TOO_LARGE: f64 = 1.5;
/// The scale is first judged after this many pairs, and again each time their number has doubled.
const FIRST_LOOK: u64 = 64;
/// Smaller corrections than this factor are not made.
const WORTH_CHANGING: f64 = 1.3;
/// A corrected c is at most this share of the range.
const WIDEST: f64 = 1.0 / 6.0;
/// The factor for all c after saturated results.
const CUT: f64 = 0.4;

impl Bayes {
    pub(super) fn is_checkpoint(&self) -> bool {
        self.learned.is_multiple_of(FIRST_LOOK)
            && (self.learned / FIRST_LOOK).is_power_of_two()
            && 2 * self.learned < self.schedule.pairs()
    }

    /// Estimates the size of c from the curvatures, first of all parameters together and then of
    /// each, and refits the model to the same pairs if it is wrong.
    pub(super) fn find_scale(&mut self, variance: f64) {
        let count = self.parameters.len();
        let curvature = self.tuning.curvature;
        let mut given: Vec<Given> = Vec::new();
        let mut scales = Vec::new();
        for scale in SCALES.map(|scale| self.base * scale) {
            let bend = curvature / (scale * scale);
            let assumed = Prior {
                curvature: (bend, bend),
                ..self.tuning.prior(scale)
            };
            let found = self
                .sums
                .given(variance, |slot| self.terms.prior(slot, &assumed));
            if let Some(mut found) = found {
                found.weight -= ((scale / self.base).ln() / SCALE_SD).powi(2) / 2.0;
                given.push(found);
                scales.push(scale);
            }
        }
        weigh(&mut given);
        let mut is_changed = false;
        let mut units = self.unit.clone();
        for (index, parameter) in self.parameters.iter().enumerate() {
            if self.terms.levels(index).is_some() {
                continue;
            }
            let logarithm: f64 = given
                .iter()
                .zip(&scales)
                .map(|(given, scale)| {
                    let usual = curvature / (scale * scale);
                    let found = given.mean[count + index].max(usual / 8.0);
                    given.weight * (curvature / found).ln() / 2.0
                })
                .sum();
            let most = WIDEST * (parameter.max - parameter.min);
            let least = parameter.kind.smallest_c().min(parameter.c_end);
            // A smaller error of c is usual and not corrected.
            let wrong = (logarithm.exp() / self.base).ln();
            let slack = if wrong > 0.0 { TOO_SMALL } else { TOO_LARGE }.ln();
            let wrong = wrong.signum() * (wrong.abs() - slack).max(0.0);
            let unit = (self.base * wrong.exp() * parameter.c_end)
                .min(most.max(parameter.c_end))
                .max(least);
            let change = unit / self.unit[index];
            if change.max(1.0 / change) > WORTH_CHANGING {
                units[index] = unit;
                is_changed = true;
            }
        }
        if is_changed {
            self.begin_anew(units, variance);
        }
    }

    /// Saturated results carry little information: the model is reset, and all c are reduced.
    pub(super) fn cut_scale(&mut self, variance: f64) {
        self.sums = Sums::new(self.terms.size());
        self.base *= CUT;
        let units = self.unit.iter().zip(&self.parameters);
        let units = units
            .map(|(unit, parameter)| {
                (CUT * unit).max(parameter.kind.smallest_c().min(parameter.c_end))
            })
            .collect();
        self.begin_anew(units, variance);
    }

    /// Switches to other units.
    fn begin_anew(&mut self, units: Vec<f64>, variance: f64) {
        let factor: Vec<f64> = units
            .iter()
            .zip(&self.parameters)
            .map(|(unit, parameter)| unit / parameter.c_end)
            .collect();
        let (terms, tuning) = (&self.terms, self.tuning);
        let found = self.sums.given(variance, |slot| {
            terms.prior(slot, &tuning.prior(factor[terms.owner(slot)]))
        });
        let Some(found) = found else { return };
        let size = terms.size();
        let scale = |slot: usize| terms.scale(slot, factor[terms.owner(slot)]);
        let mut covariance = Vec::with_capacity(size * size);
        let mut column = vec![0.0; size];
        for row in 0..size {
            column[row] = 1.0;
            let solved = found.factor.solve(&column);
            column[row] = 0.0;
            covariance.extend(
                solved
                    .iter()
                    .enumerate()
                    .map(|(index, entry)| entry * scale(row) * scale(index)),
            );
        }
        let mean = found
            .mean
            .iter()
            .enumerate()
            .map(|(index, mean)| mean * scale(index));
        self.model = Regression::from_prior(mean.collect(), covariance);
        for ((centre, old), new) in self.centre.iter_mut().zip(&self.unit).zip(&units) {
            *centre *= old / new;
        }
        self.unit = units;
    }
}
