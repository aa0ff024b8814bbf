//! What can be known of an engine and its options before a game is played.

pub mod budget;
pub mod complaint;
pub mod conformance;
pub mod liveness;
pub mod options;
pub mod pool;
pub mod printed_list;
pub mod prober;
pub mod screen;
