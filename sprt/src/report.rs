//! What is said about a match, for each kind of reader.

pub mod block;
pub mod printed;
