//! Singular extensions: a table move that is better than all others by a margin is extended. If the
//! search without it shows several good moves, the node is cut (multi-cut) or the move is reduced
//! instead.

use cozy_chess::Move;

use super::node::Node;
use super::searcher::Searcher;
use super::stats::Counter;
use crate::score::{self, DRAW, Score};
use crate::tt::{Bound, Entry};

pub(super) enum SingularResult {
    /// Plies; negative is a reduction.
    Extend(i32),
    /// The score of the node; no move need be searched.
    Settled(Score),
}

impl Searcher<'_> {
    /// Searches all moves except the table's at reduced depth against a bound below the table's
    /// score.
    pub(super) fn singular_search<const PV: bool>(
        &mut self,
        node: &Node,
        mv: Move,
        entry: Entry,
    ) -> SingularResult {
        let &Node {
            position,
            ply,
            depth,
            beta,
            ..
        } = node;
        let params = self.context.params;
        if self.extends_at_low_depth(node, entry) {
            self.stats.count(Counter::Singular);
            return SingularResult::Extend(1);
        }
        if !params.se_enable()
            || depth < params.se_min_depth()
            || entry.depth < depth - params.se_tt_depth_margin()
            || entry.bound == Bound::Upper
            || score::is_decisive(entry.score)
        {
            return SingularResult::Extend(0);
        }
        let target = entry.score - depth * params.se_beta_mul() / 64;
        let reduced = (100 * (depth - 1) / params.se_depth_div()).max(1);
        self.frames[ply].excluded = Some(mv);
        let others = self.alpha_beta::<false>(
            position,
            ply,
            reduced,
            target - 1,
            target,
            node.expected_cut,
        );
        self.frames[ply].excluded = None;
        if self.stopped {
            return SingularResult::Settled(DRAW);
        }
        if others < target {
            if PV
                || others >= target - params.se_double_margin()
                || self.frames[ply].double_extensions >= params.se_max_double()
            {
                self.stats.count(Counter::Singular);
                return SingularResult::Extend(1);
            }
            self.stats.count(Counter::DoubleSingular);
            let triple = !position.is_noisy(mv) && others < target - params.se_triple_margin();
            return SingularResult::Extend(if triple { 3 } else { 2 });
        }
        // Multi-cut: another move is good enough for a cutoff, too.
        if target >= beta {
            self.stats.count(Counter::MultiCut);
            return SingularResult::Settled(target);
        }
        if entry.score >= beta {
            self.stats.count(Counter::NegativeExtension);
            return SingularResult::Extend(-params.se_negative());
        }
        if node.expected_cut {
            return SingularResult::Extend(-params.se_cut_node());
        }
        SingularResult::Extend(0)
    }

    /// Below the depth of singular extensions: a move that the table has seen fail high where the
    /// evaluation is below alpha is most likely the only good one.
    fn extends_at_low_depth(&self, node: &Node, entry: Entry) -> bool {
        let params = self.context.params;
        node.depth <= params.se_low_depth().min(params.se_min_depth() - 1)
            && params.se_enable()
            && entry.bound == Bound::Lower
            && !node.in_check
            && node.evals.corrected + params.se_low_margin() <= node.alpha
    }
}
