//! Candidates for new openings: random moves from the usual start position, of the kind that players make.
//!
//! A candidate is a pure function of the seed and its number. Moves are drawn by weight, so that development, the centre,
//! captures and castling are common and rim moves rare, but none is impossible; which candidates are fair is for an
//! engine to say.

use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Move, Position, Role, Square, zobrist::Zobrist64,
};

use crate::game::chess::fen::write_fen;
use crate::shuffle::Stream;

/// A line of play from the usual start position.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// In the engines' notation.
    pub moves: Vec<String>,
    pub position: Chess,
}

impl Candidate {
    /// Candidate `number` of a seed: `plies` random moves; `None` if the game ends with them or before.
    pub fn draw(seed: u64, number: u64, plies: u32) -> Option<Self> {
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
        (!position.legal_moves().is_empty()).then_some(Self { moves, position })
    }

    /// The position with its move counters, as a line of an EPD book.
    pub fn epd(&self) -> String {
        write_fen(&self.position, CastlingMode::Standard)
    }

    /// The same for all lines that lead to the same position.
    pub fn key(&self) -> u64 {
        let Zobrist64(key) = self.position.zobrist_hash(EnPassantMode::Legal);
        key
    }
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
        let moves =
            |seed, number| Candidate::draw(seed, number, 8).map(|candidate| candidate.moves);
        assert_eq!(moves(1, 5), moves(1, 5));
        assert_ne!(moves(1, 5), moves(1, 6));
        assert_ne!(moves(1, 5), moves(2, 5));
    }

    #[test]
    fn first_moves_are_spread() {
        let mut counts: HashMap<String, u32> = HashMap::new();
        for number in 0..5000 {
            let candidate = Candidate::draw(3, number, 1).expect("one move ends no game");
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
        let key = |line: &str| {
            let mut position = Chess::default();
            for text in line.split(' ') {
                let played: shakmaty::uci::UciMove = text.parse().expect(text);
                position.play_unchecked(played.to_move(&position).expect(text));
            }
            Candidate {
                moves: Vec::new(),
                position,
            }
            .key()
        };
        assert_eq!(key("g1f3 d7d5 d2d4"), key("d2d4 d7d5 g1f3"));
        assert_ne!(key("g1f3 d7d5 d2d4"), key("g1f3 d7d5 d2d3"));
    }
}
