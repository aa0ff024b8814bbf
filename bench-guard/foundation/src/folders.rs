//! Where the tools keep their own files: a cache that may be deleted at any time, and state that
//! may not.
//!
//! `WHETSTONE_CACHE` and `WHETSTONE_STATE` name other places; else the XDG folders, on every
//! platform.

use std::path::PathBuf;

use etcetera::BaseStrategy;

use crate::{Failure, failure::OrUnable, variables};

/// Built engines, their source trees and digests; safe to delete. Created, with a `CACHEDIR.TAG`.
pub fn cache() -> Result<PathBuf, Failure> {
    let folder = match named(variables::CACHE) {
        Some(folder) => folder,
        None => base()?.cache_dir().join("whetstone"),
    };
    std::fs::create_dir_all(&folder)
        .or_unable(format_args!(
            "create the cache folder `{}`",
            folder.display()
        ))
        .map_err(|failure| failure.hint("name another folder in WHETSTONE_CACHE"))?;
    let tag = folder.join("CACHEDIR.TAG");
    if !tag.exists() {
        // The signature is fixed by the Cache Directory Tagging Specification; backups skip such
        // folders.
        std::fs::write(&tag, "Signature: 8a477f597d28d172789f06886806bc55\n")
            .or_unable(format_args!("write `{}`", tag.display()))
            .map_err(|failure| failure.hint("name another folder in WHETSTONE_CACHE"))?;
    }
    Ok(folder)
}

/// Run directories and their journals. Not created: a run that fails early leaves nothing behind.
pub fn state() -> Result<PathBuf, Failure> {
    if let Some(folder) = named(variables::STATE) {
        return Ok(folder);
    }
    let base = base()?;
    Ok(base
        .state_dir()
        .unwrap_or_else(|| base.data_dir())
        .join("whetstone"))
}

/// The folder that a variable names; an empty one is none, as of the XDG folders.
pub fn named(variable: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable)?;
    (!folder.is_empty()).then(|| folder.into())
}

fn base() -> Result<etcetera::base_strategy::Xdg, Failure> {
    etcetera::base_strategy::Xdg::new()
        .or_unable("find the home folder")
        .map_err(|failure| failure.hint("set HOME, or WHETSTONE_CACHE and WHETSTONE_STATE"))
}
