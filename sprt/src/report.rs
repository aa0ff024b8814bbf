//! What is shown of a match, and in which form. No reporter computes a statistic: they print what [`crate::stats`] and
//! [`crate::tally`] found.

pub mod block;
pub mod pgn;
pub mod printed;
pub mod result;
pub mod terminal;
