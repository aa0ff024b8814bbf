//! King and pawn against king: which positions are won, by retrograde analysis.
//!
//! The pawn is White's and on the files a to d; other positions are mirrored. The positions with
//! the same pawn, White king and side to move form a bitboard of Black kings, so that whole sets
//! are computed at once and the table takes well under a millisecond when it is first needed.

use std::sync::OnceLock;

use cozy_chess::{BitBoard, Color, File, Rank, Square, get_king_moves, get_pawn_attacks};

/// Won positions by side to move, pawn and White king, as sets of Black kings.
type Wins = Vec<[[BitBoard; 64]; PAWNS]>;

const PAWNS: usize = 24;

static WINS: OnceLock<Wins> = OnceLock::new();

/// Whether `strong`, the side with the pawn, wins with `side` to move.
pub fn is_won(strong: Color, pawn: Square, king: Square, other_king: Square, side: Color) -> bool {
    let mirror = pawn.file() > File::D;
    let normalise = |square: Square| {
        let square = square.relative_to(strong);
        if mirror { square.flip_file() } else { square }
    };
    let wins = &wins()[usize::from(side != strong)];
    wins[index(normalise(pawn))][normalise(king) as usize].has(normalise(other_king))
}

fn wins() -> &'static Wins {
    WINS.get_or_init(compute)
}

fn index(pawn: Square) -> usize {
    (pawn.rank() as usize - 1) * 4 + pawn.file() as usize
}

fn compute() -> Wins {
    let mut wins = vec![[[BitBoard::EMPTY; 64]; PAWNS]; 2];
    // A push leads to a higher rank, so the highest comes first.
    for rank in (1..7).rev() {
        for file in 0..4 {
            let pawn = Square::new(File::index(file), Rank::index(rank));
            while improve(&mut wins, pawn) {}
        }
    }
    wins
}

/// Adds the positions with this pawn from which a move leads to known wins, or, for Black, every
/// move. Returns whether there were any.
fn improve(wins: &mut [[[BitBoard; 64]; PAWNS]], pawn: Square) -> bool {
    const WHITE: usize = Color::White as usize;
    const BLACK: usize = Color::Black as usize;
    let this = index(pawn);
    let checks = get_pawn_attacks(pawn, Color::White);
    let push = |steps: usize| Square::new(pawn.file(), Rank::index(pawn.rank() as usize + steps));
    let stop = push(1);
    let mut changed = false;
    for king in Square::ALL.into_iter().filter(|&king| king != pawn) {
        let near = get_king_moves(king);
        let legal = !(near | king.bitboard() | pawn.bitboard());

        let mut won = BitBoard::EMPTY;
        for to in near & !pawn.bitboard() {
            won |= wins[BLACK][this][to as usize];
        }
        if stop != king {
            if stop.rank() == Rank::Eighth {
                let can_take = if near.has(stop) {
                    BitBoard::EMPTY
                } else {
                    get_king_moves(stop)
                };
                won |= !(can_take | stop.bitboard());
            } else {
                won |= wins[BLACK][index(stop)][king as usize];
                if pawn.rank() == Rank::Second && push(2) != king {
                    let double = wins[BLACK][index(push(2))][king as usize];
                    won |= double & !stop.bitboard();
                }
            }
        }
        won &= legal & !checks;
        changed |= won != wins[WHITE][this][king as usize];
        wins[WHITE][this][king as usize] = won;

        // Black loses if there is a move and none leads to a draw. Taking the pawn draws.
        let targets = legal & !checks;
        let mut draws = targets & !won;
        if !near.has(pawn) {
            draws |= pawn.bitboard();
        }
        let lost = legal & !neighbours(draws) & neighbours(targets);
        changed |= lost != wins[BLACK][this][king as usize];
        wins[BLACK][this][king as usize] = lost;
    }
    changed
}

/// The squares from which a king can move to one of these.
fn neighbours(squares: BitBoard) -> BitBoard {
    squares
        .into_iter()
        .fold(BitBoard::EMPTY, |sum, square| sum | get_king_moves(square))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_won_positions_is_the_known_one() {
        let won: u32 = wins()
            .iter()
            .flatten()
            .flatten()
            .map(|black_kings| black_kings.len())
            .sum();
        assert_eq!(won, 111_282);
    }

    #[test]
    fn textbook_positions() {
        let won = |pawn, king, other, side| is_won(Color::White, pawn, king, other, side);
        // The king on the sixth rank before its pawn wins with either side to move.
        assert!(won(Square::E5, Square::E6, Square::E8, Color::White));
        assert!(won(Square::E5, Square::E6, Square::E8, Color::Black));
        // With the opposition Black draws, without it he loses.
        assert!(!won(Square::E4, Square::E5, Square::E7, Color::White));
        assert!(won(Square::E4, Square::E5, Square::E7, Color::Black));
        // A rook pawn.
        assert!(!won(Square::A5, Square::A6, Square::A8, Color::White));
        assert!(!won(Square::H5, Square::G6, Square::H8, Color::White));
        // Outside the square of the pawn.
        assert!(won(Square::A4, Square::H1, Square::F4, Color::White));
        // The same for Black, mirrored.
        assert!(is_won(
            Color::Black,
            Square::D4,
            Square::D3,
            Square::D1,
            Color::Black
        ));
        assert!(!is_won(
            Color::Black,
            Square::D5,
            Square::D4,
            Square::D2,
            Color::Black
        ));
    }
}
