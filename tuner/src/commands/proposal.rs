//! Tuned values as a commit on a branch of its own, built and benched before there is a branch.
//!
//! The commit is made from the values and the tip that is checked out; working tree and index stay
//! as they are. What a match or a server proves of it goes into its message.

use std::path::Path;

use bench_guard::build;
use bench_guard::repository::Repository;
use bench_guard::settings::{self, Settings};
use foundation::{Failure, Printer, files};

use crate::commands::apply::Change;

pub(crate) struct Proposal {
    repository: Repository,
    settings: Settings,
    /// The commit that it is made on.
    pub base: String,
    path: String,
    change: Change,
    pub branch: String,
}

impl Proposal {
    /// # Errors
    /// Nothing is changed by the values, the file has changes of its own, or there is the branch
    /// already.
    pub(crate) fn new(change: Change, branch: String) -> Result<Self, Failure> {
        let file = Path::new(&change.name);
        let (settings, repository) = Settings::of_folder(files::folder(file))?;
        let path = repository.path_of(file)?;
        let git = repository.git();
        let base = git.text(&["rev-parse", "HEAD"])?;
        if change.moved.is_empty() {
            return Err(Failure::no(format!(
                "{} has these values already: there is nothing to prove",
                change.name
            )));
        }
        let tracked = format!("HEAD:{path}");
        for question in [
            &["cat-file", "-e", &tracked][..],
            &["diff", "--quiet", "HEAD", "--", &path],
        ] {
            if !git.output(question)?.status.success() {
                return Err(Failure::unable(format!(
                    "{path} has changes that are not committed, or is not tracked"
                ))
                .hint(
                    "commit them first: the values are proved against the commit that is checked out",
                ));
            }
        }
        let reference = format!("refs/heads/{branch}");
        let known = git.output(&["rev-parse", "--verify", "--quiet", &reference])?;
        if known.status.success() {
            return Err(
                Failure::unable(format!("there is a branch `{branch}` already"))
                    .hint("give another with --branch, or delete it"),
            );
        }
        git.text(&["check-ref-format", &reference]).map_err(|_| {
            Failure::unable(format!("`{branch}` cannot be the name of a branch"))
                .hint("give another with --branch")
        })?;
        Ok(Self {
            repository,
            settings,
            base,
            path,
            change,
            branch,
        })
    }

    /// A line for each value.
    pub(crate) fn moves(&self) -> Vec<String> {
        let moved = self.change.moved.iter();
        moved
            .map(|(name, old, new)| format!("{name}: {old} -> {new}"))
            .collect()
    }

    /// Whether an option is a parameter of the tune.
    pub(crate) fn is_parameter(&self, option: &str) -> bool {
        let mut names = self.change.parameters.iter();
        names.any(|name| name.eq_ignore_ascii_case(option))
    }

    /// Builds it and the commit that it is made on, and gives its bench.
    ///
    /// # Errors
    /// Both are the same program.
    pub(crate) fn bench(&self, printer: Printer) -> Result<u64, Failure> {
        let commit = self.commit("Tuned values\n")?;
        let settings = self.settings.build_settings(settings::cores());
        let built = |commit: &str| {
            let revision = self.repository.resolve(commit)?;
            let progress = |line: &str| printer.note(line);
            build::build(&self.repository, &revision, &settings, &progress)
        };
        let (new, base) = (built(&commit)?, built(&self.base)?);
        if new.sha256 == base.sha256 {
            return Err(Failure::unable(format!(
                "the build does not read {}: the program is the same with the tuned values",
                self.change.name
            ))
            .hint("name the file that the build reads, like `src/search.c`"));
        }
        Ok(new.bench.nodes)
    }

    /// The message: what was tuned, what proves it, and last the bench, which a server reads.
    pub(crate) fn message(&self, subject: Option<&str>, proof: &str, bench: u64) -> String {
        let names: Vec<&str> = self
            .change
            .moved
            .iter()
            .map(|(name, ..)| name.as_str())
            .collect();
        let own = match names.as_slice() {
            [only] => format!("Tune {only}"),
            [first, second] => format!("Tune {first} and {second}"),
            several => format!("Tune {} parameters", several.len()),
        };
        let label = match self.settings.name() {
            Some(engine) => format!("Bench-{engine}"),
            None => "Bench".to_owned(),
        };
        let moves = self.moves().join("\n");
        let subject = subject.unwrap_or(&own);
        format!(
            "{subject}\n\n{moves}\n\n{}\n\n{label}: {bench}\n",
            proof.trim()
        )
    }

    /// The commit with this message; no branch holds it yet.
    pub(crate) fn commit(&self, message: &str) -> Result<String, Failure> {
        self.repository
            .commit_of_file(&self.base, &self.path, &self.change.bytes(), message)
    }

    /// Makes the branch.
    pub(crate) fn publish(&self, commit: &str) -> Result<(), Failure> {
        let git = self.repository.git();
        git.text(&["branch", &self.branch, commit]).map(drop)
    }

    /// The repository on GitHub that a remote is pushed to, if it is there.
    pub(crate) fn on_github(&self, remote: &str) -> Option<String> {
        let git = self.repository.git();
        let configured =
            |key: &str| git.text(&["config", "--get", &format!("remote.{remote}.{key}")]);
        let url = configured("pushurl").or_else(|_| configured("url"));
        let url = url.unwrap_or_else(|_| remote.to_owned());
        url.contains("github.com").then_some(url)
    }

    /// Pushes the branch to a remote.
    pub(crate) fn push(&self, remote: &str) -> Result<(), Failure> {
        let git = self.repository.git();
        git.text(&["push", "--quiet", remote, &self.branch])
            .map(drop)
            .map_err(|failure| {
                failure.hint(format!(
                    "the commit is there: push `{}` by hand",
                    self.branch
                ))
            })
    }
}
