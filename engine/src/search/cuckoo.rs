//! The moves between two positions that differ by one reversible move.
//!
//! A reversible move changes the key by a number that depends on piece and squares only. A cuckoo
//! hash table of all these numbers (M. N. J. van Kervinck, "The design and implementation of the
//! Rookie 2.0 chess playing program", 2008) finds the move between two positions in two look-ups.

use std::sync::LazyLock;

use cozy_chess::{
    Color, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};

use crate::zobrist::key_difference;

const SLOTS: usize = 8192;

/// The squares of each reversible move, by the difference of keys that it makes.
pub(super) struct Cuckoo {
    keys: Vec<u64>,
    squares: Vec<[Square; 2]>,
}

static CUCKOO: LazyLock<Cuckoo> = LazyLock::new(Cuckoo::new);

/// The two slots of a key.
fn slots(key: u64) -> [usize; 2] {
    [key, key >> 16].map(|part| part as usize % SLOTS)
}

impl Cuckoo {
    pub fn table() -> &'static Self {
        &CUCKOO
    }

    fn new() -> Self {
        let mut table = Self {
            keys: vec![0; SLOTS],
            squares: vec![[Square::A1; 2]; SLOTS],
        };
        for (key, squares) in differences() {
            table.insert(key, squares);
        }
        table
    }

    fn insert(&mut self, mut key: u64, mut squares: [Square; 2]) {
        let mut slot = slots(key)[0];
        loop {
            std::mem::swap(&mut self.keys[slot], &mut key);
            std::mem::swap(&mut self.squares[slot], &mut squares);
            if key == 0 {
                return;
            }
            // The evicted entry goes to its other slot.
            let [first, second] = slots(key);
            slot = if slot == first { second } else { first };
        }
    }

    pub fn squares(&self, difference: u64) -> Option<[Square; 2]> {
        let slot = slots(difference)
            .into_iter()
            .find(|&slot| self.keys[slot] == difference)?;
        Some(self.squares[slot])
    }
}

/// The change of the key by each reversible move, with the move's squares in either order.
fn differences() -> impl Iterator<Item = (u64, [Square; 2])> {
    let moves = |piece: Piece, from: Square| match piece {
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, from.bitboard()),
        Piece::Rook => get_rook_moves(from, from.bitboard()),
        Piece::Queen => {
            get_bishop_moves(from, from.bitboard()) | get_rook_moves(from, from.bitboard())
        }
        _ => get_king_moves(from),
    };
    Color::ALL.into_iter().flat_map(move |color| {
        Piece::ALL.into_iter().skip(1).flat_map(move |piece| {
            Square::ALL.into_iter().flat_map(move |from| {
                let targets = moves(piece, from).into_iter().filter(move |&to| to > from);
                targets.map(move |to| (key_difference(color, piece, from, to), [from, to]))
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn every_reversible_move_is_found_by_its_difference() {
        // Both colours: 168 pairs of squares a knight's move apart, 280 a bishop's, 448 a rook's,
        // both of these a queen's, and 210 a king's.
        let all: Vec<_> = differences().collect();
        assert_eq!(all.len(), 2 * (168 + 280 + 448 + 728 + 210));
        for (key, squares) in all {
            assert_eq!(Cuckoo::table().squares(key), Some(squares));
        }
        assert_eq!(Cuckoo::table().squares(12345), None);
    }

    #[test]
    fn differences_do_not_depend_on_the_rest_of_the_board() {
        let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
        let position = Position::from_fen(fen).unwrap();
        for text in ["c6d4", "f8d6", "d8h4"] {
            let mv = position.parse_move(text, false).unwrap();
            let key = position.key() ^ position.play(mv).key();
            let mut squares = Cuckoo::table().squares(key).unwrap();
            squares.sort();
            assert_eq!(squares, [mv.from.min(mv.to), mv.from.max(mv.to)], "{text}");
        }
        // A pawn move is not reversible.
        let mv = position.parse_move("d7d6", false).unwrap();
        assert_eq!(
            Cuckoo::table().squares(position.key() ^ position.play(mv).key()),
            None
        );
    }
}
