//! Which of this crate's runs a folder holds, if any.

use std::fmt;
use std::path::{Path, PathBuf};

use foundation::Failure;
use foundation::run_folder::{self, RunFolder};
use serde::Deserialize;

use crate::advice::COMMANDS;
use crate::blunders::folder::JUDGEMENTS;
use crate::blunders::plan::BlundersPlan;
use crate::journal;
use crate::puzzles::folder::{VERIFICATIONS, blunders_of};
use crate::puzzles::plan::PuzzlesPlan;
use crate::suite::folder::ANSWERS;
use crate::suite::plan::SuitePlan;

/// A run that plays no games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Suite,
    Blunders,
    Puzzles,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Suite => "a run of a suite",
            Self::Blunders => "a count of mistakes",
            Self::Puzzles => "a suite that is being made",
        })
    }
}

impl Kind {
    /// `None` where the folder holds another run.
    ///
    /// # Errors
    /// It has no plan.
    pub fn of(path: &Path) -> Result<Option<Self>, Failure> {
        #[derive(Deserialize)]
        struct Header {
            schema: String,
        }
        let text = run_folder::read_plan(path, &COMMANDS)?;
        let header: Option<Header> = serde_json::from_str(&text).ok();
        Ok(match header.as_ref().map(|it| it.schema.as_str()) {
            Some(SuitePlan::SCHEMA) => Some(Self::Suite),
            Some(BlundersPlan::SCHEMA) => Some(Self::Blunders),
            Some(PuzzlesPlan::SCHEMA) => Some(Self::Puzzles),
            _ => None,
        })
    }

    fn journals(self, run: &Path) -> Vec<PathBuf> {
        match self {
            Self::Suite => vec![run.join(ANSWERS)],
            Self::Blunders => vec![run.join(JUDGEMENTS)],
            Self::Puzzles => vec![run.join(VERIFICATIONS), blunders_of(run).join(JUDGEMENTS)],
        }
    }

    /// Leaves damaged lines of a run out, so that their searches are made again, and says which.
    pub fn repair(self, run: &Path) -> Result<Vec<String>, Failure> {
        let _alone = RunFolder::open(run, &COMMANDS)?;
        let mut words = Vec::new();
        for path in self.journals(run) {
            let damaged = journal::leave_damage_out(&path)?.into_iter();
            words.extend(damaged.map(|it| format!("line {}: {}", it.line, it.what)));
        }
        Ok(words)
    }

    /// What a crash took from a run, and what is therefore searched again.
    pub fn losses(self, run: &Path) -> Result<Vec<String>, Failure> {
        let losses = self.journals(run).into_iter();
        let losses = losses.map(|path| journal::loss(&path));
        losses.filter_map(Result::transpose).collect()
    }
}
