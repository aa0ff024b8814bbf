//! Finds the repository that holds a folder.

use std::path::{Path, PathBuf};

use super::{Git, Repository};
use foundation::Failure;

impl Repository {
    /// Opens the repository that holds `folder`.
    ///
    /// # Errors
    /// There is none, or it cannot be opened.
    pub fn discover(folder: &Path) -> Result<Self, Failure> {
        Self::find(folder)?.ok_or_else(|| {
            Failure::unable(format!(
                "`{}` is not inside a git repository",
                folder.display()
            ))
            .hint("run this inside a checkout of the engine, or give `git init` first")
        })
    }

    /// The repository that holds `folder`, if there is one.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn find(folder: &Path) -> Result<Option<Self>, Failure> {
        let git = Git::new(folder);
        let output = git.output(&["rev-parse", "--show-toplevel"])?;
        if output.status.success() {
            let root = String::from_utf8_lossy(&output.stdout);
            let root = PathBuf::from(root.trim_end_matches('\n'));
            return Ok(Some(Self::at(root, false)));
        }
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("not a git repository") {
            return Ok(None);
        }
        if !said.contains("must be run in a work tree") {
            return Err(explained(folder, &said));
        }
        let root = PathBuf::from(git.text(&["rev-parse", "--absolute-git-dir"])?);
        match root.parent() {
            // Inside of `.git`, as some programs start a hook.
            Some(above) if root.ends_with(".git") && !is_bare(&git)? => Self::find(above),
            _ => Ok(Some(Self::at(root, true))),
        }
    }

    fn at(root: PathBuf, is_bare: bool) -> Self {
        Self {
            git: Git::new(&root),
            is_bare,
            is_source: Box::new(|_| true),
            root,
        }
    }
}

fn is_bare(git: &Git) -> Result<bool, Failure> {
    Ok(git.text(&["rev-parse", "--is-bare-repository"])? == "true")
}

/// What git says when it cannot open a repository, in our words and with the cure.
fn explained(folder: &Path, stderr: &str) -> Failure {
    let place = folder.display();
    let first = stderr.lines().next().unwrap_or_default();
    if stderr.contains("dubious ownership") {
        // git quotes the folder it means, which may be a parent of ours.
        let owned = stderr
            .split('\'')
            .nth(1)
            .map_or_else(|| place.to_string(), str::to_owned);
        Failure::unable(format!(
            "the repository `{owned}` belongs to another user, so git refuses it"
        ))
        .hint(format!(
            "trust it with `git config --global --add safe.directory '{owned}'`"
        ))
    } else if stderr.contains("cannot change to") {
        Failure::unable(format!("there is no folder `{place}`"))
            .hint("give a folder inside a git repository")
    } else if stderr.contains("extension") || stderr.contains("repo version") {
        Failure::unable(format!(
            "git cannot read the format of the repository at `{place}`: {first}"
        ))
        .hint("a newer git can; see `git --version`")
    } else {
        Failure::unable(format!(
            "git cannot open a repository at `{place}`: {first}"
        ))
        .hint(format!("see what `git -C '{place}' status` says"))
    }
}
