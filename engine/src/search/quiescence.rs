//! Quiescence search: captures and promotions until the position is quiet; all evasions in check.

use cozy_chess::Move;

use super::node::{Best, Evals};
use super::ordering::MovePicker;
use super::pruning;
use super::searcher::Searcher;
use super::stats::{Counter, Technique};
use crate::position::Position;
use crate::score::{self, DRAW, Score, mated_in};
use crate::see;
use crate::tt::{Bound, Entry};

impl Searcher<'_> {
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Score {
        if let Some(score) = self.enter::<PV>(position, ply) {
            return score;
        }
        self.stats.count(Counter::QuiescenceNode);
        let entry = self.context.table.probe(position.key(), ply);
        if let Some(entry) = entry
            && !PV
            && entry.bound.allows_cutoff(entry.score, alpha, beta)
        {
            return entry.score;
        }
        let in_check = position.in_check();
        let tt_move = entry
            .and_then(|entry| entry.mv)
            .filter(|&mv| (in_check || position.is_noisy(mv)) && position.board().is_legal(mv));

        let mut evals = Evals::NONE;
        let mut best = Best::none_yet(alpha);
        if !in_check {
            // Stand pat: the side to move need not capture.
            evals = self.static_evals(position, ply, entry);
            // A mate score from the table has no line here, and in a PV node it would end the line
            // before the mate.
            best.score = if score::is_mate(evals.refined) {
                evals.corrected
            } else {
                evals.refined
            };
            if best.score >= beta {
                return pruning::blended_stand_pat(self.context.params, best.score, beta);
            }
            best.alpha = alpha.max(best.score);
        }
        let start = best.alpha;

        let mut picker = if in_check {
            MovePicker::all(self.buffer, tt_move, 0)
        } else {
            MovePicker::noisy(self.buffer, tt_move, self.context.params.qs_see())
        };
        let history_context = self.history_context(ply);
        let mut has_moves = false;
        while let Some(mv) = self.next_move(&mut picker, position, &history_context, [None; 2]) {
            has_moves = true;
            if !score::is_lost(best.score) {
                let is_pruned = if in_check {
                    self.prunes_evasion(position, mv)
                } else {
                    self.prunes_capture(position, ply, mv, evals.corrected, &mut best)
                };
                if is_pruned {
                    continue;
                }
            }
            let child = self.play(position, mv, ply);
            let value = -self.quiescence::<PV>(&child, ply + 1, -beta, -best.alpha);
            self.undo();
            if self.stopped {
                break;
            }
            if self.accept::<PV>(&mut best, ply, mv, value, beta) {
                break;
            }
            if in_check && self.context.params.qs_one_evasion() && !score::is_lost(best.score) {
                picker.skip_quiets();
            }
        }
        picker.finish(self.buffer);
        if self.stopped {
            return DRAW;
        }
        if in_check && !has_moves {
            return mated_in(ply);
        }
        best.score = pruning::blended_capture(self.context.params, best.score, beta);
        let entry = Entry {
            mv: best.mv,
            score: best.score,
            eval: evals.raw,
            depth: 0,
            bound: Bound::of(best.score, start, beta),
            pv: PV || entry.is_some_and(|entry| entry.pv),
        };
        self.store(position, ply, entry);
        best.score
    }

    /// Prunes quiet evasions that lose material, once one evasion is not a loss.
    fn prunes_evasion(&self, position: &Position, mv: Move) -> bool {
        !position.is_noisy(mv) && !see::see_ge(position, self.context.params, mv, 0)
    }

    /// Delta pruning: captures whose victim cannot bring the score up to alpha, and near alpha
    /// captures that win nothing by SEE.
    fn prunes_capture(
        &mut self,
        position: &Position,
        ply: usize,
        mv: Move,
        eval: Score,
        best: &mut Best,
    ) -> bool {
        let params = self.context.params;
        if !params.qs_delta_enable() || mv.promotion.is_some() {
            return false;
        }
        self.count_try(Technique::Delta, true);
        let bound = eval + params.qs_delta_margin() + see::victim(position, params, mv);
        let futility = eval + params.qs_futility();
        let most = if bound <= best.alpha {
            bound
        } else if futility <= best.alpha && !see::see_ge(position, params, mv, 1) {
            futility
        } else {
            return false;
        };
        self.count_capture_cut(position, ply, mv, best.alpha);
        best.score = best.score.max(most);
        true
    }
}
