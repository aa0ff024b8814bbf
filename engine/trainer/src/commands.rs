//! The subcommands, one file each.

pub mod average;
pub mod inspect;
pub mod measure;
pub mod train;
