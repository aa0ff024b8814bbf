//! The laser: the path of a beam, and what it zaps.
//!
//! What a pawn does to a beam depends only on the difference between its orientation and the
//! beam's direction: for two values the mirror turns the beam to the right or to the left, for the
//! other two the beam hits an opaque side. Every reflection is reversible, so no beam loops.

use crate::piece::Piece;
use crate::square::{RAYS, Set, Square, bit};

/// The path of a beam.
pub(crate) struct Beam {
    /// The squares that it touches, without that of the king that fires.
    pub(crate) path: Set,
    /// The square where it hits a king or an opaque side of a pawn.
    pub(crate) victim: Option<Square>,
}

/// Follows a beam and passes each straight segment to `visit`, with the square of the piece that
/// ends it. `at` returns the piece on an occupied square.
#[inline]
fn trace(
    at: impl Fn(Square) -> Piece,
    occupied: Set,
    from: Square,
    direction: u8,
    mut visit: impl FnMut(Set),
) -> Option<Square> {
    let (mut square, mut direction) = (from, direction & 3);
    loop {
        let rays = &RAYS[usize::from(direction)];
        let ray = rays[usize::from(square & 63)];
        let blockers = ray & occupied;
        if blockers == 0 {
            visit(ray);
            return None;
        }
        square = if direction < 2 {
            blockers.trailing_zeros() as Square
        } else {
            63 - blockers.leading_zeros() as Square
        };
        visit(ray & !rays[usize::from(square & 63)]);
        let piece = at(square);
        let side = piece.orientation().wrapping_sub(direction) & 3;
        if piece.is_king() || side < 2 {
            return Some(square);
        }
        // 2 turns the beam to the right, 3 to the left.
        direction = direction.wrapping_add(if side == 2 { 1 } else { 3 }) & 3;
    }
}

/// The square that a beam hits. `at` returns the piece on an occupied square.
#[inline]
pub(crate) fn victim(
    at: impl Fn(Square) -> Piece,
    occupied: Set,
    from: Square,
    direction: u8,
) -> Option<Square> {
    trace(at, occupied, from, direction, |_| {})
}

/// The whole path of a beam.
#[inline]
pub(crate) fn beam(board: &[Piece; 64], occupied: Set, from: Square, direction: u8) -> Beam {
    let mut path = 0;
    let at = |square: Square| board[usize::from(square & 63)];
    let victim = trace(at, occupied, from, direction, |stretch| path |= stretch);
    debug_assert!(victim.is_none_or(|square| path & bit(square) != 0));
    Beam { path, victim }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Color;

    /// The direction in which a beam leaves a pawn, `None` if it zaps.
    fn leaves(direction: u8, orientation: u8) -> Option<u8> {
        let mut board = [Piece::NONE; 64];
        board[27] = Piece::new(Color::White, false, orientation);
        let from = [19, 26, 35, 28][usize::from(direction)];
        let beam = beam(&board, bit(27), from, direction);
        assert_eq!(beam.victim.is_some(), beam.path == bit(27));
        (0..4).find(|&out| beam.path == RAYS[usize::from(out)][27] | bit(27))
    }

    #[test]
    fn mirrors_reflect_as_the_table_of_the_rules_says() {
        const N: Option<u8> = Some(0);
        const E: Option<u8> = Some(1);
        const S: Option<u8> = Some(2);
        const W: Option<u8> = Some(3);
        let table = [
            [None, None, E, W],
            [N, None, None, S],
            [W, E, None, None],
            [None, N, S, None],
        ];
        for (direction, row) in (0..).zip(table) {
            for (orientation, out) in (0..).zip(row) {
                assert_eq!(
                    leaves(direction, orientation),
                    out,
                    "{direction} {orientation}"
                );
            }
        }
    }
}
