//! A synthetic engine match: surfaces of Elo whose optimum is known, and the result of one pair of
//! games on them.
//!
//! Algorithms are measured here, tests run here, and `tuner simulate` shows a user here what a
//! budget can find.

pub mod openbench;
pub mod pairs;
pub mod study;
pub mod surface;
pub mod trial;

pub use pairs::PairOracle;
pub use surface::{Family, Surface};
pub use trial::{Trial, gain};

/// How many Elo a start is taken to be below its optimum where nobody says.
pub fn usual_deficit(parameters: usize) -> f64 {
    20.0 * (parameters as f64 / 15.0).sqrt()
}
