//! A searcher for tests of single nodes.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use super::limits::Limits;
use super::reductions::Reductions;
use super::searcher::{Context, Searcher, Signals, ThreadData};
use super::time::Stopwatch;
use crate::params::Params;
use crate::position::Position;
use crate::tt::Table;

/// Calls `test` with a searcher at the root of a search without limits that counts all it can.
pub(super) fn with_searcher<T>(
    params: &Params,
    root: &Position,
    earlier_keys: &[u64],
    test: impl FnOnce(Searcher) -> T,
) -> T {
    let (signals, finished) = (Signals::default(), AtomicBool::new(false));
    let (table, limits) = (Table::new(1), Limits::default());
    let context = Context {
        params,
        reductions: &Reductions::new(params),
        network: None,
        table: &table,
        tablebase: None,
        probe_depth: 1,
        tablebase_hits: &AtomicU64::new(0),
        root_moves: &[],
        signals: &signals,
        limits: &limits,
        stopwatch: Stopwatch::new(Instant::now(), None),
        counts_tries: true,
        sample: 0,
        finished: &finished,
        published: &[AtomicU64::new(0)],
    };
    let mut data = ThreadData::default();
    test(Searcher::new(
        &context,
        &mut data,
        root,
        earlier_keys,
        0,
        None,
    ))
}
