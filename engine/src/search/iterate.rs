//! Iterative deepening at the root: aspiration windows, `MultiPV`, and when to stop.

use cozy_chess::Move;
use std::sync::atomic::Ordering::Relaxed;

use super::info::InfoWriter;
use super::root::RootMove;
use super::searcher::Searcher;
use super::stats::{Counter, Stats};
use super::time::soft_percent;
use crate::position::Position;
use crate::score::{self, DRAW, INFINITE, MAX_PLY, Score};

/// Iterations over which the fall of the score is measured.
const DROP_SPAN: usize = 4;

/// By how much the score of the latest iteration is below that of some iterations ago.
fn drop_of(scores: &[Score]) -> Score {
    match scores {
        [] => 0,
        [.., latest] => scores[scores.len().saturating_sub(DROP_SPAN + 1)] - latest,
    }
}

/// Result of one thread.
pub(super) struct ThreadResult {
    /// The root moves, best first; empty without a legal move.
    pub moves: Vec<RootMove>,
    /// The last completed iteration.
    pub depth: i32,
    pub stats: Stats,
}

impl<'a> Searcher<'a> {
    /// Searches with increasing depth until a limit is reached. Also returns the info writer, which
    /// must still print the result.
    pub(super) fn iterate(
        mut self,
        root: &Position,
        multi_pv: usize,
    ) -> (ThreadResult, Option<InfoWriter<'a>>) {
        let mut completed_depth = 0;
        if !self.root_moves.is_empty() {
            completed_depth = self.deepen(root, multi_pv.clamp(1, self.root_moves.len()));
            self.fill_missing_scores(root);
            let previous = self.root_moves.iter().map(|root| root.previous_score);
            let previous = previous.max().unwrap_or(DRAW);
            self.root_moves[0].settle(previous);
        }
        self.publish();
        let result = ThreadResult {
            moves: self.root_moves,
            depth: completed_depth,
            stats: self.stats,
        };
        (result, self.info)
    }

    /// Runs the iterations and returns the last one that was completed.
    fn deepen(&mut self, root: &Position, multi_pv: usize) -> i32 {
        let mut best: Option<Move> = None;
        let mut stable = 0;
        let mut scores = Vec::new();
        let mut completed = Vec::new();
        let max_depth = self.context.limits.depth.clamp(1, MAX_PLY as i32 - 1);
        for depth in 1..=max_depth {
            self.iteration = depth;
            for root_move in &mut self.root_moves {
                root_move.previous_score = root_move.score;
                root_move.score = -INFINITE;
            }
            for index in 0..multi_pv {
                self.pv_index = index;
                let expected = self.root_moves[index].previous_score;
                self.search_variation(root, depth, expected, multi_pv);
                if self.stopped {
                    self.restore(index.max(1), &completed);
                    return depth - 1;
                }
                // A later variation can turn out better than an earlier one, which is only known
                // when all have been searched: they are reported then.
                self.root_moves[..=index].sort_by_key(|root| -root.score);
            }
            completed = self.root_moves[..multi_pv].to_vec();
            let nodes = self.all_nodes().max(self.nodes);
            if let Some(info) = &mut self.info {
                info.iteration(&self.root_moves[..multi_pv], nodes);
            }
            let leader = &self.root_moves[0];
            stable = if best == Some(leader.mv) {
                stable + 1
            } else {
                0
            };
            best = Some(leader.mv);
            scores.push(leader.score);
            if self.is_done(stable, drop_of(&scores)) {
                return depth;
            }
        }
        max_depth
    }

    /// Puts the variations of the last completed iteration, in their order, behind the first
    /// `finished` of the one that was stopped: what that has found beyond them may be bounds.
    fn restore(&mut self, finished: usize, completed: &[RootMove]) {
        let mut next = finished;
        for variation in completed {
            let later = &mut self.root_moves[next..];
            if let Some(place) = later.iter().position(|root| root.mv == variation.mv) {
                later[..=place].rotate_right(1);
                later[0] = variation.clone();
                later[0].previous_score = variation.score;
                next += 1;
            }
        }
    }

    /// Gives a score to moves that have none because the search was stopped in mid-iteration: that
    /// of the iteration before, and without one the static evaluation.
    fn fill_missing_scores(&mut self, root: &Position) {
        if self.root_moves[0].score == -INFINITE && self.root_moves[0].previous_score == -INFINITE {
            self.root_moves[0].previous_score = if root.in_check() {
                DRAW
            } else {
                self.evaluate(root)
            };
        }
        for root_move in &mut self.root_moves {
            if root_move.score == -INFINITE {
                root_move.score = root_move.previous_score;
            }
        }
    }

    /// Whether the search ends here. One that ponders ends when the move that it expects has been made,
    /// even within the next iteration.
    fn is_done(&mut self, stable: u32, drop: Score) -> bool {
        self.has_enough = self.thread == 0 && self.needs_no_more(stable, drop);
        self.has_enough && !self.context.signals.pondering.load(Relaxed)
    }

    /// Whether another iteration is pointless or would not end in time.
    fn needs_no_more(&self, stable: u32, drop: Score) -> bool {
        let context = self.context;
        let leader = &self.root_moves[0];
        if let Some(moves) = context.limits.mate
            && leader.score > 0
            && score::is_mate(leader.score)
            && (score::MATE - leader.score + 1) / 2 <= moves
        {
            return true;
        }
        if self.nodes >= context.limits.soft_nodes {
            return true;
        }
        if context.limits.deciding_clock().is_none() {
            return false;
        }
        let effort = leader.nodes * 100 / self.nodes.max(1);
        self.root_moves.len() == 1
            || context.stopwatch.is_soft_limit_reached(soft_percent(
                context.params,
                stable,
                effort,
                drop,
            ))
    }

    /// Searches one principal variation with a window around the expected score, widened until the
    /// score lies within. A move that is too good needs less depth to be confirmed.
    fn search_variation(&mut self, root: &Position, depth: i32, expected: Score, multi_pv: usize) {
        self.seldepth = 0;
        let params = self.context.params;
        let mut delta = params.asp_delta()
            + (i64::from(expected) * i64::from(expected) / i64::from(params.asp_score_div()))
                as i32;
        let narrow =
            params.asp_enable() && depth >= params.asp_min_depth() && !score::is_mate(expected);
        let (mut alpha, mut beta) = if narrow {
            (
                (expected - delta).max(-INFINITE),
                (expected + delta).min(INFINITE),
            )
        } else {
            (-INFINITE, INFINITE)
        };
        let mut less = 0;
        loop {
            let searched = (depth - less).max(1);
            let value = self.alpha_beta::<true>(root, 0, searched, alpha, beta, false);
            // A stable sort: moves without an exact score keep their order behind the best one.
            self.root_moves[self.pv_index..].sort_by_key(|root| -root.score);
            if self.stopped || (value > alpha && value < beta) {
                return;
            }
            self.stats.count(Counter::AspirationFail);
            let nodes = self.all_nodes().max(self.nodes);
            if multi_pv == 1
                && let Some(info) = &mut self.info
            {
                info.bound(&self.root_moves[0], nodes);
            }
            if value <= alpha {
                less = 0;
                beta = i32::midpoint(alpha, beta);
                alpha = (value - delta).max(-INFINITE);
            } else {
                less = (less + 1).min(params.asp_reduce());
                beta = (value + delta).min(INFINITE);
            }
            delta += delta * params.asp_growth() / 100 + 1;
            if score::is_mate(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_searcher::with_searcher;
    use super::*;
    use crate::params::Params;

    #[test]
    fn a_search_that_has_pondered_long_enough_ends_within_an_iteration() {
        let root = Position::new(cozy_chess::Board::startpos());
        with_searcher(&Params::default(), &root, &[], |mut searcher| {
            searcher.root_moves = root.moves().into_iter().map(RootMove::new).collect();
            let pondering = &searcher.context.signals.pondering;
            pondering.store(true, Relaxed);
            searcher.nodes = searcher.context.limits.soft_nodes;
            assert!(!searcher.is_done(0, 0));
            searcher.nodes = 0;
            searcher.search_variation(&root, 4, DRAW, 1);
            assert!(!searcher.stopped);
            pondering.store(false, Relaxed);
            searcher.search_variation(&root, 8, DRAW, 1);
            assert!(searcher.stopped);
        });
    }

    #[test]
    fn the_selective_depth_is_that_of_one_variation() {
        let root = Position::new(cozy_chess::Board::startpos());
        with_searcher(&Params::default(), &root, &[], |mut searcher| {
            searcher.root_moves = root.moves().into_iter().map(RootMove::new).collect();
            searcher.seldepth = 77;
            searcher.search_variation(&root, 1, DRAW, 1);
            let seldepth = searcher.root_moves[0].seldepth;
            assert!(seldepth < 77, "{seldepth}");
        });
    }
}
