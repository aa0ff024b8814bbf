//! Squares, sets of squares and the four directions of a beam.
//!
//! A square is the number `8 * rank + file`; a set has the bit `1 << square` for each of its
//! squares. Directions are numbered clockwise from north.

pub(crate) type Square = u8;
pub(crate) type Set = u64;

/// North, east, south, west.
pub(crate) const DIRECTIONS: usize = 4;
const STEPS: [(i8, i8); DIRECTIONS] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// For each square, the up to eight squares around it.
pub(crate) static NEIGHBOURS: [Set; 64] = neighbours();
/// For each direction and square, the squares beyond it up to the edge.
pub(crate) static RAYS: [[Set; 64]; DIRECTIONS] = rays();

pub(crate) const fn file(square: Square) -> i8 {
    (square & 7) as i8
}

pub(crate) const fn rank(square: Square) -> i8 {
    (square >> 3) as i8
}

pub(crate) const fn bit(square: Square) -> Set {
    1 << square
}

/// The squares of the rectangle with two opposite corners.
pub(crate) const fn rectangle(one: Square, other: Square) -> Set {
    let (files, ranks) = (
        (one & 7).abs_diff(other & 7),
        (one >> 3).abs_diff(other >> 3),
    );
    let west = if one & 7 < other & 7 {
        one & 7
    } else {
        other & 7
    };
    let south = if one < other { one >> 3 } else { other >> 3 };
    let row = (0xff >> (7 - files)) << west;
    let column = Set::MAX >> (56 - 8 * ranks) & 0x0101_0101_0101_0101;
    (column * row) << (8 * south)
}

/// The squares of a set in ascending order.
pub(crate) fn squares(mut set: Set) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as Square)?;
        set &= set - 1;
        Some(square)
    })
}

/// The name of a square, `a0` to `h7`.
pub(crate) fn name(square: Square) -> String {
    let letter = char::from(b'a' + (square & 7));
    format!("{letter}{}", square >> 3)
}

/// Parses the file and rank of a square; the case does not matter.
pub(crate) fn parse(file: u8, rank: u8) -> Option<Square> {
    let file = file.to_ascii_lowercase();
    let is_square = (b'a'..=b'h').contains(&file) && (b'0'..=b'7').contains(&rank);
    is_square.then(|| (rank - b'0') * 8 + file - b'a')
}

const fn at(file: i8, rank: i8) -> Option<Square> {
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        None
    } else {
        Some((rank * 8 + file) as Square)
    }
}

const fn neighbours() -> [Set; 64] {
    let mut sets = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut index = 0;
        while index < 9 {
            let (east, north) = (index % 3 - 1, index / 3 - 1);
            if let Some(other) = at(file(square) + east, rank(square) + north) {
                sets[square as usize] |= bit(other);
            }
            index += 1;
        }
        sets[square as usize] &= !bit(square);
        square += 1;
    }
    sets
}

const fn rays() -> [[Set; 64]; DIRECTIONS] {
    let mut sets = [[0; 64]; DIRECTIONS];
    let mut direction = 0;
    while direction < DIRECTIONS {
        let (east, north) = STEPS[direction];
        let mut square = 0;
        while square < 64 {
            let mut length = 1;
            while let Some(other) = at(file(square) + east * length, rank(square) + north * length)
            {
                sets[direction][square as usize] |= bit(other);
                length += 1;
            }
            square += 1;
        }
        direction += 1;
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_holds_the_squares_between_its_corners() {
        for (one, other) in (0..64).flat_map(|one| (0..64).map(move |other| (one, other))) {
            let within = |at: i8, a: i8, b: i8| at >= a.min(b) && at <= a.max(b);
            let inside = |at: &Square| {
                within(file(*at), file(one), file(other))
                    && within(rank(*at), rank(one), rank(other))
            };
            let expected: Vec<Square> = (0..64).filter(inside).collect();
            assert_eq!(squares(rectangle(one, other)).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn neighbours_and_rays_stay_on_the_board() {
        assert_eq!(NEIGHBOURS[0], bit(1) | bit(8) | bit(9));
        assert_eq!(NEIGHBOURS[27].count_ones(), 8);
        assert_eq!(squares(RAYS[1][5]).collect::<Vec<_>>(), [6, 7]);
        assert_eq!(squares(RAYS[2][17]).collect::<Vec<_>>(), [1, 9]);
        for square in 0..64_u8 {
            let lengths = RAYS.iter().map(|rays| rays[square as usize].count_ones());
            assert_eq!(lengths.sum::<u32>(), 14);
        }
    }
}
