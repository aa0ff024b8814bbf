//! A run: its state, its folder, and how it is played and reported.

pub(crate) mod arena;
pub(crate) mod attribution;
pub(crate) mod history;
pub(crate) mod interaction;
pub mod journal;
pub mod lines;
pub(crate) mod play;
pub(crate) mod printed;
pub(crate) mod progress;
pub(crate) mod recorder;
pub(crate) mod result;
pub(crate) mod server;
pub mod session;
pub mod tune;
