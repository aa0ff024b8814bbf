//! The commands, each in a file.

pub mod errors;
pub mod fetch;
pub mod list;
pub mod manage;
pub mod modify;
pub mod networks;
mod session;
pub mod submit;
pub mod watch;
