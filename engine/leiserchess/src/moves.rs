//! All moves of a position, Ko aside.

use crate::board::Board;
use crate::square::{NEIGHBOURS, Set, squares};
use crate::turn::Move;

/// Eight pieces have at most three rotations each, and ten basic moves after each of eight swaps.
const MOST: usize = 8 * (3 + 8 + 8 * 11);

/// Moves in a fixed place: a search makes millions of such lists.
pub(crate) struct MoveList {
    moves: [Move; MOST],
    length: usize,
}

impl Default for MoveList {
    fn default() -> Self {
        Self {
            moves: [Move::NONE; MOST],
            length: 0,
        }
    }
}

impl MoveList {
    #[inline]
    fn push(&mut self, mv: Move) {
        self.moves[self.length] = mv;
        self.length += 1;
    }

    pub(crate) fn as_slice(&self) -> &[Move] {
        &self.moves[..self.length]
    }
}

fn around(square: u8) -> Set {
    NEIGHBOURS[usize::from(square)]
}

/// Lists the moves of the side to move: rotations, steps to empty squares, and swaps with a piece of
/// the opponent followed by either.
pub(crate) fn moves(board: &Board) -> MoveList {
    let mut list = MoveList::default();
    let (empty, enemies) = (!board.occupied(), board.of(!board.side()));
    for from in squares(board.of(board.side())) {
        let mut basic = |mid| {
            for quarters in 1..4 {
                list.push(Move::rotation(from, mid, quarters));
            }
            for to in squares(around(mid) & empty) {
                list.push(Move::step(from, mid, to));
            }
        };
        basic(from);
        squares(around(from) & enemies).for_each(&mut basic);
    }
    list
}

/// The number of [`moves`].
pub(crate) fn count(board: &Board) -> u64 {
    let (empty, enemies) = (!board.occupied(), board.of(!board.side()));
    let basic = |mid| u64::from(3 + (around(mid) & empty).count_ones());
    let of = |from| basic(from) + squares(around(from) & enemies).map(basic).sum::<u64>();
    squares(board.of(board.side())).map(of).sum()
}

/// The legal moves, as a player may choose them.
pub(crate) fn legal(board: &Board) -> Vec<Move> {
    let mut board = board.clone();
    let list = moves(&board);
    let is_legal = |mv: &Move| *mv != board.ko() || board.target(*mv).is_some();
    list.as_slice().iter().copied().filter(is_legal).collect()
}

/// The legal move that a text names, whatever its case.
pub(crate) fn parse(board: &Board, text: &str) -> Option<Move> {
    let is_named = |mv: &Move| mv.to_string().eq_ignore_ascii_case(text);
    legal(board).into_iter().find(is_named)
}
