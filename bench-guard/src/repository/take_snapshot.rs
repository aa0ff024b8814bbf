//! Takes snapshots of a repository: of its working tree, or of what an index holds.

use std::{ffi::OsString, path::Path, process::Stdio, sync::Arc};

use tempfile::TempDir;

use super::{Git, Repository, Snapshot};
use foundation::{Failure, failure::OrUnable};

impl Repository {
    /// The working tree as it is now. The user's index is copied, so that unchanged files are not
    /// read again.
    pub(super) fn snapshot_of_work_tree(&self) -> Result<Snapshot, Failure> {
        let (objects, git) = self.apart()?;
        let index = objects.path().join("index");
        let users = self.git_path("index");
        if users.exists() {
            copy_with_time(&users, &index)
                .or_unable(format_args!("copy the index `{}`", users.display()))?;
        }
        let git = git
            .with("GIT_INDEX_FILE", &index)
            .with("GIT_LITERAL_PATHSPECS", "1");
        let taken = git
            .bytes(&["add", "--update"])
            .and_then(|_| add_untracked(self, &git, objects.path()));
        taken.map_err(|failure| failure.context("failed to take the working tree as it is"))?;
        Ok(Snapshot {
            tree: git.text(&["write-tree"])?,
            objects: Arc::new(objects),
        })
    }

    /// What an index holds: the commit that is about to be made, when git started us with that
    /// index.
    pub(crate) fn snapshot_of_index(&self, index: &Path) -> Result<Snapshot, Failure> {
        let (objects, git) = self.apart()?;
        let tree = match self.tree_that_is_there(index) {
            Some(tree) => tree,
            None => git.with("GIT_INDEX_FILE", index).text(&["write-tree"])?,
        };
        Ok(Snapshot {
            tree,
            objects: Arc::new(objects),
        })
    }

    /// The tree of an index where the repository has it already: git writes it before it starts a hook, and a hook
    /// must be quick. `None` where the library cannot say.
    fn tree_that_is_there(&self, index: &Path) -> Option<String> {
        self.library.as_ref()?;
        let mut index = git2::Index::open(index).ok()?;
        // git leaves out what is only intended to be added, the library does not.
        let is_planned = |entry: git2::IndexEntry| {
            let planned = git2::IndexEntryExtendedFlag::INTENT_TO_ADD.bits();
            entry.flags_extended & planned != 0
        };
        if index.iter().any(is_planned) {
            return None;
        }
        // Nothing can be written into an alternate.
        let objects = git2::Odb::new().ok()?;
        let users = self.git_path("objects");
        objects.add_disk_alternate(users.to_str()?).ok()?;
        let readable = git2::Repository::from_odb(objects).ok()?;
        Some(index.write_tree_to(&readable).ok()?.to_string())
    }

    /// A git that sees the objects of the snapshot too.
    pub(crate) fn git_with(&self, snapshot: &Snapshot) -> Git {
        over(self, snapshot.objects.path())
    }

    /// A git whose new objects lie in a temporary folder, as long as that lives.
    pub(super) fn apart(&self) -> Result<(TempDir, Git), Failure> {
        let objects = tempfile::tempdir().or_unable("make a temporary folder")?;
        let git = over(self, objects.path());
        Ok((objects, git))
    }
}

/// Copies an index. Git reads a file again that is no older than the index, since it may have been changed in the very
/// second in which it was added; a copy that looks newer would hide such a change.
fn copy_with_time(from: &Path, to: &Path) -> std::io::Result<()> {
    let time = std::fs::metadata(from)?.modified()?;
    std::fs::copy(from, to)?;
    std::fs::File::options()
        .write(true)
        .open(to)?
        .set_modified(time)
}

/// Adds untracked files that may be part of a build; notes beside the source do not make another
/// tree.
fn add_untracked(repository: &Repository, git: &Git, folder: &Path) -> Result<(), Failure> {
    let mut wanted = Vec::new();
    let mut unreadable = false;
    let arguments = ["ls-files", "--others", "--exclude-standard", "-z"];
    git.records(&arguments, Stdio::null(), &mut |path| {
        // A repository inside this one ends in a slash; no archive contains it.
        if !path.ends_with('/') && (repository.is_source)(path) {
            wanted.extend_from_slice(path.as_bytes());
            wanted.push(0);
            unreadable |= path.contains(char::REPLACEMENT_CHARACTER);
        }
    })?;
    if unreadable {
        // A name that is not UTF-8 cannot be passed on as it is.
        return git.bytes(&["add", "--all", "--", "."]).map(drop);
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let list = folder.join("untracked");
    std::fs::write(&list, wanted).or_unable("list the untracked files")?;
    let from = format!("--pathspec-from-file={}", list.display());
    git.bytes(&["add", &from, "--pathspec-file-nul"]).map(drop)
}

/// A git that writes new objects to `objects` and reads the repository's as well.
fn over(repository: &Repository, objects: &Path) -> Git {
    let users = repository.git_path("objects");
    // The list is separated by colons; git reads a quoted entry like a C string.
    let mut alternate = OsString::from("\"");
    alternate.push(
        users
            .to_string_lossy()
            .replace('\\', "\\\\")
            .replace('"', "\\\""),
    );
    alternate.push("\"");
    repository
        .git
        .clone()
        .with("GIT_OBJECT_DIRECTORY", objects)
        .with("GIT_ALTERNATE_OBJECT_DIRECTORIES", alternate)
}
