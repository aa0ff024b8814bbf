//! The commit that is about to be made, as git shows it to a hook.

use std::path::Path;

use crate::{
    message::Draft,
    policy::{self, Duty},
    repository::{Commit, Repository, Snapshot},
    settings::Settings,
};
use foundation::{Failure, failure::OrUnable};

/// The commit that is about to be made, as far as it is known.
pub struct Pending {
    pub repository: Repository,
    pub settings: Settings,
    pub draft: Draft,
    pub commit: Commit,
}

impl Pending {
    pub fn read(file: &Path) -> Result<Self, Failure> {
        let repository = crate::commands::repository()?;
        let settings = crate::commands::settings(None)?;
        let bytes =
            std::fs::read(file).or_unable(format_args!("read the message `{}`", file.display()))?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let mark = repository
            .git()
            .text(&["config", "--get", "core.commentChar"])
            .unwrap_or_default();
        let draft = Draft::new(text, &mark);
        let mut commit = Commit::unborn(draft.message());
        if is_underway(&repository, "MERGE_HEAD") {
            commit.parents = vec![String::new(); 2];
        }
        Ok(Self {
            repository,
            settings,
            draft,
            commit,
        })
    }

    /// What will be committed: git starts hooks with the index it commits from, which may be a temporary one.
    pub fn snapshot(&self) -> Result<Snapshot, Failure> {
        let index = match std::env::var_os("GIT_INDEX_FILE") {
            Some(index) => std::path::absolute(index).or_unable("find the index")?,
            None => self.repository.git_path("index")?,
        };
        Snapshot::of_index(&self.repository, &index)
    }

    /// Whether the commit owes a bench; paths are those that differ from HEAD.
    pub fn duty(&self, snapshot: &Snapshot) -> Result<Duty, Failure> {
        let duty = policy::duty(&self.commit, &self.settings);
        let changed = snapshot.git(&self.repository)?.text(&[
            "diff-tree",
            "-r",
            "-z",
            "--name-only",
            "--no-renames",
            "HEAD^{tree}",
            snapshot.tree(),
        ]);
        Ok(match (duty, changed) {
            (Duty::Functional | Duty::NonFunctional, Ok(changed))
                if !changed
                    .split('\0')
                    .any(|path| !path.is_empty() && policy::concerns(path, &self.settings)) =>
            {
                Duty::Exempt(policy::Exemption::Paths)
            }
            // A first commit has no HEAD to differ from.
            (duty, _) => duty,
        })
    }
}

pub fn is_underway(repository: &Repository, name: &str) -> bool {
    repository.git_path(name).is_ok_and(|path| path.exists())
}
