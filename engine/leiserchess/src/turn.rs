//! A move: a step or a rotation, with or without a swap before it.

use std::fmt;

use crate::square::{self, Square, name};

/// A move in 20 bits: the square where the piece starts, the square from which it makes its basic
/// move, the square where it ends, and the clockwise quarter turns of a rotation. The first two
/// squares are the same without a swap, the last two in a rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Move(u32);

impl Move {
    /// No move: a step from a0 to a0.
    pub(crate) const NONE: Self = Self(0);

    #[inline]
    pub(crate) fn step(from: Square, mid: Square, to: Square) -> Self {
        Self(u32::from(from) | u32::from(mid) << 6 | u32::from(to) << 12)
    }

    #[inline]
    pub(crate) fn rotation(from: Square, mid: Square, quarters: u8) -> Self {
        Self(Self::step(from, mid, mid).0 | u32::from(quarters) << 18)
    }

    #[inline]
    pub(crate) fn from(self) -> Square {
        (self.0 & 63) as Square
    }

    #[inline]
    pub(crate) fn mid(self) -> Square {
        (self.0 >> 6 & 63) as Square
    }

    #[inline]
    pub(crate) fn to(self) -> Square {
        (self.0 >> 12 & 63) as Square
    }

    #[inline]
    pub(crate) fn quarters(self) -> u8 {
        (self.0 >> 18 & 3) as u8
    }

    #[inline]
    pub(crate) fn is_swap(self) -> bool {
        self.from() != self.mid()
    }

    /// Parses a move, whether or not it exists; the case does not matter.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (squares, turn) = match text.as_bytes() {
            [squares @ .., b'R' | b'r'] => (squares, 1),
            [squares @ .., b'U' | b'u'] => (squares, 2),
            [squares @ .., b'L' | b'l'] => (squares, 3),
            squares => (squares, 0),
        };
        let (names, []) = squares.as_chunks::<2>() else {
            return None;
        };
        let square = |&[file, rank]: &[u8; 2]| square::parse(file, rank);
        let is_swap = names.len() + usize::from(turn != 0) == 3;
        match (names, turn) {
            ([from], 1..) => Some(Self::rotation(square(from)?, square(from)?, turn)),
            ([from, to], 0) => Some(Self::step(square(from)?, square(from)?, square(to)?)),
            ([from, mid], _) => Some(Self::rotation(square(from)?, square(mid)?, turn)),
            ([from, mid, to], 0) => Some(Self::step(square(from)?, square(mid)?, square(to)?)),
            _ => None,
        }
        .filter(|mv| mv.is_swap() == is_swap)
    }

    /// For the transposition table.
    pub(crate) fn to_bits(self) -> u32 {
        self.0
    }

    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits & 0xf_ffff)
    }
}

/// The notation of the rules: `g4g5`, `g4L`, `d5e4f5`, `d5e4R`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&name(self.from()))?;
        if self.is_swap() {
            f.write_str(&name(self.mid()))?;
        }
        match self.quarters() {
            0 => f.write_str(&name(self.to())),
            1 => f.write_str("R"),
            2 => f.write_str("U"),
            _ => f.write_str("L"),
        }
    }
}
