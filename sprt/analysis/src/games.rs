//! Games from PGN files, and statistics of their players.
//!
//! [`pgn`] reads games one after another, of any file in constant memory. [`statistics`] counts,
//! [`report`] writes down.

pub mod pgn;
pub mod report;
pub mod statistics;
