//! The evaluation, in centipawns for the side to move: that of a network if there is one, else a
//! tapered sum of hand-crafted terms. Known endgames against a bare king are scored separately.
//!
//! Of the hand-crafted terms, pawn structure is cached by pawn key; the others are computed each
//! time. Terms are summed as White's minus Black's and finally tapered by the game phase.

mod accumulators;
mod endgames;
mod king;
mod kpk;
mod mobility;
mod pawns;
pub mod score_pair;
pub mod tables;

use cozy_chess::{BitBoard, Color, Move, Piece};

use crate::network::Network;
use crate::position::Position;
use accumulators::Accumulators;
use endgames::Knowledge;
use pawns::PawnCache;
use score_pair::ScorePair;
use tables::{BISHOP_PAIR, FULL_PHASE, PHASE, TEMPO, piece_square};

/// Share of an endgame advantage that remains, in 64ths, when the stronger side has no pawns, and
/// with bishops of opposite colours.
const PAWNLESS_SCALE: i32 = 16;
const OPPOSITE_BISHOPS_SCALE: i32 = 36;

/// Evaluates the positions of a line. The result depends on the position only.
#[derive(Default)]
pub struct Evaluator {
    pawns: PawnCache,
    accumulators: Accumulators,
}

impl Evaluator {
    /// Starts a line. From here on [`Self::play`] and [`Self::undo`] must follow the moves made,
    /// and only the current position may be evaluated.
    pub fn reset(&mut self, network: Option<&Network>, root: &Position) {
        if let Some(network) = network {
            self.accumulators.reset(network, root);
        }
    }

    /// Follows a move, or a null move if there is none.
    #[inline]
    pub fn play(&mut self, network: Option<&Network>, position: &Position, mv: Option<Move>) {
        match (network, mv) {
            (None, _) => {}
            (Some(_), None) => self.accumulators.push_null_move(),
            (Some(network), Some(mv)) => self.accumulators.push(network, position, mv),
        }
    }

    /// Takes back the last move.
    #[inline]
    pub fn undo(&mut self, network: Option<&Network>) {
        if network.is_some() {
            self.accumulators.pop();
        }
    }

    /// Centipawns for the side to move.
    pub fn evaluate(&mut self, network: Option<&Network>, position: &Position) -> i32 {
        let mut advantage = 0;
        for strong in Color::ALL {
            if position.board().colors(!strong).len() > 1 {
                continue;
            }
            let sign = if strong == position.side() { 1 } else { -1 };
            match endgames::probe(position, strong) {
                Some(Knowledge::Draw) => return 0,
                Some(Knowledge::Mate(score)) => return sign * score,
                Some(Knowledge::Advantage(bonus)) => advantage += sign * bonus,
                None => {}
            }
        }
        match network {
            // A network trained on few such games cannot drive a bare king to mate.
            Some(network) if advantage == 0 => self.accumulators.output(network, position),
            _ => advantage + self.hand_crafted(position),
        }
    }

    fn hand_crafted(&mut self, position: &Position) -> i32 {
        let board = position.board();
        let pawns = self.pawns.probe(position);
        let mut sum = piece_squares(position) + pawns.structure;
        let attacks = mobility::Attacks::new(board);
        for color in Color::ALL {
            let mut own = attacks.mobility[color as usize];
            if board.colored_pieces(color, Piece::Bishop).len() >= 2 {
                own += BISHOP_PAIR;
            }
            own += pawns::passed(board, color, pawns.passed[color as usize], &attacks);
            own += king::safety(board, color, &attacks);
            own += mobility::threats(board, color, &attacks);
            if color == Color::White {
                sum += own;
            } else {
                sum -= own;
            }
        }
        let phase = phase(position).min(FULL_PHASE);
        let eg = sum.eg * scale(position, sum.eg) / 64;
        let score = (sum.mg * phase + eg * (FULL_PHASE - phase)) / FULL_PHASE;
        (if position.side() == Color::White {
            score
        } else {
            -score
        }) + TEMPO
    }
}

/// Material and piece squares, White's minus Black's.
fn piece_squares(position: &Position) -> ScorePair {
    let values = position.pieces();
    values
        .map(|(color, piece, square)| piece_square(color, piece, square))
        .fold(ScorePair::default(), |sum, value| sum + value)
}

/// 24 with all pieces on the board, 0 with pawns and kings only; more after promotions.
pub(crate) fn phase(position: &Position) -> i32 {
    let pieces = Piece::ALL.into_iter();
    pieces
        .map(|piece| PHASE[piece as usize] * position.board().pieces(piece).len() as i32)
        .sum()
}

/// Scale factor of the endgame score in 64ths: how much of the advantage can be converted.
fn scale(position: &Position, eg: i32) -> i32 {
    let board = position.board();
    let stronger = if eg > 0 { Color::White } else { Color::Black };
    let pieces = |color, piece| board.colored_pieces(color, piece);
    let piece_points = |color| {
        3 * (pieces(color, Piece::Knight) | pieces(color, Piece::Bishop)).len()
            + 5 * pieces(color, Piece::Rook).len()
            + 9 * pieces(color, Piece::Queen).len()
    };
    let (ours, theirs) = (piece_points(stronger), piece_points(!stronger));
    if pieces(stronger, Piece::Pawn).is_empty() && ours <= theirs + 3 {
        return PAWNLESS_SCALE;
    }
    let bishops = board.pieces(Piece::Bishop);
    let opposite = ours == 3
        && theirs == 3
        && bishops.len() == 2
        && (bishops & BitBoard::LIGHT_SQUARES).len() == 1
        && pieces(stronger, Piece::Bishop).len() == 1;
    if opposite { OPPOSITE_BISHOPS_SCALE } else { 64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::KingBuckets;
    use crate::network::tests::random_network;

    /// By a network of random weights.
    fn by_network(fen: &str) -> i32 {
        let network = random_network(KingBuckets::ONE);
        let position = Position::from_fen(fen).unwrap();
        let mut evaluator = Evaluator::default();
        evaluator.reset(Some(&network), &position);
        evaluator.evaluate(Some(&network), &position)
    }

    fn evaluate(fen: &str) -> i32 {
        Evaluator::default().evaluate(None, &Position::from_fen(fen).unwrap())
    }

    /// The same position with colours exchanged and the board turned.
    fn mirrored(fen: &str) -> String {
        let fields: Vec<&str> = fen.split(' ').collect();
        let swap = |text: &str| -> String {
            text.chars()
                .map(|c| {
                    if c.is_ascii_uppercase() {
                        c.to_ascii_lowercase()
                    } else {
                        c.to_ascii_uppercase()
                    }
                })
                .collect()
        };
        let ranks: Vec<String> = fields[0].split('/').rev().map(swap).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        format!("{} {side} {} - 0 1", ranks.join("/"), swap(fields[2]))
    }

    #[test]
    fn colours_are_treated_alike() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 0 1",
            "8/8/1P2k3/8/3b4/2B5/6PK/8 b - - 0 1",
        ] {
            assert_eq!(evaluate(fen), evaluate(&mirrored(fen)), "{fen}");
            assert_eq!(by_network(fen), by_network(&mirrored(fen)), "{fen}");
            assert_ne!(by_network(fen), evaluate(fen), "{fen}");
        }
    }

    #[test]
    fn initial_position_is_worth_the_move() {
        assert_eq!(
            evaluate("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            TEMPO
        );
    }

    #[test]
    fn more_material_is_better_and_what_cannot_win_is_near_a_draw() {
        assert!(evaluate("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1") > 700);
        assert!(evaluate("8/8/4k3/8/8/3K4/8/R7 w - - 0 1") > 400);
        let knights = evaluate("8/8/4k3/8/8/3K4/8/3N4 w - - 0 1");
        assert!(knights.abs() < 150, "{knights}");
    }

    #[test]
    fn endgames_against_a_bare_king_are_known_beside_a_network() {
        for drawn in [
            "8/8/4k3/8/8/3KN3/3N4/8 w - - 0 1",
            "k7/8/K7/P7/8/8/8/8 b - - 0 1",
            "k7/8/1K6/P7/8/8/3B4/8 w - - 0 1",
        ] {
            assert_eq!(by_network(drawn), 0, "{drawn}");
        }
        for (won, lost) in [
            (
                "8/8/4k3/8/8/3KB3/3N4/8 w - - 0 1",
                "8/8/4k3/8/8/3KB3/3N4/8 b - - 0 1",
            ),
            (
                "8/8/4k3/8/8/3KB3/4B3/8 w - - 0 1",
                "8/8/4k3/8/8/3KB3/4B3/8 b - - 0 1",
            ),
            (
                "8/8/4k3/8/8/3K4/8/R7 w - - 0 1",
                "8/8/4k3/8/8/3K4/8/R7 b - - 0 1",
            ),
        ] {
            assert!(by_network(won) >= 500 && by_network(lost) <= -500, "{won}");
        }
    }
}
