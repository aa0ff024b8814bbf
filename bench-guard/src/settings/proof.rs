//! `[bench-guard.proof]`: what a block of results must show where a passed test is demanded.

use schemars::JsonSchema;
use serde::Deserialize;

/// What counts as a passed test.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ProofSettings {
    /// The highest probability that a test may have had of accepting a patch that is no gain (or a
    /// loss).
    pub(crate) alpha: f64,
    /// The highest probability that a test may have had of rejecting a patch that is one.
    pub(crate) beta: f64,
    /// Bounds, [elo0, elo1], of tests that prove a gain.
    pub(crate) gains: Vec<[f64; 2]>,
    /// Bounds of tests that prove that a simplification loses nothing.
    pub(crate) simplifications: Vec<[f64; 2]>,
    /// Games that a test must have had.
    pub(crate) min_games: u64,
    /// The most games that a test can have had.
    pub(crate) max_games: u64,
    /// The largest share of games that an engine may have spoiled.
    pub(crate) max_faults: f64,
    /// Seconds that a side must have had for its first 40 moves, increments included.
    pub(crate) min_time: f64,
    /// Nodes a move that a test without a clock must have had.
    pub(crate) min_nodes: u64,
}

impl Default for ProofSettings {
    fn default() -> Self {
        Self {
            alpha: 0.05,
            // OpenBench's usual confidence is [0.05, 0.10]; a high beta only makes gains harder to
            // find.
            beta: 0.1,
            gains: [2.0, 2.25, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
                .map(|elo1| [0.0, elo1])
                .to_vec(),
            simplifications: vec![
                [-5.0, 0.0],
                [-4.0, 0.0],
                [-3.0, 0.0],
                [-2.5, 0.0],
                [-2.0, 0.0],
                [-1.75, 0.25],
                [-2.0, 0.5],
                [-2.5, 0.5],
                [-3.0, 0.5],
                [-3.0, 1.0],
                [-4.0, 1.0],
                [-5.0, 1.0],
            ],
            min_games: 500,
            max_games: 1_000_000,
            max_faults: 0.01,
            min_time: 1.0,
            min_nodes: 1000,
        }
    }
}
