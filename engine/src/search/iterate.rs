//! Iterative deepening at the root: aspiration windows, `MultiPV`, and when to stop.

use cozy_chess::Move;
use std::sync::atomic::Ordering::Relaxed;

use super::stats::{Stats, Technique};
use super::time::soft_percent;
use super::{RootMove, Searcher};
use crate::position::Position;
use crate::score::{self, INFINITE, MAX_PLY, Score};

/// Result of one thread.
pub struct ThreadResult {
    /// The root moves, best first; empty without a legal move.
    pub moves: Vec<RootMove>,
    /// The last completed iteration.
    pub depth: i32,
    pub nodes: u64,
    pub stats: Stats,
}

/// A completed principal variation of an iteration.
pub struct PvReport<'a> {
    pub depth: i32,
    /// Counted from one.
    pub rank: usize,
    /// The last one of this iteration.
    pub is_last: bool,
    pub root_move: &'a RootMove,
    pub nodes: u64,
}

impl Searcher<'_> {
    /// Searches with increasing depth until a limit is reached. `report` is called for every
    /// completed principal variation.
    pub fn iterate(
        mut self,
        root: &Position,
        multi_pv: usize,
        mut report: impl FnMut(&Self, &PvReport),
    ) -> ThreadResult {
        let mut best: Option<Move> = None;
        let mut stable = 0;
        let mut finished_depth = 0;
        let limits = self.context.limits;
        let max_depth = limits.depth.clamp(1, MAX_PLY as i32 - 1);
        let multi_pv = multi_pv.clamp(1, self.root_moves.len().max(1));
        if self.root_moves.is_empty() {
            return self.thread_result(0);
        }
        for depth in 1..=max_depth {
            self.iteration = depth;
            let previous: Vec<Score> = self.root_moves.iter().map(|root| root.score).collect();
            for root_move in &mut self.root_moves {
                root_move.score = -INFINITE;
            }
            for index in 0..multi_pv {
                self.pv_index = index;
                let expected = previous.get(index).copied().unwrap_or(-INFINITE);
                self.search_line(root, depth, expected);
                self.root_moves[..=index].sort_by_key(|root| -root.score);
                if self.stopped {
                    break;
                }
                let (rank, nodes) = (index + 1, self.all_nodes().max(self.nodes));
                let root_move = &self.root_moves[index];
                report(
                    &self,
                    &PvReport {
                        depth,
                        rank,
                        is_last: rank == multi_pv,
                        root_move,
                        nodes,
                    },
                );
            }
            if self.stopped {
                self.keep_scores(&previous);
                break;
            }
            finished_depth = depth;
            let leader = &self.root_moves[0];
            stable = if best == Some(leader.mv) {
                stable + 1
            } else {
                0
            };
            best = Some(leader.mv);
            if self.is_done(stable) {
                break;
            }
        }
        self.publish();
        self.thread_result(finished_depth)
    }

    /// If an iteration was stopped before its first move was finished, restores the previous
    /// scores.
    fn keep_scores(&mut self, previous: &[Score]) {
        if self.root_moves[0].score == -INFINITE {
            for (root_move, &score) in self.root_moves.iter_mut().zip(previous) {
                root_move.score = score;
            }
        }
    }

    fn thread_result(self, depth: i32) -> ThreadResult {
        ThreadResult {
            moves: self.root_moves,
            depth,
            nodes: self.nodes,
            stats: self.stats,
        }
    }

    /// Whether another iteration is pointless or would not end in time.
    fn is_done(&self, stable: u32) -> bool {
        let context = self.context;
        if self.thread != 0 || context.signals.pondering.load(Relaxed) {
            return false;
        }
        let leader = &self.root_moves[0];
        if let Some(moves) = context.limits.mate
            && score::is_won(leader.score)
            && (score::MATE - leader.score + 1) / 2 <= moves
        {
            return true;
        }
        if context.limits.clock.is_none() {
            return false;
        }
        let effort = leader.nodes * 100 / self.nodes.max(1);
        self.root_moves.len() == 1
            || context
                .stopwatch
                .is_soft_limit_reached(soft_percent(context.params, stable, effort))
    }

    /// Searches one principal variation with a window around the expected score, widened until the
    /// score lies within.
    fn search_line(&mut self, root: &Position, depth: i32, expected: Score) {
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
        loop {
            let value = self.alpha_beta::<true>(root, 0, depth, alpha, beta, false);
            // A stable sort: moves without an exact score keep their order behind the best one.
            self.root_moves[self.pv_index..].sort_by_key(|root| -root.score);
            if self.stopped || (value > alpha && value < beta) {
                return;
            }
            self.stats.count(Technique::AspirationFail);
            if value <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (value - delta).max(-INFINITE);
            } else {
                beta = (value + delta).min(INFINITE);
            }
            delta += delta * params.asp_growth() / 100 + 1;
            if score::is_mate(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// The move to try first at the root.
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

    pub(super) fn record_root(&mut self, mv: Move, value: Score, is_new_best: bool, nodes: u64) {
        let seldepth = self.seldepth;
        let child = &self.pv.lines[1];
        let Some(root) = self.root_moves.iter_mut().find(|root| root.mv == mv) else {
            return;
        };
        root.nodes += nodes;
        if is_new_best {
            root.score = value;
            root.seldepth = seldepth;
            root.line.clear();
            root.line.push(mv);
            root.line.extend_from_slice(child);
        } else {
            root.score = -INFINITE;
        }
    }
}
