//! Move statistics: history of cutoffs, and killers of each ply.

use crate::board::Board;
use crate::piece::KINDS;
use crate::score::MAX_PLY;
use crate::turn::Move;

/// The largest absolute value.
const LIMIT: i32 = 16_384;
/// Destination, rotation (or none), and whether there was a swap.
const TARGETS: usize = 64 * 4 * 2;

pub(crate) struct History {
    values: Vec<i16>,
    killers: [[Move; 2]; MAX_PLY],
}

impl Default for History {
    fn default() -> Self {
        Self {
            values: vec![0; KINDS * TARGETS],
            killers: [[Move::NONE; 2]; MAX_PLY],
        }
    }
}

fn index(board: &Board, mv: Move) -> usize {
    let target = usize::from(mv.to()) * 4 + usize::from(mv.quarters());
    board.at(mv.from()).index() * TARGETS + target * 2 + usize::from(mv.is_swap())
}

impl History {
    #[inline]
    pub(crate) fn value(&self, board: &Board, mv: Move) -> i32 {
        i32::from(self.values[index(board, mv)])
    }

    /// Adds a bonus or malus, scaled down the nearer the value is to its limit.
    pub(crate) fn update(&mut self, board: &Board, mv: Move, bonus: i32) {
        let value = &mut self.values[index(board, mv)];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }

    pub(crate) fn killers(&self, ply: usize) -> [Move; 2] {
        self.killers[ply]
    }

    pub(crate) fn add_killer(&mut self, ply: usize, mv: Move) {
        let killers = &mut self.killers[ply];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
    }

    /// Halves the history and clears the killers after a move of the game.
    pub(crate) fn age(&mut self) {
        for value in &mut self.values {
            *value /= 2;
        }
        self.killers = [[Move::NONE; 2]; MAX_PLY];
    }
}
