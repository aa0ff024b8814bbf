//! What a check found: each commit with its verdict, and whether that fails.

use super::Judgement;
use crate::{policy::Duty, repository::Commit};

/// A commit with its verdict.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    pub(crate) commit: Commit,
    pub(crate) duty: Duty,
    pub(crate) judgement: Judgement,
    /// What OpenBench reads from the message.
    pub(crate) message_bench: Option<u64>,
    /// What the engine prints.
    pub(crate) bench: Option<u64>,
    /// What the engine of the first parent prints, or else what its message claims.
    pub(crate) parent_bench: Option<u64>,
    /// What is legal but dangerous in the message.
    pub(crate) warnings: Vec<String>,
    /// The end of the log or output of what failed.
    pub(crate) log: Option<String>,
}

/// The answer.
#[derive(Debug, Clone)]
pub(crate) struct Report {
    pub(crate) built: bool,
    /// Oldest first.
    pub(crate) commits: Vec<Checked>,
    /// What is doubtful about the settings.
    pub(crate) warnings: Vec<String>,
}

impl Report {
    /// Whether any commit is wrong, or, when `strict`, anything is doubtful.
    pub(crate) fn fails(&self, strict: bool) -> bool {
        (strict && !self.warnings.is_empty())
            || self.commits.iter().any(|checked| {
                let verdict = checked.judgement.verdict;
                verdict.is_wrong() || (strict && verdict.is_doubtful())
            })
    }
}
