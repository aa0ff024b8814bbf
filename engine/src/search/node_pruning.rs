//! Pruning of a whole node before its moves are searched: deep futility, razoring, reverse
//! futility, null move and `ProbCut`. All are for non-PV nodes that are not in check.

use super::node::Node;
use super::ordering::MovePicker;
use super::pruning;
use super::searcher::Searcher;
use super::stats::{Counter, Technique};
use crate::position::Position;
use crate::score::{self, DRAW, Score};
use crate::see;
use crate::tt::{Bound, Entry};

impl Searcher<'_> {
    /// The score of a node that can be pruned; any score once the search has been stopped.
    pub(super) fn prune_node(&mut self, node: &Node) -> Option<Score> {
        let is_decisive = score::is_decisive(node.evals.refined);
        if !is_decisive
            && !score::is_decisive(node.alpha)
            && let Some(score) = self.prune_below_alpha(node)
        {
            return Some(score);
        }
        if score::is_decisive(node.beta) {
            return None;
        }
        if !is_decisive && let Some(score) = self.reverse_futility(node) {
            return Some(score);
        }
        self.null_move(node).or_else(|| self.probcut(node))
    }

    /// Deep futility pruning and razoring: the evaluation is far below alpha.
    fn prune_below_alpha(&mut self, node: &Node) -> Option<Score> {
        let &Node {
            position,
            depth,
            alpha,
            ..
        } = node;
        let params = self.context.params;
        let eval = node.evals.refined;
        self.count_try(Technique::DeepFutility, params.dfp_enable());
        if let Some(score) = pruning::deep_futility(params, position.board(), depth, eval, alpha) {
            self.count_node_cut(Technique::DeepFutility, node, score);
            return Some(score);
        }
        if !pruning::razors(params, depth, eval, alpha) {
            return None;
        }
        self.count_try(Technique::Razoring, true);
        let score = self.quiescence::<false>(position, node.ply, alpha, node.beta);
        if self.stopped {
            return Some(DRAW);
        }
        (score <= alpha).then(|| {
            self.count_node_cut(Technique::Razoring, node, score);
            score
        })
    }

    fn reverse_futility(&mut self, node: &Node) -> Option<Score> {
        let &Node {
            position,
            depth,
            beta,
            improving,
            ..
        } = node;
        if !position.has_pieces() {
            return None;
        }
        let eval = node.evals.refined;
        let params = self.context.params;
        self.count_try(Technique::ReverseFutility, params.rfp_enable());
        // The margin of a side that improves is the smaller one, so threats matter only within it.
        let mut score = pruning::reverse_futility(params, depth, eval, beta, improving)?;
        if improving && self.is_threatened(position, 2) {
            score = pruning::reverse_futility(params, depth, eval, beta, false)?;
        }
        self.count_node_cut(Technique::ReverseFutility, node, score);
        Some(score)
    }

    /// Whether a lesser piece attacks one of the side to move, where that counts: at this value of the
    /// parameter.
    fn is_threatened(&self, position: &Position, value: i32) -> bool {
        self.context.params.lesser_threats() >= value && position.has_piece_under_lesser_threat()
    }

    /// Null move pruning: if the node fails high even when the opponent moves twice in a row, it is
    /// cut. At high depth that must be confirmed by a verification search without null moves,
    /// which sees zugzwang.
    fn null_move(&mut self, node: &Node) -> Option<Score> {
        let &Node {
            position,
            ply,
            depth,
            beta,
            ..
        } = node;
        let params = self.context.params;
        let eval = node.evals.refined;
        let refuted = node
            .entry
            .is_some_and(|entry| entry.bound == Bound::Upper && entry.score < beta);
        // Two null moves in a row would search the same position again. With one move between them
        // the same side has passed twice.
        let is_null = |back: usize| ply >= back && self.frames[ply - back].is_null_move;
        let after_null_move = is_null(1) || params.nmp_once() && is_null(2);
        if !pruning::tries_null(params, depth, eval, beta)
            || after_null_move
            || refuted
            || ply < self.nmp_min_ply
            || !position.has_pieces()
            || self.is_threatened(position, 1)
        {
            return None;
        }
        let reduced = depth - pruning::null_reduction(params, depth, eval, beta);
        let child = self.play_null_move(position, ply)?;
        self.count_try(Technique::NullMove, true);
        let score = self.scout(&child, ply, reduced, beta - 1, !node.expected_cut);
        self.undo();
        if self.stopped {
            return Some(DRAW);
        }
        if score < beta {
            return None;
        }
        let verifies =
            pruning::is_on(params.nmp_verify_depth()) && depth >= params.nmp_verify_depth();
        if verifies && self.nmp_min_ply == 0 {
            let reduced = reduced.max(1);
            let plies = reduced * params.nmp_verify_fraction() / 100;
            self.nmp_min_ply = ply + plies as usize + 1;
            let verified = self.alpha_beta::<false>(position, ply, reduced, beta - 1, beta, false);
            self.nmp_min_ply = 0;
            if self.stopped {
                return Some(DRAW);
            }
            if verified < beta {
                self.stats.count(Counter::NullMoveRefused);
                return None;
            }
        }
        self.count_node_cut(Technique::NullMove, node, score);
        // A win found after a null move is not proven.
        Some(if score::is_won(score) { beta } else { score })
    }

    /// `ProbCut`: a capture that beats beta by a margin in a shallower search would most likely
    /// beat beta at full depth.
    fn probcut(&mut self, node: &Node) -> Option<Score> {
        let &Node {
            position,
            ply,
            depth,
            ..
        } = node;
        let params = self.context.params;
        let target = pruning::probcut_beta(params, node.beta, node.improving);
        let verify = depth - params.probcut_reduction();
        let hopeless = node
            .entry
            .is_some_and(|entry| entry.depth >= verify && entry.score < target);
        if !params.probcut_enable()
            || depth < params.probcut_min_depth()
            || hopeless
            || score::is_decisive(target)
        {
            return None;
        }
        let threshold = target - node.evals.corrected;
        let tt_move = node
            .tt_move
            .filter(|&mv| position.is_noisy(mv) && see::see_ge(position, params, mv, threshold));
        let mut picker = MovePicker::noisy(self.buffer, tt_move, threshold);
        let mut found = None;
        self.count_try(Technique::ProbCut, true);
        while let Some(mv) = self.next_move(&mut picker, position, &node.history_context, [None; 2])
        {
            let child = self.play(position, mv, ply);
            let mut score = -self.quiescence::<false>(&child, ply + 1, -target, 1 - target);
            if score >= target && verify > 0 && !self.stopped {
                score = self.scout(&child, ply, verify, target - 1, !node.expected_cut);
            }
            self.undo();
            if self.stopped {
                found = Some(DRAW);
                break;
            }
            if score >= target {
                self.count_node_cut(Technique::ProbCut, node, score);
                let entry = Entry {
                    mv: Some(mv),
                    score,
                    eval: node.evals.raw,
                    depth: verify + params.probcut_stored_depth(),
                    bound: Bound::Lower,
                    pv: node.tt_pv,
                };
                self.store(position, ply, entry);
                found = Some(score);
                break;
            }
        }
        picker.finish(self.buffer);
        found
    }
}
