//! The commands, one file each: clap's arguments and `run`.

pub mod apply;
pub mod convert;
pub mod extend;
pub mod init;
pub mod lint;
pub mod list;
pub mod openbench;
pub mod plan;
mod probing;
pub mod report;
pub mod resume;
pub mod screen;
pub mod settings;
pub mod show;
pub mod simulate;
pub mod spsa;
pub mod validate;
