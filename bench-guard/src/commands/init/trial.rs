//! Tries ways to build an engine, and compares the measured bench with the one in the repository's
//! messages.

use super::candidates::Candidate;
use crate::{
    build::{self, BuildSettings},
    message,
    repository::{Range, Repository, Revision},
    settings::{Settings, cores},
};
use foundation::{Failure, Printer};

/// The newest commit whose message has a bench.
pub(super) struct ClaimedBench {
    pub(super) commit: String,
    pub(super) bench: u64,
}

/// A way to build that gave a bench.
pub(super) struct Tried {
    pub(super) candidate: Candidate,
    pub(super) bench: u64,
    /// What it prints at the commit whose message has a bench; `None` if it does not build there,
    /// or there is no such commit.
    pub(super) at_claim: Option<u64>,
}

impl ClaimedBench {
    /// Along first parents; a repository without commits has none.
    pub(super) fn last(repository: &Repository) -> Result<Option<Self>, Failure> {
        let Ok(mut next) = repository.resolve_commit("HEAD") else {
            return Ok(None);
        };
        for commit in repository.commits(&Range::All(next.clone()))?.iter().rev() {
            if commit.id != next {
                continue;
            }
            if let Some(bench) = message::server_bench(&commit.message) {
                let commit = commit.id.clone();
                return Ok(Some(Self { commit, bench }));
            }
            match commit.parents.first() {
                Some(parent) => next.clone_from(parent),
                None => break,
            }
        }
        Ok(None)
    }

    pub(super) fn short(&self) -> &str {
        self.commit.get(..8).unwrap_or(&self.commit)
    }
}

/// The first candidate that prints the bench of the message, or otherwise the first that builds; if
/// none does, the failures of all are reported.
pub(super) fn choose(
    repository: &Repository,
    candidates: &[Candidate],
    claimed: Option<&ClaimedBench>,
    kept: &Settings,
    printer: Printer,
) -> Result<Tried, Failure> {
    let revision = repository.resolve(".")?;
    let mut failures = Vec::new();
    let mut first: Option<Tried> = None;
    for candidate in candidates {
        printer.note(&format!("trying `{}`", candidate.command));
        let bench = match bench_of(repository, &revision, candidate, kept, printer) {
            Ok(bench) => bench,
            Err(_) if first.is_some() => continue,
            // It builds; another way to build would give the same bench.
            Err(failure) if failure.is_engine_fault() => {
                return Err(failure.context(format_args!("`{}` builds, but", candidate.command)));
            }
            Err(failure) => {
                failures.push(failure);
                continue;
            }
        };
        let at_claim = claimed.and_then(|claimed| {
            let revision = repository.resolve(&claimed.commit).ok()?;
            bench_of(repository, &revision, candidate, kept, printer).ok()
        });
        let tried = Tried {
            candidate: candidate.clone(),
            bench,
            at_claim,
        };
        if claimed.is_none_or(|claimed| at_claim == Some(claimed.bench)) {
            return Ok(tried);
        }
        first.get_or_insert(tried);
    }
    let takes_network = candidates
        .iter()
        .any(|candidate| candidate.takes_network(repository.root()));
    first.ok_or_else(|| none_builds(&failures, takes_network))
}

fn none_builds(failures: &[Failure], takes_network: bool) -> Failure {
    let network = if takes_network {
        "`--network FILE` gives the network that the Makefile takes as EVALFILE; else "
    } else {
        ""
    };
    let hint = format!(
        "{network}write `folder` and `build` into [bench-guard] of whetstone.toml; `--no-build` writes the most likely settings"
    );
    let mut reasons: Vec<_> = failures
        .iter()
        .map(|failure| {
            // Not the command that this is.
            let next = failure
                .next_step()
                .filter(|it| !it.contains("bench-guard init"));
            let next = next.map(|it| format!("\n({it})"));
            format!("{}{}", failure.message(), next.unwrap_or_default())
        })
        .collect();
    reasons.dedup();
    Failure::unable(format!(
        "no way to build the engine was found:\n{}",
        reasons.join("\n")
    ))
    .hint(hint)
}

fn bench_of(
    repository: &Repository,
    revision: &Revision,
    candidate: &Candidate,
    kept: &Settings,
    printer: Printer,
) -> Result<u64, Failure> {
    let settings = BuildSettings {
        folder: candidate.folder.clone(),
        command: candidate.command.clone(),
        ..kept.build_settings(cores())
    };
    let built = build::build(repository, revision, &settings, &|text| printer.note(text))?;
    Ok(built.bench.nodes)
}
