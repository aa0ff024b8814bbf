//! Which of this crate's runs a folder holds, if any.

use std::fmt;
use std::path::{Path, PathBuf};

use foundation::run_folder::{self, RunFolder, SPRT};
use foundation::{Failure, files};
use runs::activity::Activity;
use serde::Deserialize;

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

/// What of a run has to be searched again, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// What a crash took from the ends of journals.
    pub ends: Vec<String>,
    /// Damaged lines that a repair left out.
    pub left_out: Vec<String>,
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
        let text = run_folder::read_plan(path, &SPRT)?;
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

    /// What of a run has to be searched again. With `repair`, damaged lines are left out.
    ///
    /// # Errors
    /// A journal cannot be read, or, with `repair`, the run is being played.
    pub fn losses(self, run: &Path, repair: bool) -> Result<Losses, Failure> {
        let _alone = repair.then(|| RunFolder::open(run, &SPRT)).transpose()?;
        let mut losses = Losses::default();
        for path in self.journals(run) {
            let (end, damaged) = journal::condition(&path)?;
            losses.ends.extend(end.map(|end| end.to_string()));
            if repair && !damaged.is_empty() {
                Activity::settle(files::folder(&path));
                journal::leave_out(&path, &damaged)?;
                let words = damaged
                    .iter()
                    .map(|it| format!("line {}: {}", it.line, it.what));
                losses.left_out.extend(words);
            }
        }
        Ok(losses)
    }
}
