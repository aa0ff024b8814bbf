//! The commit that is about to be made, as git shows it to a hook.

use std::path::{Path, PathBuf};

use super::{
    super::project::Project,
    amend,
    command_line::{self, CommandLine},
};
use crate::{
    build::BuildSettings,
    message::{Cleanup, Draft},
    policy::{self, Duty, Exemption},
    repository::{Commit, Range, Repository, Revision, Snapshot, merge_adds},
    settings::{Settings, cores, is_project_file},
};
use foundation::{Failure, failure::OrUnable};

/// The commit that is about to be made, as far as it is known.
pub(crate) struct Pending {
    pub(crate) repository: Repository,
    pub(crate) settings: Settings,
    pub(crate) draft: Draft,
    pub(crate) commit: Commit,
    /// What it is compared with: HEAD, or the parent of HEAD if HEAD is amended; nothing for a
    /// first commit.
    pub(crate) parent: Option<Revision>,
    /// Whether this hook is seen to run under a `git commit`: a cherry-pick that does not stop runs
    /// none.
    is_commanded: bool,
    /// The template that the message began as, as git would store it.
    pub(crate) template: Option<String>,
    /// Whether git was told to accept an empty message.
    pub(crate) may_be_empty: bool,
    /// Whether the message comes from the command line, a file or another commit.
    pub(crate) is_given: bool,
    /// Whether somebody edits the message before it is judged.
    pub(crate) is_edited: bool,
}

impl Pending {
    /// The same commit for each engine of the repository, the main one first. `check` gets one after
    /// the other, and may have changed the message when it returns.
    pub(crate) fn for_each_engine<T>(
        file: &Path,
        mut check: impl FnMut(Self) -> Result<T, Failure>,
    ) -> Result<Vec<T>, Failure> {
        let pending = Self::read(file)?;
        let engines = pending.settings.engines();
        let mut seen = vec![check(pending)?];
        for settings in engines.into_iter().skip(1) {
            let mut pending = Self::read(file)?;
            pending.settings = settings;
            seen.push(check(pending)?);
        }
        Ok(seen)
    }

    fn read(file: &Path) -> Result<Self, Failure> {
        let Project {
            repository,
            settings,
        } = Project::open()?;
        let bytes =
            std::fs::read(file).or_unable(format_args!("read the message `{}`", file.display()))?;
        let configured = Configured::read(&repository);
        let command = CommandLine::find();
        // git gives its hooks this editor when it opens none.
        let is_edited = std::env::var_os("GIT_EDITOR").is_none_or(|editor| editor != ":");
        let asked = command.as_ref().and_then(CommandLine::cleanup);
        let mode = asked.unwrap_or_else(|| configured.get("commit.cleanup"));
        let asked = command.as_ref().and_then(CommandLine::verbose);
        let is_verbose = asked.unwrap_or_else(|| is_true(configured.get("commit.verbose")));
        let draft = Draft::new(bytes, |text| {
            // Both are names of one setting.
            let mark = configured.last(&["core.commentstring", "core.commentchar"]);
            Cleanup::of(mode, mark, is_edited, is_verbose, text)
        });
        let is_given = command
            .as_ref()
            .map_or(!is_edited, CommandLine::gives_message);
        // git does not look for its template in a message that it stores as it is.
        let file = (!is_given && mode != "verbatim")
            .then(|| template_file(&repository, &configured, command.as_ref()))
            .flatten();
        let template = file.and_then(|file| std::fs::read(file).ok());
        let template = template.map(|bytes| draft.like(bytes).message());
        let mut commit = Commit::unborn(draft.message());
        commit.author = author(&repository);
        let merged = merged_heads(&repository)?;
        // git amends nothing while a merge is under way.
        let is_amending = merged.is_empty() && amend::is_amending(&repository, command.as_ref());
        let parent = if is_amending { "HEAD^" } else { "HEAD" };
        commit.parents = if is_amending {
            // An amended merge is one of the same parents.
            let head = repository.commits(&Range::One("HEAD".to_owned()))?.pop();
            head.map_or_else(Vec::new, |head| head.parents)
        } else {
            std::iter::once("HEAD".to_owned()).chain(merged).collect()
        };
        Ok(Self {
            is_commanded: command.is_some(),
            may_be_empty: command.is_some_and(|command| command.allows_empty_message()),
            template,
            is_given,
            is_edited,
            parent: repository.resolve(parent).ok(),
            repository,
            settings,
            draft,
            commit,
        })
    }

    /// What will be committed: git starts hooks with the index it commits from, which may be a
    /// temporary one.
    pub(crate) fn snapshot(&self) -> Result<Snapshot, Failure> {
        let index = match std::env::var_os("GIT_INDEX_FILE") {
            Some(index) => std::path::absolute(index).or_unable("find the index")?,
            None => self.repository.git_path("index"),
        };
        self.repository.snapshot_of_index(&index)
    }

    /// Whether git itself will refuse the message as empty, which a bench must not hide.
    pub(crate) fn is_refused_as_empty(&self) -> bool {
        let is_empty = self.commit.message.trim().is_empty() && !self.may_be_empty;
        is_empty && self.is_given && !self.is_edited
    }

    /// How a revision is built.
    pub(crate) fn build_settings(&self, revision: &Revision) -> Result<BuildSettings, Failure> {
        let own = self.settings.as_of(&self.repository, revision)?;
        Ok(own.build_settings(cores()))
    }

    /// Whether the commit owes a bench; its paths are those that differ from its parent,
    /// of a first commit all.
    pub(crate) fn duty(&self, snapshot: &Snapshot) -> Result<Duty, Failure> {
        let mut duty = policy::duty(&self.commit, &self.settings, false);
        if duty == Duty::Exempt(Exemption::Revert) && self.revert_adds(snapshot)? {
            duty = policy::claimed_duty(&self.commit, &self.settings, false);
        }
        let is_merge = self.commit.parents.len() > 1;
        let is_finished = duty != Duty::Exempt(Exemption::Unfinished);
        if is_merge && is_finished && self.merge_adds(snapshot)? {
            return Ok(Duty::Functional);
        }
        let (Duty::Functional | Duty::NonFunctional(_)) = duty else {
            return Ok(duty);
        };
        let wanted = |path: &str| self.settings.concerns(path);
        let pending = Revision::WorkTree {
            snapshot: snapshot.clone(),
        };
        let parent = self.parent.as_ref();
        let before = parent.map(Revision::tree);
        let builds_otherwise = |parent| {
            self.settings
                .build_differs(&self.repository, parent, &pending)
        };
        let concerned = self.repository.differs(before, snapshot, &wanted)?
            || parent.map_or(Ok(false), builds_otherwise)?;
        Ok(if concerned {
            duty
        } else {
            Duty::Exempt(Exemption::Paths)
        })
    }

    /// Whether the merge is another than git makes by itself, by resolving a conflict for instance.
    fn merge_adds(&self, snapshot: &Snapshot) -> Result<bool, Failure> {
        let git = self.repository.git_with(snapshot);
        merge_adds(&git, &self.commit.parents, snapshot.tree(), &|path| {
            self.is_wanted(path)
        })
    }

    /// The same for a revert; its subject alone proves nothing.
    fn revert_adds(&self, snapshot: &Snapshot) -> Result<bool, Failure> {
        let wanted = |path: &str| self.is_wanted(path);
        self.repository
            .pending_revert_adds(&self.commit, snapshot, &wanted)
    }

    fn is_wanted(&self, path: &str) -> bool {
        self.settings.concerns(path) || is_project_file(path)
    }

    /// Whether a conflict was resolved by hand: the index remembers its sides.
    fn has_resolved(&self) -> bool {
        let listed = self.repository.git().text(&["ls-files", "--resolve-undo"]);
        listed.is_ok_and(|paths| !paths.is_empty())
    }

    /// Whether git makes several commits in a row, with nobody waiting for this one.
    pub(crate) fn is_replayed(&self) -> bool {
        if self.is_edited {
            return false;
        }
        let underway = |name: &str| self.repository.git_path(name).exists();
        let rebasing = underway("rebase-merge") || underway("rebase-apply");
        // When git has stopped, for a conflict or on request, somebody works on this commit; where it
        // stopped without one of its own, only who made the commit tells.
        if rebasing {
            let is_by_hand = self.is_commanded && !command_line::is_by_rebase();
            !underway("rebase-merge/stopped-sha") && !is_by_hand
        } else {
            underway("CHERRY_PICK_HEAD") && !self.is_commanded && !self.has_resolved()
        }
    }
}

/// The author, as `Name <address>`; `git commit` tells its hooks.
fn author(repository: &Repository) -> String {
    let variable = |name: &str| std::env::var(name).ok();
    if let (Some(name), Some(email)) = (variable("GIT_AUTHOR_NAME"), variable("GIT_AUTHOR_EMAIL")) {
        return format!("{name} <{email}>");
    }
    let ident = repository.git().text(&["var", "GIT_AUTHOR_IDENT"]);
    let ident = ident.unwrap_or_default();
    ident
        .rsplit_once('>')
        .map_or_else(String::new, |(author, _)| format!("{author}>"))
}

/// What HEAD is being merged with.
fn merged_heads(repository: &Repository) -> Result<Vec<String>, Failure> {
    let path = repository.git_path("MERGE_HEAD");
    match std::fs::read_to_string(&path) {
        Ok(heads) => Ok(heads.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error).or_unable(format_args!("read `{}`", path.display())),
    }
}

/// The file that the message of a commit begins as.
fn template_file(
    repository: &Repository,
    configured: &Configured,
    command: Option<&CommandLine>,
) -> Option<PathBuf> {
    if let Some(file) = command.and_then(CommandLine::template) {
        let prefix = std::env::var_os("GIT_PREFIX").unwrap_or_default();
        return Some(repository.root().join(prefix).join(file));
    }
    if configured.get("commit.template").is_empty() {
        return None;
    }
    let path = ["config", "--path", "commit.template"];
    let path = repository.git().text(&path).ok()?;
    Some(repository.root().join(path))
}

/// Whether git takes a value for a switch that is on, or a number that is not zero.
fn is_true(value: &str) -> bool {
    let is_word = ["true", "yes", "on"]
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word));
    is_word || value.parse().is_ok_and(|number: i64| number != 0)
}

/// The value of a key in a line of `git config --get-regexp`.
fn value_of<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    match line.strip_prefix(key)? {
        // A key without a value is a switch that is on.
        "" => Some("true"),
        rest => rest.strip_prefix(' '),
    }
}

/// The user's configuration about messages; one process reads it all, since a hook must be quick.
struct Configured(String);

impl Configured {
    fn read(repository: &Repository) -> Self {
        let keys = r"^(commit\.(cleanup|template|verbose)|core\.comment(char|string))$";
        let mut command = repository.git().command(&["config", "--get-regexp", keys]);
        // What `git -c` sets for the one commit; other programs do not get it.
        command.envs(std::env::vars_os().filter(|(name, _)| {
            let name = name.to_string_lossy();
            name.starts_with("GIT_CONFIG_")
        }));
        let lines = command.output().map(|output| output.stdout);
        Self(String::from_utf8_lossy(&lines.unwrap_or_default()).into_owned())
    }

    fn get(&self, key: &str) -> &str {
        self.last(&[key])
    }

    /// The last value of these keys, in lower case as git prints them; empty where there is none.
    fn last(&self, keys: &[&str]) -> &str {
        self.0
            .lines()
            .rev()
            .find_map(|line| keys.iter().find_map(|key| value_of(line, key)))
            .unwrap_or_default()
    }
}
