//! Pieces: colour, king or pawn, and orientation.

use std::ops::Not;

/// White is Tangerine, which moves first; black is Lavender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    White,
    Black,
}

impl Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// The content of a square. Bit 4 marks a piece, bit 3 is its colour, bit 2 marks a king, and the
/// low bits are the orientation, clockwise: north, east, south, west for the laser of a king, and
/// northwest, northeast, southeast, southwest for the mirror of a pawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Piece(u8);

/// The number of different pieces.
pub(crate) const KINDS: usize = 16;

impl Piece {
    pub(crate) const NONE: Self = Self(0);

    pub(crate) const fn new(color: Color, is_king: bool, orientation: u8) -> Self {
        Self(16 | (color as u8) << 3 | (is_king as u8) << 2 | orientation & 3)
    }

    pub(crate) fn is_some(self) -> bool {
        self.0 != 0
    }

    pub(crate) fn color(self) -> Color {
        if self.0 & 8 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    pub(crate) fn is_king(self) -> bool {
        self.0 & 4 != 0
    }

    pub(crate) fn orientation(self) -> u8 {
        self.0 & 3
    }

    /// The piece after some clockwise quarter turns.
    pub(crate) fn turned(self, quarters: u8) -> Self {
        Self(self.0 & !3 | self.0.wrapping_add(quarters) & 3)
    }

    /// Below [`KINDS`].
    pub(crate) fn index(self) -> usize {
        usize::from(self.0 & 15)
    }
}
