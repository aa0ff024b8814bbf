//! Games from PGN files, and statistics of their players.
//!
//! [`pgn`] reads one [`game`] after another, of any file in constant memory (a
//! `.zip` is unpacked as a whole). [`statistics`] counts,
//! [`report`] writes down.

pub mod game;
pub mod pgn;
pub mod report;
pub mod statistics;
