//! Pruning of single moves: late move pruning, futility, history and SEE pruning.

use super::Searcher;
use super::loop_state::{Candidate, LoopState};
use super::node::Node;
use super::ordering::MovePicker;
use super::pruning;
use super::stats::Technique;
use crate::see;

impl Searcher<'_> {
    /// Whether the move is pruned. Late move and futility pruning also skip all remaining quiet
    /// moves.
    pub(super) fn prunes_move(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        picker: &mut MovePicker,
        state: &mut LoopState,
    ) -> bool {
        let params = self.context.params;
        let &Node {
            position, depth, ..
        } = node;
        let &Candidate {
            mv, quiet, history, ..
        } = candidate;
        let eval = node.evals.corrected;
        let alpha = state.best.alpha;
        let moves = state.moves;
        // The depth left for the move after its usual reduction.
        let reduction = self.context.reductions.base(quiet, depth, moves) >> 10;
        let late_depth = (depth - 1 - reduction.max(0)).max(0);
        if self.prunes_historically(node, candidate, state) {
            return true;
        }
        if quiet {
            if pruning::move_limit(params, depth, node.improving).is_some_and(|most| moves > most) {
                self.stats.count(Technique::LateMove);
                picker.skip_quiets();
                return true;
            }
            if !candidate.checks_directly
                && let Some(value) = pruning::futility(params, late_depth, eval, alpha, history)
            {
                self.stats.count(Technique::Futility);
                state.best.score = state.best.score.max(value);
                picker.skip_quiets();
                return true;
            }
            if pruning::history(params, late_depth, history) {
                self.stats.count(Technique::History);
                return true;
            }
        } else if !candidate.checks_directly && mv.promotion.is_none() {
            let victim = see::victim(position, params, mv);
            if pruning::capture_futility(params, late_depth, eval, alpha, victim) {
                self.stats.count(Technique::CaptureFutility);
                return true;
            }
        }
        let at_depth = if quiet { late_depth } else { depth };
        let is_pruned = pruning::exchange_threshold(params, at_depth, history, quiet)
            .is_some_and(|least| !see::see_ge(position, params, mv, least));
        if is_pruned {
            self.stats.count(Technique::Exchange);
        }
        is_pruned
    }

    /// Frontier and extended futility pruning. Checks are searched, discovered ones, too.
    fn prunes_historically(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        state: &mut LoopState,
    ) -> bool {
        let params = self.context.params;
        let &Node {
            position, depth, ..
        } = node;
        let mv = candidate.mv;
        if depth > 2
            || !params.frontier_enable() && !params.extended_enable()
            || node.in_check
            || candidate.checks_directly
            || mv.promotion.is_some()
        {
            return false;
        }
        let captured = see::victim(position, params, mv);
        let (eval, alpha) = (node.evals.corrected, state.best.alpha);
        let Some(bound) = pruning::frontier(params, depth, eval, alpha, captured) else {
            return false;
        };
        if position.play(mv).in_check() {
            return false;
        }
        self.stats.count(match depth {
            1 => Technique::Frontier,
            _ => Technique::Extended,
        });
        state.best.score = state.best.score.max(bound);
        true
    }
}
