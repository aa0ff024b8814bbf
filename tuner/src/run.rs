//! A run: its state, its folder, and how it is played and reported.

pub(crate) mod arena;
pub mod attribution;
pub mod journal;
pub mod lines;
pub mod play;
pub mod printed;
pub mod progress;
pub mod recorder;
pub mod result;
pub mod server;
pub mod session;
pub mod tune;
