//! The board: what stands where, and who moves.

use engine_client::Color;

use super::square::{Heading, Square};

/// The two kinds of pieces, which move alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    King,
    Pawn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) color: Color,
    pub(super) role: Role,
    pub(super) heading: Heading,
}

/// A position without its history. Two that are equal are the same for Ko and for repetition.
/// Tangerine is White, Lavender is Black.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub(super) to_move: Color,
    squares: [Option<Piece>; 64],
}

impl Board {
    pub(super) fn empty(to_move: Color) -> Self {
        Self {
            to_move,
            squares: [None; 64],
        }
    }

    pub(super) fn piece(&self, square: Square) -> Option<Piece> {
        self.squares[square.index()]
    }

    pub(super) fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[square.index()] = piece;
    }

    /// Exchanges what stands on two squares.
    pub(super) fn exchange(&mut self, one: Square, other: Square) {
        self.squares.swap(one.index(), other.index());
    }

    pub(super) fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::ALL
            .into_iter()
            .filter_map(|square| Some((square, self.piece(square)?)))
    }

    /// A side's King and where it stands; `None` when it was zapped.
    pub(super) fn king(&self, color: Color) -> Option<(Square, Piece)> {
        self.pieces()
            .find(|(_, piece)| piece.role == Role::King && piece.color == color)
    }
}
