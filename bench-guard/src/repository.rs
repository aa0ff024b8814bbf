//! A git repository as the source of engines: revisions, messages, and source trees as GitHub would
//! pack them.
//!
//! libgit2 reads where it can; it cannot open partial clones, reftable and SHA-256 repositories, so
//! each read falls back to the `git` program. Writes (archives, snapshots of the working tree) are
//! always done by the program, and never into the user's repository: snapshots have an index and an
//! object folder of their own.

mod content;
mod discover;
mod export;
mod history;
mod merge;
mod order;
mod program;
mod propose;
mod rewrite;
mod snapshot;
mod suggest;
mod take_snapshot;
mod trees;

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

pub(crate) use merge::merge_adds;
pub use program::Git;

pub(crate) use history::{Commit, Range, TreesById, trees_of};
pub use snapshot::Snapshot;

use crate::message::Reading;
use foundation::{Failure, failure::OrUnable};

/// An opened repository.
pub struct Repository {
    root: PathBuf,
    is_bare: bool,
    /// What git keeps for this worktree, and for all of them.
    own: PathBuf,
    common: PathBuf,
    git: Git,
    library: Option<Mutex<git2::Repository>>,
    /// Whether an untracked file of this path may be part of a build.
    is_source: Box<dyn Fn(&str) -> bool + Send + Sync>,
}

/// What can be built.
#[derive(Debug, Clone)]
pub enum Revision {
    /// A commit, by its full id, with the id of its tree and its message.
    Commit {
        id: String,
        tree: String,
        message: String,
    },
    /// Files that are not committed: the working tree, or what is about to be committed.
    WorkTree { snapshot: Snapshot },
}

impl Revision {
    /// The id of the source tree.
    pub(crate) fn tree(&self) -> &str {
        match self {
            Self::Commit { tree, .. } => tree,
            Self::WorkTree { snapshot } => snapshot.tree(),
        }
    }

    pub fn commit(&self) -> Option<&str> {
        match self {
            Self::Commit { id, .. } => Some(id),
            Self::WorkTree { .. } => None,
        }
    }

    /// The first line of the message.
    pub(crate) fn subject(&self) -> Option<&str> {
        match self {
            Self::Commit { message, .. } => Some(message.lines().next().unwrap_or_default()),
            Self::WorkTree { .. } => None,
        }
    }

    /// The bench that the message names for an engine of the repository; the main one is `None`.
    pub fn message_bench_of(&self, engine: Option<&str>) -> Option<u64> {
        match self {
            Self::Commit { message, .. } => Reading::of(message, engine).bench(),
            Self::WorkTree { .. } => None,
        }
    }

    /// A short name for people: eight digits of the commit, or `working tree`.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Commit { id, .. } => id.get(..8).unwrap_or(id),
            Self::WorkTree { .. } => "working tree",
        }
    }
}

impl Repository {
    /// The root of the working tree, or the git folder of a bare repository.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A folder relative to the root; empty where it is not inside.
    ///
    /// # Errors
    /// It does not exist.
    pub fn place_of(&self, folder: &Path) -> Result<PathBuf, Failure> {
        let whole = |path: &Path| {
            path.canonicalize()
                .or_unable(format_args!("find `{}`", path.display()))
        };
        let (root, folder) = (whole(&self.root)?, whole(folder)?);
        Ok(folder
            .strip_prefix(&root)
            .unwrap_or(Path::new(""))
            .to_owned())
    }

    /// Refuses a bare repository.
    pub(crate) fn require_work_tree(&self) -> Result<(), Failure> {
        if !self.is_bare {
            return Ok(());
        }
        Err(Failure::unable(format!(
            "`{}` is a bare repository, which has no working tree",
            self.root.display()
        ))
        .hint("run this in a clone of it"))
    }

    /// Whether any branch of a remote is known here.
    pub(crate) fn knows_remotes(&self) -> Result<bool, Failure> {
        let names = ["for-each-ref", "--count=1", "refs/remotes"];
        Ok(!self.git().text(&names)?.is_empty())
    }

    /// Where git keeps `objects` and `shallow`, or a file that each worktree has of its own, like `index` and
    /// `MERGE_HEAD`.
    pub(crate) fn git_path(&self, name: &str) -> PathBuf {
        let is_common = matches!(name, "objects" | "shallow");
        if is_common { &self.common } else { &self.own }.join(name)
    }

    /// Leaves untracked files that are not sources out of the working tree's snapshot.
    #[must_use]
    pub(crate) fn with_sources(
        mut self,
        is_source: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.is_source = Box::new(is_source);
        self
    }

    pub fn git(&self) -> &Git {
        &self.git
    }

    /// `.` is the working tree as it is now: tracked files and untracked ones that are not ignored.
    /// Anything else is a revision as git understands it.
    pub fn resolve(&self, text: &str) -> Result<Revision, Failure> {
        if text == "." {
            self.require_work_tree()?;
            let snapshot = self.snapshot_of_work_tree()?;
            return Ok(Revision::WorkTree { snapshot });
        }
        match self.read_by_library(text) {
            Some(revision) => Ok(revision),
            None => self.read_by_program(text),
        }
    }

    /// `None` where the library has no answer; the program is asked next, so no error is lost.
    fn read_by_library(&self, text: &str) -> Option<Revision> {
        let library = self
            .library
            .as_ref()?
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let commit = library.revparse_single(text).ok()?.peel_to_commit().ok()?;
        Some(Revision::Commit {
            id: commit.id().to_string(),
            tree: commit.tree_id().to_string(),
            message: String::from_utf8_lossy(commit.message_bytes()).into_owned(),
        })
    }

    fn read_by_program(&self, text: &str) -> Result<Revision, Failure> {
        // In two steps, because `:/words` would take a suffix for a part of the words.
        let object = self.parsed(text)?;
        let arguments = [
            "log",
            "-1",
            "--no-show-signature",
            "--format=%H%n%T%n%B",
            &object,
        ];
        let shown = self.git.text(&arguments).map_err(|_| self.unknown(text))?;
        let mut parts = shown.splitn(3, '\n');
        // Of a tree or a file, git prints nothing.
        let (Some(id), Some(tree)) = (parts.next(), parts.next()) else {
            return Err(self.unknown(text));
        };
        Ok(Revision::Commit {
            id: id.to_owned(),
            tree: tree.to_owned(),
            message: parts.next().unwrap_or_default().to_owned(),
        })
    }

    fn parsed(&self, text: &str) -> Result<String, Failure> {
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", text];
        let output = self.git.output(&arguments)?;
        let id = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if output.status.success() && !id.is_empty() {
            Ok(id)
        } else {
            Err(self.unknown(text))
        }
    }

    fn unknown(&self, text: &str) -> Failure {
        let lacks = |arguments: &[&str]| self.git.text(arguments).map_or(true, |it| it.is_empty());
        if lacks(&["rev-parse", "--verify", "--quiet", "HEAD"])
            && (text.starts_with("HEAD") || lacks(&["for-each-ref", "--count=1"]))
        {
            return Failure::unable(format!(
                "the branch of `{}` has no commit yet, so that there is no `{text}`",
                self.root.display()
            ))
            .hint("make a first commit; `.` is the working tree");
        }
        Failure::unable(format!(
            "`{text}` is not a commit of `{}`",
            self.root.display()
        ))
        .hint(suggest::hint(&self.git, text))
    }
}

#[cfg(test)]
pub(crate) mod tests;
