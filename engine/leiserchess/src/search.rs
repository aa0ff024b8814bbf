//! Principal variation search with iterative deepening.
//!
//! A [`Worker`](worker::Worker) searches a position of its own with a table that it shares with
//! others; [`iterate`] deepens, tells what was found and keeps to the limits.

pub(crate) mod history;
pub(crate) mod iterate;
pub(crate) mod limits;
mod picker;
pub(crate) mod settings;
#[cfg(test)]
mod tests;
pub(crate) mod worker;
