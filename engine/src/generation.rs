//! Legal moves by kind: noisy ones (captures and promotions) apart from quiet ones.
//!
//! A node that fails high on a capture needs no quiet moves, nor does quiescence search. The
//! library generates both at once, testing every square of a king move, so each kind is generated
//! here from its attack tables. Within a kind, the order is the library's: pawns, knights,
//! bishops, rooks, queens, king, pinned pieces after the others.

use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, PieceMoves, Rank, Square, get_between_rays,
    get_bishop_moves, get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks,
    get_pawn_quiets, get_rook_moves,
};

/// Pieces, in the order of generation, that are neither pawns nor kings.
const OFFICERS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
const LAST_RANKS: BitBoard = BitBoard(Rank::First.bitboard().0 | Rank::Eighth.bitboard().0);

/// Calls `add` with the captures, also en passant, and the promotions.
#[inline]
pub fn noisy(board: &Board, mut add: impl FnMut(PieceMoves)) {
    let us = board.side_to_move();
    let theirs = board.colors(!us);
    let targets = check_targets(board);
    if !targets.is_empty() {
        let victims = theirs & targets;
        let promoting = Rank::Seventh.relative_to(us).bitboard();
        let movers = board.colored_pieces(us, Piece::Pawn) & (attackers(us, victims) | promoting);
        for_each(board, movers, |from, line| {
            let pushes = if promoting.has(from) {
                get_pawn_quiets(from, us, board.occupied())
            } else {
                BitBoard::EMPTY
            };
            let to = (get_pawn_attacks(from, us) & victims | pushes & targets) & line;
            report(Piece::Pawn, from, to, &mut add);
        });
        en_passant(board, &mut add);
        officers(board, victims, &mut add);
    }
    let king = board.king(us);
    report(Piece::King, king, king_moves(board, theirs), &mut add);
}

/// Calls `add` with all other moves. Castling is the king taking its rook.
#[inline]
pub fn quiet(board: &Board, mut add: impl FnMut(PieceMoves)) {
    let us = board.side_to_move();
    let free = !board.occupied();
    let targets = check_targets(board);
    if !targets.is_empty() {
        let movers = board.colored_pieces(us, Piece::Pawn) & behind(us, free);
        for_each(board, movers, |from, line| {
            let pushes = get_pawn_quiets(from, us, board.occupied());
            let to = pushes & targets & line & !LAST_RANKS;
            report(Piece::Pawn, from, to, &mut add);
        });
        officers(board, free & targets, &mut add);
    }
    let king = board.king(us);
    let to = king_moves(board, free) | castling(board, king);
    report(Piece::King, king, to, &mut add);
}

#[inline]
fn report(piece: Piece, from: Square, to: BitBoard, add: &mut impl FnMut(PieceMoves)) {
    if !to.is_empty() {
        add(PieceMoves { piece, from, to });
    }
}

/// The squares to which pieces other than the king may move: in check, the checker and the squares
/// between it and the king; none in double check.
fn check_targets(board: &Board) -> BitBoard {
    let checkers = board.checkers();
    match checkers.next_square() {
        None => BitBoard::FULL,
        Some(checker) if checkers.len() == 1 => {
            get_between_rays(checker, board.king(board.side_to_move())) | checkers
        }
        Some(_) => BitBoard::EMPTY,
    }
}

/// Calls `visit` with each piece and the squares to which a pin confines it, if any. In check, a
/// pinned piece has no moves.
#[inline]
fn for_each(board: &Board, pieces: BitBoard, mut visit: impl FnMut(Square, BitBoard)) {
    let pinned = board.pinned();
    for from in pieces & !pinned {
        visit(from, BitBoard::FULL);
    }
    if board.checkers().is_empty() {
        let king = board.king(board.side_to_move());
        for from in pieces & pinned {
            visit(from, get_line_rays(king, from));
        }
    }
}

#[inline]
fn officers(board: &Board, targets: BitBoard, add: &mut impl FnMut(PieceMoves)) {
    let us = board.side_to_move();
    let occupied = board.occupied();
    for piece in OFFICERS {
        for_each(board, board.colored_pieces(us, piece), |from, line| {
            let to = match piece {
                Piece::Knight => get_knight_moves(from),
                Piece::Bishop => get_bishop_moves(from, occupied),
                Piece::Rook => get_rook_moves(from, occupied),
                _ => get_bishop_moves(from, occupied) | get_rook_moves(from, occupied),
            };
            report(piece, from, to & targets & line, add);
        });
    }
}

fn en_passant(board: &Board, add: &mut impl FnMut(PieceMoves)) {
    let Some(file) = board.en_passant() else {
        return;
    };
    let us = board.side_to_move();
    let to = Square::new(file, Rank::Sixth.relative_to(us));
    for from in get_pawn_attacks(to, !us) & board.colored_pieces(us, Piece::Pawn) {
        let mv = Move {
            from,
            to,
            promotion: None,
        };
        if board.is_legal(mv) {
            report(Piece::Pawn, from, to.bitboard(), add);
        }
    }
}

/// The king's moves to these squares, without castling.
fn king_moves(board: &Board, targets: BitBoard) -> BitBoard {
    let moves = get_king_moves(board.king(board.side_to_move())) & targets;
    let safe = moves.into_iter().filter(|&to| is_safe(board, to));
    safe.fold(BitBoard::EMPTY, |set, to| set | to.bitboard())
}

/// Whether the king would not be attacked on the square.
fn is_safe(board: &Board, square: Square) -> bool {
    let us = board.side_to_move();
    let theirs = board.colors(!us);
    let occupied = board.occupied() ^ board.king(us).bitboard() | square.bitboard();
    let of = |piece| board.pieces(piece) & theirs;
    let queens = of(Piece::Queen);
    let jumpers = get_knight_moves(square) & of(Piece::Knight)
        | get_king_moves(square) & of(Piece::King)
        | get_pawn_attacks(square, us) & of(Piece::Pawn);
    jumpers.is_empty()
        && (get_bishop_moves(square, occupied) & (of(Piece::Bishop) | queens)).is_empty()
        && (get_rook_moves(square, occupied) & (of(Piece::Rook) | queens)).is_empty()
}

/// The rooks with which the king may castle.
fn castling(board: &Board, king: Square) -> BitBoard {
    let us = board.side_to_move();
    if !board.checkers().is_empty() {
        return BitBoard::EMPTY;
    }
    let rights = board.castle_rights(us);
    let rook = |file: Option<File>| {
        let rook = Square::new(file?, Rank::First.relative_to(us));
        let mv = Move {
            from: king,
            to: rook,
            promotion: None,
        };
        board.is_legal(mv).then_some(rook.bitboard())
    };
    let none = BitBoard::EMPTY;
    rook(rights.short).unwrap_or(none) | rook(rights.long).unwrap_or(none)
}

/// The squares from which a pawn of this side attacks one of the targets: those that pawns of the
/// other side on the targets attack.
pub fn attackers(us: Color, targets: BitBoard) -> BitBoard {
    let left = (targets & !File::H.bitboard()).0;
    let right = (targets & !File::A.bitboard()).0;
    BitBoard(match us {
        Color::White => left >> 7 | right >> 9,
        Color::Black => left << 9 | right << 7,
    })
}

/// The squares from which one step forward leads to one of the targets.
fn behind(us: Color, targets: BitBoard) -> BitBoard {
    BitBoard(match us {
        Color::White => targets.0 >> 8,
        Color::Black => targets.0 << 8,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::random::SplitMix;

    fn moves(generate: impl FnOnce(&mut dyn FnMut(PieceMoves))) -> Vec<Move> {
        let mut moves = Vec::new();
        generate(&mut |set| moves.extend(set));
        moves
    }

    /// Both kinds, in this order, are the library's moves in its order.
    fn check(position: &Position) {
        let board = position.board();
        let (mut expected_noisy, mut expected_quiet) = (Vec::new(), Vec::new());
        for mv in position.moves() {
            if position.is_noisy(mv) {
                expected_noisy.push(mv);
            } else {
                expected_quiet.push(mv);
            }
        }
        assert_eq!(moves(|add| noisy(board, add)), expected_noisy, "{board}");
        assert_eq!(moves(|add| quiet(board, add)), expected_quiet, "{board}");
    }

    #[test]
    fn both_kinds_together_are_all_legal_moves() {
        let mut random = SplitMix::new(5);
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            // En passant would open the rank, and would not.
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
            // Pinned pawns that may advance, capture, or neither; two checkers.
            "4k3/4p3/8/b7/8/4R3/3P4/4K3 w - - 0 1",
            "4r1k1/8/8/7b/7b/4p3/4PP2/3NK3 w - - 0 1",
            "4k3/8/8/8/7b/3n4/8/4K2R w K - 0 1",
            "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1",
            // Chess960.
            "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w BGbg - 0 1",
            "5rkr/8/8/8/8/8/8/5RKR b FHfh - 0 1",
        ] {
            let root = Position::from_fen(fen).unwrap();
            for _ in 0..20 {
                let mut position = root.clone();
                for _ in 0..80 {
                    check(&position);
                    let moves = position.moves();
                    if moves.is_empty() {
                        break;
                    }
                    position = position.play(moves[random.below(moves.len() as u64) as usize]);
                }
            }
        }
    }
}
