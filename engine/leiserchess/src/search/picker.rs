//! Move ordering: the moves of a node, most promising first, with the piece that each zaps.

use crate::board::Board;
use crate::eval::Beams;
use crate::moves;
use crate::piece::{Color, Piece};
use crate::search::history::History;
use crate::square::{Set, bit};
use crate::turn::Move;

/// A move with its victim and its rank in the order.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) mv: Move,
    pub(crate) victim: Piece,
    /// Whether the move leaves the beam unchanged.
    pub(crate) leaves_beam: bool,
    rank: i32,
}

impl Candidate {
    /// Whether it zaps an enemy piece.
    pub(crate) fn gains(&self, side: Color) -> bool {
        self.victim.is_some() && self.victim.color() != side
    }
}

const WINS: i32 = 1 << 29;
const GAINS: i32 = 1 << 26;
const KILLER: i32 = 1 << 24;

/// Reusable buffers for move lists, of which a search makes millions.
#[derive(Default)]
pub(crate) struct Pool(Vec<Vec<Candidate>>);

impl Pool {
    /// Returns a buffer.
    pub(crate) fn put(&mut self, picker: Picker) {
        self.0.push(picker.candidates);
    }
}

pub(crate) struct Picker {
    candidates: Vec<Candidate>,
    next: usize,
}

/// Finds what moves zap. A move that neither touches the path of the beam nor moves the king leaves
/// the beam unchanged; only for the others the new beam is traced.
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

    /// The piece that a move zaps, and whether it leaves the beam unchanged.
    #[inline]
    fn of(&self, board: &Board, mv: Move) -> (Piece, bool) {
        let touched = bit(mv.from()) | bit(mv.mid()) | bit(mv.to());
        if touched & (self.path | self.king) == 0 {
            (self.victim, true)
        } else {
            (board.target(mv), false)
        }
    }
}

impl Picker {
    /// Ranks all moves except `tried` and those that zap the mover's own king, which lose at once.
    pub(crate) fn new(
        board: &Board,
        beams: &Beams,
        history: &History,
        killers: [Move; 2],
        tried: Move,
        pool: &mut Pool,
    ) -> Self {
        let shots = Shots::new(board, beams);
        let mut picker = Self::empty(pool);
        moves::each(board, |mv| picker.push(mv));
        picker.rank(board, &shots, |it| {
            let is_own = it.victim.is_some() && it.victim.color() == board.side();
            if it.mv == tried || (is_own && it.victim.is_king()) {
                return None;
            }
            let base = if it.victim.is_king() {
                WINS
            } else if is_own {
                -GAINS
            } else if it.victim.is_some() {
                GAINS
            } else if it.mv == killers[0] {
                KILLER + 1
            } else if it.mv == killers[1] {
                KILLER
            } else {
                0
            };
            Some(base + history.value(board, it.mv))
        });
        picker
    }

    /// Ranks the moves that zap an enemy piece.
    pub(crate) fn gains(board: &Board, beams: &Beams, history: &History, pool: &mut Pool) -> Self {
        let shots = Shots::new(board, beams);
        let mut picker = Self::empty(pool);
        // Unless the beam hits an enemy already, only moves that change it can zap one.
        let rests = shots.victim.is_some() && shots.victim.color() != board.side();
        let touched = if rests {
            Set::MAX
        } else {
            shots.path | shots.king
        };
        moves::each_touching(board, touched, |mv| picker.push(mv));
        picker.rank(board, &shots, |it| {
            let base = if it.victim.is_king() { WINS } else { 0 };
            it.gains(board.side())
                .then(|| base + history.value(board, it.mv))
        });
        picker
    }

    fn empty(pool: &mut Pool) -> Self {
        let mut candidates = pool.0.pop().unwrap_or_default();
        candidates.clear();
        Self {
            candidates,
            next: 0,
        }
    }

    fn push(&mut self, mv: Move) {
        self.candidates.push(Candidate {
            mv,
            victim: Piece::NONE,
            leaves_beam: true,
            rank: 0,
        });
    }

    /// Fills in what each move zaps and its rank; moves with the rank `None` are removed.
    #[inline]
    fn rank(&mut self, board: &Board, shots: &Shots, rank: impl Fn(&Candidate) -> Option<i32>) {
        self.candidates.retain_mut(|it| {
            (it.victim, it.leaves_beam) = shots.of(board, it.mv);
            let ranked = rank(it);
            it.rank = ranked.unwrap_or_default();
            ranked.is_some()
        });
    }
}

impl Candidate {
    /// The move from the transposition table.
    pub(crate) fn known(board: &Board, beams: &Beams, mv: Move) -> Self {
        let (victim, leaves_beam) = Shots::new(board, beams).of(board, mv);
        Self {
            mv,
            victim,
            leaves_beam,
            rank: 0,
        }
    }
}

impl Picker {
    /// The best move not yet returned.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Candidate> {
        let rest = self.candidates.get_mut(self.next..)?;
        let mut best = 0;
        let mut rank = rest.first()?.rank;
        for (index, candidate) in rest.iter().enumerate().skip(1) {
            if candidate.rank > rank {
                (best, rank) = (index, candidate.rank);
            }
        }
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
            for mv in moves::moves(&board) {
                let (victim, _) = shots.of(&board, mv);
                let undo = board.make(mv);
                assert_eq!(undo.victim, victim, "{mv}");
                board.unmake(&undo);
            }
            let legal = moves::legal(&board);
            let mv = legal[random.below(legal.len() as u64) as usize];
            if board.make(mv).lost().is_some() {
                board = fen::parse(fen::OPENING).unwrap();
            }
        }
    }
}
