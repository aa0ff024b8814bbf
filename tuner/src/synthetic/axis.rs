//! One parameter of a surface: where its optimum is, and what it loses away from it.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::parameter::Parameter;

use super::family::Shape;

/// A cliff begins so far from the start, is so wide, in c, and so high, in Elo.
const CLIFF_EDGE: f64 = 0.5;
const CLIFF_WIDTH: f64 = 1.0;
const CLIFF_HEIGHT: f64 = 20.0;
/// How far the second of two wells is from the first, in true units.
const OTHER_WELL: f64 = 5.0;
/// True units a logarithm of a value is worth.
const LOG_UNITS: f64 = 8.0;
/// Into how many levels a range falls, where it falls into levels.
const LEVELS: usize = 4;

#[derive(Debug, Clone, Copy)]
pub(super) struct Axis {
    pub start: f64,
    pub c_end: f64,
    pub min: f64,
    pub max: f64,
    /// Elo lost at one true unit from the optimum; zero for a dead parameter.
    pub loss: f64,
    pub optimum: f64,
    /// How many of the scale's true units one `c_end` is.
    pub scale: f64,
    /// How much steeper the upper side is than the lower one, from -1 to 1.
    pub tilt: f64,
    /// On which side of the start there is a cliff, if on any.
    pub cliff: Option<f64>,
    /// The parameter that it interacts with, and how strongly.
    pub partner: Option<(usize, f64)>,
    /// What each level of the range loses, as a share of `loss`.
    levels: [f64; LEVELS],
}

impl Axis {
    /// A parameter without any effect.
    pub(super) fn dead(parameter: &Parameter) -> Self {
        Self {
            start: parameter.value,
            c_end: parameter.c_end,
            min: parameter.min,
            max: parameter.max,
            loss: 0.0,
            optimum: 0.0,
            scale: 1.0,
            tilt: 0.0,
            cliff: None,
            partner: None,
            levels: [0.0; LEVELS],
        }
    }

    /// From the optimum, in true units.
    pub(super) fn distance(&self, value: f64, moved: f64, shape: Shape) -> f64 {
        let optimum = self.optimum * moved;
        if shape == Shape::Logarithmic {
            let size = |value: f64| (value - self.min + self.c_end).max(f64::MIN_POSITIVE);
            return LOG_UNITS * (size(value) / size(self.start + optimum * self.c_end)).ln();
        }
        ((value - self.start) / self.c_end - optimum) * self.scale
    }

    /// Which part of the range a value lies in.
    fn level(&self, value: f64) -> usize {
        let share = (value - self.min) / (self.max - self.min);
        ((share * (LEVELS - 1) as f64).round().max(0.0) as usize).min(LEVELS - 1)
    }

    /// A worth for each level; the best loses nothing.
    pub(super) fn draw_levels(&mut self, generator: &mut ChaCha8Rng) {
        self.levels = std::array::from_fn(|_| generator.random::<f64>());
        let best = self.levels.iter().copied().fold(f64::INFINITY, f64::min);
        self.levels = self.levels.map(|level| level - best);
        let at = (0..LEVELS)
            .find(|&level| self.levels[level] == 0.0)
            .unwrap_or(0);
        let share = at as f64 / (LEVELS - 1) as f64;
        self.optimum = (self.min + share * (self.max - self.min) - self.start) / self.c_end;
    }

    /// Elo lost at `w` true units from the optimum.
    pub(super) fn lost(&self, w: f64, shape: Shape) -> f64 {
        let lopsided = 1.0 + self.tilt * w.signum();
        let behind = w * self.optimum.signum();
        let psi = match shape {
            Shape::Square => w * w * lopsided,
            Shape::Saturating => 8.0 * ((1.0 + w * w / 4.0).sqrt() - 1.0) * lopsided,
            Shape::Plateau => 6.0 * w * w / (6.0 + w * w),
            Shape::TwoWells => (w * w).min((behind + OTHER_WELL).powi(2) + 1.0),
            Shape::Brink => {
                let fallen = CLIFF_HEIGHT * (2.0 * behind).clamp(0.0, 1.0);
                return self.loss * w.abs() + fallen;
            }
            Shape::Rippled => w * w + 0.03 * (1.0 - (std::f64::consts::TAU * w / 0.7).cos()),
            Shape::Logarithmic => w * w,
            Shape::Band => (w * w).min(4.0),
            Shape::Peak => w.abs(),
            // See `level_lost`.
            Shape::Levels => 0.0,
        };
        self.loss * psi
    }

    /// Elo lost in the cliff.
    pub(super) fn fallen(&self, value: f64) -> f64 {
        self.cliff.map_or(0.0, |side| {
            let beyond = side * (value - self.start) / self.c_end - CLIFF_EDGE;
            CLIFF_HEIGHT * (beyond / CLIFF_WIDTH).clamp(0.0, 1.0)
        })
    }

    /// Elo that the level of a value loses.
    pub(super) fn level_lost(&self, value: f64) -> f64 {
        self.loss * self.levels[self.level(value)]
    }
}
