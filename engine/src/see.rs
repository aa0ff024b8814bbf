//! Static exchange evaluation: the value of a sequence of captures on one square, each side
//! capturing with its least valuable piece and free to stop. Pins are ignored.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use crate::params::Params;
use crate::position::Position;

/// Exchange values of the pieces in centipawns. The king has none: it is never exchanged.
#[inline]
fn values(params: &Params) -> [i32; 6] {
    [
        params.see_pawn(),
        params.see_knight(),
        params.see_bishop(),
        params.see_rook(),
        params.see_queen(),
        0,
    ]
}

/// Exchange value of a piece. An array is read faster than a branch is mispredicted.
#[inline]
pub fn value(params: &Params, piece: Piece) -> i32 {
    values(params)[piece as usize]
}

/// Exchange value of the captured piece.
pub fn victim(position: &Position, params: &Params, mv: Move) -> i32 {
    position
        .captured(mv)
        .map_or(0, |piece| value(params, piece))
}

/// Whether the exchange started by the move gains at least `threshold` centipawns for the mover.
///
/// `balance` is always the amount by which the side that has just captured exceeds its goal if its
/// capturing piece is lost. A test against a threshold can stop as soon as the sign is certain,
/// which makes it much cheaper than computing the exact value.
pub fn see_ge(position: &Position, params: &Params, mv: Move, threshold: i32) -> bool {
    if position.is_castling(mv) {
        return threshold <= 0;
    }
    let values = values(params);
    let value = |piece: Piece| values[piece as usize];
    let board = position.board();
    let captured = position.captured(mv);
    let mut balance = captured.map_or(0, value) - threshold;
    let mut next = position.moved_piece(mv);
    if let Some(promotion) = mv.promotion {
        balance += value(promotion) - value(Piece::Pawn);
        next = promotion;
    }
    // Best case: the opponent does not recapture. If that misses the threshold, nothing reaches it.
    if balance < 0 {
        return false;
    }
    // Worst case: the capturing piece is lost for nothing. If that still reaches it, we are done.
    balance -= value(next);
    if balance >= 0 {
        return true;
    }

    // The captured piece's square stays occupied, now by the capturing piece; a pawn captured en
    // passant is on another square and may uncover an attacker.
    let mut occupied = (board.occupied() ^ mv.from.bitboard()) | mv.to.bitboard();
    if captured == Some(Piece::Pawn) && !board.occupied().has(mv.to) {
        let captured_pawn = cozy_chess::Square::new(mv.to.file(), mv.from.rank());
        occupied ^= captured_pawn.bitboard();
    }
    let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
    let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    let mut attackers = attackers(board, mv.to, occupied) & occupied;
    let mut side = !position.side();
    loop {
        let ours = attackers & board.colors(side);
        let Some((piece, from)) = cheapest(board, ours) else {
            break;
        };
        // The king may not capture a defended piece, so this side has to stop here.
        if piece == Piece::King && !(attackers & board.colors(!side)).is_empty() {
            break;
        }
        occupied ^= from;
        attackers &= occupied;
        // The capture may have uncovered a sliding piece behind the capturing one.
        if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
            attackers |= get_bishop_moves(mv.to, occupied) & diagonal & occupied;
        }
        if matches!(piece, Piece::Rook | Piece::Queen) {
            attackers |= get_rook_moves(mv.to, occupied) & straight & occupied;
        }
        side = !side;
        // Negamax: the balance of the side that has just captured, should it lose `piece` in turn.
        // The 1 turns the opponent's "at least" into this side's "more than".
        balance = -balance - 1 - value(piece);
        if balance >= 0 {
            break;
        }
    }
    // The side to move cannot improve any more and loses the exchange. The mover has reached the
    // threshold if that side is the opponent.
    side != position.side()
}

fn cheapest(board: &Board, pieces: BitBoard) -> Option<(Piece, BitBoard)> {
    Piece::ALL.into_iter().find_map(|piece| {
        let square = (pieces & board.pieces(piece)).next_square()?;
        Some((piece, square.bitboard()))
    })
}

fn attackers(board: &Board, square: cozy_chess::Square, occupied: BitBoard) -> BitBoard {
    let pieces = |piece| board.pieces(piece);
    let queens = pieces(Piece::Queen);
    (get_pawn_attacks(square, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn))
        | (get_pawn_attacks(square, Color::Black) & board.colored_pieces(Color::White, Piece::Pawn))
        | (get_knight_moves(square) & pieces(Piece::Knight))
        | (get_bishop_moves(square, occupied) & (pieces(Piece::Bishop) | queens))
        | (get_rook_moves(square, occupied) & (pieces(Piece::Rook) | queens))
        | (get_king_moves(square) & pieces(Piece::King))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact value: the largest threshold that still passes.
    fn see(fen: &str, mv: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.parse_move(mv, false).unwrap();
        let params = Params::default();
        (-2000..=2000)
            .rev()
            .find(|&threshold| see_ge(&position, &params, mv, threshold))
            .unwrap()
    }

    fn of(piece: Piece) -> i32 {
        value(&Params::default(), piece)
    }

    #[test]
    fn free_pieces_and_even_trades() {
        let pawn = of(Piece::Pawn);
        assert_eq!(
            see("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5"),
            pawn
        );
        assert_eq!(see("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"), pawn);
        assert_eq!(see("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"), 0);
    }

    #[test]
    fn attackers_behind_attackers_join_in() {
        // Knight takes pawn, and the batteries behind it decide that it is lost for the pawn.
        let fen = "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1";
        assert_eq!(see(fen, "d3e5"), of(Piece::Pawn) - of(Piece::Knight));
        // Two rooks on the file against one defender.
        assert_eq!(
            see("3rk3/8/8/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5"),
            of(Piece::Pawn)
        );
        assert_eq!(
            see("3rk3/3r4/8/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5"),
            of(Piece::Pawn) - of(Piece::Rook)
        );
    }

    #[test]
    fn quiet_moves_promotions_and_en_passant() {
        assert_eq!(
            see("4k3/8/3p4/8/2N5/8/8/4K3 w - - 0 1", "c4e5"),
            -of(Piece::Knight)
        );
        assert_eq!(see("4k3/8/8/8/2N5/8/8/4K3 w - - 0 1", "c4e5"), 0);
        assert_eq!(
            see("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"),
            of(Piece::Queen) - of(Piece::Pawn)
        );
        assert_eq!(
            see("1r6/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q"),
            -of(Piece::Pawn)
        );
        assert_eq!(
            see("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"),
            of(Piece::Pawn)
        );
    }

    #[test]
    fn kings_take_only_what_is_undefended() {
        assert_eq!(
            see("8/8/4k3/3p4/8/3R4/8/4K3 w - - 0 1", "d3d5"),
            of(Piece::Pawn) - of(Piece::Rook)
        );
        assert_eq!(
            see("8/8/4k3/3p4/8/3R4/3R4/4K3 w - - 0 1", "d3d5"),
            of(Piece::Pawn)
        );
        assert_eq!(see("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1"), 0);
    }
}
