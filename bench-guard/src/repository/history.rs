//! The commits of a range, oldest first, and which paths one of them touches.

use std::sync::{Mutex, PoisonError};

use super::{Repository, trees};
use crate::Failure;

/// To look at fewer commits than this costs less than starting threads for it.
pub const SHARED_FROM: usize = 2000;

/// A commit as far as a bench is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub id: String,
    pub tree: String,
    pub parents: Vec<String>,
    /// `Name <address>`.
    pub author: String,
    pub message: String,
}

/// Which commits are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Range {
    /// This one alone.
    One(String),
    /// Those that `tip` reaches and `from` does not.
    Since { from: String, tip: String },
    /// All that this one reaches.
    All(String),
    /// Those that this one reaches and no branch of any remote does, as far as known here.
    Unpublished(String),
}

impl Commit {
    /// A commit that is still to be made, of which only the message is known.
    pub fn unborn(message: String) -> Self {
        Self {
            id: String::new(),
            tree: String::new(),
            parents: Vec::new(),
            author: String::new(),
            message,
        }
    }

    pub fn subject(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    pub fn short(&self) -> &str {
        self.id.get(..8).unwrap_or(&self.id)
    }
}

impl Range {
    /// `A..B`, `A..` and `..B` as git understands them; a single revision means that commit alone.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        if text.contains("...") {
            return Err(Failure::unable(format!(
                "`{text}` is a symmetric difference, not a range"
            ))
            .hint("give `A..B`: what B has and A has not"));
        }
        let or_head = |side: &str| if side.is_empty() { "HEAD" } else { side }.to_owned();
        Ok(match text.split_once("..") {
            Some((from, tip)) => Self::Since {
                from: or_head(from),
                tip: or_head(tip),
            },
            None => Self::One(text.to_owned()),
        })
    }
}

impl Repository {
    /// The commits of a range, each after its parents.
    pub fn commits(&self, range: &Range) -> Result<Vec<Commit>, Failure> {
        // Names become ids here, where an unknown one gets a hint.
        let id = |text: &str| self.resolve_commit(text);
        let range = match range {
            Range::One(tip) => Range::One(id(tip)?),
            Range::Since { from, tip } => Range::Since {
                from: id(from)?,
                tip: id(tip)?,
            },
            Range::All(tip) => Range::All(id(tip)?),
            Range::Unpublished(tip) => Range::Unpublished(id(tip)?),
        };
        self.list(&range)
    }

    /// The full id of a commit.
    pub fn resolve_commit(&self, text: &str) -> Result<String, Failure> {
        if text == "." {
            return Err(
                Failure::unable("`.` is the working tree; a commit is wanted here")
                    .hint("give a commit, like HEAD"),
            );
        }
        let revision = self.resolve(text)?;
        Ok(revision.commit().unwrap_or_default().to_owned())
    }

    /// The program reads a long history in less than half the time of the library's walk, and beside us.
    fn list(&self, range: &Range) -> Result<Vec<Commit>, Failure> {
        let mut arguments: Vec<String> = [
            "log",
            "-z",
            "--topo-order",
            "--reverse",
            "--no-show-signature",
            "--encoding=UTF-8",
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.push("--format=%H%n%T%n%P%n%an <%ae>%n%B".to_owned());
        match range {
            Range::One(tip) => arguments.extend(["--no-walk".to_owned(), tip.clone()]),
            Range::All(tip) => arguments.push(tip.clone()),
            Range::Since { from, tip } => arguments.extend([tip.clone(), format!("^{from}")]),
            Range::Unpublished(tip) => {
                arguments.extend([tip.clone(), "--not".to_owned(), "--remotes".to_owned()]);
            }
        }
        let mut commits = Vec::new();
        self.git
            .records(&arguments, &mut |record| commits.extend(parsed(record)))?;
        Ok(commits)
    }

    /// Another handle, for another thread.
    #[must_use]
    pub fn again(&self) -> Self {
        let reopened = || {
            let library = self
                .library
                .as_ref()?
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            git2::Repository::open(library.path()).ok().map(Mutex::new)
        };
        Self {
            root: self.root.clone(),
            git: self.git.clone(),
            library: reopened(),
        }
    }

    /// Whether any path that differs between a commit and its first parent is `wanted`; a first commit differs in all.
    pub fn touches(&self, commit: &Commit, wanted: &dyn Fn(&str) -> bool) -> Result<bool, Failure> {
        if let Some(touches) = self.touches_by_library(commit, wanted) {
            return Ok(touches);
        }
        let mut arguments = vec!["diff-tree", "-r", "-z", "--name-only", "--no-renames"];
        match commit.parents.first() {
            Some(parent) => arguments.extend([parent.as_str(), commit.id.as_str()]),
            None => arguments.extend(["--root", "--no-commit-id", commit.id.as_str()]),
        }
        let listed = self.git.bytes(&arguments)?;
        Ok(String::from_utf8_lossy(&listed)
            .split('\0')
            .any(|path| !path.is_empty() && wanted(path)))
    }

    fn touches_by_library(&self, commit: &Commit, wanted: &dyn Fn(&str) -> bool) -> Option<bool> {
        let library = self
            .library
            .as_ref()?
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let new = library
            .find_tree(git2::Oid::from_str(&commit.tree).ok()?)
            .ok()?;
        let old = match commit.parents.first() {
            Some(parent) => {
                let parent = library
                    .find_commit(git2::Oid::from_str(parent).ok()?)
                    .ok()?;
                Some(parent.tree().ok()?)
            }
            None => None,
        };
        trees::differ(&library, old.as_ref(), Some(&new), wanted).ok()
    }
}

fn parsed(record: &str) -> Option<Commit> {
    let mut parts = record.trim_start_matches('\n').splitn(5, '\n');
    Some(Commit {
        id: parts.next().filter(|id| !id.is_empty())?.to_owned(),
        tree: parts.next()?.to_owned(),
        parents: parts
            .next()?
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
        author: parts.next()?.to_owned(),
        message: parts.next().unwrap_or_default().to_owned(),
    })
}
