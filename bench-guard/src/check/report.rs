//! What a check found: each commit with its verdict, and whether that fails.

use std::{borrow::Cow, collections::HashMap};

use super::{BenchVerdict, Judgement, VariantBench};
use crate::{policy::Duty, repository::Commit};

/// A commit with its verdict.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    /// The engine that is meant, where it is not the main one of its repository.
    pub(crate) engine: Option<String>,
    pub(crate) commit: Commit,
    pub(crate) duty: Duty,
    pub(crate) judgement: Judgement,
    /// The judgement once the message has the bench of the engine, where it has another or none.
    pub(crate) corrected: Option<Judgement>,
    /// What OpenBench reads from the message.
    pub(crate) message_bench: Option<u64>,
    /// What the engine prints.
    pub(crate) bench: Option<u64>,
    /// What the engine of the first parent prints, or otherwise what its message claims.
    pub(crate) parent_bench: Option<u64>,
    /// What is legal but dangerous in the message.
    pub(crate) warnings: Vec<String>,
    /// The results of its variants, as far as they were built.
    pub(crate) variants: Vec<VariantBench>,
    /// The end of the log or output of what failed.
    pub(crate) log: Option<String>,
}

impl Checked {
    /// The first line of the message, preceded by the engine if that is not the main one.
    pub(crate) fn subject(&self) -> Cow<'_, str> {
        let subject = self.commit.subject();
        match &self.engine {
            None => Cow::Borrowed(subject),
            Some(engine) => Cow::Owned(format!("{engine}: {subject}")),
        }
    }
}

/// The result of a check.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub(crate) built: bool,
    /// Oldest first.
    pub(crate) commits: Vec<Checked>,
    /// What is doubtful about the settings.
    pub(crate) warnings: Vec<String>,
}

impl Report {
    /// Joins the reports of several engines on the same commits into one. For engines other than
    /// the first, commits that need no bench are left out.
    pub(crate) fn joined(reports: Vec<Self>) -> Self {
        let mut reports = reports.into_iter();
        let Some(mut joined) = reports.next() else {
            unreachable!("a repository has a main engine");
        };
        let mut others: HashMap<String, Vec<Checked>> = HashMap::new();
        for report in reports {
            let wanted = |checked: &Checked| checked.judgement.verdict != BenchVerdict::NotNeeded;
            for checked in report.commits.into_iter().filter(wanted) {
                let id = checked.commit.id.clone();
                others.entry(id).or_default().push(checked);
            }
            joined.warnings.extend(report.warnings);
        }
        if !others.is_empty() {
            joined.commits = std::mem::take(&mut joined.commits)
                .into_iter()
                .flat_map(|checked| {
                    let more = others.remove(&checked.commit.id).unwrap_or_default();
                    std::iter::once(checked).chain(more)
                })
                .collect();
        }
        joined
    }

    /// With what a later report found about some of these commits.
    pub(crate) fn updated(mut self, later: Self) -> Self {
        for checked in later.commits {
            let is_same = |old: &&mut Checked| {
                old.commit.id == checked.commit.id && old.engine == checked.engine
            };
            match self.commits.iter_mut().find(is_same) {
                Some(old) => *old = checked,
                None => self.commits.push(checked),
            }
        }
        self.built |= later.built;
        self
    }

    /// Whether any commit is wrong, or, when `strict`, anything is doubtful.
    pub(crate) fn fails(&self, strict: bool) -> bool {
        (strict && !self.warnings.is_empty())
            || self.commits.iter().any(|checked| {
                let verdict = checked.judgement.verdict;
                verdict.is_wrong() || (strict && verdict.is_doubtful())
            })
    }
}
