//! Correction history: by how much the static evaluation of positions with the same pawns, or with
//! the same pieces of a side, or after the same two moves, was wrong before.

use cozy_chess::Color;

use super::history::{ContinuationIndex, LIMIT, update_with_gravity};
use crate::memory;
use crate::params::Params;
use crate::position::Position;
use crate::score::{self, Score};

const SLOTS: usize = 1 << 14;
/// Unit of `CorrWeight`: with this weight an update adds one point per centipawn and ply.
const LEARNING_UNIT: i32 = 256;
/// Unit of `CorrPawn`, `CorrNonPawn` and `CorrContinuation`: with a weight of 1024, an entry at
/// [`LIMIT`] corrects by 256 centipawns.
const CORRECTION_UNIT: i32 = 1024 * LIMIT / 256;

/// The moves one, two and four plies before; none at the root and after a null move.
type Earlier = [Option<ContinuationIndex>; 3];

pub struct CorrectionHistory {
    /// By colour to move and slot.
    pawns: Vec<i16>,
    /// By colour of the pieces, colour to move and slot.
    pieces: Vec<i16>,
    /// By the move two plies before, then the last one.
    continuations: Vec<i16>,
}

impl Default for CorrectionHistory {
    fn default() -> Self {
        Self {
            pawns: vec![0; 2 * SLOTS],
            pieces: vec![0; 4 * SLOTS],
            continuations: vec![0; ContinuationIndex::COUNT * ContinuationIndex::COUNT],
        }
    }
}

impl CorrectionHistory {
    pub fn clear(&mut self) {
        self.pawns.fill(0);
        self.pieces.fill(0);
        self.continuations.fill(0);
    }

    /// Starts loading what [`Self::centipawns`] will read.
    pub fn prefetch(&self, position: &Position, earlier: Earlier) {
        let [pawn, white, black] = slots(position);
        memory::prefetch(&self.pawns[pawn]);
        memory::prefetch(&self.pieces[white]);
        memory::prefetch(&self.pieces[black]);
        if let Some(slot) = after(earlier) {
            memory::prefetch(&self.continuations[slot]);
        }
    }

    /// Centipawns to add to the static evaluation.
    pub fn centipawns(&self, params: &Params, position: &Position, earlier: Earlier) -> i32 {
        if !params.corr_enable() {
            return 0;
        }
        let [pawn, white, black] = slots(position);
        let pieces = i32::from(self.pieces[white]) + i32::from(self.pieces[black]);
        let continuation = after(earlier).map_or(0, |slot| i32::from(self.continuations[slot]));
        let sum = i32::from(self.pawns[pawn]) * params.corr_pawn()
            + pieces * params.corr_non_pawn()
            + continuation * params.corr_continuation();
        sum / CORRECTION_UNIT
    }

    /// Records that a search of `depth` differs from the static evaluation by `error` centipawns.
    pub fn update(
        &mut self,
        params: &Params,
        position: &Position,
        earlier: Earlier,
        depth: i32,
        error: Score,
    ) {
        let limit = params.corr_max_update();
        let change = (error * depth * params.corr_weight() / LEARNING_UNIT).clamp(-limit, limit);
        let [pawn, white, black] = slots(position);
        update_with_gravity(&mut self.pawns[pawn], change);
        update_with_gravity(&mut self.pieces[white], change);
        update_with_gravity(&mut self.pieces[black], change);
        if let Some(slot) = after(earlier) {
            update_with_gravity(&mut self.continuations[slot], change);
        }
    }
}

/// The slot for the last two moves.
fn after([last, before, _]: Earlier) -> Option<usize> {
    Some(before?.index() * ContinuationIndex::COUNT + last?.index())
}

fn slots(position: &Position) -> [usize; 3] {
    let side = position.side() as usize;
    let slot = |key: u64| key as usize % SLOTS;
    [
        side * SLOTS + slot(position.pawn_key()),
        side * SLOTS + slot(position.piece_key(Color::White)),
        (2 + side) * SLOTS + slot(position.piece_key(Color::Black)),
    ]
}

/// Applies a correction, staying within the range of evaluations.
pub fn corrected(eval: Score, correction: i32) -> Score {
    score::clamp_eval(eval + correction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn correction_follows_the_error() {
        let params = Params::default();
        let position = Position::from_fen("4k3/8/8/8/8/8/PP6/4K3 w - - 0 1").unwrap();
        let mut corrections = CorrectionHistory::default();
        for _ in 0..100 {
            corrections.update(&params, &position, [None; 3], 8, 60);
        }
        let correction = corrections.centipawns(&params, &position, [None; 3]);
        assert!(correction > 5 && correction < 200, "{correction}");
    }
}
