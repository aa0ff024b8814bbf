//! Principal variation search with iterative deepening.
//!
//! A [`Worker`](worker::Worker) searches a position of its own with a table that it shares with

pub(crate) mod history;
pub(crate) mod limits;
mod picker;
pub(crate) mod settings;
pub(crate) mod worker;
