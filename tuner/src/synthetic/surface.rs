//! Surfaces of Elo over parameters, with a known optimum: made to be as unkind as real ones are.
//!
//! Each active parameter loses `e` Elo at one `c` from its optimum. Active ones interact in random
//! pairs. With z = (value - start) / `c_end`, an optimum z*, and m the number of the scale's true
//! units in one `c_end`:
//!
//! ```text
//! w = M ((z - z*) m),   Elo = - sum e_i psi_i(w_i) - cliffs
//! square       psi = w^2
//! saturating   psi = 8 (sqrt(1 + w^2 / 4) - 1) (1 + tilt sign(w))        linear tails
//! plateau      psi = 6 w^2 / (6 + w^2)                                   flat far away
//! brink        psi = |w|, and 20 Elo lost within half a c behind the optimum
//! two wells    psi = min(w^2, (w + 5)^2 + 1)                             the other one is behind the start
//! rippled      psi = w^2 + 0.03 (1 - cos(2 pi w / 0.7))
//! logarithmic  psi = (8 ln(x / x*))^2, with x the value's distance from its lower bound, plus 1 c
//! band         psi = min(w^2, 4)
//! peak         psi = |w|
//! levels       a random worth for each quarter of the range
//! cliff        20 Elo are lost between 0.5 and 1.5 c to one side of the start, and nothing more beyond
//! ```
//!
//! Optima are Gaussian offsets, scaled until the start is as many Elo below the optimum as asked
//! for, unless the family places them itself. M couples parameters or rotates all of them.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::parameter::Parameter;

use super::EloSurface;
use super::axis::Axis;
use super::family::{Course, Family, Frame, Place, Shape};

/// How much less a thin ridge loses along than across.
const THINNESS: f64 = 1e-3;

/// Elo as a function of the parameters.
#[derive(Debug, Clone)]
pub struct Surface {
    shape: Shape,
    course: Course,
    axes: Vec<Axis>,
    /// Which parameters are turned into each other, and by what matrix, row by row.
    turned: Vec<usize>,
    turn: Vec<f64>,
    /// Parameters whose product counts, and how many Elo one true unit of each loses.
    triples: Vec<([usize; 3], f64)>,
}

/// Optima stay this far inside of the range, as a share of the way from start to bound.
const INSIDE: f64 = 0.9;

impl Surface {
    /// A random surface over these parameters whose start is `deficit` Elo below its optimum.
    ///
    /// Ranges too narrow to hold such an optimum make the deficit smaller; [`EloSurface::deficit`]
    /// has the true one.
    pub fn random(parameters: &[Parameter], family: Family, deficit: f64, seed: u64) -> Self {
        let recipe = family.recipe();
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let count = parameters.len();
        let mut order: Vec<usize> = (0..count).collect();
        shuffle(&mut order, &mut generator);
        let dead = (recipe.dead)(count);
        let active = &order[dead.min(count.saturating_sub(1))..];
        let mut axes: Vec<Axis> = parameters.iter().map(Axis::dead).collect();
        let mut direction = vec![0.0; count];
        let either_side = |amount: f64, generator: &mut ChaCha8Rng| {
            if generator.random() { amount } else { -amount }
        };
        for (rank, &index) in active.iter().enumerate() {
            let axis = &mut axes[index];
            let (least, most) = recipe.loss;
            axis.loss = log_uniform(least, most, &mut generator);
            direction[index] = gaussian(&mut generator);
            if recipe.tilt != 0.0 {
                axis.tilt = either_side(recipe.tilt, &mut generator);
            }
            let (least, most) = recipe.scale;
            axis.scale = if least < most {
                log_uniform(least, most, &mut generator)
            } else {
                // Where c is a step or two it cannot be much too large.
                least.min((axis.c_end / parameters[index].kind.smallest_c()).max(1.0))
            };
            if recipe.has_cliffs && rank % 2 == 0 {
                axis.cliff = Some(either_side(1.0, &mut generator));
                direction[index] = 0.0;
                axis.loss = 0.0;
            }
        }
        let mut surface = Self {
            shape: recipe.shape,
            course: recipe.course,
            axes,
            turned: Vec::new(),
            turn: Vec::new(),
            triples: Vec::new(),
        };
        match recipe.frame {
            Frame::Pairs => {
                for two in active.chunks_exact(2) {
                    let strength = either_side(recipe.coupling, &mut generator);
                    surface.axes[two[0]].partner = Some((two[1], strength));
                    surface.axes[two[1]].partner = Some((two[0], strength));
                }
            }
            Frame::Rotated => {
                surface.turned = active.to_vec();
                surface.turn = rotation(active.len(), &mut generator);
            }
            Frame::Ridges => surface.make_ridges(active, &mut direction),
            Frame::Triples => {
                for three in active.chunks_exact(3) {
                    let product: f64 = three.iter().map(|&one| surface.axes[one].loss).product();
                    let strength = either_side(0.7 * product.cbrt(), &mut generator);
                    surface
                        .triples
                        .push(([three[0], three[1], three[2]], strength));
                }
            }
        }
        if recipe.shape == Shape::Levels {
            for &index in active {
                surface.axes[index].draw_levels(&mut generator);
            }
        }
        match recipe.place {
            Place::Stretched if recipe.shape == Shape::Levels => surface.scale_losses(deficit),
            Place::Stretched => surface.stretch(parameters, &direction, deficit),
            Place::Apart(distance) => {
                for (axis, offset) in surface.axes.iter_mut().zip(&direction) {
                    let inside = (axis.max - axis.start).min(axis.start - axis.min) / axis.c_end;
                    axis.optimum = offset.signum() * distance.min(INSIDE * inside);
                }
                surface.scale_losses(deficit);
            }
            Place::BeyondBounds => {
                surface.stretch(parameters, &direction, deficit);
                for &index in active.iter().step_by(2) {
                    let axis = &mut surface.axes[index];
                    let up = axis.optimum > 0.0;
                    let bound = if up { axis.max } else { axis.min };
                    axis.optimum = 4.0 / 3.0 * (bound - axis.start) / axis.c_end;
                }
                surface.scale_losses(deficit);
            }
        }
        surface
    }

    /// Pairs of parameters that are stiff in their sum, and lie off along their difference alone.
    fn make_ridges(&mut self, active: &[usize], direction: &mut [f64]) {
        let size = active.len() / 2 * 2;
        self.turned = active[..size].to_vec();
        self.turn = vec![0.0; size * size];
        for first in (0..size).step_by(2) {
            let half = 0.5_f64.sqrt();
            let [sum, difference] = [first * size + first, (first + 1) * size + first];
            (self.turn[sum], self.turn[sum + 1]) = (half, half);
            (self.turn[difference], self.turn[difference + 1]) = (half, -half);
            let [one, other] = [active[first], active[first + 1]];
            self.axes[other].loss = THINNESS * self.axes[one].loss;
            // A little off across, far off along.
            let along = direction[one];
            (direction[one], direction[other]) = (along, 0.02 * direction[other] - along);
        }
    }

    /// Makes all losses greater or smaller until the start lacks this.
    fn scale_losses(&mut self, deficit: f64) {
        let lacks = self.deficit();
        if lacks > 0.0 {
            for axis in &mut self.axes {
                axis.loss *= deficit / lacks;
            }
        }
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

    fn elo_at(&self, value: impl Fn(&Axis) -> f64) -> f64 {
        self.elo(&self.axes.iter().map(value).collect::<Vec<_>>())
    }

    /// Parameters that interact by twos, the first one first.
    #[cfg(test)]
    pub(crate) fn interactions(&self) -> impl Iterator<Item = [usize; 2]> {
        let axes = self.axes.iter().enumerate();
        axes.filter_map(|(index, axis)| {
            let (partner, strength) = axis.partner?;
            (index < partner && strength != 0.0).then_some([index, partner])
        })
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

impl Surface {
    /// Elo where optima are this much of their final distance from the start.
    fn elo_where(&self, values: &[f64], moved: f64) -> f64 {
        let own: Vec<f64> = self
            .axes
            .iter()
            .zip(values)
            .map(|(axis, &value)| axis.distance(value, moved, self.shape))
            .collect();
        let mut turned = own.clone();
        let size = self.turned.len();
        for (&index, row) in self.turned.iter().zip(self.turn.chunks_exact(size.max(1))) {
            turned[index] = row
                .iter()
                .zip(&self.turned)
                .map(|(share, &other)| share * own[other])
                .sum();
        }
        let mut elo = 0.0;
        for ((axis, &value), &w) in self.axes.iter().zip(values).zip(&turned) {
            elo -= axis.fallen(value);
            if axis.loss == 0.0 {
                continue;
            }
            if self.shape == Shape::Levels {
                elo -= axis.level_lost(value);
                continue;
            }
            let w = w + axis
                .partner
                .map_or(0.0, |(partner, strength)| strength * own[partner]);
            elo -= axis.lost(w, self.shape);
        }
        for (three, strength) in &self.triples {
            let [a, b, c] = three.map(|index| own[index]);
            elo -= strength * a * b * c / (1.0 + (a * a + b * b + c * c) / 12.0);
        }
        elo
    }
}

impl EloSurface for Surface {
    fn elo(&self, values: &[f64]) -> f64 {
        self.elo_where(values, 1.0)
    }

    fn difference(&self, plus: &[f64], minus: &[f64], moment: f64) -> f64 {
        let moved = self.course.at(moment);
        self.elo_where(plus, moved) - self.elo_where(minus, moved)
    }

    fn deficit(&self) -> f64 {
        -self.elo_at(|axis| axis.start)
    }

    fn is_dead(&self, index: usize) -> bool {
        self.axes[index].loss == 0.0 && self.axes[index].cliff.is_none()
    }
}

/// A random orthonormal matrix, row by row, by Gram and Schmidt.
fn rotation(size: usize, generator: &mut ChaCha8Rng) -> Vec<f64> {
    let mut matrix: Vec<f64> = Vec::with_capacity(size * size);
    for _ in 0..size {
        let mut row: Vec<f64> = (0..size).map(|_| gaussian(generator)).collect();
        for known in matrix.chunks_exact(size) {
            let along: f64 = row.iter().zip(known).map(|(a, b)| a * b).sum();
            for (entry, known) in row.iter_mut().zip(known) {
                *entry -= along * known;
            }
        }
        let length = row.iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        matrix.extend(row.iter().map(|entry| entry / length));
    }
    matrix
}

/// Uniform in the logarithm.
pub(crate) fn log_uniform(low: f64, high: f64, generator: &mut ChaCha8Rng) -> f64 {
    low * (high / low).powf(generator.random::<f64>())
}

/// A standard normal number, by Box and Muller.
pub(crate) fn gaussian(generator: &mut ChaCha8Rng) -> f64 {
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
    use clap::ValueEnum as _;

    use super::*;
    use crate::synthetic::study;

    #[test]
    fn the_start_is_as_far_below_the_optimum_as_asked() {
        for &family in Family::value_variants() {
            for seed in 0..5 {
                let parameters = study::parameters(30, seed);
                let surface = Surface::random(&parameters, family, 5.0, seed);
                let name = family.name();
                assert!(
                    (surface.deficit() - 5.0).abs() < 1e-6,
                    "{name} {}",
                    surface.deficit()
                );
                assert!(surface.elo(&surface.optimum()).abs() < 1e-9, "{name}");
            }
        }
    }

    #[test]
    fn families_have_as_many_dead_parameters_as_they_say() {
        let dead = |family, count| {
            let parameters = study::parameters(count, 1);
            let surface = Surface::random(&parameters, family, 5.0, 1);
            (0..count).filter(|&index| surface.is_dead(index)).count()
        };
        assert_eq!(dead(Family::Quadratic, 15), 3);
        assert_eq!(
            (dead(Family::Sparse, 60), dead(Family::Sparse, 100)),
            (45, 85)
        );
        assert_eq!(dead(Family::Weak, 100), 10);
    }

    #[test]
    fn a_cliff_is_on_one_side_and_ends() {
        let parameters = study::parameters(12, 3);
        let surface = Surface::random(&parameters, Family::Cliffs, 0.0, 3);
        let start: Vec<f64> = parameters.iter().map(|parameter| parameter.value).collect();
        assert!(surface.elo(&start).abs() < 1e-9);
        let lost = |index: usize, by: f64| {
            let mut values = start.clone();
            values[index] += by * parameters[index].c_end;
            -surface.elo(&values)
        };
        let edges: Vec<usize> = (0..12)
            .filter(|&index| surface.axes[index].cliff.is_some())
            .collect();
        assert_eq!(edges.len(), 5);
        for index in edges {
            let mut sides = [lost(index, 2.0), lost(index, -2.0)];
            sides.sort_by(f64::total_cmp);
            assert!(sides[0].abs() < 1e-9 && (sides[1] - 20.0).abs() < 1e-9);
            let far = lost(index, 9.0).max(lost(index, -9.0));
            assert!((far - 20.0).abs() < 1e-9, "{far}");
        }
    }

    /// Elo of one parameter at so many true units behind its optimum, as seen from the start.
    fn behind(family: Family, by: f64) -> f64 {
        let parameters = study::parameters(12, 3);
        let mut surface = Surface::random(&parameters, family, 8.0, 3);
        let index = (0..12).find(|&index| !surface.is_dead(index));
        let index = index.expect("one is alive");
        surface.axes[index].loss = 1.0;
        let axis = surface.axes[index];
        let mut values = surface.optimum();
        values[index] += by * axis.optimum.signum() / axis.scale * axis.c_end;
        surface.elo(&values)
    }

    #[test]
    fn a_brink_is_a_gentle_rise_and_a_cliff() {
        assert!((behind(Family::Brink, -1.0) + 1.0).abs() < 1e-9);
        assert!((behind(Family::Brink, 1.0) + 21.0).abs() < 1e-9);
    }

    #[test]
    fn the_other_well_is_a_local_optimum() {
        let [before, there, after] = [-4.0, -5.0, -6.0].map(|by| behind(Family::TwoWells, by));
        assert!((there + 1.0).abs() < 1e-9 && before < there && after < there);
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
