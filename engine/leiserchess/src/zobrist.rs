//! Zobrist numbers, whose exclusive or is the key of a position.

use crate::piece::{KINDS, Piece};
use crate::square::Square;

const fn numbers() -> [[u64; 64]; KINDS] {
    let mut numbers = [[0; 64]; KINDS];
    let mut state: u64 = 0;
    let mut index = 0;
    while index < KINDS * 64 {
        // SplitMix64 of Steele, Lea and Flood (2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        numbers[index / 64][index % 64] = z ^ (z >> 31);
        index += 1;
    }
    numbers
}

static NUMBERS: [[u64; 64]; KINDS] = numbers();
/// In the key when black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = 0x5a0d_e1f2_87b3_94c6;

/// The number of a piece on a square.
#[inline]
pub(crate) fn of(piece: Piece, square: Square) -> u64 {
    NUMBERS[piece.index()][usize::from(square & 63)]
}
