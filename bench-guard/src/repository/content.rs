//! The content of files in commits.

use super::{Git, Repository, Revision};
use foundation::Failure;

impl Repository {
    /// What a program would read at a path of a commit, through symbolic links; `None` where it
    /// would find no file.
    ///
    /// # Errors
    /// git cannot say, or a link leads out of the repository.
    pub(crate) fn content(&self, commit: &str, path: &str) -> Result<Option<String>, Failure> {
        let arguments = ["cat-file", "--batch", "--follow-symlinks"];
        read(self.git(), &arguments, commit, path)
    }

    /// What git stores at a path of a revision: of a symbolic link its target.
    ///
    /// # Errors
    /// git cannot say.
    pub(crate) fn stored(
        &self,
        revision: &Revision,
        path: &str,
    ) -> Result<Option<String>, Failure> {
        let git = match revision {
            Revision::Commit { .. } => self.git().clone(),
            Revision::WorkTree { snapshot } => self.git_with(snapshot),
        };
        read(&git, &["cat-file", "--batch"], revision.tree(), path)
    }

    /// Where two histories parted; `None` where they have nothing in common.
    pub(crate) fn merge_base(&self, a: &str, b: &str) -> Result<Option<String>, Failure> {
        let output = self.git().output(&["merge-base", a, b])?;
        let base = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        match output.status.code() {
            Some(0) if !base.is_empty() => Ok(Some(base)),
            Some(1) => Ok(None),
            _ => Err(super::program::failed("merge-base", &output.stderr)),
        }
    }
}

fn read(
    git: &Git,
    arguments: &[&str],
    commit: &str,
    path: &str,
) -> Result<Option<String>, Failure> {
    let input = super::program::input(format!("{commit}:{path}\n").as_bytes())?;
    let output = git
        .command(arguments)
        .stdin(input)
        .output()
        .map_err(|error| super::program::not_started(&error))?;
    let answer = String::from_utf8_lossy(&output.stdout);
    let (head, rest) = answer.split_once('\n').unwrap_or((&answer, ""));
    let words: Vec<&str> = head.split(' ').collect();
    match words.as_slice() {
        [_, "blob", _] => Ok(Some(rest.strip_suffix('\n').unwrap_or(rest).to_owned())),
        [.., "missing"] | ["dangling" | "notdir", _] | [_, "tree", _] => Ok(None),
        ["symlink", _] => Err(Failure::unable(format!(
            "`{path}` of {commit} is a link that leads out of the repository"
        ))),
        _ => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(Failure::unable(format!(
                "git cannot read `{path}` of {commit}: {}{}",
                head.trim(),
                said.trim()
            )))
        }
    }
}
