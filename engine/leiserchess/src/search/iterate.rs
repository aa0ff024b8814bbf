//! Iterative deepening in one or several threads, `MultiPV`, and `info` lines.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::Instant;

use crate::board::Board;
use crate::eval::Beams;
use crate::moves::legal;
use crate::score::{self, DECIDED, INFINITY, MAX_PLY, WIN};
use crate::search::history::History;
use crate::search::limits::{Budget, Limits};
use crate::search::settings::Settings;
use crate::search::worker::{Shared, Signals, Worker};
use crate::tt::Table;
use crate::turn::Move;

/// The position, limits and settings of a search.
pub(crate) struct Job {
    pub(crate) board: Board,
    /// Keys of all positions of the game, the current one last.
    pub(crate) keys: Vec<u64>,
    pub(crate) limits: Limits,
    pub(crate) settings: Settings,
    pub(crate) start: Instant,
}

/// The result of a search, or one of its principal variations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// The principal variation.
    pub(crate) line: Vec<Move>,
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) nodes: u64,
}

/// Searches until a limit is reached or the search is stopped. `report` gets the `info` lines
/// of each completed iteration, or those of depth 0 if there is none.
pub(crate) fn run(
    job: &Job,
    table: &Arc<Table>,
    histories: &mut Vec<History>,
    signals: &Signals,
    report: &(dyn Fn(&str) + Sync),
) -> Found {
    table.age();
    histories.resize_with(job.settings.threads, History::default);
    let budget = Budget::new(&job.limits, &job.settings.params, job.settings.overhead);
    let (total, is_done) = (AtomicU64::new(0), AtomicBool::new(false));
    let shared = Shared {
        settings: &job.settings,
        table,
        signals,
        is_done: &is_done,
        search_moves: &job.limits.search_moves,
        total: &total,
        max_nodes: job.limits.nodes,
        start: job.start,
        hard: budget.hard,
    };
    let worker = |history| Worker::new(job.board.clone(), job.keys.clone(), history, shared);
    let found = thread::scope(|scope| {
        let mut histories = histories.iter_mut();
        let first = histories.next().map(worker);
        for (index, history) in histories.enumerate() {
            let helper = worker(history);
            scope.spawn(move || help(helper, index));
        }
        let found = first.map(|worker| lead(worker, job, budget, report));
        is_done.store(true, Relaxed);
        found.unwrap_or_default()
    });
    for history in histories {
        history.age();
    }
    found
}

/// Iterative deepening in a helper thread, which fills the table for the main thread.
fn help(mut worker: Worker<'_>, index: usize) {
    for depth in 1..MAX_PLY as i32 {
        // Every other helper is one ply ahead.
        let depth = (depth + index as i32 % 2).min(MAX_PLY as i32 - 1);
        worker.root(depth, -INFINITY, INFINITY);
        if worker.is_over() {
            return;
        }
    }
}

/// Iterative deepening in the main thread.
fn lead(
    mut worker: Worker<'_>,
    job: &Job,
    budget: Budget,
    report: &(dyn Fn(&str) + Sync),
) -> Found {
    let limits = &job.limits;
    let mut moves = legal(&job.board);
    moves.retain(|&mv| worker.is_wanted(mv));
    let count = job.settings.multi_pv.clamp(1, moves.len().max(1));
    moves.truncate(1);
    // The principal variations, best first.
    let mut found = vec![Found {
        line: moves,
        score: static_score(job),
        ..Found::default()
    }];
    let deepest = limits
        .depth
        .unwrap_or(MAX_PLY as i32 - 1)
        .min(MAX_PLY as i32 - 1);
    for depth in 1..=deepest {
        let latest = iteration(&mut worker, depth, count, &found);
        if worker.is_over() {
            if depth == 1 {
                // A referee wants a score, however early the search was stopped.
                if !latest.is_empty() {
                    found = latest;
                }
                for variation in &mut found {
                    variation.depth = 0;
                }
                report(&info(&worker, &found, job.start));
            } else if count == 1
                && let Some(latest) = latest.into_iter().next()
            {
                // An unfinished iteration begins with the best move of the one before, so a move
                // that has replaced it is better.
                found[0].line = latest.line;
            }
            break;
        }
        found = latest;
        report(&info(&worker, &found, job.start));
        let score = found[0].score;
        let is_mate = limits
            .mate
            .is_some_and(|moves| score > DECIDED && WIN - score < 2 * moves);
        let is_late = budget.soft.is_some_and(|soft| job.start.elapsed() >= soft);
        // A deeper search cannot change a win or loss within the depth already searched.
        let is_decided = |it: &Found| it.score.abs() > DECIDED && WIN - it.score.abs() <= depth;
        let is_proven = !limits.infinite && limits.mate.is_none() && found.iter().all(is_decided);
        let is_pondering = job.limits.ponder && worker.shared.signals.ponder.load(Relaxed);
        // The move that it expects may be made within the next iteration.
        worker.has_enough = is_late || is_proven;
        if is_mate || (!is_pondering && worker.has_enough) {
            break;
        }
    }
    Found {
        nodes: worker.nodes,
        ..found.swap_remove(0)
    }
}

/// Searches as many principal variations as are wanted, each without the first moves of those
/// before. A search that was stopped returns those until then.
fn iteration(worker: &mut Worker<'_>, depth: i32, count: usize, last: &[Found]) -> Vec<Found> {
    worker.excluded.clear();
    let mut latest = Vec::new();
    while latest.len() < count && !worker.is_over() {
        let expected = last.get(latest.len());
        let finished = expected.filter(|it| it.depth > 0);
        worker.first = finished.and_then(|it| it.line.first()).copied();
        let score = aspire(worker, depth, expected.map_or(0, |it| it.score));
        let mut line = worker.lines[0].clone();
        if line.is_empty() {
            if worker.is_over() || !latest.is_empty() {
                break;
            }
            // All moves zap the own king.
            line.clone_from(&last[0].line);
        }
        worker.excluded.extend(line.first());
        latest.push(Found {
            line,
            score,
            depth,
            nodes: worker.nodes,
        });
    }
    latest.sort_by_key(|it| Reverse(it.score));
    latest
}

fn static_score(job: &Job) -> i32 {
    let beams = Beams::of(&job.board);
    job.settings.evaluation.score(&job.board, &beams)
}

/// Searches with an aspiration window around the last score, widened on each failure.
fn aspire(worker: &mut Worker<'_>, depth: i32, last: i32) -> i32 {
    let mut width = worker.shared.settings.params.aspiration_window();
    let (mut alpha, mut beta) = if depth < 4 || last.abs() > DECIDED {
        (-INFINITY, INFINITY)
    } else {
        (last - width, last + width)
    };
    let mut raised = Vec::new();
    loop {
        let score = worker.root(depth, alpha, beta);
        if worker.is_over() && worker.lines[0].is_empty() {
            // A move that has failed high is better than the one before, however little was searched
            // since.
            worker.lines[0] = raised;
            return score;
        }
        if worker.is_over() || (score > alpha && score < beta) {
            return score;
        }
        width *= 3;
        if score <= alpha {
            alpha = if width > 500 {
                -INFINITY
            } else {
                score - width
            };
        } else {
            beta = if width > 500 { INFINITY } else { score + width };
            raised.clone_from(&worker.lines[0]);
            worker.first = raised.first().copied().or(worker.first);
        }
    }
}

/// A line for each principal variation.
fn info(worker: &Worker<'_>, found: &[Found], start: Instant) -> String {
    let elapsed = start.elapsed();
    let others = worker.shared.settings.threads > 1;
    let nodes = if others {
        worker.shared.total.load(Relaxed).max(worker.nodes)
    } else {
        worker.nodes
    };
    let speed = (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
    let hashfull = worker.shared.table.hashfull();
    let time = elapsed.as_millis();
    let lines = found.iter().enumerate().map(|(index, found)| {
        let line: Vec<String> = found.line.iter().map(ToString::to_string).collect();
        format!(
            "info depth {} seldepth {} multipv {} score {} nodes {nodes} nps {speed} \
             hashfull {hashfull} time {time} pv {}",
            found.depth,
            worker.deepest.max(found.depth as usize),
            index + 1,
            score::uci(found.score),
            line.join(" ")
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}
