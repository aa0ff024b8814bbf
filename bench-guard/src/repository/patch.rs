//! What identifies a change wherever it is applied.

use std::io::{Seek, Write};

use super::{Repository, history::Commit};
use foundation::{Failure, failure::OrUnable};

impl Repository {
    /// git's patch id of the change from the first parent; a cherry-pick has the same one. White
    /// space counts. `None` if nothing changes.
    pub(crate) fn patch_id(&self, commit: &Commit) -> Result<Option<String>, Failure> {
        let mut arguments = vec![
            "diff-tree",
            "-r",
            "-p",
            "--root",
            "--no-commit-id",
            "--full-index",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=none",
            "--unified=3",
        ];
        arguments.extend(commit.parents.first().map(String::as_str));
        arguments.push(&commit.id);
        let patch = self.git.bytes(&arguments)?;
        // Through a file, since git prints before it has read all.
        let mut input = tempfile::tempfile().or_unable("make a temporary file")?;
        input
            .write_all(&patch)
            .and_then(|()| input.rewind())
            .or_unable("write a temporary file")?;
        let printed = self.git.text_from(&["patch-id", "--verbatim"], input)?;
        Ok(printed.split_whitespace().next().map(str::to_owned))
    }
}
