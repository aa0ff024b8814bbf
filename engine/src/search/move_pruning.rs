//! Pruning of single moves: late move pruning, futility, history, exchanges.

use super::Searcher;
use super::move_loop::{Candidate, Found};
use super::node::Node;
use super::ordering::Picker;
use super::pruning;
use super::stats::Technique;
use crate::see;

impl Searcher<'_> {
    /// Whether the move is left out; if so by a rule that holds for all quiet moves to come, those are too.
    pub(super) fn prunes_move(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        picker: &mut Picker,
        found: &mut Found,
    ) -> bool {
        let params = self.context.params;
        let &Node {
            position, depth, ..
        } = node;
        let &Candidate {
            mv, quiet, history, ..
        } = candidate;
        let eval = node.evals.corrected;
        let alpha = found.best.alpha;
        let moves = found.moves;
        // The depth that is left for the move when it is reduced as usual.
        let reduction = self.context.reductions.base(quiet, depth, moves) >> 10;
        let late_depth = (depth - 1 - reduction.max(0)).max(0);
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
                found.best.score = found.best.score.max(value);
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
        let loses = pruning::exchange_threshold(params, at_depth, history, quiet)
            .is_some_and(|least| !see::see_ge(position, params, mv, least));
        if loses {
            self.stats.count(Technique::Exchange);
        }
        loses
    }
}
