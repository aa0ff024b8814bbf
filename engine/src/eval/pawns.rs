//! Pawn structure, cached by pawn key, and passed pawns, which depend on the pieces too.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};

use super::mobility::{Attacks, ahead, forward, pawn_attacks};
use super::score_pair::ScorePair;
use super::tables::{
    BACKWARD, DOUBLED, ENEMY_KING_DISTANCE, ISOLATED, OWN_KING_DISTANCE, PASSED, PASSED_FREE,
    PHALANX, ROOK_BEHIND, SUPPORTED,
};
use crate::position::Position;

const ENTRIES: usize = 1 << 13;

/// Evaluation terms that depend on pawns only.
#[derive(Clone, Copy, Default)]
pub struct PawnEntry {
    key: u64,
    /// White's minus Black's.
    pub structure: ScorePair,
    pub passed: [BitBoard; 2],
}

pub struct PawnCache {
    entries: Box<[PawnEntry]>,
}

impl Default for PawnCache {
    fn default() -> Self {
        Self {
            entries: vec![PawnEntry::default(); ENTRIES].into_boxed_slice(),
        }
    }
}

impl PawnCache {
    pub fn probe(&mut self, position: &Position) -> PawnEntry {
        let key = position.pawn_key();
        let slot = &mut self.entries[key as usize % ENTRIES];
        // A key of zero means no pawns, for which the default entry is correct.
        if slot.key != key {
            *slot = compute(position.board(), key);
        }
        *slot
    }
}

fn compute(board: &Board, key: u64) -> PawnEntry {
    let (white, white_passed) = structure(board, Color::White);
    let (black, black_passed) = structure(board, Color::Black);
    PawnEntry {
        key,
        structure: white - black,
        passed: [white_passed, black_passed],
    }
}

fn structure(board: &Board, color: Color) -> (ScorePair, BitBoard) {
    let ours = board.colored_pieces(color, Piece::Pawn);
    let theirs = board.colored_pieces(!color, Piece::Pawn);
    let our_attacks = pawn_attacks(ours, color);
    let their_attacks = pawn_attacks(theirs, !color);
    let their_span = pawn_attacks(theirs | ahead(theirs, !color), !color) | ahead(theirs, !color);
    let mut sum = ScorePair::default();
    let mut passed = BitBoard::EMPTY;
    for square in ours {
        let pawn = square.bitboard();
        let rank = square.rank().relative_to(color) as usize;
        let neighbours = ours & square.file().adjacent();
        if !(ahead(pawn, color) & ours).is_empty() {
            sum += DOUBLED;
        } else if !their_span.has(square) {
            passed |= pawn;
        }
        if our_attacks.has(square) {
            sum += SUPPORTED[rank];
        } else if neighbours.is_empty() {
            sum += ISOLATED;
        } else {
            // Behind all its neighbours, and the square in front is attacked by a pawn.
            let level = pawn | ahead(pawn, !color);
            let beside = level_neighbours(level);
            let stop = forward(pawn, color);
            if (neighbours & beside).is_empty() && !(stop & their_attacks).is_empty() {
                sum += BACKWARD;
            }
        }
        if !(neighbours & square.rank().bitboard() & beside_square(square)).is_empty() {
            sum += PHALANX[rank];
        }
    }
    (sum, passed)
}

fn level_neighbours(squares: BitBoard) -> BitBoard {
    let west = BitBoard((squares & !File::A.bitboard()).0 >> 1);
    let east = BitBoard((squares & !File::H.bitboard()).0 << 1);
    west | east
}

fn beside_square(square: Square) -> BitBoard {
    level_neighbours(square.bitboard())
}

/// Bonus for passed pawns, which depends on the other pieces.
pub fn passed(board: &Board, color: Color, pawns: BitBoard, attacks: &Attacks) -> ScorePair {
    let mut sum = ScorePair::default();
    let (own_king, other_king) = (board.king(color), board.king(!color));
    let rooks = board.colored_pieces(color, Piece::Rook);
    for square in pawns {
        let pawn = square.bitboard();
        let rank = square.rank().relative_to(color);
        sum += PASSED[rank as usize];
        let Some(stop) = forward(pawn, color).next_square() else {
            continue;
        };
        if !board.occupied().has(stop) && !attacks.all[!color as usize].has(stop) {
            sum += PASSED_FREE[rank as usize];
        }
        let step = (rank as i32 - Rank::Third as i32).max(0);
        sum += ENEMY_KING_DISTANCE * (step * distance(other_king, stop));
        sum += OWN_KING_DISTANCE * (step * distance(own_king, stop));
        if !(ahead(pawn, !color) & rooks).is_empty() {
            sum += ROOK_BEHIND;
        }
    }
    sum
}

pub fn distance(from: Square, to: Square) -> i32 {
    let files = (from.file() as i32 - to.file() as i32).abs();
    let ranks = (from.rank() as i32 - to.rank() as i32).abs();
    files.max(ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(fen: &str) -> PawnEntry {
        PawnCache::default().probe(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn passed_pawns_are_found() {
        let found = entry("4k3/p6p/8/3P4/8/2p5/PP5P/4K3 w - - 0 1");
        assert_eq!(found.passed[0], Square::D5.bitboard());
        assert_eq!(found.passed[1], BitBoard::EMPTY);
        // Only the foremost of two doubled pawns is passed.
        let doubled = entry("4k3/8/8/3P4/3P4/8/8/4K3 w - - 0 1");
        assert_eq!(doubled.passed[0], Square::D5.bitboard());
    }

    #[test]
    fn weak_pawns_cost() {
        let sound = entry("4k3/8/8/8/8/8/2PP4/4K3 w - - 0 1").structure;
        let doubled = entry("4k3/8/8/8/8/3P4/3P4/4K3 w - - 0 1").structure;
        assert!(doubled.eg < sound.eg && doubled.mg < sound.mg);
    }

    #[test]
    fn no_pawns_no_structure() {
        let bare = entry("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(bare.structure, ScorePair::default());
        assert_eq!(bare.passed, [BitBoard::EMPTY; 2]);
    }
}
