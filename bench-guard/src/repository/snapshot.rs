//! Files that are not committed, as a git tree that lives outside the user's repository.

use std::sync::Arc;

use tempfile::TempDir;

/// A tree whose objects, as far as the repository lacks them, lie in a temporary folder.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub(super) tree: String,
    pub(super) objects: Arc<TempDir>,
}

impl Snapshot {
    pub(crate) fn tree(&self) -> &str {
        &self.tree
    }
}
