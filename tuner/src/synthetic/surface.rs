//! Surfaces of Elo over parameters, with a known optimum: made to be as unkind as real ones are.
//!
//! Each active parameter loses `e` Elo at one `c` from its optimum, e log-uniform in [0.15, 3]; a fifth of all parameters
//! is dead. Active ones interact in random couples (+-0.3 off the diagonal). In z = (value - start) / `c_end`:
//!
//! ```text
//! w = M ((z - z*) m),   Elo = - sum e_i psi_i(w_i)
//! quadratic   psi = w^2                                              m = 1
//! kinked      psi = 8 (sqrt(1 + w^2 / 4) - 1) (1 +- 1/2 sign(w))     m = 1
//! misscaled   as kinked, with c_end wrong by m, log-uniform in [0.2, 2]
//! ```
//!
//! `kinked` has linear tails, and on one side of the optimum three times the curvature of the other. Optima are Gaussian
//! offsets, scaled until the start is as many Elo below the optimum as asked for.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use serde::{Deserialize, Serialize};

use crate::parameter::Parameter;

/// The shape of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// A paraboloid, every c well chosen
    Quadratic,
    /// Saturating and lopsided, every c well chosen
    Kinked,
    /// Saturating and lopsided, c wrong by up to a factor of five
    Misscaled,
}

impl Family {
    pub const ALL: [Self; 3] = [Self::Quadratic, Self::Kinked, Self::Misscaled];

    pub fn name(self) -> &'static str {
        match self {
            Self::Quadratic => "quadratic",
            Self::Kinked => "kinked",
            Self::Misscaled => "misscaled",
        }
    }
}

/// Elo as a function of the parameters.
#[derive(Debug, Clone)]
pub struct Surface {
    family: Family,
    axes: Vec<Axis>,
}

#[derive(Debug, Clone, Copy)]
struct Axis {
    start: f64,
    c_end: f64,
    /// Elo lost at one c from the optimum; zero for a dead parameter.
    loss: f64,
    optimum: f64,
    /// How many of the scale's true units one `c_end` is.
    scale: f64,
    /// +-1/2 for the lopsided families.
    tilt: f64,
    /// The other parameter of the couple and the strength of the coupling.
    partner: Option<(usize, f64)>,
}

const DEAD_SHARE: f64 = 0.2;
/// Optima stay this far inside of the range, as a share of the way from start to bound.
const INSIDE: f64 = 0.9;

impl Surface {
    /// A random surface over these parameters whose start is `deficit` Elo below its optimum.
    ///
    /// Ranges too narrow to hold such an optimum make the deficit smaller; [`Surface::deficit`] tells.
    pub fn random(parameters: &[Parameter], family: Family, deficit: f64, seed: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let count = parameters.len();
        let mut order: Vec<usize> = (0..count).collect();
        shuffle(&mut order, &mut generator);
        let dead = (DEAD_SHARE * count as f64).round() as usize;
        let active = &order[dead.min(count.saturating_sub(1))..];
        let mut axes: Vec<Axis> = parameters
            .iter()
            .map(|parameter| Axis {
                start: parameter.value,
                c_end: parameter.c_end,
                loss: 0.0,
                optimum: 0.0,
                scale: 1.0,
                tilt: 0.0,
                partner: None,
            })
            .collect();
        let mut direction = vec![0.0; count];
        for &index in active {
            let axis = &mut axes[index];
            axis.loss = log_uniform(0.15, 3.0, &mut generator);
            direction[index] = gaussian(&mut generator);
            if family != Family::Quadratic {
                axis.tilt = if generator.random() { 0.5 } else { -0.5 };
            }
            if family == Family::Misscaled {
                axis.scale = log_uniform(0.2, 2.0, &mut generator);
            }
        }
        for couple in active.chunks_exact(2) {
            let strength = if generator.random() { 0.3 } else { -0.3 };
            axes[couple[0]].partner = Some((couple[1], strength));
            axes[couple[1]].partner = Some((couple[0], strength));
        }
        let mut surface = Self { family, axes };
        surface.stretch(parameters, &direction, deficit);
        surface
    }

    /// Puts the optimum so far along `direction` that the start is `deficit` Elo below it.
    fn stretch(&mut self, parameters: &[Parameter], direction: &[f64], deficit: f64) {
        let (mut low, mut high) = (0.0, 64.0);
        for _ in 0..60 {
            let factor = f64::midpoint(low, high);
            for ((axis, parameter), offset) in self.axes.iter_mut().zip(parameters).zip(direction) {
                let least = (parameter.min - axis.start) / axis.c_end * INSIDE;
                let most = (parameter.max - axis.start) / axis.c_end * INSIDE;
                axis.optimum = (factor * offset / axis.scale).clamp(least, most);
            }
            if self.deficit() < deficit {
                low = factor;
            } else {
                high = factor;
            }
        }
    }

    /// Elo that the start lacks.
    pub fn deficit(&self) -> f64 {
        -self.elo_at(|axis| axis.start)
    }

    /// Elo relative to the optimum.
    pub fn elo(&self, values: &[f64]) -> f64 {
        let distance = |axis: &Axis, value: f64| {
            ((value - axis.start) / axis.c_end - axis.optimum) * axis.scale
        };
        let mut elo = 0.0;
        for (axis, &value) in self.axes.iter().zip(values) {
            if axis.loss == 0.0 {
                continue;
            }
            let own = distance(axis, value);
            let w = own
                + axis.partner.map_or(0.0, |(partner, strength)| {
                    strength * distance(&self.axes[partner], values[partner])
                });
            elo -= axis.loss * self.shape(w, axis.tilt);
        }
        elo
    }

    fn elo_at(&self, value: impl Fn(&Axis) -> f64) -> f64 {
        self.elo(&self.axes.iter().map(value).collect::<Vec<_>>())
    }

    fn shape(&self, w: f64, tilt: f64) -> f64 {
        match self.family {
            Family::Quadratic => w * w,
            Family::Kinked | Family::Misscaled => {
                8.0 * ((1.0 + w * w / 4.0).sqrt() - 1.0) * (1.0 + tilt * w.signum())
            }
        }
    }

    /// Whether a parameter has no effect at all.
    pub fn is_dead(&self, index: usize) -> bool {
        self.axes[index].loss == 0.0
    }

    /// The optimum, in the options' own units.
    #[cfg(test)]
    fn optimum(&self) -> Vec<f64> {
        self.axes
            .iter()
            .map(|axis| axis.start + axis.optimum * axis.c_end)
            .collect()
    }
}

/// Uniform in the logarithm.
pub fn log_uniform(low: f64, high: f64, generator: &mut ChaCha8Rng) -> f64 {
    low * (high / low).powf(generator.random::<f64>())
}

/// A standard normal number, by Box and Muller.
fn gaussian(generator: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * (1.0 - generator.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * generator.random::<f64>()).cos()
}

fn shuffle(items: &mut [usize], generator: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, generator.random_range(0..=last));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::study;

    #[test]
    fn the_start_is_as_far_below_the_optimum_as_asked() {
        for family in Family::ALL {
            for seed in 0..5 {
                let parameters = study::parameters(15, seed);
                let surface = Surface::random(&parameters, family, 20.0, seed);
                assert!(
                    (surface.deficit() - 20.0).abs() < 1e-6,
                    "{}",
                    surface.deficit()
                );
                assert!(surface.elo(&surface.optimum()).abs() < 1e-9);
                let dead = (0..15).filter(|&index| surface.is_dead(index)).count();
                assert_eq!(dead, 3);
            }
        }
    }

    #[test]
    fn a_dead_parameter_changes_nothing() {
        let parameters = study::parameters(5, 3);
        let surface = Surface::random(&parameters, Family::Kinked, 12.0, 3);
        let dead = (0..5)
            .find(|&index| surface.is_dead(index))
            .expect("one is dead");
        let mut values: Vec<f64> = parameters.iter().map(|parameter| parameter.value).collect();
        let before = surface.elo(&values);
        values[dead] = parameters[dead].max;
        assert_eq!(surface.elo(&values), before);
    }

    #[test]
    fn ranges_too_narrow_make_the_deficit_smaller_instead_of_failing() {
        let mut parameters = study::parameters(5, 1);
        for parameter in &mut parameters {
            parameter.min = parameter.value - parameter.c_end;
            parameter.max = parameter.value + parameter.c_end;
        }
        let surface = Surface::random(&parameters, Family::Quadratic, 500.0, 1);
        assert!(surface.deficit() > 0.0 && surface.deficit() < 500.0);
    }
}
