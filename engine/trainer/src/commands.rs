//! One file a command.

pub mod inspect;
pub mod train;
