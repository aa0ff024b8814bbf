//! A node of the tree: what is known before its moves are searched, and the best move so far.

use std::sync::atomic::Ordering::Relaxed;

use cozy_chess::Move;

use super::correction::corrected;
use super::history::HistoryContext;
use super::searcher::Searcher;
use crate::eval::{self, tables::FULL_PHASE};
use crate::position::Position;
use crate::score::{self, DRAW, INFINITE, MAX_PLY, Score};
use crate::tt::{Bound, Entry};

/// What is known when the first move is about to be searched.
pub(super) struct Node<'p> {
    pub position: &'p Position,
    pub ply: usize,
    pub depth: i32,
    /// The original window.
    pub alpha: Score,
    pub beta: Score,
    /// Expected to fail high.
    pub expected_cut: bool,
    pub in_check: bool,
    /// The move excluded by a singular search.
    pub excluded: Option<Move>,
    pub entry: Option<Entry>,
    /// The table's move, if it is legal here: after a key collision it may not be.
    pub tt_move: Option<Move>,
    /// A PV node now, or when the entry was stored.
    pub tt_pv: bool,
    pub evals: Evals,
    pub history_context: HistoryContext,
    /// The evaluation has risen since the side's previous turn.
    pub improving: bool,
}

/// Static evaluations of a position.
#[derive(Clone, Copy)]
pub(super) struct Evals {
    /// The evaluation as stored in the table.
    pub raw: Score,
    /// The same, faded, with the correction history.
    pub corrected: Score,
    /// The table's score if its bound makes it a better estimate, else the corrected evaluation.
    pub refined: Score,
}

impl Evals {
    /// In check there is no static evaluation.
    pub const NONE: Self = Self::known(score::NONE);

    /// A known corrected evaluation without its parts.
    pub const fn known(corrected: Score) -> Self {
        Self {
            raw: score::NONE,
            corrected,
            refined: corrected,
        }
    }
}

/// The best move searched so far.
pub(super) struct Best {
    /// May be below alpha: the search is fail-soft.
    pub score: Score,
    /// The last move that raised alpha.
    pub mv: Option<Move>,
    pub alpha: Score,
}

impl Best {
    pub fn none_yet(alpha: Score) -> Self {
        Self {
            score: -INFINITE,
            mv: None,
            alpha,
        }
    }
}

impl Searcher<'_> {
    /// The beginning of every node, also in quiescence search. Returns a score if there is nothing
    /// to search: the search has been stopped, the game is drawn, or the line has reached the
    /// maximum ply.
    pub(super) fn enter<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
    ) -> Option<Score> {
        if PV {
            self.pv.clear(ply);
        }
        self.seldepth = self.seldepth.max(ply);
        if self.is_stopped() {
            return Some(DRAW);
        }
        // At the root a move is needed even if the game is drawn.
        if ply == 0 {
            return None;
        }
        if self.is_draw(position) {
            return Some(DRAW);
        }
        (ply >= MAX_PLY - 1).then(|| {
            if position.in_check() {
                DRAW
            } else {
                self.evaluate(position)
            }
        })
    }

    /// Static evaluations of a position that is not in check.
    pub(super) fn static_evals(
        &mut self,
        position: &Position,
        ply: usize,
        entry: Option<Entry>,
    ) -> Evals {
        let raw = match entry {
            Some(entry) if entry.eval != score::NONE => entry.eval,
            Some(_) => self.evaluate(position),
            None => {
                let eval = self.evaluate(position);
                // The node may be cut before it has a result, and be searched again.
                self.store(position, ply, Entry::of_eval(eval));
                eval
            }
        };
        let params = self.context.params;
        let correction = self
            .corrections
            .centipawns(params, position, self.earlier_moves(ply));
        let corrected = corrected(raw - self.fading(position, raw), correction);
        let refined = match entry {
            Some(entry) if entry.bound.refines(entry.score, corrected) => entry.score,
            _ => corrected,
        };
        Evals {
            raw,
            corrected,
            refined,
        }
    }

    /// What the evaluation loses as the draw by the fifty-move rule comes near, and as the pieces
    /// that could win are exchanged. Against a bare king it loses nothing: the mate is far away, and
    /// only the evaluation leads to it.
    fn fading(&self, position: &Position, eval: Score) -> Score {
        if position.has_bare_king() {
            return 0;
        }
        let params = self.context.params;
        let clock = i32::from(position.board().halfmove_clock());
        let exchanged = (FULL_PHASE - eval::phase(position)).max(0);
        eval * clock * params.eval_clock_fade() / 10_000
            + eval * exchanged * params.eval_material_fade() / (100 * FULL_PHASE)
    }

    /// Records the value of a move and returns whether it fails high.
    pub(super) fn accept<const PV: bool>(
        &mut self,
        best: &mut Best,
        ply: usize,
        mv: Move,
        value: Score,
        beta: Score,
    ) -> bool {
        if value <= best.score {
            return false;
        }
        best.score = value;
        if value <= best.alpha {
            return false;
        }
        best.alpha = value;
        best.mv = Some(mv);
        if PV {
            self.pv.update(ply, mv);
        }
        value >= beta
    }

    /// Stores a result in the table.
    pub(super) fn store(&self, position: &Position, ply: usize, entry: Entry) {
        if !self.sampling {
            self.context.table.store(position.key(), ply, entry);
        }
    }

    /// The tablebase result. It is probed only after a capture or pawn move, since tables assume
    /// a fifty-move clock of zero.
    pub(super) fn probe_tablebase(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
    ) -> Option<Score> {
        let tables = self.context.tablebase?;
        let board = position.board();
        let missing = tables
            .pieces()
            .checked_sub(board.occupied().len() as usize)?;
        if board.halfmove_clock() > 0 || missing == 0 && depth < self.context.probe_depth {
            return None;
        }
        let score = score::of_table_result(tables.result(position)?, ply);
        self.context.tablebase_hits.fetch_add(1, Relaxed);
        let entry = Entry {
            mv: None,
            score,
            eval: score::NONE,
            // A larger one would outlive many searches in the table.
            depth: (depth + 6).min(MAX_PLY as i32 - 1),
            bound: Bound::Exact,
            pv: false,
        };
        self.store(position, ply, entry);
        Some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_searcher::with_searcher;
    use super::*;
    use crate::params::Params;

    #[test]
    fn an_advantage_fades_with_the_pieces_and_with_the_clock() {
        let fading = |fen: &str| {
            let position = Position::from_fen(fen).expect("a position");
            with_searcher(&Params::default(), &position, &[], |searcher| {
                searcher.fading(&position, 1000)
            })
        };
        for (fen, lost) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                0,
            ),
            // 4 of the 24 points of all pieces are left.
            ("r3k3/p7/8/8/8/8/P7/R3K3 w - - 0 1", 250),
            ("4k3/p7/8/8/8/8/PP6/4K3 w - - 0 1", 300),
            ("4k3/p7/8/8/8/8/PP6/4K3 w - - 50 90", 550),
            ("4k3/8/8/8/8/8/PP6/4K3 w - - 50 90", 0),
        ] {
            assert_eq!(fading(fen), lost, "{fen}");
        }
    }
}
