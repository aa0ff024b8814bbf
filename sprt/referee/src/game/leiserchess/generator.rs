//! Candidates for new openings: random legal moves from the start position that zap nothing.
//!
//! A candidate is a pure function of the seed and its number. Which candidates are fair is for an
//! engine to say. The course's players have a book that is keyed on the moves played, so a book holds
//! lines of moves and no positions.

use std::path::Path;

use foundation::Failure;

use super::fen::{OPENING, parse_fen};
use super::play::{LeiserGame, key};
use crate::game::{Candidate, Game as _, Generator};
use crate::shuffle::Stream;

/// Lines of random moves, one a line.
pub(super) static RANDOM_LINES: RandomLines = RandomLines;

pub(super) struct RandomLines;

impl Generator for RandomLines {
    fn draw(&self, seed: u64, number: u64, plies: u32) -> Option<Candidate> {
        let mut stream = Stream::new(seed, number);
        // No line is long enough to be a draw for want of zaps.
        let mut game = LeiserGame::new(parse_fen(OPENING).ok()?, u32::MAX);
        let mut moves = Vec::new();
        for _ in 0..plies {
            let mut legal = game.legal_moves();
            let drawn = legal.swap_remove(stream.below(legal.len() as u32) as usize);
            game.play(&drawn).ok()?;
            moves.push(drawn);
            if game.last_move_is_irreversible() {
                return None;
            }
        }
        game.ending().is_none().then(|| Candidate {
            key: key(game.board()),
            moves,
        })
    }

    fn can_write(&self, path: &Path, _plies: u32) -> Result<(), Failure> {
        if path.extension().is_some_and(|extension| extension == "bin") {
            return Err(
                Failure::unable("the packed form of a book is for chess only")
                    .hint("write lines of moves: any name that does not end in .bin"),
            );
        }
        Ok(())
    }

    fn write(&self, _path: &Path, _plies: u32, openings: &[Candidate]) -> Result<Vec<u8>, Failure> {
        let line = |it: &Candidate| format!("{}\n", it.moves.join(" "));
        Ok(openings.iter().map(line).collect::<String>().into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::LEISERCHESS;
    use super::*;
    use crate::game::{BookFile, Variant as _};

    #[test]
    fn a_book_of_candidates_is_read_back_and_each_line_starts_a_game_with_all_pieces() {
        let candidates: Vec<Candidate> = (0..60)
            .filter_map(|number| RANDOM_LINES.draw(5, number, 8))
            .collect();
        // Random moves zap something in some lines, which are left out.
        assert!((20..60).contains(&candidates.len()), "{}", candidates.len());
        let path = Path::new("book.dta");
        let file = BookFile {
            name: "book.dta".to_owned(),
            inner_name: "book.dta".to_owned(),
            bytes: RANDOM_LINES.write(path, 8, &candidates).expect("a book"),
        };
        let book = LEISERCHESS.read_openings(file, None).expect("our own book");
        assert_eq!(book.len(), candidates.len() as u64);
        for (index, candidate) in (0..).zip(&candidates) {
            let opening = book.read(index).expect("a line");
            assert_eq!(opening.moves, candidate.moves);
            let game = LEISERCHESS.start(&opening).expect("a legal line");
            assert_eq!(game.key(), candidate.key);
            let text = game.current();
            let letters = text.chars().filter(char::is_ascii_alphabetic).count();
            assert_eq!(letters, 2 * 16 + 1, "{text}");
        }
    }

    #[test]
    fn a_candidate_depends_on_seed_and_number_alone() {
        let moves = |seed, number| RANDOM_LINES.draw(seed, number, 4).map(|it| it.moves);
        let all = |seed| (0..20).filter_map(move |number| moves(seed, number));
        assert!(all(1).eq(all(1)));
        assert!(!all(1).eq(all(2)));
    }

    #[test]
    fn the_book_built_in_is_legal_and_varied_and_repeats_no_position() {
        let book = LEISERCHESS.embedded_openings().expect("built in").openings;
        let (mut positions, mut firsts) = (HashSet::new(), HashSet::new());
        for index in 0..book.len() {
            let opening = book.read(index).expect("a line");
            assert_eq!(opening.moves.len(), 6);
            let game = LEISERCHESS.start(&opening).expect("legal and not over");
            assert!(positions.insert(game.key()), "line {}", index + 1);
            firsts.insert(opening.moves[0].clone());
        }
        assert_eq!(book.len(), 2000);
        assert!(firsts.len() > 50, "{} first moves", firsts.len());
    }

    #[test]
    fn the_packed_form_is_refused() {
        assert!(RANDOM_LINES.can_write(Path::new("book.bin"), 8).is_err());
        assert!(RANDOM_LINES.can_write(Path::new("book.dta"), 8).is_ok());
    }
}
