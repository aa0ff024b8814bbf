//! The state of the loop over the moves of a node.

use cozy_chess::{Move, Square};

use super::node::{Best, Node};

/// What the loop has found so far.
pub(super) struct LoopState {
    pub best: Best,
    /// Moves considered so far, pruned ones included.
    pub moves: i32,
    /// Moves searched without a fail high.
    pub searched_quiets: SearchedMoves,
    pub searched_noisies: SearchedMoves,
}

impl LoopState {
    pub fn new(node: &Node) -> Self {
        Self {
            best: Best::none_yet(node.alpha),
            moves: 0,
            searched_quiets: SearchedMoves::default(),
            searched_noisies: SearchedMoves::default(),
        }
    }
}

/// A move about to be pruned or searched.
pub(super) struct Candidate {
    pub mv: Move,
    pub quiet: bool,
    pub history: i32,
    /// Gives check directly; discovered checks are not detected.
    pub checks_directly: bool,
}

/// Moves that were searched and did not fail high. The list is bounded: it suffices to penalise the
/// first ones.
pub(super) struct SearchedMoves {
    moves: [Move; Self::CAPACITY],
    count: usize,
}

impl SearchedMoves {
    const CAPACITY: usize = 48;

    pub fn push(&mut self, mv: Move) {
        if self.count < Self::CAPACITY {
            self.moves[self.count] = mv;
            self.count += 1;
        }
    }

    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.count]
    }
}

impl Default for SearchedMoves {
    fn default() -> Self {
        let filler = Move {
            from: Square::A1,
            to: Square::A1,
            promotion: None,
        };
        Self {
            moves: [filler; Self::CAPACITY],
            count: 0,
        }
    }
}
