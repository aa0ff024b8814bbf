//! The commands, each in a file.

pub mod doctor;
pub mod engines;
pub mod errors;
pub mod events;
pub mod fetch;
pub mod init;
pub mod list;
pub mod machines;
pub mod manage;
pub mod modify;
pub mod networks;
pub mod perturbation;
pub mod results;
pub mod submit;
mod table;
pub mod users;
pub mod watch;
