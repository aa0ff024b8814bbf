//! What is shown of a match, and in which form. No reporter computes a statistic: they print what [`stats`] and
//! [`crate::tally`] found.

pub mod pgn;
pub mod result;
pub mod terminal;
