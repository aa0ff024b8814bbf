//! Iterative deepening in one or several threads, and its `info` lines.

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

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// The principal variation.
    pub(crate) line: Vec<Move>,
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) nodes: u64,
}

/// Searches until a limit is reached or the search is stopped. `report` gets an `info` line for
/// each completed iteration, or one of depth 0 if there is none.
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
    let allowed = |mv: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(mv);
    let mut found = Found {
        line: legal(&job.board)
            .into_iter()
            .find(allowed)
            .into_iter()
            .collect(),
        ..Found::default()
    };
    let deepest = limits
        .depth
        .unwrap_or(MAX_PLY as i32 - 1)
        .min(MAX_PLY as i32 - 1);
    for depth in 1..=deepest {
        let score = aspire(&mut worker, depth, found.score);
        if worker.is_over() {
            // An unfinished iteration begins with the best move of the one before, so a move that
            // has replaced it is better.
            let line = worker.lines.first().filter(|line| !line.is_empty());
            if let Some(line) = line {
                found.line.clone_from(line);
            }
            // A referee wants a score, however early the search was stopped.
            if depth == 1 {
                found.score = line.map_or_else(|| static_score(job), |_| score);
                report(&info(&worker, &found, job.start));
            }
            break;
        }
        if let Some(line) = worker.lines.first().filter(|line| !line.is_empty()) {
            found.line.clone_from(line);
        }
        found.score = score;
        found.depth = depth;
        report(&info(&worker, &found, job.start));
        let is_mate = limits
            .mate
            .is_some_and(|moves| score > DECIDED && WIN - score < 2 * moves);
        let is_late = budget.soft.is_some_and(|soft| job.start.elapsed() >= soft);
        // A deeper search cannot change a win or loss within the depth already searched.
        let is_proven = !limits.infinite && limits.mate.is_none() && {
            score.abs() > DECIDED && WIN - score.abs() <= depth
        };
        let is_pondering = job.limits.ponder && worker.shared.signals.ponder.load(Relaxed);
        if is_mate || (!is_pondering && (is_late || is_proven)) {
            break;
        }
    }
    found.nodes = worker.nodes;
    found
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
    loop {
        let score = worker.root(depth, alpha, beta);
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
        }
    }
}

fn info(worker: &Worker<'_>, found: &Found, start: Instant) -> String {
    let elapsed = start.elapsed();
    let others = worker.shared.settings.threads > 1;
    let nodes = if others {
        worker.shared.total.load(Relaxed).max(worker.nodes)
    } else {
        worker.nodes
    };
    let speed = (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64;
    let line: Vec<String> = found.line.iter().map(ToString::to_string).collect();
    format!(
        "info depth {} seldepth {} score {} nodes {nodes} nps {speed} hashfull {} time {} pv {}",
        found.depth,
        worker.deepest.max(found.depth as usize),
        score::uci(found.score),
        worker.shared.table.hashfull(),
        elapsed.as_millis(),
        line.join(" ")
    )
}
