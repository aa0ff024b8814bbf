//! A digest of what an engine is built from.

use std::process::Stdio;

use crate::{
    build::BuildSettings,
    repository::{Repository, Revision},
    settings::Settings,
};
use foundation::{Failure, digest};

/// Changed when the same sources and settings get another digest.
const FORMAT: &str = "build inputs 1";

/// The SHA-256 of everything that decides which engine is built from a revision: the build command,
/// the folder that it runs in, and the files of the tree by mode, id and path. Files that `paths`
/// and `ignore` leave out do not count, so a commit that rewords a document has the digest of its
/// parent. Attributes always count, and `whetstone.toml` does where `ignore` is the usual one.
///
/// # Errors
/// git cannot list the tree.
pub fn inputs(
    repository: &Repository,
    revision: &Revision,
    settings: &Settings,
    build: &BuildSettings,
) -> Result<String, Failure> {
    let git = match revision {
        Revision::Commit { .. } => repository.git().clone(),
        Revision::WorkTree { snapshot } => repository.git_with(snapshot),
    };
    let mut text: Vec<u8> = Vec::new();
    let mut take = |part: &str| {
        text.extend_from_slice(part.as_bytes());
        // No path and no command can hold a zero byte.
        text.push(0);
    };
    for part in [FORMAT, &build.folder, &build.command] {
        take(part);
    }
    let arguments = ["ls-tree", "-r", "-z", "--full-tree", revision.tree()];
    git.records(&arguments, Stdio::null(), &mut |record| {
        // `100644 blob 0123…<tab>src/search.rs`
        let path = record.split_once('\t').map_or(record, |(_, path)| path);
        if settings.is_input(path) {
            take(record);
        }
    })?;
    Ok(digest::of_bytes(&text))
}
