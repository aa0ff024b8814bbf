//! Samples of cuts, searched after all to see whether they were correct: see `stats`.
//!
//! Such a search affects nothing but the statistics: it stores nothing in the table, updates no
//! history, and its nodes are not counted. So the search is the same with and without samples. It
//! uses the table and all other techniques, as the search would have without this cut.

use cozy_chess::Move;

use super::node::Node;
use super::searcher::Searcher;
use super::stats::Technique;
use crate::position::Position;
use crate::score::Score;

impl Searcher<'_> {
    /// Counts a node or a move for which a technique was evaluated, if it is switched on.
    #[inline]
    pub(super) fn count_try(&mut self, technique: Technique, is_on: bool) {
        if self.context.counts_tries {
            self.stats.tally(technique).tried += u64::from(is_on);
        }
    }

    /// Counts the cut of a node, and checks it if it is one of the sample.
    #[inline]
    pub(super) fn count_node_cut(&mut self, technique: Technique, node: &Node, score: Score) {
        if !self.count_cuts(technique, 1) {
            return;
        }
        self.check(technique, |searcher| {
            let &Node {
                position,
                ply,
                depth,
                alpha,
                beta,
                ..
            } = node;
            searcher.unpruned = Some(ply);
            let value =
                searcher.alpha_beta::<false>(position, ply, depth, alpha, beta, node.expected_cut);
            searcher.unpruned = None;
            if score >= beta {
                value < beta
            } else {
                value > alpha
            }
        });
    }

    /// The same for a move, or for it and all quiet moves after it. The sample holds the move: at
    /// the depth that a late move has, then at full depth if that beats alpha.
    #[inline]
    pub(super) fn count_move_cut(
        &mut self,
        technique: Technique,
        node: &Node,
        mv: Move,
        alpha: Score,
        depths: [i32; 2],
        moves: usize,
    ) {
        if !self.count_cuts(technique, moves as u64) {
            return;
        }
        let &Node { position, ply, .. } = node;
        self.check(technique, |searcher| {
            let child = searcher.play(position, mv, ply);
            searcher.frames[ply + 1].double_extensions = searcher.frames[ply].double_extensions;
            let is_false = depths
                .into_iter()
                .all(|depth| searcher.scout(&child, ply, depth, alpha, !node.expected_cut) > alpha);
            searcher.undo();
            is_false
        });
    }

    /// The same for a capture in quiescence search.
    #[inline]
    pub(super) fn count_capture_cut(
        &mut self,
        position: &Position,
        ply: usize,
        mv: Move,
        alpha: Score,
    ) {
        if !self.count_cuts(Technique::Delta, 1) {
            return;
        }
        self.check(Technique::Delta, |searcher| {
            let child = searcher.play(position, mv, ply);
            let value = -searcher.quiescence::<false>(&child, ply + 1, -alpha - 1, -alpha);
            searcher.undo();
            value > alpha
        });
    }

    /// Counts cuts and returns whether the latest belongs to the sample.
    #[inline]
    fn count_cuts(&mut self, technique: Technique, cuts: u64) -> bool {
        let tally = self.stats.tally(technique);
        let before = tally.cut;
        tally.cut += cuts;
        let every = self.context.sample;
        every > 0 && !self.sampling && before / every != tally.cut / every
    }

    /// Runs a search that affects nothing else. `is_false` returns whether it contradicts the cut.
    #[cold]
    fn check(&mut self, technique: Technique, is_false: impl FnOnce(&mut Self) -> bool) {
        let (nodes, seldepth, null_ply) = (self.nodes, self.seldepth, self.nmp_min_ply);
        let (stats, frames) = (self.stats.clone(), *self.frames);
        self.sampling = true;
        let is_false = is_false(self);
        self.sampling = false;
        let searched = self.nodes - nodes;
        (self.nodes, self.seldepth, self.nmp_min_ply) = (nodes, seldepth, null_ply);
        self.stats = stats;
        *self.frames = frames;
        if !self.stopped {
            let tally = self.stats.tally(technique);
            tally.sampled += 1;
            tally.false_cuts += u64::from(is_false);
            tally.sampled_nodes += searched;
        }
    }
}
