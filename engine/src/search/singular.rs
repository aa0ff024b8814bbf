//! Singular extensions: a table move that is better than all others by a margin is searched deeper. The same search
//! without it may show that there are several good moves, and then the node is cut or the move searched less deep.

use cozy_chess::Move;

use super::Searcher;
use super::node::Node;
use super::stats::Technique;
use crate::score::{self, DRAW, Score};
use crate::tt::{Bound, Entry};

pub(super) enum Singularity {
    /// By so many plies; below zero is a reduction.
    Extend(i32),
    /// The node has this score without a further search.
    Settled(Score),
}

impl Searcher<'_> {
    /// Searches all moves but the table's at reduced depth, against a bound below the table's score.
    pub(super) fn singularity<const PV: bool>(
        &mut self,
        node: &Node,
        mv: Move,
        entry: Entry,
    ) -> Singularity {
        let &Node {
            position,
            ply,
            depth,
            beta,
            ..
        } = node;
        let params = self.context.params;
        if !params.se_enable()
            || depth < params.se_min_depth()
            || entry.depth < depth - params.se_tt_depth_margin()
            || entry.bound == Bound::Upper
            || score::is_mate(entry.score)
        {
            return Singularity::Extend(0);
        }
        let target = entry.score - depth * params.se_beta_mul() / 64;
        let reduced = (100 * (depth - 1) / params.se_depth_div()).max(1);
        self.frames[ply].excluded = Some(mv);
        let others =
            self.alpha_beta::<false>(position, ply, reduced, target - 1, target, node.expects_cut);
        self.frames[ply].excluded = None;
        if self.stopped {
            return Singularity::Settled(DRAW);
        }
        if others < target {
            if PV
                || others >= target - params.se_double_margin()
                || self.frames[ply].doubles >= params.se_max_double()
            {
                self.stats.count(Technique::Singular);
                return Singularity::Extend(1);
            }
            self.stats.count(Technique::DoubleSingular);
            let triple = !position.is_noisy(mv) && others < target - params.se_triple_margin();
            return Singularity::Extend(if triple { 3 } else { 2 });
        }
        // Several moves are good enough for a cutoff.
        if target >= beta {
            self.stats.count(Technique::MultiCut);
            return Singularity::Settled(target);
        }
        if entry.score >= beta {
            self.stats.count(Technique::NegativeExtension);
            return Singularity::Extend(-params.se_negative());
        }
        Singularity::Extend(0)
    }
}
