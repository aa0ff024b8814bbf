//! What is shown of a match, and in which form. No reporter computes a statistic: they print what [`crate::stats`] and
//! [`crate::tally`] found.

pub use bench_guard::printed_block as printed;

pub mod block;
pub mod pgn;
pub mod result;
pub mod terminal;
