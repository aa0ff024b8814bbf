//! Access of a search at the root to the root moves.

use cozy_chess::Move;

use super::loop_state::LoopState;
use super::node::Node;
use super::searcher::Searcher;
use crate::score::{INFINITE, Score};
use crate::tt::Bound;

impl Searcher<'_> {
    /// The move to search first at the root.
    pub(super) fn root_tt_move(&self) -> Option<Move> {
        let first = &self.root_moves[self.pv_index];
        (self.iteration > 1).then_some(first.mv)
    }

    /// Whether the move is a root move that is not the best of an earlier principal variation.
    pub(super) fn root_allows(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..]
            .iter()
            .any(|root| root.mv == mv)
    }

    /// Records the value of a root move that took `nodes` nodes.
    pub(super) fn record_root(
        &mut self,
        node: &Node,
        state: &LoopState,
        mv: Move,
        value: Score,
        nodes: u64,
    ) {
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.nodes += nodes;
        if state.moves == 1 || value > state.best.alpha {
            let bound = Bound::of(value, node.alpha, node.beta);
            root.record(value, bound, self.iteration, self.pv.line(1));
            root.seldepth = self.seldepth;
        } else {
            root.score = -INFINITE;
        }
    }
}
