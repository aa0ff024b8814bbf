//! Principal variation search with iterative deepening.
//!
//! Each [`Worker`](worker::Worker) searches its own copy of the position; all share one
//! transposition table. [`iterate`] deepens, reports each iteration and observes the limits.

pub(crate) mod history;
pub(crate) mod iterate;
pub(crate) mod limits;
mod picker;
pub(crate) mod settings;
#[cfg(test)]
mod tests;
pub(crate) mod worker;
