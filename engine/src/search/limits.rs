//! The limits of a search.

use cozy_chess::Move;

use super::time::Clock;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest iteration.
    pub depth: i32,
    pub nodes: u64,
    /// After so many nodes no iteration is started.
    pub soft_nodes: u64,
    /// Stop when a mate in this many moves has been found.
    pub mate: Option<i32>,
    /// Milliseconds for this move.
    pub move_time: Option<u64>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Search until `stop`.
    pub infinite: bool,
    pub ponder: bool,
    /// Root moves to search; empty means all.
    pub search_moves: Vec<Move>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: i32::MAX,
            nodes: u64::MAX,
            soft_nodes: u64::MAX,
            mate: None,
            move_time: None,
            clock: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
        }
    }
}

impl Limits {
    /// The clock where it says when to move; a time for the move does so before it.
    pub fn deciding_clock(&self) -> Option<Clock> {
        self.clock
            .filter(|_| !self.infinite && self.move_time.is_none())
    }

    /// Whether nothing is sure to end the search but a command. A mate may not be there.
    pub fn is_endless(&self) -> bool {
        let only_mate = Self {
            mate: self.mate,
            search_moves: self.search_moves.clone(),
            ..Self::default()
        };
        self.infinite || self.ponder || *self == only_mate
    }
}
