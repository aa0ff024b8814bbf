//! Histories of moves that caused cutoffs, and the correction history of the static evaluation.
//!
//! All tables are updated with gravity: a bonus shrinks as the entry approaches [`LIMIT`], so
//! entries stay within it and old results fade.

use cozy_chess::{Color, Move, Piece, Square};

use crate::params::Params;
use crate::position::Position;
use crate::score::{self, Score};

/// Largest absolute value of an entry. Margins in `params.toml` are relative to it.
pub const LIMIT: i32 = 16_384;

const CORRECTION_SLOTS: usize = 1 << 14;
/// Unit of `CorrWeight`: with this weight an update adds one point per centipawn and ply.
const LEARNING_UNIT: i32 = 256;
/// Unit of `CorrPawn` and `CorrNonPawn`: with a weight of 1024, an entry at [`LIMIT`] corrects by
/// 256 centipawns.
const CORRECTION_UNIT: i32 = 1024 * LIMIT / 256;

/// Index into the continuation history: colour, piece and target square of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContinuationIndex(u16);

impl ContinuationIndex {
    const COUNT: usize = 2 * 6 * 64;

    pub fn new(color: Color, piece: Piece, to: Square) -> Self {
        Self((color as u16 * 6 + piece as u16) * 64 + to as u16)
    }
}

/// By piece and target square of a move.
type Replies = [[i16; 64]; 6];

/// Where no move was made before.
static NO_REPLIES: Replies = [[0; 64]; 6];

/// The histories of all quiet moves of a node.
pub struct QuietHistories<'a> {
    butterfly: &'a [[i16; 64]; 64],
    continuations: [&'a Replies; 3],
}

impl QuietHistories<'_> {
    /// The history of a quiet move by this piece.
    #[inline]
    pub fn of(&self, piece: Piece, mv: Move) -> i32 {
        let (from, to) = (mv.from as usize, mv.to as usize);
        let continuations = self.continuations.iter();
        let sum: i32 = continuations
            .map(|replies| i32::from(replies[piece as usize][to]))
            .sum();
        sum + i32::from(self.butterfly[from][to])
    }
}

pub struct History {
    /// By colour, from, to.
    quiet: Box<[[[i16; 64]; 64]; 2]>,
    /// By piece, to, captured piece.
    noisy: Vec<i16>,
    /// By the index of the move one, two or four plies back, then colour and move itself.
    continuation: Box<[[Replies; 2]]>,
    /// The counter move: the reply that last refuted this one.
    counter: Vec<Option<Move>>,
    /// By colour and slot.
    pawn_correction: Vec<i16>,
    /// By owner of the pieces, colour to move and slot.
    piece_correction: Vec<i16>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            quiet: Box::new([[[0; 64]; 64]; 2]),
            noisy: vec![0; 6 * 64 * 6],
            continuation: vec![[NO_REPLIES; 2]; ContinuationIndex::COUNT].into(),
            counter: vec![None; ContinuationIndex::COUNT],
            pawn_correction: vec![0; 2 * CORRECTION_SLOTS],
            piece_correction: vec![0; 4 * CORRECTION_SLOTS],
        }
    }
}

/// Continuation indices of the moves one, two and four plies before a node.
pub type HistoryStack = [Option<ContinuationIndex>; 3];

impl History {
    pub fn clear(&mut self) {
        *self.quiet = [[[0; 64]; 64]; 2];
        self.noisy.fill(0);
        self.continuation.fill([NO_REPLIES; 2]);
        self.counter.fill(None);
        self.pawn_correction.fill(0);
        self.piece_correction.fill(0);
    }

    pub fn quiet(&self, position: &Position, stack: &HistoryStack, mv: Move) -> i32 {
        self.quiets(position, stack)
            .of(position.moved_piece(mv), mv)
    }

    /// The histories of all quiet moves of a node.
    #[inline]
    pub fn quiets(&self, position: &Position, stack: &HistoryStack) -> QuietHistories<'_> {
        let side = position.side() as usize;
        QuietHistories {
            butterfly: &self.quiet[side],
            continuations: stack.map(|earlier| match earlier {
                Some(ContinuationIndex(earlier)) => &self.continuation[earlier as usize][side],
                None => &NO_REPLIES,
            }),
        }
    }

    pub fn noisy(&self, position: &Position, mv: Move) -> i32 {
        i32::from(self.noisy[capture(position, mv)])
    }

    pub fn counter(&self, stack: &HistoryStack) -> Option<Move> {
        self.counter[stack[0]?.0 as usize]
    }

    /// After a fail high by a quiet move: a bonus for it, a malus for the quiet moves searched
    /// before.
    pub fn update_quiet_histories(
        &mut self,
        params: &Params,
        position: &Position,
        stack: &HistoryStack,
        best: Move,
        tried: &[Move],
        depth: i32,
    ) {
        let (bonus, malus) = (bonus(params, depth), malus(params, depth));
        self.update_quiet(params, position, stack, best, bonus);
        for &mv in tried {
            self.update_quiet(params, position, stack, mv, -malus);
        }
        if let Some(previous) = stack[0] {
            self.counter[previous.0 as usize] = Some(best);
        }
    }

    fn update_quiet(
        &mut self,
        params: &Params,
        position: &Position,
        stack: &HistoryStack,
        mv: Move,
        change: i32,
    ) {
        let (side, piece) = (position.side() as usize, position.moved_piece(mv) as usize);
        let (from, to) = (mv.from as usize, mv.to as usize);
        update_with_gravity(&mut self.quiet[side][from][to], change);
        let share = change * params.hist_cont_scale() / 100;
        for earlier in stack.iter().flatten() {
            let replies = &mut self.continuation[earlier.0 as usize][side];
            update_with_gravity(&mut replies[piece][to], share);
        }
    }

    /// After any fail high: a bonus for the move if it was noisy, a malus for the noisy moves
    /// before.
    pub fn update_noisy_history(
        &mut self,
        params: &Params,
        position: &Position,
        best: Option<Move>,
        tried: &[Move],
        depth: i32,
    ) {
        if let Some(best) = best {
            update_with_gravity(
                &mut self.noisy[capture(position, best)],
                bonus(params, depth),
            );
        }
        for &mv in tried {
            update_with_gravity(
                &mut self.noisy[capture(position, mv)],
                -malus(params, depth),
            );
        }
    }

    /// Centipawns to add to the static evaluation of positions with this structure.
    pub fn correction(&self, params: &Params, position: &Position) -> i32 {
        if !params.corr_enable() {
            return 0;
        }
        let [pawn, white, black] = correction_slots(position);
        let pieces =
            i32::from(self.piece_correction[white]) + i32::from(self.piece_correction[black]);
        (i32::from(self.pawn_correction[pawn]) * params.corr_pawn()
            + pieces * params.corr_non_pawn())
            / CORRECTION_UNIT
    }

    /// Records that a search of `depth` differs from the static evaluation by `error` centipawns.
    pub fn correct(&mut self, params: &Params, position: &Position, depth: i32, error: Score) {
        let limit = params.corr_max_update();
        let change = (error * depth * params.corr_weight() / LEARNING_UNIT).clamp(-limit, limit);
        let [pawn, white, black] = correction_slots(position);
        update_with_gravity(&mut self.pawn_correction[pawn], change);
        update_with_gravity(&mut self.piece_correction[white], change);
        update_with_gravity(&mut self.piece_correction[black], change);
    }
}

fn correction_slots(position: &Position) -> [usize; 3] {
    let side = position.side() as usize;
    let slot = |key: u64| key as usize % CORRECTION_SLOTS;
    [
        side * CORRECTION_SLOTS + slot(position.pawn_key()),
        side * CORRECTION_SLOTS + slot(position.piece_key(Color::White)),
        (2 + side) * CORRECTION_SLOTS + slot(position.piece_key(Color::Black)),
    ]
}

fn capture(position: &Position, mv: Move) -> usize {
    // A promotion without capture uses the slot of the king, which is never captured.
    let captured = position.captured(mv).unwrap_or(Piece::King);
    (position.moved_piece(mv) as usize * 64 + mv.to as usize) * 6 + captured as usize
}

fn update_with_gravity(entry: &mut i16, change: i32) {
    let change = change.clamp(-LIMIT, LIMIT);
    let value = i32::from(*entry);
    *entry = (value + change - value * change.abs() / LIMIT) as i16;
}

fn bonus(params: &Params, depth: i32) -> i32 {
    (params.hist_bonus_mul() * depth + params.hist_bonus_base()).clamp(0, params.hist_bonus_max())
}

fn malus(params: &Params, depth: i32) -> i32 {
    (params.hist_malus_mul() * depth + params.hist_malus_base()).clamp(0, params.hist_malus_max())
}

/// Applies a correction, staying within the range of evaluations.
pub fn corrected(eval: Score, correction: i32) -> Score {
    score::clamp_eval(eval + correction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_approach_the_limit_and_never_pass_it() {
        let mut entry = 0;
        for _ in 0..10_000 {
            update_with_gravity(&mut entry, 4096);
        }
        assert!(
            i32::from(entry) <= LIMIT && i32::from(entry) > LIMIT * 9 / 10,
            "{entry}"
        );
        for _ in 0..20_000 {
            update_with_gravity(&mut entry, -100_000);
        }
        assert_eq!(i32::from(entry), -LIMIT);
    }

    #[test]
    fn updates_raise_the_best_move_and_lower_the_others() {
        let params = Params::default();
        let position = Position::from_fen("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1").unwrap();
        let mv = |text| position.parse_move(text, false).unwrap();
        let mut history = History::default();
        let stack = [
            Some(ContinuationIndex::new(
                Color::Black,
                Piece::King,
                Square::E8,
            )),
            None,
            None,
        ];
        history.update_quiet_histories(&params, &position, &stack, mv("a2a3"), &[mv("b2b3")], 5);
        assert!(history.quiet(&position, &stack, mv("a2a3")) > 0);
        assert!(history.quiet(&position, &stack, mv("b2b3")) < 0);
        assert_eq!(history.quiet(&position, &stack, mv("b2b4")), 0);
        assert_eq!(history.counter(&stack), Some(mv("a2a3")));
        history.clear();
        assert_eq!(history.quiet(&position, &stack, mv("a2a3")), 0);
    }

    #[test]
    fn correction_follows_the_error() {
        let params = Params::default();
        let position = Position::from_fen("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1").unwrap();
        let mut history = History::default();
        for _ in 0..100 {
            history.correct(&params, &position, 8, 60);
        }
        let correction = history.correction(&params, &position);
        assert!(correction > 5 && correction < 200, "{correction}");
    }
}
