//! What a check found: each commit with its verdict, and whether that fails.

use super::{BenchVerdict, Judgement};
use crate::{policy::Duty, repository::Commit};

/// A commit with its verdict.
#[derive(Debug, Clone)]
pub struct Checked {
    pub commit: Commit,
    pub duty: Duty,
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
    /// What is doubtful about the settings.
    pub warnings: Vec<String>,
}

impl Report {
    pub fn count(&self, verdict: BenchVerdict) -> usize {
        self.commits
            .iter()
            .filter(|checked| checked.judgement.verdict == verdict)
            .count()
    }

    /// Whether any commit is wrong, or, when `strict`, anything is doubtful.
    pub fn fails(&self, strict: bool) -> bool {
        (strict && !self.warnings.is_empty())
            || self.commits.iter().any(|checked| {
                let verdict = checked.judgement.verdict;
                verdict.is_wrong() || (strict && verdict.is_doubtful())
            })
    }
}
