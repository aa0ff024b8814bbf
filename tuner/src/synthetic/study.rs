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

/// Where a quadratic model is wrong, or the usual noise is.
pub const HARD_CELLS: [Cell; 13] = [
    cell(Family::TenTimesC, 15, 20.0),
    cell(Family::TenTimesCTails, 15, 20.0),
    cell(Family::TenthOfC, 15, 5.0),
    cell(Family::Brink, 12, 8.0),
    cell(Family::FarStart, 12, 30.0),
    cell(Family::Drift, 15, 20.0),
    cell(Family::Levels, 12, 15.0),
    cell(Family::ThinRidge, 12, 5.0),
    cell(Family::Rotated, 15, 20.0),
    cell(Family::ThreeWay, 15, 20.0),
    cell(Family::DrawRate, 15, 20.0),
    cell(Family::FlatBand, 15, 20.0),
    cell(Family::Weak, 200, 20.0),
];

/// More of them, on which no constant may be chosen: they are run when all constants stand.
pub const SET_ASIDE: [Cell; 6] = [
    cell(Family::TwoWells, 15, 20.0),
    cell(Family::Jump, 15, 20.0),
    cell(Family::LogScale, 15, 20.0),
    cell(Family::Peaks, 15, 20.0),
    cell(Family::CorrelatedNoise, 15, 20.0),
    cell(Family::BeyondBound, 15, 20.0),
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
        let all = CELLS.iter().chain(&HARD_CELLS).chain(&SET_ASIDE);
        let place = all.take_while(|cell| !same(cell)).count();
        place as u64
    }

    /// Its parameters; the ranges of some families are narrow.
    pub fn parameters(self, seed: u64) -> Vec<Parameter> {
        let mut list = parameters(self.count, seed);
        for (index, parameter) in list.iter_mut().enumerate() {
            match self.family {
                Family::Levels => {
                    (parameter.min, parameter.max) = (0.0, 3.0);
                    parameter.value = (1 + index % 2) as f64;
                    parameter.c_end = if index % 3 == 0 { 1.0 } else { 0.5 };
                }
                Family::BeyondBound => {
                    parameter.min = parameter.value - 3.0 * parameter.c_end.max(1.0);
                    parameter.max = parameter.value + 3.0 * parameter.c_end.max(1.0);
                }
                _ => {}
            }
        }
        list
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
                choices: Vec::new(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::parameter::check;

    #[test]
    fn cells_have_names_of_their_own_and_parameters_in_order() {
        let mut names = HashSet::new();
        for cell in CELLS.iter().chain(&HARD_CELLS).chain(&SET_ASIDE) {
            if cell.family != Family::Cliffs {
                assert!(names.insert(cell.name()), "{}", cell.name());
            }
            assert_eq!(check(&cell.parameters(3)), Ok(()), "{}", cell.name());
        }
    }
}
