//! The moves of a node, the most promising first, each with what it zaps.

use crate::board::Board;
use crate::eval::Beams;
use crate::moves::moves;
use crate::piece::{Color, Piece};
use crate::search::history::History;
use crate::square::{Set, bit};
use crate::turn::Move;

/// A move with its victim and its rank in the order.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) victim: Piece,
    /// Whether the beam is as if nothing had moved.
    pub(crate) leaves_beam: bool,
    rank: i32,
}

impl Candidate {
    /// Whether it zaps a piece of the other side.
    pub(crate) fn gains(&self, side: Color) -> bool {
        self.victim.is_some() && self.victim.color() != side
    }
}

const OF_TABLE: i32 = 1 << 30;
const WINS: i32 = 1 << 29;
const GAINS: i32 = 1 << 26;
const KILLER: i32 = 1 << 24;

/// Which moves are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    All,
    /// Those that zap a piece of the other side.
    Gains,
}

pub(crate) struct Picker {
    candidates: Vec<Candidate>,
    next: usize,
}

/// What moves zap in a position. A move that touches no square of the beam leaves it as it is,
/// unless the king moves; only the others are tried out.
struct Shots {
    path: Set,
    king: Set,
    victim: Piece,
}

impl Shots {
    fn new(board: &Board, beams: &Beams) -> Self {
        Self {
            path: beams.own.path,
            king: bit(board.king(board.side())),
            victim: beams.own.victim.map_or(Piece::NONE, |it| board.at(it)),
        }
    }

    /// What a move zaps, and whether it leaves the beam as it is.
    #[inline]
    fn of(&self, board: &mut Board, mv: Move) -> (Piece, bool) {
        let touched = bit(mv.from()) | bit(mv.mid()) | bit(mv.to());
        if touched & (self.path | self.king) == 0 {
            (self.victim, true)
        } else {
            (board.target(mv), false)
        }
    }
}

impl Picker {
    /// Lists the moves. What zaps the own king is left out: it loses at once.
    pub(crate) fn new(
        board: &mut Board,
        beams: &Beams,
        history: &History,
        killers: [Move; 2],
        of_table: Move,
        kind: Kind,
    ) -> Self {
        let side = board.side();
        let shots = Shots::new(board, beams);
        let list = moves(board);
        let mut candidates = Vec::with_capacity(match kind {
            Kind::All => list.as_slice().len(),
            Kind::Gains => 8,
        });
        for &mv in list.as_slice() {
            let (victim, leaves_beam) = shots.of(board, mv);
            let is_own = victim.is_some() && victim.color() == side;
            let gains = victim.is_some() && !is_own;
            if (kind == Kind::Gains && !gains) || (is_own && victim.is_king()) {
                continue;
            }
            let base = if mv == of_table {
                OF_TABLE
            } else if victim.is_king() {
                WINS
            } else if gains {
                GAINS
            } else if is_own {
                -GAINS
            } else if mv == killers[0] {
                KILLER + 1
            } else if mv == killers[1] {
                KILLER
            } else {
                0
            };
            let rank = base + history.value(board, mv);
            candidates.push(Candidate {
                mv,
                victim,
                leaves_beam,
                rank,
            });
        }
        Self {
            candidates,
            next: 0,
        }
    }
}

impl Iterator for Picker {
    type Item = Candidate;

    fn next(&mut self) -> Option<Candidate> {
        let rest = self.candidates.get_mut(self.next..)?;
        let best = (0..rest.len()).max_by_key(|&index| (rest[index].rank, usize::MAX - index))?;
        rest.swap(0, best);
        self.next += 1;
        rest.first().copied()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
mod tests {
    use super::*;
    use crate::fen;

    #[test]
    fn what_a_move_zaps_is_known_before_it_is_made() {
        let mut board = fen::parse(fen::OPENING).unwrap();
        let mut random = crate::random::SplitMix::new(5);
        for _ in 0..2_000 {
            let beams = Beams::of(&board);
            let shots = Shots::new(&board, &beams);
            for &mv in moves(&board).as_slice() {
                let (victim, _) = shots.of(&mut board, mv);
                let undo = board.make(mv);
                assert_eq!(undo.victim, victim, "{mv}");
                board.unmake(&undo);
            }
            let legal = crate::moves::legal(&board);
            let mv = legal[random.below(legal.len() as u64) as usize];
            if board.make(mv).lost().is_some() {
                board = fen::parse(fen::OPENING).unwrap();
            }
        }
    }
}
