//! Runs one search on all its threads and prints info lines.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use super::info::InfoWriter;
use super::iterate::ThreadResult;
use super::job::{Job, SearchResult, Settings};
use super::limits::Limits;
use super::root::RootMove;
use super::searcher::{Context, Searcher, Signals, ThreadData};
use super::stats::Stats;
use super::time::{Budget, Stopwatch, budget};
use crate::output::print;
use crate::score;
use crate::tt::Table;

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
    let params = settings.pruning.apply(&settings.params);
    let wanted = &limits.search_moves;
    let mut root_moves = position.moves();
    root_moves.retain(|mv| wanted.is_empty() || wanted.contains(mv));
    // With `MultiPV`, moves that do not keep the result are wanted, too.
    let tablebase = settings.tablebase.as_deref();
    let best_moves = tablebase
        .filter(|_| settings.multi_pv == 1)
        .and_then(|tables| tables.best_moves(position, &root_moves));
    let tablebase_hits = AtomicU64::new(best_moves.as_ref().map_or(0, |_| root_moves.len() as u64));
    // Where the distance tables lead the game on, the search looks for mates and needs no tables.
    let is_led = best_moves
        .as_ref()
        .is_some_and(|&(_, by_distance)| by_distance);
    let tablebase = tablebase.filter(|_| !is_led);
    let root_moves = best_moves.map_or(root_moves, |(moves, _)| moves);
    let context = Context {
        tablebase,
        probe_depth: settings.probe_depth,
        tablebase_hits: &tablebase_hits,
        root_moves: &root_moves,
        params: &params,
        reductions: &settings.reductions,
        network: settings.network.as_deref(),
        table,
        signals,
        limits,
        stopwatch: Stopwatch::new(job.start, time_budget(limits, settings)),
        counts_tries: settings.pruning_stats,
        sample: if settings.pruning_stats {
            settings.pruning_sample
        } else {
            0
        },
        finished: &finished,
        published: &published,
    };
    let context = &context;
    let Some((main, helpers)) = threads.split_first_mut() else {
        return SearchResult {
            best: None,
            line: Vec::new(),
            nodes: 0,
            depth: 0,
            score: score::NONE,
            stats: Stats::default(),
        };
    };
    let (thread_result, info) = thread::scope(|scope| {
        for (index, data) in helpers.iter_mut().enumerate() {
            scope.spawn(move || {
                Searcher::new(context, data, position, earlier_keys, index + 1, None)
                    .iterate(position, 1);
            });
        }
        let info = job
            .verbose
            .then(|| InfoWriter::new(job, table, &tablebase_hits, context.stopwatch));
        let (thread_result, mut info) =
            Searcher::new(context, main, position, earlier_keys, 0, info)
                .iterate(position, settings.multi_pv);
        if let Some(info) = &mut info {
            info.flush();
        }
        wait_for_permission(limits, signals);
        finished.store(true, Relaxed);
        (thread_result, info)
    });
    // All threads have ended: their counts are final now.
    let nodes = published.iter().map(|nodes| nodes.load(Relaxed)).sum();
    if let Some(mut info) = info {
        let count = settings.multi_pv.min(thread_result.moves.len());
        info.finish(&thread_result.moves[..count], nodes);
    }
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
    } = thread_result;
    if job.verbose && job.settings.pruning_stats {
        for line in stats.lines() {
            print(&format!("info string stats {line}"));
        }
    }
    let leader = moves.first();
    SearchResult {
        best: leader.map(|root| root.mv),
        line: leader.map_or_else(Vec::new, RootMove::line),
        nodes,
        depth,
        score: leader.map_or(score::NONE, |root| root.score),
        stats,
    }
}
