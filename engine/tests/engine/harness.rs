//! One search after the other, with what stays between them.

use std::time::Instant;

use engine::position::Position;
use engine::search::job::{Job, SearchResult, Settings};
use engine::search::limits::Limits;
use engine::search::threads;
use engine::search::{Signals, ThreadData};
use engine::tt::Table;

/// Everything a search needs besides the position and the limits.
pub struct Harness {
    pub table: Table,
    pub threads: Vec<ThreadData>,
    pub settings: Settings,
}

impl Harness {
    pub fn new() -> Self {
        Self::with(Settings::default())
    }

    pub fn with(settings: Settings) -> Self {
        Self {
            table: Table::new(1),
            threads: vec![ThreadData::default()],
            settings,
        }
    }

    pub fn clear(&mut self) {
        self.table.clear();
        self.threads.iter_mut().for_each(ThreadData::clear);
    }

    pub fn run(
        &mut self,
        position: &Position,
        earlier_keys: &[u64],
        limits: Limits,
    ) -> SearchResult {
        self.run_under(position, earlier_keys, limits, &Signals::default())
    }

    pub fn run_under(
        &mut self,
        position: &Position,
        earlier_keys: &[u64],
        limits: Limits,
        signals: &Signals,
    ) -> SearchResult {
        let job = Job {
            position: position.clone(),
            earlier_keys: earlier_keys.to_vec(),
            limits,
            settings: self.settings.clone(),
            start: Instant::now(),
            verbose: false,
        };
        threads::run(&job, &mut self.threads, &self.table, signals)
    }
}

pub fn depth(depth: i32) -> Limits {
    Limits {
        depth,
        ..Limits::default()
    }
}

pub fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes,
        ..Limits::default()
    }
}
