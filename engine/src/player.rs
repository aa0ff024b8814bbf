//! Short searches of many positions: of those of a game, and of openings.

use std::time::Instant;

use crate::params::Params;
use crate::position::Position;
use crate::score::Score;
use crate::search::job::{Job, SearchResult, Settings};
use crate::search::limits::Limits;
use crate::search::{Signals, ThreadData, threads};
use crate::tt::Table;

/// To finish an iteration, a search may take this many times the nodes asked for.
const HARD_FACTOR: u64 = 8;
/// Most MiB of the transposition table.
const MAX_HASH: u64 = 256;
/// Nodes of a search for which a MiB is enough: that of a move and of those before it.
const NODES_OF_MIB: u64 = 12_000;

/// The parameters by which the engine lowers what a network says. Scores that a network learns must
/// be without: the engine would lower them twice.
const FADES: [&str; 2] = ["EvalClockFade", "EvalMaterialFade"];

/// The settings with which data are made.
pub(crate) fn unfaded(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    for index in FADES.into_iter().filter_map(Params::index) {
        // Both may be 0.
        let _ = settings.params.set(index, 0);
    }
    settings
}

/// Searches of positions, one after the other, each with what the ones before have left in the tables.
pub struct Player {
    settings: Settings,
    limits: Limits,
    table: Table,
    threads: [ThreadData; 1],
    signals: Signals,
}

impl Player {
    pub fn new(settings: &Settings, nodes: u64) -> Self {
        Self {
            settings: Settings {
                multi_pv: 1,
                ..settings.clone()
            },
            limits: Limits {
                soft_nodes: nodes,
                nodes: nodes.saturating_mul(HARD_FACTOR),
                ..Limits::default()
            },
            table: Table::new((nodes / NODES_OF_MIB).clamp(1, MAX_HASH) as usize),
            threads: [ThreadData::default()],
            signals: Signals::default(),
        }
    }

    /// Forgets all searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.threads[0].clear();
    }

    /// Searches a position that was reached through positions with these keys.
    pub fn search(&mut self, position: &Position, earlier_keys: &[u64]) -> SearchResult {
        let limits = self.limits.clone();
        self.search_within(limits, position, earlier_keys)
    }

    /// The score of a search that ends at this number of nodes.
    pub fn score(&mut self, position: &Position, nodes: u64) -> Score {
        let limits = Limits {
            nodes,
            ..Limits::default()
        };
        self.search_within(limits, position, &[]).score
    }

    fn search_within(
        &mut self,
        limits: Limits,
        position: &Position,
        earlier_keys: &[u64],
    ) -> SearchResult {
        let job = Job {
            position: position.clone(),
            earlier_keys: earlier_keys.to_vec(),
            limits,
            settings: self.settings.clone(),
            start: Instant::now(),
            verbose: false,
        };
        threads::run(&job, &mut self.threads, &self.table, &self.signals)
    }
}
