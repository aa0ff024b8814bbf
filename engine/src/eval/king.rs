//! King safety: the pawns before the king, and the pieces that attack the squares around it.

use cozy_chess::{
    BitBoard, Board, Color, Piece, get_bishop_moves, get_knight_moves, get_rook_moves,
};

use super::mobility::{Attacks, ahead, king_ring};
use super::score_pair::{ScorePair, s};
use super::tables::{
    DANGER_FREE, HALF_OPEN_FILE, NO_QUEEN, OPEN_FILE, SAFE_CHECK, SHIELD_FAR, SHIELD_NEAR,
    WEAK_SQUARE,
};

/// King safety from the side's own point of view: negative under attack.
pub fn safety(board: &Board, color: Color, attacks: &Attacks) -> ScorePair {
    shelter(board, color) - danger(board, color, attacks)
}

fn shelter(board: &Board, color: Color) -> ScorePair {
    let king = board.king(color);
    let own = board.colored_pieces(color, Piece::Pawn);
    let all = board.pieces(Piece::Pawn);
    let before = ahead(king.rank().bitboard(), color);
    let next = ahead(before, color);
    let files = king.file().bitboard() | king.file().adjacent();
    let near = own & files & before & !next;
    let far = own & files & next & !ahead(next, color);
    let mut sum = SHIELD_NEAR * near.len() as i32 + SHIELD_FAR * far.len() as i32;
    let mut rest = files & king.rank().bitboard();
    while let Some(square) = rest.next_square() {
        rest ^= square.bitboard();
        let file = square.file().bitboard();
        if (file & all).is_empty() {
            sum += OPEN_FILE;
        } else if (file & own).is_empty() {
            sum += HALF_OPEN_FILE;
        }
    }
    sum
}

fn danger(board: &Board, color: Color, attacks: &Attacks) -> ScorePair {
    let (us, them) = (color as usize, !color as usize);
    let by = |side: usize, piece: Piece| attacks.by[side][piece as usize];
    let weakly_defended = by(us, Piece::King) | by(us, Piece::Queen);
    let weak = attacks.all[them] & !attacks.twice[us] & (!attacks.all[us] | weakly_defended);
    let ring = king_ring(board, color);
    let mut danger = attacks.king_attack_weight[them] * attacks.king_attackers[them] / 3
        + WEAK_SQUARE * (ring & weak).len() as i32;

    let king = board.king(color);
    let occupied = board.occupied();
    let safe = !board.colors(!color) & (!attacks.all[us] | (weak & attacks.twice[them]));
    let knight = get_knight_moves(king);
    let diagonal = get_bishop_moves(king, occupied);
    let straight = get_rook_moves(king, occupied);
    let mut check = |from: BitBoard, piece: Piece| {
        if !(from & safe & by(them, piece)).is_empty() {
            danger += SAFE_CHECK[piece as usize];
        }
    };
    check(knight, Piece::Knight);
    check(diagonal, Piece::Bishop);
    check(straight, Piece::Rook);
    check(diagonal | straight, Piece::Queen);

    if board.colored_pieces(!color, Piece::Queen).is_empty() {
        danger -= NO_QUEEN;
    }
    let excess = (danger - DANGER_FREE).max(0);
    // Quadratic at first, because attackers help each other; then linear and capped, so that an
    // attack is never worth more than a queen.
    let mg = if excess < 400 {
        excess * excess / 800
    } else {
        excess - 200
    };
    s(mg.min(700), excess / 12)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn white_safety(fen: &str) -> ScorePair {
        let position = Position::from_fen(fen).unwrap();
        let attacks = Attacks::new(position.board());
        safety(position.board(), Color::White, &attacks)
    }

    #[test]
    fn pawns_before_the_king_are_shelter() {
        let closed = white_safety("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1");
        let open = white_safety("6k1/5ppp/8/8/8/8/PPP5/6K1 w - - 0 1");
        assert!(closed.mg > open.mg + 40, "{closed:?} {open:?}");
    }

    #[test]
    fn attackers_near_the_king_are_danger() {
        let calm = white_safety("r2q2k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1");
        let stormed = white_safety("6k1/5ppp/8/8/5n2/7q/5PrP/6K1 w - - 0 1");
        assert!(stormed.mg < calm.mg - 80, "{stormed:?} {calm:?}");
    }
}
