//! A bench: the signature of a search, printed by the engine when it is started with the word
//! `bench`.

mod output;
mod run;

pub use output::read;
pub(crate) use run::{BenchSettings, Fault, Measured, measure};

/// What one run of a bench printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Bench {
    /// The signature: nodes searched over the engine's fixed positions.
    pub nodes: u64,
    /// Nodes per second; an OpenBench worker refuses a bench without it.
    pub nps: Option<u64>,
}
