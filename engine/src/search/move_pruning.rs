//! Pruning of single moves: late move pruning, futility, history and SEE pruning.

use super::loop_state::{Candidate, LoopState};
use super::node::Node;
use super::ordering::MovePicker;
use super::pruning;
use super::searcher::Searcher;
use super::stats::Technique;
use crate::see;

impl Searcher<'_> {
    /// Whether the move is pruned. Late move pruning also skips all remaining quiet moves, and so does
    /// futility pruning once they come by history: then few of their margins are larger, those of
    /// moves that the order puts back for where they lead.
    pub(super) fn prunes_move(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        picker: &mut MovePicker,
        state: &mut LoopState,
    ) -> bool {
        let Some(technique) = self.pruning_technique(node, candidate, state) else {
            return false;
        };
        let mut moves = 1;
        let skips = match technique {
            Technique::LateMove => true,
            Technique::Futility => {
                picker.is_by_history() || !self.context.params.fp_killers_alone()
            }
            _ => false,
        };
        if skips {
            picker.skip_quiets();
            if self.context.counts_tries {
                moves += picker.quiets_left(self.buffer, node.position);
            }
        }
        let depths = [
            self.late_depth(node, candidate, state.moves),
            node.depth - 1,
        ];
        let alpha = state.best.alpha;
        self.count_move_cut(technique, node, candidate.mv, alpha, depths, moves);
        true
    }

    /// The depth left for the move after its usual reduction.
    #[inline]
    fn late_depth(&self, node: &Node, candidate: &Candidate, moves: i32) -> i32 {
        let reductions = self.context.reductions;
        let reduction = reductions.base(candidate.quiet, node.depth, moves) >> 10;
        (node.depth - 1 - reduction.max(0)).max(0)
    }

    /// The technique that prunes the move, if any.
    fn pruning_technique(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        state: &mut LoopState,
    ) -> Option<Technique> {
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
        let late_depth = self.late_depth(node, candidate, moves);
        let historical = self.historical_technique(node, candidate, state);
        if historical.is_some() {
            return historical;
        }
        if quiet {
            self.count_try(Technique::LateMove, params.lmp_enable());
            if pruning::move_limit(params, depth, node.improving).is_some_and(|most| moves > most) {
                return Some(Technique::LateMove);
            }
            if !candidate.checks_directly {
                let is_asked = params.fp_enable() && !node.in_check;
                self.count_try(Technique::Futility, is_asked);
                if let Some(value) = pruning::futility(params, late_depth, eval, alpha, history) {
                    state.best.score = state.best.score.max(value);
                    return Some(Technique::Futility);
                }
            }
            self.count_try(Technique::History, params.hp_enable());
            if pruning::history(params, late_depth, history) {
                return Some(Technique::History);
            }
        } else if !candidate.checks_directly && mv.promotion.is_none() {
            let is_asked = params.fp_capture_enable() && !node.in_check;
            self.count_try(Technique::CaptureFutility, is_asked);
            let victim = see::victim(position, params, mv);
            if pruning::capture_futility(params, late_depth, eval, alpha, victim) {
                return Some(Technique::CaptureFutility);
            }
        }
        let at_depth = if quiet { late_depth } else { depth };
        let least = pruning::exchange_threshold(params, at_depth, history, quiet)?;
        self.count_try(Technique::Exchange, true);
        (!see::see_ge(position, params, mv, least)).then_some(Technique::Exchange)
    }

    /// Frontier and extended futility pruning. Checks are searched, discovered ones, too.
    fn historical_technique(
        &mut self,
        node: &Node,
        candidate: &Candidate,
        state: &mut LoopState,
    ) -> Option<Technique> {
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
            return None;
        }
        let technique = match depth {
            1 => Technique::Frontier,
            _ => Technique::Extended,
        };
        self.count_try(technique, true);
        let captured = see::victim(position, params, mv);
        let (eval, alpha) = (node.evals.corrected, state.best.alpha);
        let bound = pruning::frontier(params, depth, eval, alpha, captured)?;
        if position.play(mv).in_check() {
            return None;
        }
        state.best.score = state.best.score.max(bound);
        Some(technique)
    }
}
