//! Candidates for new openings: random moves from the usual start position, of the kind that
//! players make.
//!
//! A candidate is a pure function of the seed and its number. Moves are drawn by weight, so that
//! development, the centre, captures and castling are common and rim moves rare, but none is
//! impossible; which candidates are fair is for an engine to say.

use std::path::Path;

use foundation::Failure;
use shakmaty::{CastlingMode, Chess, Move, Position, Role, Square, uci::UciMove};

use super::key::key;
use super::packed::{self, Packed};

use super::fen::write_fen;
use crate::game::{Candidate, Generator};
use crate::shuffle::Stream;

/// Lines of random moves, written as EPD or in the packed form.
pub static RANDOM_LINES: RandomLines = RandomLines;

pub struct RandomLines;

impl Generator for RandomLines {
    fn draw(&self, seed: u64, number: u64, plies: u32) -> Option<Candidate> {
        let mut stream = Stream::new(seed, number);
        let mut position = Chess::default();
        let mut moves = Vec::new();
        for _ in 0..plies {
            let legal = position.legal_moves();
            let total: u32 = legal.iter().map(|candidate| weight(*candidate)).sum();
            if total == 0 {
                return None;
            }
            let mut left = stream.below(total);
            let drawn = *legal.iter().find(|candidate| {
                let weight = weight(**candidate);
                let found = left < weight;
                left = left.saturating_sub(weight);
                found
            })?;
            moves.push(drawn.to_uci(CastlingMode::Standard).to_string());
            position.play_unchecked(drawn);
        }
        (!position.legal_moves().is_empty()).then(|| Candidate {
            key: key(&position),
            moves,
        })
    }

    fn can_write(&self, path: &Path, plies: u32) -> Result<(), Failure> {
        if path
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("pgn"))
        {
            return Err(Failure::unable(
                "books are written as EPD or in our packed form, not as PGN",
            )
            .hint("name a file that ends in .epd or .bin"));
        }
        if is_packed(path) && plies > packed::MAX_PLIES {
            return Err(Failure::unable(format!(
                "a packed book holds lines of {} plies at most, got {plies}",
                packed::MAX_PLIES
            ))
            .hint("write EPD: any name that does not end in .bin"));
        }
        Ok(())
    }

    fn write(&self, path: &Path, plies: u32, openings: &[Candidate]) -> Result<Vec<u8>, Failure> {
        if !is_packed(path) {
            return Ok(openings
                .iter()
                .filter_map(epd_line)
                .collect::<String>()
                .into_bytes());
        }
        let lines = openings
            .iter()
            .map(|candidate| packed::pack(&candidate.moves))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| {
                Failure::unable("a position has too many moves for the packed form")
                    .hint("write EPD")
            })?;
        Ok(Packed::new(plies, lines).encode())
    }
}

fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "bin")
}

/// The position after a candidate's moves with its move counters, as a line of an EPD book.
fn epd_line(candidate: &Candidate) -> Option<String> {
    let mut position = Chess::default();
    for text in &candidate.moves {
        let said: UciMove = text.parse().ok()?;
        position.play_unchecked(said.to_move(&position).ok()?);
    }
    Some(format!(
        "{}\n",
        write_fen(&position, CastlingMode::Standard)
    ))
}

/// How often a move is drawn, compared with others; never 0.
fn weight(candidate: Move) -> u32 {
    let to = candidate.to();
    match candidate {
        Move::Castle { .. } => 10,
        Move::EnPassant { .. }
        | Move::Normal {
            capture: Some(_), ..
        } => 6,
        _ => match candidate.role() {
            Role::Pawn => [1, 2, 4, 5, 5, 2, 2, 1][to.file().to_usize()],
            Role::Knight => 2 + 3 * centrality(to),
            Role::Bishop => 2 + centrality(to),
            Role::Queen | Role::Rook | Role::King => 1,
        },
    }
}

/// 0 on the rim, 1 inside it, 2 on the sixteen squares in the middle.
fn centrality(square: Square) -> u32 {
    let distance = |coordinate: u32| coordinate.min(7 - coordinate);
    distance(u32::from(square.file()))
        .min(distance(u32::from(square.rank())))
        .min(2)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn a_candidate_depends_on_seed_and_number_alone() {
        let moves = |seed, number| {
            RANDOM_LINES
                .draw(seed, number, 8)
                .map(|candidate| candidate.moves)
        };
        assert_eq!(moves(1, 5), moves(1, 5));
        assert_ne!(moves(1, 5), moves(1, 6));
        assert_ne!(moves(1, 5), moves(2, 5));
    }

    #[test]
    fn first_moves_are_spread() {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for number in 0..5000 {
            let candidate = RANDOM_LINES
                .draw(3, number, 1)
                .expect("one move ends no game");
            *counts.entry(candidate.moves[0].clone()).or_default() += 1;
        }
        assert_eq!(counts.len(), 20);
        assert!(
            counts.values().all(|count| (20..=850).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn transpositions_have_one_key() {
        let key_after = |line: &str| {
            let mut position = Chess::default();
            for text in line.split(' ') {
                let played: UciMove = text.parse().expect(text);
                position.play_unchecked(played.to_move(&position).expect(text));
            }
            key(&position)
        };
        assert_eq!(key_after("g1f3 d7d5 d2d4"), key_after("d2d4 d7d5 g1f3"));
        assert_ne!(key_after("g1f3 d7d5 d2d4"), key_after("g1f3 d7d5 d2d3"));
    }
}
