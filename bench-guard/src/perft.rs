//! Perft: the leaves of the game tree to a depth, by which a move generator is tested. Positions
//! with their counts, and the dialogue that asks an engine for its own counts.

mod engine;
mod position;

pub(crate) use engine::{Counter, Wording};
pub(crate) use position::{PerftPosition, parse};

/// Positions that each catch one classic mistake; those whose sides are not symmetric are there for
/// both.
pub(crate) const POSITIONS: &str = include_str!("../data/perft.epd");
