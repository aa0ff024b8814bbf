//! What git merges or reverts by itself, for comparison with what was committed.
//!
//! Whoever commits a merge may put anything into its tree. Anything that git would not have put
//! there is a change of its own.

use std::{
    collections::HashSet,
    io::{self, Write},
    panic::resume_unwind,
    path::Path,
    process::Stdio,
    sync::Arc,
    thread,
};

use super::{Git, Repository, Snapshot, history::Commit, trees::Trees};
use foundation::{Failure, failure::OrUnable};

const MERGE_TREE: [&str; 4] = [
    "merge-tree",
    "--write-tree",
    "--no-messages",
    "--allow-unrelated-histories",
];

const NEEDED: &str = "git 2.40 or newer is needed, and both sides with their history";

/// Three trees or commits to be merged: what two sides made of a common base.
struct Sides<'a> {
    ours: &'a str,
    theirs: &'a str,
    /// Found by git if it is not given.
    base: Option<&'a str>,
}

/// Whether `tree` differs from what git merges by itself of two parents, or from any of more, in a path
/// that is `wanted`. `git` must write its objects to a place of its own.
pub(crate) fn merge_adds(
    git: &Git,
    parents: &[String],
    tree: &str,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<bool, Failure> {
    if let [ours, theirs] = parents {
        let base = None;
        return adds_to(git, &Sides { ours, theirs, base }, tree, wanted);
    }
    for parent in parents {
        if differ(git, Some(parent), tree, wanted)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether `tree` differs from what git merges by itself, in a path that is `wanted`.
fn adds_to(
    git: &Git,
    sides: &Sides<'_>,
    tree: &str,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<bool, Failure> {
    let mut arguments = MERGE_TREE.map(str::to_owned).to_vec();
    arguments.push("-z".to_owned());
    arguments.extend(sides.base.map(|base| format!("--merge-base={base}")));
    arguments.extend([sides.ours.to_owned(), sides.theirs.to_owned()]);
    let output = git.output(&arguments)?;
    // 1: there are conflicts.
    if !matches!(output.status.code(), Some(0 | 1)) {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::unable(format!(
            "`git merge-tree` cannot say what git merges of {} and {}: {}",
            sides.ours,
            sides.theirs,
            said.trim()
        ))
        .hint(NEEDED));
    }
    let output = String::from_utf8_lossy(&output.stdout);
    let mut records = output.split('\0');
    let mut merged = Merged::new(records.next().unwrap_or_default());
    records.for_each(|record| merged.read(record));
    Ok(merged.is_open(wanted) || differ(git, Some(&merged.tree), tree, wanted)?)
}

/// A repository with the objects of one more folder.
struct Apart {
    /// `None` where the library cannot read them.
    trees: Option<Trees>,
    git: Git,
}

impl Apart {
    fn new(repository: &Repository, objects: &Path, git: Git) -> Self {
        Self {
            trees: Trees::of(repository, Some(objects)).ok(),
            git,
        }
    }

    fn differ(
        &self,
        before: Option<&str>,
        after: &str,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<bool, Failure> {
        let by_library = self.trees.as_ref().and_then(|trees| {
            let before = before.map(str::parse).transpose().ok()?;
            trees.differ(before, after.parse().ok()?, wanted).ok()
        });
        by_library.map_or_else(|| differ(&self.git, before, after, wanted), Ok)
    }
}

/// Whether two trees differ in a path that is `wanted`; where there is none before, all paths do.
fn differ(
    git: &Git,
    before: Option<&str>,
    tree: &str,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<bool, Failure> {
    let mut differs = false;
    let arguments = match before {
        Some(before) if before == tree => return Ok(false),
        Some(before) => vec![
            "diff-tree",
            "-r",
            "-z",
            "--name-only",
            "--no-renames",
            before,
            tree,
        ],
        None => vec!["ls-tree", "-r", "-z", "--name-only", "--full-tree", tree],
    };
    git.records(&arguments, Stdio::null(), &mut |path| {
        differs |= wanted(path);
    })?;
    Ok(differs)
}

impl Repository {
    /// Whether a snapshot differs from a tree in a path that is `wanted`; without one, whether it has
    /// such a path.
    pub(crate) fn differs(
        &self,
        tree: Option<&str>,
        snapshot: &Snapshot,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<bool, Failure> {
        let apart = Apart::new(self, snapshot.objects.path(), self.git_with(snapshot));
        apart.differ(tree, snapshot.tree(), wanted)
    }

    /// The ids of those merges whose trees are not those that git would have made, or, of more than two
    /// parents, that differ from one of them. git merges each as it comes.
    pub(crate) fn merges_that_add(
        &self,
        merges: impl Iterator<Item = Arc<Commit>>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<HashSet<String>, Failure> {
        let mut adding = HashSet::new();
        let mut merges = merges.peekable();
        if merges.peek().is_none() {
            return Ok(adding);
        }
        let (objects, git) = self.apart()?;
        let (input, mut asking) = io::pipe().or_unable("make a pipe")?;
        let mut of_two = Vec::new();
        let merged = thread::scope(|scope| {
            let merged = scope.spawn(|| {
                let mut merged = MergedTrees::default();
                let arguments = [&MERGE_TREE[..], &["--stdin"]].concat();
                let read = git.records(&arguments, input.into(), &mut |it| merged.read(it));
                read.map(|()| merged.merged)
                    .map_err(|failure| failure.hint(NEEDED))
            });
            for merge in merges {
                if merge.parents.len() == 2 {
                    // A git that reads no more has failed, and says why.
                    let _ = writeln!(asking, "{}", merge.parents.join(" "));
                    of_two.push(merge);
                } else if merge_adds(&self.git, &merge.parents, &merge.tree, wanted)? {
                    adding.insert(merge.id.clone());
                }
            }
            drop(asking);
            merged.join().unwrap_or_else(|panic| resume_unwind(panic))
        })?;
        if merged.len() != of_two.len() {
            return Err(Failure::unable(format!(
                "`git merge-tree` merged {} of {} merges",
                merged.len(),
                of_two.len()
            ))
            .hint(NEEDED));
        }
        let apart = Apart::new(self, objects.path(), git);
        for (merge, merged) in of_two.into_iter().zip(merged) {
            if merged.is_open(wanted) || apart.differ(Some(&merged.tree), &merge.tree, wanted)? {
                adding.insert(merge.id.clone());
            }
        }
        Ok(adding)
    }

    /// Whether a commit is what git makes of another one by a cherry-pick.
    pub(crate) fn is_cherry_pick(&self, commit: &Commit, of: &Commit) -> Result<bool, Failure> {
        let ([ours], Some(base)) = (commit.parents.as_slice(), of.parents.first()) else {
            return Ok(false);
        };
        let sides = Sides {
            ours,
            theirs: &of.id,
            base: Some(base),
        };
        let (_objects, git) = self.apart()?;
        Ok(!adds_to(&git, &sides, &commit.tree, &|_| true)?)
    }

    /// Whether a commit contains more than the revert of the commit that its message names; a
    /// commit that names none does.
    pub(crate) fn revert_adds(
        &self,
        revert: &Commit,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<bool, Failure> {
        let (_objects, git) = self.apart()?;
        self.adds_to_revert(&git, revert, &revert.tree, wanted)
    }

    /// The same for a revert that is about to be made.
    pub(crate) fn pending_revert_adds(
        &self,
        revert: &Commit,
        snapshot: &Snapshot,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<bool, Failure> {
        let git = self.git_with(snapshot);
        self.adds_to_revert(&git, revert, snapshot.tree(), wanted)
    }

    fn adds_to_revert(
        &self,
        git: &Git,
        revert: &Commit,
        tree: &str,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<bool, Failure> {
        let named = revert
            .message
            .split_once("This reverts commit ")
            .map(|(_, rest)| rest.chars().take_while(char::is_ascii_hexdigit))
            .map(String::from_iter)
            .and_then(|id: String| self.resolve_commit(&id).ok());
        let (Some(reverted), [parent]) = (named, revert.parents.as_slice()) else {
            return Ok(true);
        };
        let Ok(before) = self.resolve_commit(&format!("{reverted}^")) else {
            return Ok(true);
        };
        let sides = Sides {
            ours: parent,
            theirs: &before,
            base: Some(&reverted),
        };
        adds_to(git, &sides, tree, wanted)
    }
}

/// What git makes of two sides.
struct Merged {
    tree: String,
    /// Paths that git leaves to a person. The tree may hold one side of them, unmarked: that of a binary
    /// file, or of one that the other side has deleted.
    conflicts: Vec<String>,
}

impl Merged {
    fn new(tree: &str) -> Self {
        Self {
            tree: tree.to_owned(),
            conflicts: Vec::new(),
        }
    }

    /// Reads a record that follows the tree: `100644 0123… 2<tab>src/search.rs`.
    fn read(&mut self, record: &str) {
        let path = record.split_once('\t').map(|(_, path)| path.to_owned());
        self.conflicts.extend(path);
    }

    fn is_open(&self, wanted: &dyn Fn(&str) -> bool) -> bool {
        self.conflicts.iter().any(|path| wanted(path))
    }
}

/// Reads the records of `git merge-tree --stdin`: for each merge its status, its tree, a record for
/// each file in conflict, and an empty one.
#[derive(Default)]
struct MergedTrees {
    merged: Vec<Merged>,
    status_is_read: bool,
    tree_is_read: bool,
}

impl MergedTrees {
    fn read(&mut self, record: &str) {
        if !self.status_is_read {
            self.status_is_read = true;
        } else if !self.tree_is_read {
            self.tree_is_read = true;
            self.merged.push(Merged::new(record));
        } else if record.is_empty() {
            (self.status_is_read, self.tree_is_read) = (false, false);
        } else if let Some(merged) = self.merged.last_mut() {
            merged.read(record);
        }
    }
}
