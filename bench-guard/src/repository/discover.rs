//! Finds the repository that holds a folder, with the library first and the program where the
//! library cannot.

use std::{
    path::{Path, PathBuf},
    sync::Mutex,
};

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
        match git2::Repository::discover(folder) {
            Ok(library) => {
                // Of a repository that was made with --separate-git-dir only the program knows the
                // working tree.
                if work_tree(&library).is_none()
                    && let Some(found) = Self::by_program(folder)?
                    && !found.is_bare
                {
                    return Ok(Some(found));
                }
                let root = work_tree(&library)
                    .unwrap_or_else(|| library.path())
                    .to_owned();
                // Empty components would show as a slash at the end of every message.
                let root: PathBuf = root.components().collect();
                Ok(Some(Self {
                    git: Git::new(&root),
                    is_bare: work_tree(&library).is_none(),
                    own: library.path().to_owned(),
                    common: library.commondir().to_owned(),
                    library: Some(Mutex::new(library)),
                    root,
                    is_source: Box::new(|_| true),
                }))
            }
            Err(_) => Self::by_program(folder),
        }
    }

    /// Opens it without the library.
    pub(super) fn by_program(folder: &Path) -> Result<Option<Self>, Failure> {
        let git = Git::new(folder);
        // A bare repository does not have the last of them.
        let asked = [
            "rev-parse",
            "--is-inside-work-tree",
            "--absolute-git-dir",
            "--git-common-dir",
            "--show-toplevel",
        ];
        let output = git.output(&asked)?;
        let found = String::from_utf8_lossy(&output.stdout);
        let mut found = found.lines();
        let (Some(is_inside), Some(own), Some(common)) = (found.next(), found.next(), found.next())
        else {
            let said = String::from_utf8_lossy(&output.stderr);
            if said.contains("not a git repository") {
                return Ok(None);
            }
            return Err(explained(folder, &said));
        };
        let own = PathBuf::from(own);
        let tree = found.next().filter(|_| is_inside == "true");
        let root = tree.map_or_else(|| own.clone(), PathBuf::from);
        Ok(Some(Self {
            is_bare: tree.is_none(),
            git: Git::new(&root),
            common: folder.join(common),
            own,
            library: None,
            is_source: Box::new(|_| true),
            root,
        }))
    }
}

/// Where the configuration does not say that a repository is bare, the library takes the folder above
/// it for its working tree; git does so for `.git` only.
fn work_tree(library: &git2::Repository) -> Option<&Path> {
    let tree = library.workdir()?;
    let git = library.path();
    let is_above = git.parent() == Some(tree) && !git.ends_with(".git");
    let is_told = || {
        let setting = library
            .config()
            .and_then(|it| it.get_string("core.worktree"));
        setting.is_ok()
    };
    (!is_above || is_told()).then_some(tree)
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
