//! A synthetic engine match: surfaces of Elo whose optimum is known, and the result of one pair of games on them.
//!
//! Algorithms are measured here, tests run here, and `tuner simulate` shows a user here what a budget can find.

pub mod pairs;
pub mod study;
pub mod surface;
pub mod trial;

pub use pairs::PairOracle;
pub use surface::{Family, Surface};
pub use trial::Trial;
