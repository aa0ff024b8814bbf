//! What a searched node teaches: killers and histories on a fail high, the correction history, the table.

use cozy_chess::{Move, Square};

use super::Searcher;
use super::move_loop::Found;
use super::node::Node;
use crate::score;
use crate::tt::{Bound, Entry};

/// Moves searched in vain, for the histories; the first few tell enough.
pub(super) struct Tried {
    moves: [Move; Self::MOST],
    count: usize,
}

impl Tried {
    const MOST: usize = 48;

    pub fn push(&mut self, mv: Move) {
        if self.count < Self::MOST {
            self.moves[self.count] = mv;
            self.count += 1;
        }
    }

    fn as_slice(&self) -> &[Move] {
        &self.moves[..self.count]
    }
}

impl Default for Tried {
    fn default() -> Self {
        let filler = Move {
            from: Square::A1,
            to: Square::A1,
            promotion: None,
        };
        Self {
            moves: [filler; Self::MOST],
            count: 0,
        }
    }
}

impl Searcher<'_> {
    /// Learns from a node of which at least one move was searched.
    pub(super) fn learn(&mut self, node: &Node, found: &Found) {
        let bound = Bound::of(found.best.score, node.alpha, node.beta);
        if bound == Bound::Lower
            && let Some(refutation) = found.best.mv
        {
            self.reward(node, found, refutation);
        }
        // A search without one of the moves says nothing of the position.
        if node.excluded.is_some() {
            return;
        }
        self.correct_evaluation(node, found, bound);
        // With several principal variations the root entry belongs to the first.
        if node.ply > 0 || self.pv_index == 0 {
            let entry = Entry {
                mv: found.best.mv,
                score: found.best.score,
                eval: node.evals.raw,
                depth: node.depth,
                bound,
                pv: node.table_pv,
            };
            self.store(node.position, node.ply, entry);
        }
    }

    /// A move has failed high: it gains, and those tried before it lose.
    fn reward(&mut self, node: &Node, found: &Found, refutation: Move) {
        let &Node {
            position,
            ply,
            depth,
            ..
        } = node;
        let params = self.context.params;
        let quiet = !position.is_noisy(refutation);
        if quiet {
            let killers = &mut self.frames[ply].killers;
            if killers[0] != Some(refutation) {
                *killers = [Some(refutation), killers[0]];
            }
            let stack = self.history_stack(ply);
            let tried = found.tried_quiet.as_slice();
            self.history
                .reward_quiet(params, position, &stack, refutation, tried, depth);
        }
        let noisy = (!quiet).then_some(refutation);
        let tried = found.tried_noisy.as_slice();
        self.history
            .reward_noisy(params, position, noisy, tried, depth);
    }

    /// The evaluation has been off by what the score says, unless that comes from a capture it could not foresee.
    fn correct_evaluation(&mut self, node: &Node, found: &Found, bound: Bound) {
        let params = self.context.params;
        let (best, eval) = (&found.best, node.evals.corrected);
        if !node.in_check
            && bound.refines(best.score, eval)
            && params.corr_enable()
            && !score::is_mate(best.score)
            && best.mv.is_none_or(|mv| !node.position.is_noisy(mv))
        {
            self.history
                .correct(params, node.position, node.depth, best.score - eval);
        }
    }
}
