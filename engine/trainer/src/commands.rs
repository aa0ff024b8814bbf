//! The subcommands, one file each.

pub mod inspect;
pub mod train;
