//! The moves at the root and their results.

use cozy_chess::Move;

use super::Searcher;
use super::loop_state::LoopState;
use super::node::Node;
use crate::score::{self, INFINITE, Score};
use crate::tt::Bound;

/// A root move with its latest result.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// Minus infinity while it is not known to be the best of the current iteration.
    pub score: Score,
    /// Not exact if the score is outside the aspiration window.
    pub bound: Bound,
    /// Score of the iteration before.
    pub previous_score: Score,
    /// The iteration of the score; 0 if the move has not been searched.
    pub depth: i32,
    pub line: Vec<Move>,
    pub nodes: u64,
    pub seldepth: usize,
    /// The latest result within the aspiration window: score, depth and line.
    exact: Option<(Score, i32, Vec<Move>)>,
}

impl RootMove {
    pub fn new(mv: Move) -> Self {
        Self {
            mv,
            score: -INFINITE,
            bound: Bound::Exact,
            previous_score: -INFINITE,
            depth: 0,
            line: vec![mv],
            nodes: 0,
            seldepth: 0,
            exact: None,
        }
    }

    /// Makes the result one that can be the last of a search, where a bound will not do: match
    /// runners skip lines with bounds and would take the score of an earlier line, maybe of another
    /// move. A mate of which only a bound is known has no line that ends in mate, so such a move
    /// gets `previous`, the best score of the iteration before.
    pub fn settle(&mut self, previous: Score) {
        if self.bound == Bound::Upper
            && let Some((score, depth, line)) = self.exact.take()
        {
            (self.score, self.depth, self.line) = (score, depth, line);
        }
        if self.bound == Bound::Lower && score::is_mate(self.score) {
            self.score = previous;
        }
        self.bound = Bound::Exact;
    }
}

impl Searcher<'_> {
    /// The move to search first at the root.
    pub(super) fn root_tt_move(&self) -> Option<Move> {
        let first = &self.root_moves[self.pv_index];
        (self.iteration > 1).then_some(first.mv)
    }

    /// Whether the move is a root move that is not the best of an earlier principal variation.
    pub(super) fn root_allows(&self, mv: Move) -> bool {
        self.root_moves[self.pv_index..]
            .iter()
            .any(|root| root.mv == mv)
    }

    /// Records the value of a root move that took `nodes` nodes.
    pub(super) fn record_root(
        &mut self,
        node: &Node,
        state: &LoopState,
        mv: Move,
        value: Score,
        nodes: u64,
    ) {
        let (seldepth, iteration) = (self.seldepth, self.iteration);
        let child_line = &self.pv.lines[1];
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.nodes += nodes;
        if state.moves == 1 || value > state.best.alpha {
            root.score = value;
            root.bound = Bound::of(value, node.alpha, node.beta);
            root.depth = iteration;
            root.seldepth = seldepth;
            root.line.clear();
            root.line.push(mv);
            root.line.extend_from_slice(child_line);
            if root.bound == Bound::Exact {
                root.exact = Some((root.score, root.depth, root.line.clone()));
            }
        } else {
            root.score = -INFINITE;
        }
    }
}
