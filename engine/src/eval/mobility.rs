//! Attack maps of both sides and the terms computed with them: mobility, rooks on open files,
//! threats.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Rank, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

use super::score_pair::ScorePair;
use super::tables::{
    BISHOP_MOBILITY, HANGING, KING_ATTACK, KNIGHT_MOBILITY, MINOR_HITS_ROOK, OUTPOST,
    PAWN_HITS_PIECE, QUEEN_MOBILITY, ROOK_HALF_OPEN_FILE, ROOK_HITS_QUEEN, ROOK_MOBILITY,
    ROOK_OPEN_FILE, ROOK_SEVENTH,
};

/// Attack maps, built once per position.
pub struct Attacks {
    /// By colour and piece.
    pub by: [[BitBoard; 6]; 2],
    pub all: [BitBoard; 2],
    /// Squares attacked at least twice.
    pub twice: [BitBoard; 2],
    pub mobility: [ScorePair; 2],
    /// Number and weight of a side's attacks on the squares around the other king.
    pub king_attackers: [i32; 2],
    pub king_attack_weight: [i32; 2],
}

impl Attacks {
    pub fn new(board: &Board) -> Self {
        let mut attacks = Self {
            by: [[BitBoard::EMPTY; 6]; 2],
            all: [BitBoard::EMPTY; 2],
            twice: [BitBoard::EMPTY; 2],
            mobility: [ScorePair::default(); 2],
            king_attackers: [0; 2],
            king_attack_weight: [0; 2],
        };
        for color in Color::ALL {
            let pawns = pawn_attacks(board.colored_pieces(color, Piece::Pawn), color);
            attacks.record(color, Piece::Pawn, pawns);
            attacks.record(color, Piece::King, get_king_moves(board.king(color)));
        }
        for color in Color::ALL {
            attacks.add_pieces(board, color);
        }
        attacks
    }

    fn record(&mut self, color: Color, piece: Piece, targets: BitBoard) {
        let side = color as usize;
        self.twice[side] |= self.all[side] & targets;
        self.all[side] |= targets;
        self.by[side][piece as usize] |= targets;
    }

    fn add_pieces(&mut self, board: &Board, color: Color) {
        let side = color as usize;
        let occupied = board.occupied();
        let own_pawns = board.colored_pieces(color, Piece::Pawn);
        let all_pawns = board.pieces(Piece::Pawn);
        let pawn_cover = self.by[!color as usize][Piece::Pawn as usize];
        let area = !(pawn_cover | own_pawns | board.colored_pieces(color, Piece::King));
        let ring = king_ring(board, !color);
        let own_queens = board.colored_pieces(color, Piece::Queen);
        let own_rooks = board.colored_pieces(color, Piece::Rook);
        let mut sum = ScorePair::default();
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            for square in board.colored_pieces(color, piece) {
                let targets = match piece {
                    Piece::Knight => get_knight_moves(square),
                    Piece::Bishop => get_bishop_moves(square, occupied & !own_queens),
                    Piece::Rook => get_rook_moves(square, occupied & !own_queens & !own_rooks),
                    _ => get_bishop_moves(square, occupied) | get_rook_moves(square, occupied),
                };
                self.record(color, piece, targets);
                let reach = (targets & area).len() as usize;
                match piece {
                    Piece::Knight => sum += KNIGHT_MOBILITY[reach],
                    Piece::Bishop => sum += BISHOP_MOBILITY[reach],
                    Piece::Rook => sum += ROOK_MOBILITY[reach],
                    _ => sum += QUEEN_MOBILITY[reach],
                }
                if !(targets & ring).is_empty() {
                    self.king_attackers[side] += 1;
                    self.king_attack_weight[side] +=
                        KING_ATTACK[piece as usize] * (targets & ring).len().min(3) as i32;
                }
                if piece == Piece::Rook {
                    let file = square.file().bitboard();
                    if (file & all_pawns).is_empty() {
                        sum += ROOK_OPEN_FILE;
                    } else if (file & own_pawns).is_empty() {
                        sum += ROOK_HALF_OPEN_FILE;
                    }
                    if square.rank().relative_to(color) == Rank::Seventh {
                        sum += ROOK_SEVENTH;
                    }
                }
            }
        }
        let minors =
            board.colored_pieces(color, Piece::Knight) | board.colored_pieces(color, Piece::Bishop);
        let camp = [Rank::Fourth, Rank::Fifth, Rank::Sixth]
            .into_iter()
            .fold(BitBoard::EMPTY, |ranks, rank| {
                ranks | rank.relative_to(color).bitboard()
            });
        let safe = self.by[side][Piece::Pawn as usize] & camp & !pawn_span(board, !color);
        self.mobility[side] = sum + OUTPOST * (minors & safe).len() as i32;
    }
}

/// Bonus for attacks on more valuable or undefended pieces.
pub fn threats(board: &Board, color: Color, attacks: &Attacks) -> ScorePair {
    let (us, them) = (color as usize, !color as usize);
    let by = |piece: Piece| attacks.by[us][piece as usize];
    let theirs = |piece| board.colored_pieces(!color, piece);
    let rooks = theirs(Piece::Rook);
    let queens = theirs(Piece::Queen);
    let pieces = theirs(Piece::Knight) | theirs(Piece::Bishop) | rooks | queens;
    let hanging = board.colors(!color) & attacks.all[us] & !attacks.all[them];
    let minors = by(Piece::Knight) | by(Piece::Bishop);
    PAWN_HITS_PIECE * (pieces & by(Piece::Pawn)).len() as i32
        + MINOR_HITS_ROOK * ((rooks | queens) & minors).len() as i32
        + ROOK_HITS_QUEEN * (queens & by(Piece::Rook)).len() as i32
        + HANGING * hanging.len() as i32
}

/// The squares around a king, with the three in front of them.
pub fn king_ring(board: &Board, color: Color) -> BitBoard {
    let king = board.king(color);
    let near = get_king_moves(king) | king.bitboard();
    near | forward(near, color)
}

/// All squares one rank ahead.
pub fn forward(squares: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(squares.0 << 8),
        Color::Black => BitBoard(squares.0 >> 8),
    }
}

/// All squares ahead on the same files.
pub fn ahead(squares: BitBoard, color: Color) -> BitBoard {
    let mut filled = forward(squares, color);
    filled |= forward(filled, color);
    filled |= forward(forward(filled, color), color);
    filled
        | forward(
            forward(forward(forward(filled, color), color), color),
            color,
        )
}

pub fn pawn_attacks(pawns: BitBoard, color: Color) -> BitBoard {
    let front = forward(pawns, color);
    let west = BitBoard((front & !File::A.bitboard()).0 >> 1);
    let east = BitBoard((front & !File::H.bitboard()).0 << 1);
    west | east
}

/// All squares that a side's pawns attack or may come to attack by advancing.
pub fn pawn_span(board: &Board, color: Color) -> BitBoard {
    let pawns = board.colored_pieces(color, Piece::Pawn);
    pawn_attacks(pawns | ahead(pawns, color), color)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::{Square, get_pawn_attacks};

    #[test]
    fn sets_of_pawn_attacks_match_single_ones() {
        for color in Color::ALL {
            for square in Square::ALL {
                assert_eq!(
                    pawn_attacks(square.bitboard(), color),
                    get_pawn_attacks(square, color)
                );
            }
        }
    }

    #[test]
    fn ahead_covers_the_rest_of_the_file() {
        let d4 = Square::D4.bitboard();
        let file = File::D.bitboard();
        assert_eq!(ahead(d4, Color::White) | ahead(d4, Color::Black) | d4, file);
        assert!(ahead(d4, Color::White).has(Square::D8));
        assert_eq!(ahead(d4, Color::White).len(), 4);
        assert_eq!(ahead(Square::A1.bitboard(), Color::White).len(), 7);
    }
}
