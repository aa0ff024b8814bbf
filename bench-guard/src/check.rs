//! Audits the commits of a range: what each claims, what it owes, and what its engine says.
//!
//! The flow: messages are read and duties decided (pure, fast: all that `--no-build` does), then the trees whose bench
//! matters are built and benched by several workers, then each commit is judged beside its first parent, and last the
//! range as a whole is looked at for a bench that never moves.

mod insensitive;
mod measure;
mod verdict;

use std::collections::HashMap;

pub use measure::{Measurer, Outcome};
pub use verdict::{Facts, Judgement, Verdict, judge};

use crate::{
    Failure,
    message::Reading,
    policy::{self, Duty, Exemption},
    repository::{Commit, Range, Repository},
    settings::Settings,
};

/// What is asked for.
#[derive(Debug, Clone)]
pub struct Question {
    pub range: Range,
    /// Build and bench, or read messages only.
    pub build: bool,
    /// Demand a passed test of each functional commit.
    pub require_sprt: bool,
}

/// A commit with its verdict.
#[derive(Debug, Clone)]
pub struct Checked {
    pub commit: Commit,
    pub judgement: Judgement,
    /// What OpenBench reads from the message.
    pub message_bench: Option<u64>,
    /// What the engine prints.
    pub bench: Option<u64>,
    /// What the engine of the first parent prints, or else what its message claims.
    pub parent_bench: Option<u64>,
    /// What is legal but dangerous in the message.
    pub warnings: Vec<String>,
    /// The end of the log or output of what failed.
    pub log: Option<String>,
}

/// The answer.
#[derive(Debug, Clone)]
pub struct Report {
    pub built: bool,
    /// Oldest first.
    pub commits: Vec<Checked>,
}

impl Report {
    pub fn count(&self, verdict: Verdict) -> usize {
        self.commits
            .iter()
            .filter(|checked| checked.judgement.verdict == verdict)
            .count()
    }

    /// Whether any commit is wrong, or, when `strict`, doubtful.
    pub fn fails(&self, strict: bool) -> bool {
        self.commits.iter().any(|checked| {
            let verdict = checked.judgement.verdict;
            verdict.is_wrong() || (strict && verdict.is_doubtful())
        })
    }
}

/// Answers. `progress` hears what is being built.
pub fn check(
    repository: &Repository,
    settings: &Settings,
    question: &Question,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Report, Failure> {
    let commits = repository.commits(&question.range)?;
    let claims = Claims::read(repository, settings, commits)?;
    let outcomes = if question.build {
        claims.measure(repository, settings, progress)?
    } else {
        HashMap::new()
    };
    let mut report = claims.judged(repository, settings, question, &outcomes);
    insensitive::mark(&mut report, repository, settings)?;
    Ok(report)
}

/// The commits of a range with what their messages say.
struct Claims {
    commits: Vec<(Commit, Duty, Option<u64>)>,
}

impl Claims {
    fn read(
        repository: &Repository,
        settings: &Settings,
        commits: Vec<Commit>,
    ) -> Result<Self, Failure> {
        let commits = commits
            .into_iter()
            .map(|commit| {
                let bench = Reading::of(&commit.message).bench();
                let mut duty = policy::duty(&commit, settings);
                // Paths cost a comparison of trees, so only a commit that would owe a bench is asked for them.
                if bench.is_none()
                    && !matches!(duty, Duty::Exempt(_))
                    && !repository.concerns(&commit, settings)?
                {
                    duty = Duty::Exempt(Exemption::Paths);
                }
                Ok((commit, duty, bench))
            })
            .collect::<Result<_, Failure>>()?;
        Ok(Self { commits })
    }

    /// Builds and benches each commit whose verdict depends on it, and first parents that it is compared with.
    fn measure(
        &self,
        repository: &Repository,
        settings: &Settings,
        progress: &(dyn Fn(&str) + Sync),
    ) -> Result<HashMap<String, Outcome>, Failure> {
        let mut wanted = Vec::new();
        for (commit, duty, bench) in &self.commits {
            if matches!(duty, Duty::Exempt(_)) && bench.is_none() {
                continue;
            }
            let compared = *duty == Duty::NonFunctional || policy::claims_gain(&commit.message);
            // A parent that a shallow clone lacks cannot be built; the verdict does without it.
            if compared
                && let Some(parent) = commit.parents.first()
                && let Ok(id) = repository.resolve_commit(parent)
            {
                wanted.push(id);
            }
            wanted.push(commit.id.clone());
        }
        Measurer::new(repository, settings, progress).all(&wanted)
    }

    fn judged(
        self,
        repository: &Repository,
        settings: &Settings,
        question: &Question,
        outcomes: &HashMap<String, Outcome>,
    ) -> Report {
        let claimed: HashMap<&str, u64> = self
            .commits
            .iter()
            .filter_map(|(commit, _, bench)| Some((commit.id.as_str(), (*bench)?)))
            .collect();
        let parent_bench = |commit: &Commit| -> Option<u64> {
            let parent = commit.parents.first()?;
            match outcomes.get(parent) {
                Some(outcome) => outcome.bench(),
                None => claimed.get(parent.as_str()).copied().or_else(|| {
                    let compared = policy::says_non_functional(&commit.message, settings)
                        || policy::claims_gain(&commit.message);
                    // A parent outside the range is read only where it matters.
                    let outside = compared
                        .then(|| repository.resolve(parent).ok())
                        .flatten()?;
                    outside.message_bench()
                }),
            }
        };
        let commits = self
            .commits
            .iter()
            .map(|(commit, duty, message_bench)| {
                let reading = Reading::of(&commit.message);
                let outcome = outcomes.get(&commit.id).cloned().unwrap_or(Outcome::NotRun);
                let facts = Facts {
                    duty: *duty,
                    value: reading.value(),
                    outcome: &outcome,
                    parent_bench: parent_bench(commit),
                    claims_gain: policy::claims_gain(&commit.message),
                    non_functional_bench: settings.non_functional_bench,
                    unproved: None,
                };
                let _ = question.require_sprt;
                Checked {
                    judgement: judge(&facts),
                    message_bench: *message_bench,
                    bench: outcome.bench(),
                    parent_bench: facts.parent_bench,
                    warnings: reading.warnings().iter().map(ToString::to_string).collect(),
                    log: outcome.log(),
                    commit: commit.clone(),
                }
            })
            .collect();
        Report {
            built: question.build,
            commits,
        }
    }
}

impl Repository {
    /// Whether a commit touches what the settings ask a bench for.
    fn concerns(&self, commit: &Commit, settings: &Settings) -> Result<bool, Failure> {
        let paths = self.changed_paths(commit)?;
        Ok(policy::concerns(paths.iter().map(String::as_str), settings))
    }
}
