//! Recomputes every figure of a printed block from its counts.

mod check;
mod counts;
mod figure;

pub use check::{CheckedBlock, Given, check};
pub use figure::CheckedFigure;
