//! What can be known of an engine and its options before a game is played.

pub mod complaint;
pub mod conformance;
pub mod liveness;
pub mod options;
pub mod printed_list;
pub mod prober;
pub mod screen;
