//! Squares, sets of squares and the four directions of a beam.
//!
//! A square is a number, 8 for each rank from rank 0 and 1 for each file from file a; a set has bit
//! `1 << square` of each of its squares. Directions go clockwise from north.

pub(crate) type Square = u8;
pub(crate) type Set = u64;

/// North, east, south, west.
pub(crate) const DIRECTIONS: usize = 4;
const STEPS: [(i8, i8); DIRECTIONS] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

/// The up to eight squares around each.
pub(crate) static NEIGHBOURS: [Set; 64] = neighbours();
/// The squares from each to the edge, without itself, by direction.
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

/// The squares of a set, from the lowest.
pub(crate) fn squares(mut set: Set) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as Square)?;
        set &= set - 1;
        Some(square)
    })
}

/// As it is written: `a0` to `h7`.
pub(crate) fn name(square: Square) -> String {
    let letter = char::from(b'a' + (square & 7));
    format!("{letter}{}", square >> 3)
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
