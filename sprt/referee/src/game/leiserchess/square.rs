//! Squares of the board and the directions between them.

use std::fmt;

/// Files and ranks.
pub(super) const SIZE: u8 = 8;

/// A square, numbered rank by rank from `a0`: always below 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Square(u8);

impl Square {
    pub(super) const ALL: [Self; 64] = {
        let mut all = [Self(0); 64];
        let mut number = 0;
        while number < 64 {
            all[number] = Self(number as u8);
            number += 1;
        }
        all
    };

    /// The square on a file and a rank, both counted from 0; `None` off the board.
    pub(super) fn new(file: u8, rank: u8) -> Option<Self> {
        (file < SIZE && rank < SIZE).then(|| Self(rank * SIZE + file))
    }

    /// Reads `a0` to `h7`.
    pub(super) fn parse(file: u8, rank: u8) -> Option<Self> {
        Self::new(file.checked_sub(b'a')?, rank.checked_sub(b'0')?)
    }

    pub(super) fn file(self) -> u8 {
        self.0 % SIZE
    }

    pub(super) fn rank(self) -> u8 {
        self.0 / SIZE
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The square so many files to the right and ranks up; `None` off the board.
    fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        Self::new(
            self.file().checked_add_signed(files)?,
            self.rank().checked_add_signed(ranks)?,
        )
    }

    /// The next square in a direction.
    pub(super) fn towards(self, heading: Heading) -> Option<Self> {
        let (files, ranks) = [(0, 1), (1, 0), (0, -1), (-1, 0)][heading.index()];
        self.offset(files, ranks)
    }

    /// The squares around it, eight at most.
    pub(super) fn neighbours(self) -> impl Iterator<Item = Self> {
        const AROUND: [(i8, i8); 8] = [
            (0, 1),
            (1, 1),
            (1, 0),
            (1, -1),
            (0, -1),
            (-1, -1),
            (-1, 0),
            (-1, 1),
        ];
        AROUND
            .into_iter()
            .filter_map(move |(files, ranks)| self.offset(files, ranks))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.file());
        write!(formatter, "{file}{}", self.rank())
    }
}

/// A number of clockwise quarter turns, below 4. Of a King and of a laser beam: from north. Of a
/// Pawn: of its mirror, from north-west.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heading(u8);

impl Heading {
    pub(super) const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The heading after so many more quarter turns.
    pub(super) fn turned(self, quarters: u8) -> Self {
        Self((self.0 + quarters) % 4)
    }

    /// The quarter turns that lead from `other` here.
    pub(super) fn quarters_from(self, other: Self) -> u8 {
        (self.0 + 4 - other.0) % 4
    }
}
