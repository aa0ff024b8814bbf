//! The terms of each parameter: those that Elo is a linear function of.
//!
//! Most parameters have two, z and `-z^2 / 2` with z the distance from the start in c, whose
//! coefficients are gradient and curvature. Integers with few values have a contrast for each level
//! but one. Coefficients are ordered by degree: the first of all parameters, the second of all, and
//! then what more there is.

use crate::elo::POINTS_PER_ELO;
use crate::parameter::Parameter;
use crate::perturbation::Perturbation;

use super::levels::Levels;

/// The terms of all parameters.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    starts: Vec<f64>,
    levels: Vec<Option<Levels>>,
    /// Of each coefficient, the parameter and the degree.
    owners: Vec<(usize, usize)>,
}

/// How much more the start is worth than other levels, in what a curvature loses at one c.
pub(crate) const LEAD: f64 = 0.25;

/// What is assumed of the coefficients.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prior {
    /// Standard deviation of gradients, Elo per c.
    pub gradient_sd: f64,
    /// Mean and standard deviation of curvatures, Elo per c squared.
    pub curvature: (f64, f64),
    /// Standard deviation of the worth of a level, Elo.
    pub worth_sd: f64,
    /// How much more the start is worth than other levels.
    pub lead: f64,
}

impl Terms {
    pub(crate) fn new(parameters: &[Parameter], knows_levels: bool) -> Self {
        let count = parameters.len();
        let levels: Vec<Option<Levels>> = parameters
            .iter()
            .map(|parameter| knows_levels.then(|| Levels::of(parameter)).flatten())
            .collect();
        let usual = (0..2 * count).map(|slot| (slot % count, slot / count));
        let more = levels.iter().enumerate().flat_map(|(index, levels)| {
            let degrees = levels.as_ref().map_or(0, Levels::degrees);
            (2..degrees).map(move |degree| (index, degree))
        });
        Self {
            owners: usual.chain(more).collect(),
            starts: parameters.iter().map(|parameter| parameter.value).collect(),
            levels,
        }
    }

    /// How many coefficients there are.
    pub(crate) fn size(&self) -> usize {
        self.owners.len()
    }

    pub(crate) fn levels(&self, index: usize) -> Option<&Levels> {
        self.levels[index].as_ref()
    }

    /// The coefficients of a parameter, from the first degree on.
    pub(crate) fn slots(&self, index: usize) -> impl Iterator<Item = usize> {
        let has_one = self.levels(index).is_some_and(|own| own.degrees() == 1);
        let count = self.starts.len();
        let second = (!has_one).then_some(count + index);
        let more = (2 * count..self.size()).filter(move |&slot| self.owners[slot].0 == index);
        std::iter::once(index).chain(second).chain(more)
    }

    /// The regressors of a pair, given what one c of each parameter is.
    pub(crate) fn fill(&self, row: &mut [f64], pair: &Perturbation, unit: impl Fn(usize) -> f64) {
        for (entry, &(index, degree)) in row.iter_mut().zip(&self.owners) {
            let (plus, minus) = (pair.plus[index], pair.minus[index]);
            *entry = if let Some(levels) = &self.levels[index] {
                let at = |value| levels.at(value).get(degree).copied().unwrap_or(0.0);
                POINTS_PER_ELO * (at(plus) - at(minus))
            } else {
                let [plus, minus] = [plus, minus].map(|at| (at - self.starts[index]) / unit(index));
                if degree == 0 {
                    POINTS_PER_ELO * (plus - minus)
                } else {
                    -POINTS_PER_ELO / 2.0 * (plus * plus - minus * minus)
                }
            };
        }
    }

    /// The linear form of what a parameter at `value` gains over the start; `moved` is in c.
    pub(crate) fn form(&self, slot: usize, value: f64, moved: f64) -> f64 {
        let (index, degree) = self.owners[slot];
        match &self.levels[index] {
            Some(levels) => {
                let own = levels.at(value).iter().zip(levels.at_start());
                own.map(|(value, start)| value - start)
                    .nth(degree)
                    .unwrap_or(0.0)
            }
            None if degree == 0 => moved,
            None => -moved * moved / 2.0,
        }
    }

    /// The parameter of a coefficient.
    pub(crate) fn owner(&self, slot: usize) -> usize {
        self.owners[slot].0
    }

    /// Mean and standard deviation of a coefficient.
    pub(crate) fn prior(&self, slot: usize, prior: &Prior) -> (f64, f64) {
        let (index, degree) = self.owners[slot];
        match &self.levels[index] {
            Some(levels) => levels.prior(degree, prior.worth_sd, prior.lead),
            None if degree == 0 => (0.0, prior.gradient_sd),
            None => prior.curvature,
        }
    }

    /// What a coefficient is to be multiplied by where c is `factor` times as large.
    pub(crate) fn scale(&self, slot: usize, factor: f64) -> f64 {
        let (index, degree) = self.owners[slot];
        match (&self.levels[index], degree) {
            (Some(_), _) => 1.0,
            (None, 0) => factor,
            (None, _) => factor.powi(2),
        }
    }
}
