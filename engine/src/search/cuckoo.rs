//! Upcoming repetitions: whether the side to move can go back to a position of the game or line.
//!
//! A reversible move changes the key by a number that depends on piece and squares only. A cuckoo
//! hash table of all these numbers (M. N. J. van Kervinck, "The design and implementation of the
//! Rookie 2.0 chess playing program", 2008) finds the move between two positions in two look-ups.

use std::sync::LazyLock;

use cozy_chess::{
    Color, Piece, Square, get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

use super::Searcher;
use crate::position::Position;
use crate::zobrist::key_difference;

const SLOTS: usize = 8192;

/// The squares of each reversible move, by the difference of keys that it makes.
pub(super) struct Cuckoo {
    keys: Vec<u64>,
    squares: Vec<[Square; 2]>,
}

static CUCKOO: LazyLock<Cuckoo> = LazyLock::new(Cuckoo::new);

/// The two places of a key.
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
            // What was there goes to its other place.
            let [first, second] = slots(key);
            slot = if slot == first { second } else { first };
        }
    }

    fn squares(&self, difference: u64) -> Option<[Square; 2]> {
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

impl Searcher<'_> {
    /// Whether a move leads back to a position of the line, or to one that would then have occurred
    /// for the third time in the game. Such a node is worth a draw at least.
    pub(super) fn can_repeat(&self, position: &Position) -> bool {
        let board = position.board();
        let last = self.keys.len() - 1;
        let plies = position.reversible_plies().min(last);
        (3..=plies).step_by(2).any(|back| {
            let earlier = self.keys[last - back];
            let Some([a, b]) = self.cuckoo.squares(position.key() ^ earlier) else {
                return false;
            };
            let (from, to) = if board.occupied().has(a) {
                (a, b)
            } else {
                (b, a)
            };
            let is_free =
                (board.occupied() & (get_between_rays(from, to) | to.bitboard())).is_empty();
            if !is_free || !board.colors(position.side()).has(from) {
                return false;
            }
            // The root belongs to both the game and the line.
            let in_line = last - back >= self.game_keys - 1;
            let twice = || {
                (back + 4..=plies)
                    .step_by(2)
                    .any(|more| self.keys[last - more] == earlier)
            };
            in_line || twice()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_searcher::with_searcher;
    use super::*;
    use crate::params::Params;

    const START: &str = "7k/7p/8/8/8/8/7P/R6K w - - 0 1";
    /// Black can go back to the corner now, and the position of the start is there again.
    const THERE_AND_HALF_BACK: [&str; 3] = ["a1b1", "h8g8", "b1a1"];

    /// Plays moves from the start, `in_line` of them within the search, and asks.
    fn can_repeat(moves: &[&str], in_line: usize) -> bool {
        let mut position = Position::from_fen(START).unwrap();
        let (game, line) = moves.split_at(moves.len() - in_line);
        let mut keys = Vec::new();
        for text in game {
            keys.push(position.key());
            position = position.play(position.parse_move(text, false).unwrap());
        }
        with_searcher(&Params::default(), &position, &keys, |mut searcher| {
            let mut position = position.clone();
            for (ply, text) in line.iter().enumerate() {
                let mv = position.parse_move(text, false).unwrap();
                position = searcher.play(&position, mv, ply);
            }
            searcher.can_repeat(&position)
        })
    }

    #[test]
    fn one_repetition_is_enough_in_the_line_and_a_second_is_needed_in_the_game() {
        let [there, away, back] = THERE_AND_HALF_BACK;
        assert!(can_repeat(&THERE_AND_HALF_BACK, 3));
        assert!(!can_repeat(&THERE_AND_HALF_BACK[..2], 2));
        assert!(
            !can_repeat(&THERE_AND_HALF_BACK, 0),
            "once before, in the game"
        );
        let twice = [there, away, back, "g8h8", there, away, back];
        assert!(can_repeat(&twice, 0), "twice before, in the game");
        // Something else has changed: the pawn cannot go back.
        assert!(!can_repeat(&["h2h3", "h8g8", "a1b1", "g8h8", "b1c1"], 5));
    }

    #[test]
    fn a_position_was_repeated_across_a_null_move() {
        let position = Position::from_fen(START).unwrap();
        with_searcher(&Params::default(), &position, &[], |mut searcher| {
            let mv = |position: &Position, text| position.parse_move(text, false).unwrap();
            // Black goes there and back while White passes twice: the start again, but not in a game.
            let black = searcher.play_null_move(&position, 0).unwrap();
            let white = searcher.play(&black, mv(&black, "h8g8"), 1);
            let black = searcher.play_null_move(&white, 2).unwrap();
            assert!(!searcher.can_repeat(&black));
            let white = searcher.play(&black, mv(&black, "g8h8"), 3);
            assert_eq!(white.key(), position.key());
            assert!(!searcher.is_draw(&white));
        });
    }

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
        // A pawn's move cannot be taken back.
        let mv = position.parse_move("d7d6", false).unwrap();
        assert_eq!(
            Cuckoo::table().squares(position.key() ^ position.play(mv).key()),
            None
        );
    }
}
