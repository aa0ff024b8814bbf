//! The moves of a node, one after the other: pruned, or extended, reduced and searched.

use cozy_chess::Move;

use super::Searcher;
use super::history::HistoryStack;
use super::learning::Tried;
use super::node::{Best, Node};
use super::ordering::{CheckSquares, Picker};
use super::reductions::Traits;
use super::singular::Singularity;
use super::stats::Technique;
use crate::position::Position;
use crate::score::{self, DRAW, INFINITE, Score};
use crate::see;

/// What the moves tried so far have brought.
pub(super) struct Found {
    pub best: Best,
    /// Moves considered, pruned ones too.
    pub moves: i32,
    /// Searched in vain.
    pub tried_quiet: Tried,
    pub tried_noisy: Tried,
}

impl Found {
    pub fn new(node: &Node) -> Self {
        Self {
            best: Best::none_yet(node.alpha),
            moves: 0,
            tried_quiet: Tried::default(),
            tried_noisy: Tried::default(),
        }
    }
}

/// What is the same for all moves of a node.
struct Common {
    stack: HistoryStack,
    killers: [Option<Move>; 2],
    counter: Option<Move>,
    table_capture: bool,
}

/// A move about to be pruned or searched.
pub(super) struct Candidate {
    pub mv: Move,
    pub quiet: bool,
    pub history: i32,
    /// Attacks the king itself; discovered checks are not seen.
    pub checks_directly: bool,
}

impl Searcher<'_> {
    /// Searches the moves until one fails high or none is left. A score settles the node with nothing to be learned
    /// of it: it is cut by its table move, or the search has been stopped.
    pub(super) fn search_moves<const PV: bool>(
        &mut self,
        node: &Node,
        picker: &mut Picker,
        found: &mut Found,
    ) -> Option<Score> {
        let &Node { position, ply, .. } = node;
        let root = ply == 0;
        let stack = self.history_stack(ply);
        let common = Common {
            stack,
            killers: self.frames[ply].killers,
            counter: self.history.counter(&stack),
            table_capture: node.table_move.is_some_and(|mv| position.is_noisy(mv)),
        };
        let checks = CheckSquares::new(position);
        let prunable = !root && !node.in_check && position.has_pieces();
        let may_extend = !root && ply < 2 * self.iteration as usize;
        while let Some(mv) = self.next_move(picker, position, &common.stack, common.killers) {
            if Some(mv) == node.excluded || root && !self.root_allows(mv) {
                continue;
            }
            found.moves += 1;
            let quiet = !position.is_noisy(mv);
            let candidate = Candidate {
                mv,
                quiet,
                history: if quiet {
                    self.history.quiet(position, &common.stack, mv)
                } else {
                    self.history.noisy(position, mv)
                },
                checks_directly: checks.has(position.moved_piece(mv), mv),
            };
            // Before one move that does not lose, pruning would invent mates.
            if prunable
                && !score::is_lost(found.best.score)
                && self.prunes_move(node, &candidate, picker, found)
            {
                continue;
            }

            let mut extension = 0;
            if may_extend
                && node.excluded.is_none()
                && Some(mv) == node.table_move
                && let Some(entry) = node.entry
            {
                match self.singularity::<PV>(node, mv, entry) {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::Settled(score) => return Some(score),
                }
            }
            let nodes_before = self.nodes;
            let child = self.play(position, mv, ply);
            if extension == 0 && may_extend && self.extends_check(position, mv, &child) {
                self.stats.count(Technique::CheckExtension);
                extension = 1;
            }
            self.frames[ply + 1].doubles = self.frames[ply].doubles + i32::from(extension >= 2);
            let reduction = self.reduction::<PV>(node, &common, &candidate, &child, found.moves);
            let depth = node.depth - 1 + extension;
            let value = self.search_child::<PV>(node, &child, depth, reduction, found);
            self.undo();
            if self.stopped {
                return Some(DRAW);
            }

            if root {
                let is_new_best = found.moves == 1 || value > found.best.alpha;
                self.record_root(mv, value, is_new_best, self.nodes - nodes_before);
            }
            if self.accept::<PV>(&mut found.best, ply, mv, value, node.beta) {
                break;
            }
            if quiet {
                found.tried_quiet.push(mv);
            } else {
                found.tried_noisy.push(mv);
            }
        }
        None
    }

    /// A check that loses no material is worth a ply more.
    fn extends_check(&self, position: &Position, mv: Move, child: &Position) -> bool {
        let params = self.context.params;
        child.in_check() && params.check_ext_enable() && see::see_ge(position, params, mv, 0)
    }

    /// Plies by which a late move is searched less deep at first; none where it is not late.
    fn reduction<const PV: bool>(
        &self,
        node: &Node,
        common: &Common,
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
        let traits = Traits {
            quiet: candidate.quiet,
            pv: node.table_pv,
            cut_node: node.expects_cut,
            improving: node.improving,
            table_capture: common.table_capture,
            refutation: common.killers.contains(&mv) || common.counter == mv,
            gives_check: child.in_check(),
            history: candidate.history,
            correction: node.evals.correction,
        };
        let reductions = self.context.reductions;
        Some(reductions.plies(params, node.depth, moves, traits))
    }

    /// Principal variation search: only the first move of a node has an open window at once. Others must first beat
    /// alpha in a null window, late ones at reduced depth before that.
    fn search_child<const PV: bool>(
        &mut self,
        node: &Node,
        child: &Position,
        mut depth: i32,
        reduction: Option<i32>,
        found: &Found,
    ) -> Score {
        let params = self.context.params;
        let Best { score, alpha, .. } = found.best;
        let ply = node.ply;
        let mut value = -INFINITE;
        if let Some(reduction) = reduction {
            // Never deeper than without the reduction, and not into quiescence for it.
            let reduced = (depth - reduction).max(1).min(depth);
            self.stats.count(Technique::Reduction);
            value = self.scout(child, ply, reduced, alpha, true);
            if value > alpha && reduced < depth && !self.stopped {
                self.stats.count(Technique::ReductionResearch);
                if value > score + params.lmr_deeper_margin() {
                    depth += 1;
                } else if value < score + params.lmr_shallower_margin() {
                    depth -= 1;
                }
                if reduced < depth {
                    value = self.scout(child, ply, depth, alpha, !node.expects_cut);
                }
            }
        } else if !PV || found.moves > 1 {
            value = self.scout(child, ply, depth, alpha, !node.expects_cut);
        }
        if PV && (found.moves == 1 || value > alpha) && !self.stopped {
            value = -self.alpha_beta::<true>(child, ply + 1, depth, -node.beta, -alpha, false);
        }
        value
    }

    /// The value of a child of the node at `ply`, as far as a null window above alpha can tell.
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
