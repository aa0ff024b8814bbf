//! A node of the tree: what is known of it before any move is tried, and the best that its moves have brought since.

use cozy_chess::Move;

use super::Searcher;
use super::history::corrected;
use crate::position::Position;
use crate::score::{self, DRAW, INFINITE, MAX_PLY, Score};
use crate::tt::Entry;

/// All that is known when the first move is about to be tried.
pub(super) struct Node<'p> {
    pub position: &'p Position,
    pub ply: usize,
    pub depth: i32,
    /// The window as it was at the beginning.
    pub alpha: Score,
    pub beta: Score,
    /// A null window is expected to fail high.
    pub expects_cut: bool,
    pub in_check: bool,
    /// The move left out: the node is searched to see whether that one is singular.
    pub excluded: Option<Move>,
    pub entry: Option<Entry>,
    /// Legal here, unlike what the entry holds after a key collision.
    pub table_move: Option<Move>,
    /// Part of a principal variation, now or when it was stored.
    pub table_pv: bool,
    pub evals: Evals,
    /// The evaluation has risen since the side's last turn.
    pub improving: bool,
}

/// How a position is judged without searching it.
#[derive(Clone, Copy)]
pub(super) struct Evals {
    /// The evaluator's word, as the table keeps it.
    pub raw: Score,
    /// Centipawns that the correction history adds to it.
    pub correction: i32,
    /// Both together.
    pub corrected: Score,
    /// The score in the table where it says more than the corrected evaluation, which it is otherwise.
    pub refined: Score,
}

impl Evals {
    /// In check there is no telling.
    pub const NONE: Self = Self::known(score::NONE);

    /// An evaluation corrected before, without its parts.
    pub const fn known(corrected: Score) -> Self {
        Self {
            raw: score::NONE,
            correction: 0,
            corrected,
            refined: corrected,
        }
    }
}

/// The best of the moves searched so far.
pub(super) struct Best {
    /// May lie below alpha, since the search is fail-soft.
    pub score: Score,
    /// The move that raised alpha last.
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
    /// What every node begins with, in quiescence too. A score where nothing is to be searched: the search has been
    /// stopped, the game is drawn by rule, or the line cannot get longer.
    pub(super) fn enter<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
    ) -> Option<Score> {
        if PV {
            self.pv.clear(ply);
        }
        self.deepest = self.deepest.max(ply);
        if self.is_stopped() {
            return Some(DRAW);
        }
        // At the root a move is wanted whatever the rules say.
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

    /// Judges a position that is not in check.
    pub(super) fn assess(&mut self, position: &Position, entry: Option<Entry>) -> Evals {
        let raw = match entry {
            Some(entry) if entry.eval != score::NONE => entry.eval,
            _ => self.evaluate(position),
        };
        let correction = self.history.correction(self.context.params, position);
        let corrected = corrected(raw, correction);
        let refined = match entry {
            Some(entry) if entry.bound.refines(entry.score, corrected) => entry.score,
            _ => corrected,
        };
        Evals {
            raw,
            correction,
            corrected,
            refined,
        }
    }

    /// Takes in what a move is worth. Whether it fails high.
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

    /// Remembers a node's result in the table.
    pub(super) fn store(&self, position: &Position, ply: usize, entry: Entry) {
        self.context.table.store(position.key(), ply, entry);
    }
}
