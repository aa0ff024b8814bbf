//! Kinds of surfaces, and what each is made of.

use runs::plan::value_name;
use serde::{Deserialize, Serialize};

use super::pairs::Noise;

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
    /// Pairs of parameters of which only the sum matters much
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
    /// Every parameter starts five c from its optimum
    FarStart,
    /// The optimum moves while the run is played
    Drift,
    /// The optimum is another one from the middle of the run on, as after a change of the opponent
    Jump,
    /// Four levels in a range, each with a worth of its own
    Levels,
    /// Pairs of parameters a thousand times as stiff across as along, with ripples
    ThinRidge,
    /// A paraboloid whose axes are those of no parameter
    Rotated,
    /// Parameters interact by threes
    ThreeWay,
    /// Openings differ widely in how often they are drawn
    DrawRate,
    /// What matters is the logarithm of the value
    LogScale,
    /// The optimum of half of the parameters lies beyond their bounds
    BeyondBound,
    /// Flat outside a band around the optimum
    FlatBand,
    /// A corner at the optimum, steep on both sides
    Peaks,
    /// One side is lucky for dozens of pairs on end
    CorrelatedNoise,
}

/// What a family is made of.
pub struct Recipe {
    pub shape: Shape,
    pub tilt: f64,
    /// Bounds of m.
    pub scale: (f64, f64),
    /// How strongly two parameters interact.
    pub coupling: f64,
    /// Bounds of e.
    pub loss: (f64, f64),
    /// How many of so many parameters have no effect.
    pub dead: fn(usize) -> usize,
    pub has_cliffs: bool,
    pub frame: Frame,
    pub place: Place,
    pub course: Course,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    Square,
    Saturating,
    Plateau,
    Brink,
    TwoWells,
    Levels,
    Rippled,
    Logarithmic,
    Band,
    Peak,
}

/// Along which directions a surface bends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Frame {
    /// Those of the parameters, in pairs that interact.
    Pairs,
    /// Those of no parameter: all active ones are rotated together.
    Rotated,
    /// The sum and the difference of two parameters, of which the second loses a thousandth of the first.
    Ridges,
    /// Those of the parameters, with a product of three.
    Triples,
}

/// Where the optima lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// At Gaussian distances, stretched until the start lacks what was asked for.
    Stretched,
    /// At this many c from the start, with losses that make up what was asked for.
    Apart(f64),
    /// Every second one beyond a bound, by a third of the way there.
    BeyondBounds,
}

/// How optima move while a run is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Course {
    Still,
    Drift,
    Jump,
}

impl Course {
    /// What the final distance from the start is to be multiplied by at this fraction of a run.
    pub fn at(self, moment: f64) -> f64 {
        match self {
            Self::Drift => 1.5 * moment - 0.5,
            Self::Jump if moment < 0.5 => -0.5,
            Self::Still | Self::Jump => 1.0,
        }
    }
}

impl Family {
    /// As the command line has it.
    pub fn name(self) -> String {
        value_name(&self)
    }

    /// How the results of its games scatter.
    pub fn noise(self) -> Noise {
        match self {
            Self::DrawRate => Noise::ByOpening,
            Self::CorrelatedNoise => Noise::Correlated,
            _ => Noise::Usual,
        }
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
            frame: Frame::Pairs,
            place: Place::Stretched,
            course: Course::Still,
        };
        let kinked = Recipe {
            shape: Shape::Saturating,
            tilt: 0.5,
            ..usual
        };
        match self {
            Self::Quadratic | Self::DrawRate | Self::CorrelatedNoise => usual,
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
            Self::FarStart => Recipe {
                place: Place::Apart(5.0),
                ..usual
            },
            Self::Drift => Recipe {
                course: Course::Drift,
                ..usual
            },
            Self::Jump => Recipe {
                course: Course::Jump,
                ..usual
            },
            Self::Levels => Recipe {
                shape: Shape::Levels,
                coupling: 0.0,
                ..usual
            },
            Self::ThinRidge => Recipe {
                shape: Shape::Rippled,
                frame: Frame::Ridges,
                loss: (5.0, 20.0),
                ..usual
            },
            Self::Rotated => Recipe {
                frame: Frame::Rotated,
                ..usual
            },
            Self::ThreeWay => Recipe {
                frame: Frame::Triples,
                ..usual
            },
            Self::LogScale => Recipe {
                shape: Shape::Logarithmic,
                ..usual
            },
            Self::BeyondBound => Recipe {
                place: Place::BeyondBounds,
                ..kinked
            },
            Self::FlatBand => Recipe {
                shape: Shape::Band,
                coupling: 0.0,
                loss: (1.0, 4.0),
                ..usual
            },
            Self::Peaks => Recipe {
                shape: Shape::Peak,
                ..usual
            },
        }
    }
}
