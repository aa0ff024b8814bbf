//! When a search ends.

use cozy_chess::Move;

use super::time::Clock;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Iterations.
    pub depth: i32,
    pub nodes: u64,
    /// Ends when a mate in so many moves is found.
    pub mate: Option<i32>,
    /// Milliseconds for this move.
    pub move_time: Option<u64>,
    /// The mover's clock.
    pub clock: Option<Clock>,
    /// Runs until told to stop.
    pub infinite: bool,
    pub ponder: bool,
    /// Only these moves at the root; empty means all.
    pub search_moves: Vec<Move>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: i32::MAX,
            nodes: u64::MAX,
            mate: None,
            move_time: None,
            clock: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
        }
    }
}
