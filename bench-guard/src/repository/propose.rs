//! A commit that changes one file, made without touching the working tree, the index or a branch,
//! so that it can be built and tested before anybody sees it.

use std::path::Path;

use foundation::{Failure, failure::OrUnable};

use super::Repository;

impl Repository {
    /// The id of a commit on top of `parent` that differs from it in the content of `path` alone, which is
    /// given as in the working tree. `path` is relative to the root.
    ///
    /// # Errors
    /// Git knows no author, or cannot write.
    pub fn commit_of_file(
        &self,
        parent: &str,
        path: &str,
        content: &[u8],
        message: &str,
    ) -> Result<String, Failure> {
        let folder = tempfile::tempdir().or_unable("prepare a commit")?;
        let git = self.git().clone();
        let git = git.with("GIT_INDEX_FILE", folder.path().join("index"));
        let blob = git.text_from(&["hash-object", "-w", "--path", path, "--stdin"], content)?;
        git.text(&["read-tree", parent])?;
        let entry = git.text(&["ls-files", "--stage", "--", path])?;
        let mode = entry.split(' ').next().filter(|mode| !mode.is_empty());
        let mode = mode.unwrap_or("100644");
        git.text(&["update-index", "--add", "--cacheinfo", mode, &blob, path])?;
        let tree = git.text(&["write-tree"])?;
        git.text_from(&["commit-tree", &tree, "-p", parent], message.as_bytes())
    }

    /// The place of a file relative to the root, with slashes.
    pub fn path_of(&self, file: &Path) -> Result<String, Failure> {
        let what = format!("find `{}`", file.display());
        let file = file.canonicalize().or_unable(&what)?;
        let root = self.root().canonicalize().or_unable(&what)?;
        let inside = file.strip_prefix(&root).map_err(|_| {
            let (file, root) = (file.display(), root.display());
            Failure::unable(format!("`{file}` is not in the repository `{root}`"))
        })?;
        Ok(inside.to_string_lossy().into_owned())
    }
}
