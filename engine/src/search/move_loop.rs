//! The loop over the moves of a node: each is pruned, or extended, reduced and searched.

use cozy_chess::Move;

use super::history::{QuietIndex, malus};
use super::loop_state::{Candidate, LoopState};
use super::node::{Best, Node};
use super::ordering::{CheckSquares, MovePicker};
use super::reductions::ReductionInput;
use super::searcher::Searcher;
use super::singular::SingularResult;
use super::stats::Counter;
use crate::position::Position;
use crate::score::{self, DRAW, INFINITE, Score};
use crate::see;

/// Data that is the same for all moves of a node.
struct NodeContext {
    killers: [Option<Move>; 2],
    counter: Option<Move>,
    tt_capture: bool,
}

impl Searcher<'_> {
    /// Searches the moves until one fails high or none is left. A returned score ends the node
    /// without updates of the tables: multi-cut, or the search has been stopped.
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        node: &Node,
        picker: &mut MovePicker,
        state: &mut LoopState,
    ) -> Option<Score> {
        let &Node { position, ply, .. } = node;
        let root = ply == 0;
        let common = NodeContext {
            killers: self.frames[ply].killers,
            counter: self.history.counter(&node.history_context),
            tt_capture: node.tt_move.is_some_and(|mv| position.is_noisy(mv)),
        };
        let checks = CheckSquares::new(position);
        let params = self.context.params;
        let prunable = !root
            && position.has_pieces()
            && (!node.in_check
                || params.evasion_enable() && node.depth <= params.evasion_max_depth());
        let may_extend = !root && (ply as i32) < self.context.params.ext_ply_mul() * self.iteration;
        while let Some(mv) = self.next_move(picker, position, &node.history_context, common.killers)
        {
            if Some(mv) == node.excluded || root && !self.root_allows(mv) {
                continue;
            }
            state.moves += 1;
            let quiet = !position.is_noisy(mv);
            let candidate = Candidate {
                mv,
                quiet,
                // The first move is neither pruned nor reduced.
                history: if state.moves == 1 {
                    0
                } else if quiet {
                    self.history
                        .quiet(params, position, &node.history_context, mv)
                } else {
                    self.history.noisy(position, mv)
                },
                checks_directly: checks.has(position.moved_piece(mv), mv),
            };
            // Without one score that is not a loss, pruning all other moves would invent a loss.
            // No evaluation reaches a win, so with one to beat everything would be pruned.
            if prunable
                && !score::is_lost(state.best.score)
                && !score::is_won(state.best.alpha)
                && self.prunes_move(node, &candidate, picker, state)
            {
                continue;
            }

            let mut extension = 0;
            if may_extend
                && node.excluded.is_none()
                && Some(mv) == node.tt_move
                && let Some(entry) = node.entry
            {
                match self.singular_search::<PV>(node, mv, entry) {
                    SingularResult::Extend(plies) => extension = plies,
                    SingularResult::Settled(score) => return Some(score),
                }
            }
            let nodes_before = self.nodes;
            if root && let Some(info) = &self.info {
                let number = state.moves + self.pv_index as i32;
                info.current_move(mv, number, self.iteration);
            }
            let child = self.play(position, mv, ply);
            if quiet {
                let index = QuietIndex::new(params, position, &node.history_context, mv);
                self.frames[ply].quiet = Some(index);
            }
            if extension == 0 && may_extend && self.extends_check(position, mv, &child) {
                self.stats.count(Counter::CheckExtension);
                extension = 1;
            }
            self.frames[ply + 1].double_extensions =
                self.frames[ply].double_extensions + i32::from(extension >= 2);
            let reduction = self.reduction::<PV>(node, &common, &candidate, &child, state.moves);
            let depth = node.depth - 1 + extension;
            let (value, promised) = self.search_child::<PV>(node, &child, depth, reduction, state);
            self.undo();
            if self.stopped {
                return Some(DRAW);
            }

            if promised && quiet && value <= state.best.alpha && !self.sampling {
                let change = -malus(params, depth) * params.hist_research_scale() / 100;
                let context = &node.history_context;
                self.history
                    .update_quiet(params, position, context, mv, change);
            }
            if root {
                self.record_root(node, state, mv, value, self.nodes - nodes_before);
            }
            if self.accept::<PV>(&mut state.best, ply, mv, value, node.beta) {
                self.stats.count(Counter::FailHigh);
                self.frames[ply].fail_highs += 1;
                if state.moves == 1 {
                    self.stats.count(Counter::FirstMoveFailHigh);
                }
                break;
            }
            if quiet {
                state.searched_quiets.push(mv);
            } else {
                state.searched_noisies.push(mv);
            }
        }
        None
    }

    /// Check extension: for checks that lose no material.
    fn extends_check(&self, position: &Position, mv: Move, child: &Position) -> bool {
        let params = self.context.params;
        child.in_check() && params.check_ext_enable() && see::see_ge(position, params, mv, 0)
    }

    /// Late move reduction in plies; `None` if the move is not reduced.
    fn reduction<const PV: bool>(
        &self,
        node: &Node,
        common: &NodeContext,
        candidate: &Candidate,
        child: &Position,
        moves: i32,
    ) -> Option<i32> {
        let params = self.context.params;
        let late = moves > params.lmr_min_moves() + i32::from(PV);
        if !params.lmr_enable() || node.depth < params.lmr_min_depth() || !late {
            return None;
        }
        let mv = Some(candidate.mv);
        let input = ReductionInput {
            quiet: candidate.quiet,
            pv: node.tt_pv,
            cut_node: node.expected_cut,
            improving: node.improving,
            tt_capture: common.tt_capture,
            killer_or_counter: common.killers.contains(&mv) || common.counter == mv,
            gives_check: child.in_check(),
            refuted: self.frames[node.ply + 1].fail_highs > params.lmr_refuted_count(),
            history: candidate.history,
        };
        let reductions = self.context.reductions;
        Some(reductions.plies(params, node.depth, moves, input))
    }

    /// Principal variation search: only the first move of a PV node gets the open window at once.
    /// The others must first beat alpha in a null window, late moves at reduced depth before that.
    /// Also returns whether a search at reduced depth has beaten alpha.
    fn search_child<const PV: bool>(
        &mut self,
        node: &Node,
        child: &Position,
        mut depth: i32,
        reduction: Option<i32>,
        state: &LoopState,
    ) -> (Score, bool) {
        let params = self.context.params;
        let Best { score, alpha, .. } = state.best;
        let ply = node.ply;
        let (mut value, mut promised) = (-INFINITE, false);
        if let Some(reduction) = reduction {
            // A negative reduction does not extend, and a reduced move is not searched by
            // quiescence only.
            let reduced = (depth - reduction).max(1).min(depth);
            if reduced < depth {
                self.stats.count(Counter::Reduction);
            }
            self.frames[ply].reduction = depth - reduced;
            value = self.scout(child, ply, reduced, alpha, true);
            self.frames[ply].reduction = 0;
            if value > alpha && reduced < depth && !self.stopped {
                self.stats.count(Counter::ReductionResearch);
                promised = true;
                if value > score + params.lmr_deeper_margin() {
                    depth += 1;
                } else if value < score + params.lmr_shallower_margin() {
                    depth -= 1;
                }
                if reduced < depth {
                    value = self.scout(child, ply, depth, alpha, !node.expected_cut);
                }
            }
        } else if !PV || state.moves > 1 {
            value = self.scout(child, ply, depth, alpha, !node.expected_cut);
        }
        if PV && (state.moves == 1 || value > alpha) && !self.stopped {
            value = -self.alpha_beta::<true>(child, ply + 1, depth, -node.beta, -alpha, false);
        }
        (value, promised)
    }

    /// Null window search of a child of the node at `ply`: whether it beats alpha.
    pub(super) fn scout(
        &mut self,
        child: &Position,
        ply: usize,
        depth: i32,
        alpha: Score,
        cut_node: bool,
    ) -> Score {
        -self.alpha_beta::<false>(child, ply + 1, depth, -alpha - 1, -alpha, cut_node)
    }
}
