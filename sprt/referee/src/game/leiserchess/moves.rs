//! The rules of a turn: which moves a side can make, and their effect.
//!
//! Ko needs the position before the opponent's move, which a [`Board`] does not know: whoever makes
//! a move asks [`breaks_ko`] afterwards.

use strum::VariantArray as _;

use super::board::{Board, Piece};
use super::laser;
use super::notation::{Basic, Move, Rotation};
use super::square::Square;

/// A board after a turn, and what the laser took off it.
pub(super) struct Turn {
    pub(super) board: Board,
    pub(super) zapped: Option<Piece>,
}

/// All moves of the side to move, Ko aside.
pub(super) fn moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    for (from, _) in own(board) {
        moves.extend(basics(board, from).map(|basic| Move {
            from,
            swap: None,
            basic,
        }));
        for swap in from.neighbours() {
            if !is_enemy(board, swap) {
                continue;
            }
            // After the swap the enemy stands on `from`, which is as occupied as before.
            moves.extend(basics(board, swap).map(|basic| Move {
                from,
                swap: Some(swap),
                basic,
            }));
        }
    }
    moves
}

fn own(board: &Board) -> impl Iterator<Item = (Square, Piece)> {
    board
        .pieces()
        .filter(|(_, piece)| piece.color == board.to_move)
}

fn is_enemy(board: &Board, square: Square) -> bool {
    board
        .piece(square)
        .is_some_and(|piece| piece.color != board.to_move)
}

/// What a piece can do on `square`: step to an empty neighbour, or rotate.
fn basics(board: &Board, square: Square) -> impl Iterator<Item = Basic> {
    let steps = square
        .neighbours()
        .filter(|to| board.piece(*to).is_none())
        .map(Basic::Step);
    Rotation::VARIANTS
        .iter()
        .copied()
        .map(Basic::Rotate)
        .chain(steps)
}

/// Makes a move, which is one of [`moves`], and fires the mover's laser.
pub(super) fn turn(board: &Board, played: Move) -> Turn {
    let mut board = moved(board, played);
    let target = laser::target(&board, board.to_move);
    if let Some((square, _)) = target {
        board.put(square, None);
    }
    board.to_move = board.to_move.opponent();
    Turn {
        board,
        zapped: target.map(|(_, piece)| piece),
    }
}

/// The board after a move, before the laser is fired.
pub(super) fn moved(board: &Board, played: Move) -> Board {
    let mut board = board.clone();
    let mut from = played.from;
    if let Some(swap) = played.swap {
        board.exchange(from, swap);
        from = swap;
    }
    match played.basic {
        Basic::Step(to) => board.exchange(from, to),
        Basic::Rotate(rotation) => {
            let rotated = board.piece(from).map(|piece| Piece {
                heading: piece.heading.turned(rotation as u8),
                ..piece
            });
            board.put(from, rotated);
        }
    }
    board
}

/// Whether a board repeats the one before the opponent's last move, where there was one.
pub(super) fn breaks_ko(before: Option<&Board>, after: &Board) -> bool {
    before == Some(after)
}

#[cfg(test)]
mod perft;
