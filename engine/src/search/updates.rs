//! Updates after a node has been searched: killers and histories on a fail high, the correction
//! history, the transposition table.

use cozy_chess::Move;

use super::loop_state::LoopState;
use super::node::Node;
use super::searcher::Searcher;
use crate::score;
use crate::tt::{Bound, Entry};

impl Searcher<'_> {
    /// Updates the tables after at least one move of the node has been searched.
    pub(super) fn update_tables(&mut self, node: &Node, state: &LoopState) {
        if self.sampling {
            return;
        }
        let bound = Bound::of(state.best.score, node.alpha, node.beta);
        if bound == Bound::Lower
            && let Some(best) = state.best.mv
        {
            self.update_histories(node, state, best);
        }
        // The result of a search with an excluded move is not that of the position.
        if node.excluded.is_some() {
            return;
        }
        if bound == Bound::Upper {
            self.reward_previous_move(node);
        }
        self.correct_evaluation(node, state, bound);
        // With several principal variations the root entry belongs to the first.
        if node.ply > 0 || self.pv_index == 0 {
            let entry = Entry {
                mv: state.best.mv,
                score: state.best.score,
                eval: node.evals.raw,
                depth: node.depth,
                bound,
                pv: node.tt_pv,
            };
            self.store(node.position, node.ply, entry);
        }
    }

    /// `best` has failed high: it gets a bonus, and the moves searched before it a malus.
    fn update_histories(&mut self, node: &Node, state: &LoopState, best: Move) {
        let &Node {
            position,
            ply,
            depth,
            ..
        } = node;
        let params = self.context.params;
        let quiet = !position.is_noisy(best);
        if quiet {
            let killers = &mut self.frames[ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            let tried = state.searched_quiets.as_slice();
            self.history.update_quiet_histories(
                params,
                position,
                &node.history_context,
                best,
                tried,
                depth,
            );
        }
        let noisy = (!quiet).then_some(best);
        let tried = state.searched_noisies.as_slice();
        self.history
            .update_noisy_history(params, position, noisy, tried, depth);
    }

    /// The node has failed low: the quiet move that led to it refutes the one before.
    fn reward_previous_move(&mut self, node: &Node) {
        let previous = node.ply.checked_sub(1);
        if let Some(index) = previous.and_then(|ply| self.frames[ply].quiet) {
            let params = self.context.params;
            self.history.reward_quiet(params, index, node.depth);
        }
    }

    /// Moves the correction history towards the difference between score and static evaluation.
    /// Captures are left out: a static evaluation does not account for them.
    fn correct_evaluation(&mut self, node: &Node, state: &LoopState, bound: Bound) {
        let params = self.context.params;
        let (best, eval) = (&state.best, node.evals.corrected);
        if !node.in_check
            && bound.refines(best.score, eval)
            && params.corr_enable()
            && !score::is_decisive(best.score)
            && best.mv.is_none_or(|mv| !node.position.is_noisy(mv))
        {
            let (earlier, error) = (node.history_context.earlier, best.score - eval);
            self.corrections
                .update(params, node.position, earlier, node.depth, error);
        }
    }
}
