//! The input of a search and its result.

use std::sync::Arc;
use std::time::Instant;

use cozy_chess::Move;

use super::limits::Limits;
use super::reductions::Reductions;
use super::stats::Stats;
use crate::network::{self, Network};
use crate::params::Params;
use crate::position::Position;
use crate::score::Score;
use crate::tablebase::Tablebase;
use crate::techniques::PruningMode;

/// Everything that is set by options.
#[derive(Clone)]
pub struct Settings {
    pub params: Params,
    /// Shared, because settings are copied for each search, also for one of a hundred nodes.
    pub reductions: Arc<Reductions>,
    /// The network; without one, the hand-crafted evaluation is used.
    pub network: Option<Arc<Network>>,
    /// Results of positions with few pieces.
    pub tablebase: Option<Arc<Tablebase>>,
    /// `SyzygyProbeDepth`: positions with the largest number of pieces in the tables are probed
    /// only from this depth on.
    pub probe_depth: i32,
    pub chess960: bool,
    pub multi_pv: usize,
    /// `Move Overhead`: milliseconds reserved for communication with the interface.
    pub overhead: u64,
    pub pruning: PruningMode,
    pub pruning_stats: bool,
    /// One in this many cuts is checked for the statistics; 0 for none.
    pub pruning_sample: u64,
}

impl Default for Settings {
    fn default() -> Self {
        let params = Params::default();
        Self {
            reductions: Arc::new(Reductions::new(&params)),
            params,
            network: network::embedded(),
            tablebase: None,
            probe_depth: 1,
            chess960: false,
            multi_pv: 1,
            overhead: 10,
            pruning: PruningMode::default(),
            pruning_stats: false,
            pruning_sample: 0,
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
    /// The principal variation.
    pub line: Vec<Move>,
    pub nodes: u64,
    pub depth: i32,
    pub score: Score,
    /// Statistics of the main thread.
    pub stats: Stats,
}
