//! What git merges or reverts by itself, for comparison with what was committed.
//!
//! Whoever commits a merge may put anything into its tree. What git would not have put there is a
//! change of its own.

use super::{Git, Repository, history::Commit};
use foundation::Failure;

/// Three trees or commits to be merged: what two sides made of a common base.
pub(crate) struct Sides<'a> {
    pub(crate) ours: &'a str,
    pub(crate) theirs: &'a str,
    /// Found by git where none is given.
    pub(crate) base: Option<&'a str>,
}

/// Whether `tree` differs from what git merges by itself, in a path that is `wanted`. `git` must
/// write its objects where nobody minds.
pub(crate) fn adds_to(
    git: &Git,
    sides: &Sides<'_>,
    tree: &str,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<bool, Failure> {
    let mut arguments = vec![
        "merge-tree".to_owned(),
        "--write-tree".to_owned(),
        "--no-messages".to_owned(),
        "--allow-unrelated-histories".to_owned(),
    ];
    arguments.extend(sides.base.map(|base| format!("--merge-base={base}")));
    arguments.extend([sides.ours.to_owned(), sides.theirs.to_owned()]);
    let output = git.output(&arguments)?;
    // 1: there are conflicts, which the tree holds as git marks them.
    if !matches!(output.status.code(), Some(0 | 1)) {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::unable(format!(
            "`git merge-tree` cannot say what git merges of {} and {}: {}",
            sides.ours,
            sides.theirs,
            said.trim()
        ))
        .hint("git 2.40 or newer is needed, and both sides with their history"));
    }
    let merged = String::from_utf8_lossy(&output.stdout);
    let merged = merged.lines().next().unwrap_or_default();
    if merged == tree {
        return Ok(false);
    }
    let paths = git.text(&[
        "diff-tree",
        "-r",
        "-z",
        "--name-only",
        "--no-renames",
        merged,
        tree,
    ])?;
    Ok(paths
        .split('\0')
        .any(|path| !path.is_empty() && wanted(path)))
}

impl Repository {
    /// Whether a merge of two parents holds more than git would have merged; one of more parents is
    /// taken to.
    pub(crate) fn merge_adds(
        &self,
        merge: &Commit,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<bool, Failure> {
        let [ours, theirs] = merge.parents.as_slice() else {
            return Ok(true);
        };
        let sides = Sides {
            ours,
            theirs,
            base: None,
        };
        let (_objects, git) = self.apart()?;
        adds_to(&git, &sides, &merge.tree, wanted)
    }

    /// Whether a commit holds more than the revert of the commit that its message names; one that
    /// names none does.
    pub(crate) fn revert_adds(
        &self,
        revert: &Commit,
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
        let (_objects, git) = self.apart()?;
        adds_to(&git, &sides, &revert.tree, wanted)
    }
}
