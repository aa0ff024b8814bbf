//! The commits of a range, oldest first, and which paths one of them touches.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    process::Stdio,
    sync::PoisonError,
};

use git2::Oid;

use super::{Repository, order, program, trees::Trees};
use foundation::{Failure, failure::OrUnable};

/// What a bench depends on in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(crate) id: String,
    pub(crate) tree: String,
    pub(crate) parents: Vec<String>,
    /// `Name <address>`.
    pub(crate) author: String,
    pub(crate) message: String,
}

/// Which commits are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Range {
    /// This one alone.
    One(String),
    /// The commits that `tip` reaches and `from` does not.
    Since { from: String, tip: String },
    /// All commits that this one reaches.
    All(String),
    /// The commits that `tip` reaches and that are on no remote branch, as far as known here, nor
    /// reached by `from`, what the remote has there now.
    Unpublished { from: Option<String>, tip: String },
}

impl Commit {
    /// A commit that is still to be made, of which only the message is known.
    pub(crate) fn unborn(message: String) -> Self {
        Self {
            id: String::new(),
            tree: String::new(),
            parents: Vec::new(),
            author: String::new(),
            message,
        }
    }

    pub(crate) fn subject(&self) -> &str {
        self.message.lines().next().unwrap_or_default()
    }

    pub(crate) fn short(&self) -> &str {
        self.id.get(..8).unwrap_or(&self.id)
    }
}

impl Range {
    /// The newest commit.
    pub(crate) fn tip(&self) -> &str {
        match self {
            Self::One(tip)
            | Self::Since { tip, .. }
            | Self::All(tip)
            | Self::Unpublished { tip, .. } => tip,
        }
    }

    /// `A..B`, `A..` and `..B` as git understands them; a single revision means that commit alone.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
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

/// The trees of commits, by the ids of the commits.
pub(crate) type TreesById<'a> = HashMap<&'a str, &'a str>;

/// The trees of these commits.
pub(crate) fn trees_of<'a>(commits: impl Iterator<Item = &'a Commit>) -> TreesById<'a> {
    commits
        .map(|commit| (commit.id.as_str(), commit.tree.as_str()))
        .collect()
}

impl Repository {
    /// The commits of a range, each after its parents.
    pub(crate) fn commits(&self, range: &Range) -> Result<Vec<Commit>, Failure> {
        self.commits_as(range, |commit| commit, |commit| commit)
    }

    /// The same, each as `read` makes it while git goes on printing; `commit` is its inverse.
    pub(crate) fn commits_as<T>(
        &self,
        range: &Range,
        read: impl FnMut(Commit) -> T,
        commit: impl Fn(&T) -> &Commit,
    ) -> Result<Vec<T>, Failure> {
        // Names become ids here, where an unknown one gets a hint.
        let id = |text: &str| self.resolve_commit(text);
        let range = match range {
            Range::One(tip) => Range::One(id(tip)?),
            Range::Since { from, tip } => Range::Since {
                from: id(from)?,
                tip: id(tip)?,
            },
            Range::All(tip) => Range::All(id(tip)?),
            Range::Unpublished { from, tip } => Range::Unpublished {
                from: from.as_deref().map(id).transpose()?,
                tip: id(tip)?,
            },
        };
        let read = self.list(&range, read)?;
        let nodes: Vec<order::Node<'_>> = read
            .iter()
            .map(&commit)
            .map(|commit| (commit.id.as_str(), commit.parents.as_slice()))
            .collect();
        let order = order::parents_first(&nodes);
        let mut read: Vec<Option<T>> = read.into_iter().map(Some).collect();
        Ok(order
            .into_iter()
            .filter_map(|place| read[place].take())
            .collect())
    }

    /// The full id of a commit.
    pub(crate) fn resolve_commit(&self, text: &str) -> Result<String, Failure> {
        if text == "." {
            return Err(
                Failure::unable("`.` is the working tree, expected a commit")
                    .hint("give a commit, like HEAD"),
            );
        }
        let revision = self.resolve(text)?;
        Ok(revision.commit().unwrap_or_default().to_owned())
    }

    /// Name, address and seconds of the author of HEAD, each on a line; `None` before the first commit.
    pub(crate) fn author_of_head(&self) -> Option<String> {
        self.author_by_library().or_else(|| {
            let arguments = ["log", "-1", "--no-show-signature", "--format=%an%n%ae%n%at"];
            self.git.text(&arguments).ok()
        })
    }

    /// `None` where the library cannot tell, or does not change the encoding as git does.
    fn author_by_library(&self) -> Option<String> {
        let library = self.library.as_ref()?;
        let library = library.lock().unwrap_or_else(PoisonError::into_inner);
        let head = library.head().ok()?.peel_to_commit().ok()?;
        let author = head.author();
        if !matches!(head.message_encoding(), Ok(None)) {
            return None;
        }
        let (name, email) = (author.name().ok()?, author.email().ok()?);
        Some(format!("{name}\n{email}\n{}", author.when().seconds()))
    }

    /// The paths of all files of a commit.
    pub(crate) fn files(&self, commit: &str) -> Result<Vec<String>, Failure> {
        let mut files = Vec::new();
        let arguments = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit];
        self.git.records(&arguments, Stdio::null(), &mut |path| {
            files.push(path.to_owned());
        })?;
        Ok(files)
    }

    /// Whether a commit has a file or folder of this path.
    pub(crate) fn has(&self, commit: &str, path: &str) -> Result<bool, Failure> {
        let object = format!("{commit}:{}", path.trim_end_matches('/'));
        let output = self.git.output(&["cat-file", "-e", &object])?;
        Ok(output.status.success())
    }

    /// The commits at which the history of a shallow clone ends: git shows them without parents.
    pub(crate) fn cut_off(&self) -> Result<HashSet<String>, Failure> {
        let path = self.git_path("shallow");
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(HashSet::new()),
            Err(error) => Err(error).or_unable(format_args!("read `{}`", path.display())),
        }
    }

    /// The commits of a range as git comes upon them, the newest first. The program reads a long
    /// history in less than half the time of the library's walk, and in parallel to this process.
    fn list<T>(&self, range: &Range, mut read: impl FnMut(Commit) -> T) -> Result<Vec<T>, Failure> {
        let mut arguments: Vec<String> = ["log", "-z", "--no-show-signature", "--encoding=UTF-8"]
            .map(str::to_owned)
            .to_vec();
        arguments.push("--format=%H%n%T%n%P%n%an <%ae>%n%B".to_owned());
        match range {
            Range::One(tip) => arguments.extend(["--no-walk".to_owned(), tip.clone()]),
            Range::All(tip) => arguments.push(tip.clone()),
            Range::Since { from, tip } => arguments.extend([tip.clone(), format!("^{from}")]),
            Range::Unpublished { from, tip } => {
                arguments.push(tip.clone());
                arguments.extend(from.iter().map(|from| format!("^{from}")));
                arguments.extend(["--not", "--remotes"].map(str::to_owned));
            }
        }
        let mut commits = Vec::new();
        self.git.records(&arguments, Stdio::null(), &mut |record| {
            let commit = parsed(record).ok_or_else(|| record.to_owned());
            commits.push(commit.map(&mut read));
        })?;
        let commits: Result<Vec<T>, String> = commits.into_iter().collect();
        commits.map_err(|record| {
            Failure::unable(format!("`git log` printed no commit: `{}`", record.trim()))
        })
    }

    /// The ids of those commits that differ from their first parent in a path that is `wanted`; a
    /// first commit differs from nothing in all its paths. `trees` are those of commits that are
    /// known, by id.
    pub(crate) fn touching(
        &self,
        commits: &[&Commit],
        trees: &TreesById<'_>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<HashSet<String>, Failure> {
        match self.touching_by_library(commits, trees, wanted) {
            Ok(touching) => Ok(touching),
            Err(_) => self.touching_by_program(commits, wanted),
        }
    }

    /// # Errors
    /// The library cannot read what the program may be able to.
    pub(super) fn touching_by_library(
        &self,
        commits: &[&Commit],
        trees: &TreesById<'_>,
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<HashSet<String>, git2::Error> {
        // The library locks a pack for each object: two threads would be no faster.
        let reader = Trees::of(self, None)?;
        // The same paths are touched again and again.
        let known = RefCell::new(HashMap::new());
        let wanted = |path: &str| -> bool {
            if let Some(is_wanted) = known.borrow().get(path) {
                return *is_wanted;
            }
            let is_wanted = wanted(path);
            known.borrow_mut().insert(path.to_owned(), is_wanted);
            is_wanted
        };
        let mut touching = HashSet::new();
        for commit in commits {
            if touches(&reader, commit, trees, &wanted)? {
                touching.insert(commit.id.clone());
            }
        }
        Ok(touching)
    }

    pub(super) fn touching_by_program(
        &self,
        commits: &[&Commit],
        wanted: &dyn Fn(&str) -> bool,
    ) -> Result<HashSet<String>, Failure> {
        let mut touching = HashSet::new();
        if commits.is_empty() {
            return Ok(touching);
        }
        let line = |commit: &&Commit| {
            let parent = commit.parents.first().map_or("", String::as_str);
            format!("{} {parent}\n", commit.id)
        };
        let input = program::input(commits.iter().map(line).collect::<String>().as_bytes())?;
        let arguments = [
            "diff-tree",
            "--stdin",
            "-r",
            "-z",
            "--root",
            "--always",
            "--raw",
            "--no-renames",
        ];
        let mut changes = Changes::default();
        self.git.records(&arguments, input, &mut |record| {
            if let Some((commit, path)) = changes.read(record)
                && !touching.contains(commit)
                && wanted(path)
            {
                touching.insert(commit.to_owned());
            }
        })?;
        Ok(touching)
    }
}

/// Whether a commit differs from its first parent in a path that is `wanted`; a first commit differs
/// from nothing. `trees` are those of some commits, by id.
fn touches(
    reader: &Trees,
    commit: &Commit,
    trees: &TreesById<'_>,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<bool, git2::Error> {
    let before = match commit.parents.first() {
        None => None,
        Some(parent) => Some(match trees.get(parent.as_str()) {
            Some(tree) => Oid::from_str(tree)?,
            None => reader.tree_of(Oid::from_str(parent)?)?,
        }),
    };
    reader.differ(before, Oid::from_str(&commit.tree)?, wanted)
}

/// Reads the records of `git diff-tree --stdin --raw -z`: the id of a commit, then for each change a
/// record that begins with a colon, and the path. What follows such a record is a path, whatever it
/// is called.
#[derive(Default)]
struct Changes {
    commit: String,
    path_follows: bool,
}

impl Changes {
    /// The commit and its path, where the record is one.
    fn read<'a>(&mut self, record: &'a str) -> Option<(&str, &'a str)> {
        if std::mem::take(&mut self.path_follows) {
            return Some((&self.commit, record));
        }
        if record.starts_with(':') {
            self.path_follows = true;
        } else {
            record.clone_into(&mut self.commit);
        }
        None
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Changes;

    proptest! {
        #[test]
        fn each_path_belongs_to_its_commit(
            // Ids, records of changes, and whatever else a file may be called.
            commits in prop::collection::vec(
                ("[0-9a-f]{40}", prop::collection::vec("[0-9a-f]{40}|:100644 .{0,9}|[^\0]{1,9}", 0..5)),
                0..5,
            ),
        ) {
            let change = ":100644 100644 1111111 2222222 M";
            let mut records: Vec<&str> = Vec::new();
            let mut expected: Vec<(&str, &str)> = Vec::new();
            for (id, paths) in &commits {
                records.push(id);
                for path in paths {
                    records.extend([change, path]);
                    expected.push((id, path));
                }
            }
            let mut changes = Changes::default();
            let mut found = Vec::new();
            for record in records {
                found.extend(changes.read(record).map(|(id, path)| (id.to_owned(), path)));
            }
            let found: Vec<_> = found.iter().map(|(id, path)| (id.as_str(), *path)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
