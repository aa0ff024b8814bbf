//! Recomputes every figure of a printed block from its counts.

mod check;
mod counts;

pub use check::{CheckedBlock, CheckedFigure, Given, check};
