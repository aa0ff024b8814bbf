//! Info lines of a search, and the `bestmove` line.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use cozy_chess::Move;

use super::job::{Job, SearchResult};
use super::root::RootMove;
use super::time::Stopwatch;
use crate::output::print;
use crate::score::{self, INFINITE};
use crate::tt::{Bound, Table};

/// Least time between two blocks of info lines, in milliseconds. The last block is always printed.
const INFO_INTERVAL: u64 = 20;

/// Milliseconds after which progress within an iteration is printed, too: the current root move and
/// results outside the aspiration window. Earlier, there would be too many of these lines.
const DETAILS_AFTER: u64 = 3_000;

/// Prints the info lines of one search, holding them back when they come too fast.
pub(super) struct InfoWriter<'a> {
    job: &'a Job,
    table: &'a Table,
    tablebase_hits: &'a AtomicU64,
    stopwatch: Stopwatch,
    /// When the last block was printed.
    printed_at: u64,
    /// The latest block, if it has not been printed yet.
    pending: Option<String>,
    /// Nodes and first line of the latest block: the final block must not repeat it.
    latest: Option<(u64, Vec<Move>)>,
}

impl<'a> InfoWriter<'a> {
    pub fn new(
        job: &'a Job,
        table: &'a Table,
        tablebase_hits: &'a AtomicU64,
        stopwatch: Stopwatch,
    ) -> Self {
        Self {
            job,
            table,
            tablebase_hits,
            stopwatch,
            printed_at: 0,
            pending: None,
            latest: None,
        }
    }

    /// A completed iteration: one line per principal variation, best first.
    pub fn iteration(&mut self, variations: &[RootMove], nodes: u64) {
        self.set_pending(variations, nodes);
        self.flush_if_due();
    }

    /// Prints what was held back because it came soon after the block before.
    pub fn flush_if_due(&mut self) {
        let now = self.stopwatch.milliseconds();
        if self.pending.is_some() && now >= self.printed_at + INFO_INTERVAL {
            self.printed_at = now;
            self.flush();
        }
    }

    /// A score outside the aspiration window.
    pub fn bound(&mut self, root_move: &RootMove, nodes: u64) {
        if self.stopwatch.milliseconds() >= DETAILS_AFTER {
            self.iteration(std::slice::from_ref(root_move), nodes);
        }
    }

    /// The root move that is about to be searched.
    pub fn current_move(&self, mv: Move, number: i32, depth: i32) {
        if self.stopwatch.milliseconds() >= DETAILS_AFTER {
            let mv = self.job.position.uci(mv, self.job.settings.chess960);
            print(&format!(
                "info depth {depth} currmove {mv} currmovenumber {number}"
            ));
        }
    }

    /// The result of the search: the last block before `bestmove` names the move played and the
    /// exact number of nodes.
    pub fn finish(&mut self, variations: &[RootMove], nodes: u64) {
        self.flush();
        let Some(best) = variations.first() else {
            let mated = self.job.position.in_check();
            let score = if mated { "mate 0" } else { "cp 0" };
            print(&format!("info depth 0 score {score}"));
            return;
        };
        if self.latest.as_ref() != Some(&(nodes, best.line())) {
            self.set_pending(variations, nodes);
            self.flush();
        }
    }

    pub fn flush(&mut self) {
        if let Some(block) = self.pending.take() {
            print(&block);
        }
    }

    fn set_pending(&mut self, variations: &[RootMove], nodes: u64) {
        // Of a search that hardly began, only some variations have a score.
        let is_known =
            |root_move: &RootMove| root_move.score != -INFINITE && root_move.bound == Bound::Exact;
        let lines: Vec<String> = variations
            .iter()
            .enumerate()
            .filter(|(index, root_move)| *index == 0 || is_known(root_move))
            .map(|(index, root_move)| self.line(root_move, index + 1, nodes))
            .collect();
        self.pending = Some(lines.join("\n"));
        self.latest = variations.first().map(|best| (nodes, best.line()));
    }

    fn line(&self, root_move: &RootMove, rank: usize, nodes: u64) -> String {
        let now = self.stopwatch.milliseconds();
        let bound = match root_move.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let hits = self
            .job
            .settings
            .tablebase
            .as_ref()
            .map_or(String::new(), |_| {
                format!(" tbhits {}", self.tablebase_hits.load(Relaxed))
            });
        let mut line = format!(
            "info depth {} seldepth {} multipv {rank} score {}{bound} nodes {nodes} nps {} \
             hashfull {}{hits} time {now} pv",
            root_move.depth,
            root_move.seldepth,
            score::uci(root_move.score),
            nodes * 1000 / now.max(1),
            self.table.hashfull(),
        );
        let mut position = self.job.position.clone();
        for mv in root_move.line() {
            line.push(' ');
            line.push_str(&position.uci(mv, self.job.settings.chess960));
            position = position.play(mv);
        }
        line
    }
}

/// The `bestmove` line.
pub fn best_move(job: &Job, result: &SearchResult) -> String {
    let Some(best) = result.best else {
        return "bestmove 0000".to_owned();
    };
    let chess960 = job.settings.chess960;
    let mut line = format!("bestmove {}", job.position.uci(best, chess960));
    if let Some(&reply) = result.line.get(1) {
        line.push_str(" ponder ");
        line.push_str(&job.position.play(best).uci(reply, chess960));
    }
    line
}
