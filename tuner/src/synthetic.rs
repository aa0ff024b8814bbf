//! A synthetic engine match: surfaces of Elo whose optimum is known, and the result of one pair of
//! games on them.
//!
//! Algorithms are measured here, tests run here, and `tuner simulate` shows a user here what a
//! budget can find.

mod axis;
pub(crate) mod family;
pub(crate) mod games;
pub mod openbench;
pub(crate) mod own;
pub(crate) mod pairs;
pub(crate) mod program;
pub mod served;
pub mod study;
pub(crate) mod surface;
pub(crate) mod trial;

pub use family::Family;
pub use pairs::{Noise, PairOracle};
pub use surface::Surface;
pub use trial::{Trial, gain};

/// Elo as a function of the parameters, as far as it is known.
pub trait EloSurface {
    /// Elo of these values, in the options' own units; the surface's best is about 0.
    fn elo(&self, values: &[f64]) -> f64;

    /// Elo of one side over the other at this fraction of a run, where the surface may still move.
    fn difference(&self, plus: &[f64], minus: &[f64], _moment: f64) -> f64 {
        self.elo(plus) - self.elo(minus)
    }

    /// Elo that the start lacks.
    fn deficit(&self) -> f64;

    /// Whether a parameter has no effect at all.
    fn is_dead(&self, index: usize) -> bool;
}

/// How many Elo a start is taken to be below its optimum where the user does not say.
pub fn usual_deficit(parameters: usize) -> f64 {
    20.0 * (parameters as f64 / 15.0).sqrt()
}
