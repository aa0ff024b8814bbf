//! The principal variation search of one node, in the order in which things are tried.
//!
//! 1. Draws, mate distance and the table may settle the node at once (here).
//! 2. Off the principal variation its evaluation or a cheaper search may: `node_pruning`.
//! 3. Its moves are searched: `move_loop`, with `move_pruning`, `singular` extensions and `reductions`.
//! 4. What came out goes into the histories and the table: `learning`.
//!
//! The margins of all pruning are in `pruning`, their constants in `params.toml`.

use super::Searcher;
use super::move_loop::Found;
use super::node::{Evals, Node};
use super::ordering::Picker;
use super::stats::Technique;
use crate::position::Position;
use crate::score::{self, DRAW, Score, mate_in, mated_in};

/// Beyond this half-move clock, table scores may hide the coming draw.
const STALE_CLOCK: u8 = 90;

impl Searcher<'_> {
    /// The node's score for the side to move: exact within the window, a bound outside (fail-soft). `PV` nodes have
    /// an open window; `cut_node` is the guess that a null window fails high. Once the search is stopped, scores mean
    /// nothing.
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
        let root = ply == 0;
        if !root {
            // No line from here can be better than mating at once, or worse than being mated now.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // The table knows the node with all its moves, and nothing of it without the excluded one.
        let excluded = self.frames[ply].excluded;
        let entry = match excluded {
            None => self.context.table.probe(position.key(), ply),
            Some(_) => None,
        };
        if let Some(entry) = entry
            && !PV
            && entry.depth >= depth
            && entry.bound.allows_cutoff(entry.score, alpha, beta)
            && position.board().halfmove_clock() < STALE_CLOCK
        {
            self.stats.count(Technique::TableCutoff);
            return entry.score;
        }
        let table_move = if root {
            self.root_hint()
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
            self.assess(position, entry)
        };
        self.frames[ply].eval = evals.corrected;
        self.frames[ply + 1].killers = [None; 2];
        self.frames[ply + 1].doubles = self.frames[ply].doubles;
        let mut node = Node {
            position,
            ply,
            depth,
            alpha,
            beta,
            expects_cut: cut_node,
            in_check,
            excluded,
            entry,
            table_move,
            table_pv: PV || entry.is_some_and(|entry| entry.pv),
            evals,
            improving: !in_check && self.is_improving(ply),
        };

        if !PV
            && !in_check
            && excluded.is_none()
            && let Some(score) = self.prune_node(&node)
        {
            return score;
        }
        if self.reduces_without_move::<PV>(&node) {
            self.stats.count(Technique::IterativeReduction);
            node.depth = (node.depth - self.context.params.iir_amount()).max(1);
        }

        let mut found = Found::new(&node);
        let mut picker = Picker::all(
            self.arena,
            table_move,
            -self.context.params.order_see_margin(),
        );
        let settled = self.search_moves::<PV>(&node, &mut picker, &mut found);
        picker.finish(self.arena);
        if let Some(score) = settled {
            return score;
        }
        if found.moves == 0 {
            return match excluded {
                Some(_) => alpha,
                None if in_check => mated_in(ply),
                None => DRAW,
            };
        }
        self.learn(&node, &found);
        found.best.score
    }

    /// Internal iterative reduction: without a table move the order is poor, and a shallower search will find one.
    fn reduces_without_move<const PV: bool>(&self, node: &Node) -> bool {
        let params = self.context.params;
        params.iir_enable()
            && node.depth >= params.iir_min_depth()
            && node.table_move.is_none()
            && node.excluded.is_none()
            && (PV || node.expects_cut)
    }

    /// Whether the evaluation is above that of the side's last turn, or the one before if it was in check then.
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
