//! Games from PGN files, and what they tell of their players.

pub mod pgn;
pub mod statistics;
