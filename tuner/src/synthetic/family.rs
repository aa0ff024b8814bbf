//! Kinds of surfaces, and what each is made of.

use serde::{Deserialize, Serialize};

use crate::words::value_name;

/// A kind of surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// A paraboloid, every c well chosen
    Quadratic,
    /// Saturating and lopsided, every c well chosen
    Kinked,
    /// Saturating and lopsided, c wrong by up to a factor of five
    Misscaled,
    /// Nine times as steep on one side of the optimum as on the other
    Skewed,
    /// Couples of parameters of which only the sum matters much
    Ridged,
    /// Flat far from the optimum
    Plateau,
    /// Beside half of the parameters, one side loses 20 Elo at once
    Cliffs,
    /// Every c is two to five times too large
    LargeC,
    /// Fifteen parameters matter, all others are dead
    Sparse,
    /// Nine tenths of the parameters matter, each of them little
    Weak,
    /// A paraboloid, every c ten times too large
    TenTimesC,
    /// Linear tails, every c ten times too large
    TenTimesCTails,
    /// A gentle rise to the optimum, and a cliff of 20 Elo right behind it
    Brink,
    /// A paraboloid, every c ten times too small
    TenthOfC,
    /// The start lies between two wells, of which the other one is worse
    TwoWells,
}

/// What a family is made of.
pub struct Recipe {
    pub shape: Shape,
    pub tilt: f64,
    /// Bounds of m.
    pub scale: (f64, f64),
    /// How strongly the two of a couple interact.
    pub coupling: f64,
    /// Bounds of e.
    pub loss: (f64, f64),
    /// How many of so many parameters have no effect.
    pub dead: fn(usize) -> usize,
    pub has_cliffs: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    Square,
    Saturating,
    Plateau,
    Brink,
    TwoWells,
}

impl Family {
    /// As the command line has it.
    pub fn name(self) -> String {
        value_name(&self)
    }

    pub fn recipe(self) -> Recipe {
        let usual = Recipe {
            shape: Shape::Square,
            tilt: 0.0,
            scale: (1.0, 1.0),
            coupling: 0.3,
            loss: (0.15, 3.0),
            dead: |count| (0.2 * count as f64).round() as usize,
            has_cliffs: false,
        };
        let kinked = Recipe {
            shape: Shape::Saturating,
            tilt: 0.5,
            ..usual
        };
        match self {
            Self::Quadratic => usual,
            Self::Kinked => kinked,
            Self::Misscaled => Recipe {
                scale: (0.2, 2.0),
                ..kinked
            },
            Self::Skewed => Recipe { tilt: 0.8, ..usual },
            Self::Ridged => Recipe {
                coupling: 0.9,
                ..usual
            },
            Self::Plateau => Recipe {
                shape: Shape::Plateau,
                ..usual
            },
            Self::Cliffs => Recipe {
                coupling: 0.0,
                has_cliffs: true,
                ..usual
            },
            Self::LargeC => Recipe {
                scale: (2.0, 5.0),
                loss: (0.15, 0.6),
                ..usual
            },
            Self::Sparse => Recipe {
                dead: |count| count.saturating_sub(15),
                ..usual
            },
            Self::Weak => Recipe {
                loss: (0.02, 0.2),
                dead: |count| count / 10,
                ..usual
            },
            Self::TenTimesC => Recipe {
                scale: (10.0, 10.0),
                ..usual
            },
            Self::TenTimesCTails => Recipe {
                shape: Shape::Saturating,
                scale: (10.0, 10.0),
                ..usual
            },
            Self::Brink => Recipe {
                shape: Shape::Brink,
                coupling: 0.0,
                ..usual
            },
            Self::TenthOfC => Recipe {
                scale: (0.1, 0.1),
                ..usual
            },
            Self::TwoWells => Recipe {
                shape: Shape::TwoWells,
                coupling: 0.0,
                ..usual
            },
        }
    }
}
