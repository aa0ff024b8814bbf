//! Moves, and how engines and records write them.
//!
//! `g4g5` is a step, `g4L` a rotation; `d5e4f5` and `d5e4R` swap with the enemy on `e4` and go on
//! from there with a step or a rotation. Squares are written in lower case, rotations in upper.

use std::fmt;

use strum::VariantArray;

use super::square::Square;

/// A piece's turn, not yet checked against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) from: Square,
    /// The enemy's square with which it changes places first.
    pub(super) swap: Option<Square>,
    pub(super) basic: Basic,
}

/// What every turn ends with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Basic {
    Step(Square),
    Rotate(Rotation),
}

/// A rotation in place, by its number of clockwise quarter turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub(super) enum Rotation {
    Right = 1,
    Around = 2,
    Left = 3,
}

impl Rotation {
    fn letter(self) -> char {
        match self {
            Self::Right => 'R',
            Self::Around => 'U',
            Self::Left => 'L',
        }
    }
}

impl Move {
    /// Reads a move as it is written below, and nothing else.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (squares, letter) = bytes.as_chunks::<2>();
        let squares: Vec<Square> = squares
            .iter()
            .map(|[file, rank]| Square::parse(*file, *rank))
            .collect::<Option<_>>()?;
        let basic = match letter {
            [] => Basic::Step(*squares.last()?),
            [b'R'] => Basic::Rotate(Rotation::Right),
            [b'U'] => Basic::Rotate(Rotation::Around),
            [b'L'] => Basic::Rotate(Rotation::Left),
            _ => return None,
        };
        let (from, swap) = match (squares.as_slice(), basic) {
            ([from], Basic::Rotate(_)) | ([from, _], Basic::Step(_)) => (*from, None),
            ([from, swap], Basic::Rotate(_)) | ([from, swap, _], Basic::Step(_)) => {
                (*from, Some(*swap))
            }
            _ => return None,
        };
        Some(Self { from, swap, basic })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.from)?;
        if let Some(swap) = self.swap {
            write!(formatter, "{swap}")?;
        }
        match self.basic {
            Basic::Step(to) => write!(formatter, "{to}"),
            Basic::Rotate(rotation) => write!(formatter, "{}", rotation.letter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_form_of_move_is_read() {
        let square = |text: &str| Square::parse(text.as_bytes()[0], text.as_bytes()[1]);
        for (text, from, swap, basic) in [
            ("g4g5", "g4", None, Basic::Step(square("g5").expect("g5"))),
            ("g4L", "g4", None, Basic::Rotate(Rotation::Left)),
            (
                "d5e4f5",
                "d5",
                Some("e4"),
                Basic::Step(square("f5").expect("f5")),
            ),
            ("d5e4R", "d5", Some("e4"), Basic::Rotate(Rotation::Right)),
            ("a0h7U", "a0", Some("h7"), Basic::Rotate(Rotation::Around)),
        ] {
            let read = Move::parse(text).expect(text);
            assert_eq!(Some(read.from), square(from));
            assert_eq!(read.swap, swap.and_then(square));
            assert_eq!(read.basic, basic);
            assert_eq!(read.to_string(), text);
        }
    }

    #[test]
    fn nothing_else_is_read() {
        for text in [
            "", "g", "g4", "L", "g4l", "G4L", "g4S", "i4g5", "g8g5", "g4g", "g4g5g6g7", "g4g5g6L",
            "g4L ", " g4L", "g4g5x", "4g5g", "0000", "g4é",
        ] {
            assert_eq!(Move::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_written_the_same(text in "\\PC{0,8}|([a-i][0-8]){1,3}[LRU]?") {
            if let Some(read) = Move::parse(&text) {
                prop_assert_eq!(read.to_string(), text);
            }
        }
    }
}
