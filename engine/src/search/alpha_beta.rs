//! Principal variation search of one node, in this order:
//!
//! 1. Draws, mate distance pruning and table cutoffs (here).
//! 2. Pruning of the whole node outside the principal variation: `node_pruning`.
//! 3. The moves: `move_loop`, with `move_pruning`, `singular` extensions and `reductions`.
//! 4. Updates of histories and table: `updates`.
//!
//! The formulas of all pruning are in `pruning`, their constants in `params.toml`.

use super::loop_state::LoopState;
use super::node::{Evals, Node};
use super::ordering::MovePicker;
use super::pruning;
use super::searcher::Searcher;
use super::stats::Counter;
use crate::position::Position;
use crate::score::{self, DRAW, Score, mate_in, mated_in};
use crate::tt::Entry;

impl Searcher<'_> {
    /// Searches a node and returns its score for the side to move: exact within the window, a bound
    /// outside (fail-soft). `PV` nodes have an open window; `cut_node` is the expectation that a
    /// null window fails high. Scores are meaningless once the search has been stopped.
    pub(super) fn alpha_beta<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        mut alpha: Score,
        mut beta: Score,
        cut_node: bool,
    ) -> Score {
        if depth <= 0 {
            return self.quiescence::<PV>(position, ply, alpha, beta);
        }
        if let Some(score) = self.enter::<PV>(position, ply) {
            return score;
        }
        self.stats.count(Counter::Node);
        let root = ply == 0;
        if !root {
            // The side to move can repeat a position, so it need not accept less than a draw.
            if alpha < DRAW && self.context.params.repetition_enable() && self.can_repeat(position)
            {
                self.stats.count(Counter::Repetition);
                alpha = DRAW;
                if alpha >= beta {
                    return alpha;
                }
            }
            // Mate distance pruning: no score can be better than mate in one ply or worse than
            // mated now.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // The table's entry is for the node with all its moves, so it does not hold for a search
        // with an excluded move.
        let excluded = self.frames[ply].excluded;
        let entry = match excluded {
            None => {
                self.stats.count(Counter::TableProbe);
                self.context.table.probe(position.key(), ply)
            }
            Some(_) => None,
        };
        if entry.is_some() {
            self.stats.count(Counter::TableHit);
        }
        if let Some(entry) = entry
            && !PV
            && entry.depth >= depth
            && entry.bound.allows_cutoff(entry.score, alpha, beta)
            && i32::from(position.board().halfmove_clock()) < self.context.params.tt_clock_limit()
        {
            self.stats.count(Counter::TableCutoff);
            return entry.score;
        }
        if !root
            && excluded.is_none()
            && let Some(score) = self.probe_tablebase(position, ply, depth)
        {
            return score;
        }
        let tt_move = if root {
            self.root_tt_move()
        } else {
            entry
                .and_then(|entry| entry.mv)
                .filter(|&mv| position.board().is_legal(mv))
        };

        let in_check = position.in_check();
        let evals = if in_check {
            Evals::NONE
        } else if excluded.is_some() {
            Evals::known(self.frames[ply].eval)
        } else {
            self.static_evals(position, ply, entry)
        };
        self.frames[ply].eval = evals.corrected;
        self.frames[ply + 1].killers = [None; 2];
        self.frames[ply + 2].fail_highs = 0;
        self.frames[ply + 1].double_extensions = self.frames[ply].double_extensions;
        let mut node = Node {
            position,
            ply,
            depth,
            alpha,
            beta,
            expected_cut: cut_node,
            in_check,
            excluded,
            entry,
            tt_move,
            tt_pv: PV || entry.is_some_and(|entry| entry.pv),
            evals,
            history_context: self.history_context(ply),
            improving: !in_check && self.is_improving(ply),
        };

        if !PV
            && !in_check
            && excluded.is_none()
            && self.unpruned != Some(ply)
            && let Some(score) = self.prune_node(&node)
        {
            return score;
        }
        if !PV && !in_check && excluded.is_none() && self.razors_a_ply(&node) {
            self.stats.count(Counter::LimitedRazoring);
            node.depth -= 1;
        }
        if excluded.is_none() && !in_check {
            node.depth += self.hindsight(&node);
        }
        if self.reduces_without_move::<PV>(&node) {
            self.stats.count(Counter::IterativeReduction);
            node.depth = (node.depth - self.context.params.iir_amount()).max(1);
        }

        let mut state = LoopState::new(&node);
        let mut picker = MovePicker::all(
            self.buffer,
            tt_move,
            -self.context.params.order_see_margin(),
        );
        let settled = self.search_moves::<PV>(&node, &mut picker, &mut state);
        picker.finish(self.buffer);
        if let Some(score) = settled {
            return score;
        }
        if state.moves == 0 {
            return match excluded {
                Some(_) => alpha,
                None if in_check => mated_in(ply),
                None => DRAW,
            };
        }
        if !PV {
            let (params, score) = (self.context.params, state.best.score);
            state.best.score = pruning::blended_fail_high(params, node.depth, score, beta);
        }
        self.update_tables(&node, &state);
        state.best.score
    }

    /// Limited razoring. Mates and results of the tables are not evaluations, and without pieces any
    /// move may be zugzwang.
    fn razors_a_ply(&self, node: &Node) -> bool {
        let eval = node.evals.refined;
        !score::is_decisive(eval)
            && !score::is_decisive(node.alpha)
            && node.position.has_pieces()
            && pruning::limited_razoring(self.context.params, node.depth, eval, node.alpha)
    }

    /// By how many plies the evaluation here corrects the reduction of the move that led here.
    fn hindsight(&self, node: &Node) -> i32 {
        let Some(before) = node.ply.checked_sub(1).map(|ply| &self.frames[ply]) else {
            return 0;
        };
        if before.reduction == 0 || before.eval == score::NONE {
            return 0;
        }
        let lost = node.evals.corrected + before.eval;
        pruning::hindsight(self.context.params, node.depth, before.reduction, lost)
    }

    /// Internal iterative reduction: without a table move, or with one of a much shallower search,
    /// the ordering is poor, and a shallower search is a cheap way to find one.
    fn reduces_without_move<const PV: bool>(&self, node: &Node) -> bool {
        let params = self.context.params;
        let lag = params.iir_entry_lag();
        let is_shallow = |entry: Entry| pruning::is_on(lag) && entry.depth + lag < node.depth;
        params.iir_enable()
            && node.depth >= params.iir_min_depth()
            && (node.tt_move.is_none() || node.entry.is_some_and(is_shallow))
            && node.excluded.is_none()
            && (PV || node.expected_cut)
    }

    /// Whether the evaluation has risen since the side's previous turn, or the one before that if
    /// it was in check then.
    fn is_improving(&self, ply: usize) -> bool {
        let earlier = |back: usize| {
            let eval = self.frames[ply.checked_sub(back)?].eval;
            (eval != score::NONE).then_some(eval)
        };
        earlier(2)
            .or_else(|| earlier(4))
            .is_none_or(|eval| self.frames[ply].eval > eval)
    }
}
