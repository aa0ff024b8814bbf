//! The moves at the root and their results.

use cozy_chess::Move;

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
    /// What followed the move; a short search should not allocate a line for each move.
    replies: Vec<Move>,
    pub nodes: u64,
    pub seldepth: usize,
    /// The latest result within the aspiration window: score, depth and replies.
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
            replies: Vec::new(),
            nodes: 0,
            seldepth: 0,
            exact: None,
        }
    }

    /// The principal variation, which begins with the move.
    pub fn line(&self) -> Vec<Move> {
        [&[self.mv], &self.replies[..]].concat()
    }

    /// Takes the value of a search and the line that followed the move in it.
    pub fn record(&mut self, score: Score, bound: Bound, depth: i32, line: &[Move]) {
        (self.score, self.bound, self.depth) = (score, bound, depth);
        self.replies.clear();
        self.replies.extend_from_slice(line);
        if bound == Bound::Exact {
            self.exact = Some((score, depth, self.replies.clone()));
        }
    }

    /// Makes the score exact, as the last of a search must be: match runners skip lines with bounds
    /// and would take the score of an earlier line, maybe of another move. A mate of which only a
    /// bound is known has no line that ends in mate, so such a move gets `previous`, the best score
    /// of the iteration before.
    pub fn settle(&mut self, previous: Score) {
        if self.bound == Bound::Upper
            && let Some((score, depth, replies)) = self.exact.take()
        {
            (self.score, self.depth, self.replies) = (score, depth, replies);
        }
        if self.bound == Bound::Lower && score::is_mate(self.score) {
            self.score = previous;
        }
        self.bound = Bound::Exact;
    }
}
