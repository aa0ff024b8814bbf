//! Endgames against a bare king: drawn ones are recognised, in won ones the king is driven to where
//! it can be mated.

use cozy_chess::{
    BitBoard, Board, Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

use super::kpk;
use super::pawns::distance;
use crate::position::Position;

/// Added in won endgames, so that they are preferred to any advantage in material.
const KNOWN_WIN: i32 = 500;
/// Material in endgames without pawns.
const PIECE_VALUES: [(Piece, i32); 4] = [
    (Piece::Knight, 300),
    (Piece::Bishop, 300),
    (Piece::Rook, 500),
    (Piece::Queen, 900),
];
/// For each step of the lone king from the centre towards the edge.
const EDGE_STEP: i32 = 12;
/// For each step of the lone king towards a corner in which bishop and knight can mate.
const CORNER_STEP: i32 = 80;
/// For each square that the lone king can go to.
const FREE_SQUARE: i32 = 4;
/// For each step of the kings towards each other.
const CLOSE_STEP: i32 = 10;

/// All squares of the rook files.
const ROOK_FILES: BitBoard = BitBoard(0x8181_8181_8181_8181);

/// What is known about an endgame against a bare king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    Draw,
    /// Centipawns to add to the usual evaluation of the stronger side.
    Advantage(i32),
    /// The evaluation of the stronger side, in place of the usual one: nothing but progress towards
    /// mate counts.
    Mate(i32),
}

/// The knowledge about a position in which `strong` plays against a bare king; `None` if there is
/// none beyond the usual evaluation.
pub fn probe(position: &Position, strong: Color) -> Option<Knowledge> {
    let board = position.board();
    let pawns = board.pieces(Piece::Pawn);
    let bishops = board.pieces(Piece::Bishop);
    let knights = board.pieces(Piece::Knight);
    let majors = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let (king, lone_king) = (board.king(strong), board.king(!strong));
    let is_minor_only = majors.is_empty();
    if !pawns.is_empty() {
        if is_minor_only && knights.is_empty() {
            if bishops.is_empty() && pawns.len() == 1 {
                return Some(king_and_pawn(board, strong, pawns, position.side()));
            }
            if corner_holds(bishops, pawns, strong, lone_king) {
                return Some(Knowledge::Draw);
            }
        }
        return None;
    }
    if is_minor_only {
        let is_one_coloured =
            bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES);
        // Two knights cannot force mate, and bishops of one colour cannot mate at all.
        if bishops.is_empty() && knights.len() <= 2 || knights.is_empty() && is_one_coloured {
            return Some(Knowledge::Draw);
        }
    }
    let freedom = FREE_SQUARE * free_squares(board, strong, lone_king);
    let closeness = CLOSE_STEP * (7 - distance(king, lone_king));
    let is_bishop_and_knight = is_minor_only && bishops.len() == 1 && knights.len() == 1;
    let drive = if is_bishop_and_knight {
        CORNER_STEP * steps_to_wrong_corners(lone_king, bishops)
    } else {
        EDGE_STEP * steps_from_centre(lone_king)
    };
    let material: i32 = PIECE_VALUES
        .iter()
        .map(|&(piece, value)| value * board.pieces(piece).len() as i32)
        .sum();
    Some(Knowledge::Mate(
        KNOWN_WIN + material + drive + closeness - freedom,
    ))
}

fn king_and_pawn(board: &Board, strong: Color, pawns: BitBoard, side: Color) -> Knowledge {
    let (king, lone_king) = (board.king(strong), board.king(!strong));
    let is_won = pawns
        .next_square()
        .is_some_and(|pawn| kpk::is_won(strong, pawn, king, lone_king, side));
    if is_won {
        Knowledge::Advantage(KNOWN_WIN)
    } else {
        Knowledge::Draw
    }
}

/// Whether all pawns are on one rook file, the lone king is in or next to their corner of
/// promotion, and no bishop controls that corner: then the king cannot be driven out.
fn corner_holds(bishops: BitBoard, pawns: BitBoard, strong: Color, lone_king: Square) -> bool {
    let Some(pawn) = pawns.next_square() else {
        return false;
    };
    let file = pawn.file().bitboard();
    let corner = Square::new(pawn.file(), cozy_chess::Rank::Eighth.relative_to(strong));
    let same_colour = if BitBoard::DARK_SQUARES.has(corner) {
        BitBoard::DARK_SQUARES
    } else {
        BitBoard::LIGHT_SQUARES
    };
    file.is_subset(ROOK_FILES)
        && pawns.is_subset(file)
        && (bishops & same_colour).is_empty()
        && distance(lone_king, corner) <= 1
}

/// Number of squares that the lone king can go to. Captures count, too.
fn free_squares(board: &Board, strong: Color, lone_king: Square) -> i32 {
    let occupied = board.occupied() ^ lone_king.bitboard();
    let mut attacked = get_king_moves(board.king(strong));
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        for square in board.colored_pieces(strong, piece) {
            attacked |= match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, occupied),
                Piece::Rook => get_rook_moves(square, occupied),
                _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
            };
        }
    }
    (get_king_moves(lone_king) & !attacked).len() as i32
}

/// 0 in the centre, 6 in a corner.
fn steps_from_centre(square: Square) -> i32 {
    let from_centre = |index: i32| (3 - index).max(index - 4);
    from_centre(square.file() as i32) + from_centre(square.rank() as i32)
}

/// 7 in the corners of the bishop's colour, 0 on the diagonal between the others.
fn steps_to_wrong_corners(square: Square, bishops: BitBoard) -> i32 {
    // The corners a1 and h8 are dark.
    let square = if bishops.is_subset(BitBoard::DARK_SQUARES) {
        square
    } else {
        square.flip_file()
    };
    (7 - square.file() as i32 - square.rank() as i32).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knowledge(fen: &str) -> Option<Knowledge> {
        probe(&Position::from_fen(fen).unwrap(), Color::White)
    }

    fn bonus(fen: &str) -> i32 {
        match knowledge(fen) {
            Some(Knowledge::Mate(score) | Knowledge::Advantage(score)) => score,
            other => panic!("{fen}: {other:?}"),
        }
    }

    #[test]
    fn drawn_endgames() {
        for fen in [
            "8/8/4k3/8/8/3KN3/3N4/8 w - - 0 1",
            // Both bishops are dark-squared.
            "8/8/4k3/8/8/3KB3/8/2B5 w - - 0 1",
            "8/4k3/8/4K3/4P3/8/8/8 w - - 0 1",
            "k7/8/K7/P7/8/8/8/8 w - - 0 1",
            // The bishop does not control the corner.
            "k7/8/1K6/P7/8/8/3B4/8 w - - 0 1",
            "1k6/8/K7/P7/P7/8/8/8 w - - 0 1",
        ] {
            assert_eq!(knowledge(fen), Some(Knowledge::Draw), "{fen}");
        }
    }

    #[test]
    fn won_endgames_drive_the_king() {
        assert!(bonus("8/8/8/8/8/R7/4K3/7k w - - 0 1") > bonus("8/8/8/4k3/8/8/4K3/R7 w - - 0 1"));
        // The dark-squared bishop mates in a1 and h8.
        let right = bonus("7k/8/5K2/8/8/4B3/8/4N3 w - - 0 1");
        let wrong = bonus("k7/8/2K5/8/8/4B3/8/4N3 w - - 0 1");
        assert!(right > wrong + 200, "{right} {wrong}");
        assert!(bonus("8/8/4k3/8/8/3KB3/4B3/8 w - - 0 1") >= KNOWN_WIN);
        assert_eq!(bonus("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"), KNOWN_WIN);
    }

    #[test]
    fn other_endgames_are_left_to_the_evaluation() {
        for fen in [
            "8/8/4k3/8/8/3KB3/P7/8 w - - 0 1",
            // The bishop controls the corner.
            "k7/8/1K6/P7/8/8/2B5/8 w - - 0 1",
            "8/8/4k3/8/8/3KN3/P7/8 w - - 0 1",
            "k7/8/K7/P7/7P/8/8/8 w - - 0 1",
        ] {
            assert_eq!(knowledge(fen), None, "{fen}");
        }
    }
}
