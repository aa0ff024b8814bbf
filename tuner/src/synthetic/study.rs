//! The set-up that algorithms are compared on: parameters as engines have them, and how far off
//! they start.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::parameter::{Kind, Parameter};

use super::family::Family;
use super::surface::log_uniform;

/// A kind of surface, a number of parameters, and how many Elo the start is below the optimum.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    pub family: Family,
    pub count: usize,
    pub deficit: f64,
}

const fn cell(family: Family, count: usize, deficit: f64) -> Cell {
    Cell {
        family,
        count,
        deficit,
    }
}

/// What algorithms are compared on.
pub const CELLS: [Cell; 21] = [
    cell(Family::Quadratic, 5, 12.0),
    cell(Family::Quadratic, 15, 20.0),
    cell(Family::Quadratic, 40, 30.0),
    cell(Family::Kinked, 5, 12.0),
    cell(Family::Kinked, 15, 20.0),
    cell(Family::Kinked, 40, 30.0),
    cell(Family::Misscaled, 5, 12.0),
    cell(Family::Misscaled, 15, 20.0),
    cell(Family::Misscaled, 40, 30.0),
    cell(Family::Skewed, 15, 20.0),
    cell(Family::Ridged, 15, 20.0),
    cell(Family::Plateau, 15, 20.0),
    cell(Family::LargeC, 15, 20.0),
    cell(Family::Cliffs, 12, 0.0),
    cell(Family::Cliffs, 12, 8.0),
    cell(Family::Sparse, 60, 20.0),
    cell(Family::Sparse, 100, 20.0),
    cell(Family::Weak, 100, 15.0),
    cell(Family::Quadratic, 15, 0.0),
    cell(Family::Kinked, 15, 0.0),
    cell(Family::Kinked, 40, 0.0),
];

/// Where the model of `bayes` is known to be wrong, and its claims with it. Constants were not chosen
/// on the last two.
pub const HARD_CELLS: [Cell; 5] = [
    cell(Family::TenTimesC, 15, 20.0),
    cell(Family::TenTimesCTails, 15, 20.0),
    cell(Family::Brink, 12, 8.0),
    cell(Family::TenthOfC, 15, 5.0),
    cell(Family::TwoWells, 15, 20.0),
];

impl Cell {
    /// Such as `kinked 15`, with the deficit where another cell has the same name without.
    pub fn name(self) -> String {
        let name = format!("{} {}", self.family.name(), self.count);
        if self.deficit == 0.0 {
            format!("{name} optimal")
        } else {
            name
        }
    }

    /// A number that no other cell has.
    pub fn stream(self) -> u64 {
        let same = |cell: &&Cell| cell.name() == self.name();
        let all = CELLS.iter().chain(&HARD_CELLS);
        let place = all.take_while(|cell| !same(cell)).count();
        place as u64
    }
}

/// Integer parameters over 20 c around their start; a third of them so coarse that c is half a step
/// or one.
pub fn parameters(count: usize, seed: u64) -> Vec<Parameter> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    (0..count)
        .map(|index| {
            let c_end = if generator.random_bool(0.3) {
                if generator.random() { 0.5 } else { 1.0 }
            } else {
                log_uniform(6.0, 60.0, &mut generator).round()
            };
            Parameter {
                name: format!("P{index}"),
                kind: Kind::Int,
                value: 1000.0,
                min: 1000.0 - 10.0 * c_end,
                max: 1000.0 + 10.0 * c_end,
                c_end,
                r_end: None,
                doc: None,
            }
        })
        .collect()
}
