//! The commands, one file each: clap's arguments and `run`.

pub(crate) mod ablate;
pub(crate) mod apply;
pub(crate) mod convert;
mod engine_folder;
pub(crate) mod extend;
pub(crate) mod history;
pub(crate) mod init;
pub(crate) mod lint;
pub(crate) mod list;
pub(crate) mod openbench;
pub(crate) mod plan;
mod probing;
pub(crate) mod proposal;
pub(crate) mod prove;
pub(crate) mod report;
pub(crate) mod resume;
pub(crate) mod screen;
pub(crate) mod settings;
pub(crate) mod show;
pub(crate) mod simulate;
pub(crate) mod spsa;
pub(crate) mod transfer;
pub(crate) mod validate;
