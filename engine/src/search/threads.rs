//! Runs one search on all its threads and prints info lines.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use cozy_chess::Move;

use super::iterate::{PvReport, ThreadResult};
use super::limits::Limits;
use super::reductions::Reductions;
use super::time::{Budget, Stopwatch, budget};
use super::{Context, Searcher, Signals, ThreadData};
use crate::output::print;
use crate::params::Params;
use crate::position::Position;
use crate::score;
use crate::tt::Table;

/// Least time between info lines, in milliseconds. The last one is always printed.
const INFO_INTERVAL: u64 = 20;

/// Everything that is set by options.
#[derive(Clone)]
pub struct Settings {
    pub params: Params,
    pub reductions: Reductions,
    pub chess960: bool,
    pub multi_pv: usize,
    /// `Move Overhead`: milliseconds reserved for communication with the interface.
    pub overhead: u64,
    pub pruning_stats: bool,
}

impl Default for Settings {
    fn default() -> Self {
        let params = Params::default();
        Self {
            reductions: Reductions::new(&params),
            params,
            chess960: false,
            multi_pv: 1,
            overhead: 10,
            pruning_stats: false,
        }
    }
}

/// One `go`.
pub struct Job {
    pub position: Position,
    /// Keys of the game's positions before this one.
    pub earlier_keys: Vec<u64>,
    pub limits: Limits,
    pub settings: Settings,
    /// When the `go` command was received.
    pub start: Instant,
    /// Print info lines.
    pub verbose: bool,
}

pub struct SearchResult {
    pub best: Option<Move>,
    /// The expected reply.
    pub ponder: Option<Move>,
    pub nodes: u64,
    pub depth: i32,
    pub score: score::Score,
}

/// Runs the search to its end, on one thread per entry of `threads`.
pub fn run(
    job: &Job,
    threads: &mut [ThreadData],
    table: &Table,
    signals: &Signals,
) -> SearchResult {
    let Job {
        position,
        earlier_keys,
        limits,
        settings,
        ..
    } = job;
    table.age();
    let finished = AtomicBool::new(false);
    let published: Vec<AtomicU64> = threads.iter().map(|_| AtomicU64::new(0)).collect();
    let context = Context {
        params: &settings.params,
        reductions: &settings.reductions,
        table,
        signals,
        limits,
        stopwatch: Stopwatch::new(job.start, time_budget(limits, settings)),
        finished: &finished,
        published: &published,
    };
    let context = &context;
    let Some((main, helpers)) = threads.split_first_mut() else {
        return SearchResult {
            best: None,
            ponder: None,
            nodes: 0,
            depth: 0,
            score: score::NONE,
        };
    };
    let thread_result = thread::scope(|scope| {
        for (index, data) in helpers.iter_mut().enumerate() {
            scope.spawn(move || {
                let searcher = Searcher::new(context, data, position, earlier_keys, index + 1);
                searcher.iterate(position, 1, |_, _| {});
            });
        }
        let searcher = Searcher::new(context, main, position, earlier_keys, 0);
        let mut info = InfoWriter {
            job,
            context,
            last: 0,
            pending: Vec::new(),
        };
        let thread_result =
            searcher.iterate(position, settings.multi_pv, |_, report| info.on_pv(report));
        info.flush();
        wait_for_permission(limits, signals);
        finished.store(true, Relaxed);
        thread_result
    });
    let nodes = published.iter().map(|nodes| nodes.load(Relaxed)).sum();
    result(job, thread_result, nodes)
}

/// UCI forbids `bestmove` before `stop` in an infinite search, and before `ponderhit` while
/// pondering.
fn wait_for_permission(limits: &Limits, signals: &Signals) {
    let must_wait = || limits.infinite || signals.pondering.load(Relaxed);
    while must_wait() && !signals.stop.load(Relaxed) {
        thread::sleep(std::time::Duration::from_millis(1));
    }
}

fn time_budget(limits: &Limits, settings: &Settings) -> Option<Budget> {
    if limits.infinite {
        return None;
    }
    if let Some(time) = limits.move_time {
        let time = time.saturating_sub(settings.overhead).max(1);
        return Some(Budget {
            soft: time,
            hard: time,
        });
    }
    limits
        .clock
        .map(|clock| budget(clock, settings.overhead, &settings.params))
}

fn result(job: &Job, thread_result: ThreadResult, nodes: u64) -> SearchResult {
    let ThreadResult {
        moves,
        depth,
        stats,
        ..
    } = thread_result;
    if job.verbose && job.settings.pruning_stats {
        for line in stats.lines() {
            print(&format!("info string stats {line}"));
        }
    }
    let leader = moves.first();
    SearchResult {
        best: leader.map(|root| root.mv),
        ponder: leader.and_then(|root| root.line.get(1).copied()),
        nodes,
        depth,
        score: leader.map_or(score::NONE, |root| root.score),
    }
}

/// Prints info lines, holding them back when they come too fast.
struct InfoWriter<'a> {
    job: &'a Job,
    context: &'a Context<'a>,
    last: u64,
    pending: Vec<String>,
}

impl InfoWriter<'_> {
    fn on_pv(&mut self, report: &PvReport) {
        if !self.job.verbose {
            return;
        }
        if report.rank == 1 {
            self.pending.clear();
        }
        let now = self.context.stopwatch.milliseconds();
        self.pending.push(self.line(report, now));
        if report.is_last && now >= self.last + INFO_INTERVAL {
            self.last = now;
            self.flush();
        }
    }

    fn flush(&mut self) {
        if !self.pending.is_empty() {
            print(&self.pending.join("\n"));
            self.pending.clear();
        }
    }

    fn line(&self, report: &PvReport, now: u64) -> String {
        let root = report.root_move;
        let nps = report.nodes * 1000 / now.max(1);
        let mut line = format!(
            "info depth {} seldepth {} multipv {} score {} nodes {} nps {nps} hashfull {} time {now} pv",
            report.depth,
            root.seldepth,
            report.rank,
            score::uci(root.score),
            report.nodes,
            self.context.table.hashfull(),
        );
        let mut position = self.job.position.clone();
        for &mv in &root.line {
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
    if let Some(reply) = result.ponder {
        line.push_str(" ponder ");
        line.push_str(&job.position.play(best).uci(reply, chess960));
    }
    line
}
