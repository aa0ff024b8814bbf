//! The laser: where a beam goes, and what it hits.

use engine_client::Color;

use super::board::{Board, Piece, Role};
use super::square::{Heading, Square};

/// The piece that the laser of a side's King hits, of either side; `None` where the beam leaves the
/// board. The beam cannot go in circles, because every reflection can be reversed: at the latest it
/// hits its own King.
pub(super) fn target(board: &Board, shooter: Color) -> Option<(Square, Piece)> {
    fire(board, shooter, |_| ())
}

/// The same; `crosses` gets each square of the beam, the King's own first and that of the target
/// last.
pub(super) fn fire(
    board: &Board,
    shooter: Color,
    mut crosses: impl FnMut(Square),
) -> Option<(Square, Piece)> {
    let (mut square, king) = board.king(shooter)?;
    let mut beam = king.heading;
    crosses(square);
    loop {
        square = square.towards(beam)?;
        crosses(square);
        let Some(piece) = board.piece(square) else {
            continue;
        };
        match reflection(beam, piece) {
            Some(next) => beam = next,
            None => return Some((square, piece)),
        }
    }
}

/// The direction of a beam after a piece; `None` if it hits an opaque side. A Pawn reflects on the
/// two sides that its mirror covers.
fn reflection(beam: Heading, piece: Piece) -> Option<Heading> {
    match (piece.role, piece.heading.quarters_from(beam)) {
        (Role::Pawn, 2) => Some(beam.turned(1)),
        (Role::Pawn, 3) => Some(beam.turned(3)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_reflect_as_the_table_of_the_rules_says() {
        // Rows are beams to north, east, south and west, columns mirrors to NW, NE, SE and SW.
        let table = ["..EW", "N..S", "WE..", ".NS."];
        for (beam, row) in Heading::ALL.into_iter().zip(table) {
            for (mirror, expected) in Heading::ALL.into_iter().zip(row.chars()) {
                let pawn = Piece {
                    color: Color::White,
                    role: Role::Pawn,
                    heading: mirror,
                };
                let leaves =
                    reflection(beam, pawn).map_or('.', |beam| ['N', 'E', 'S', 'W'][beam.index()]);
                assert_eq!(leaves, expected, "{beam:?} {mirror:?}");
            }
        }
    }

    #[test]
    fn a_king_is_hit_from_every_side() {
        for beam in Heading::ALL {
            for heading in Heading::ALL {
                let king = Piece {
                    color: Color::Black,
                    role: Role::King,
                    heading,
                };
                assert_eq!(reflection(beam, king), None);
            }
        }
    }
}
