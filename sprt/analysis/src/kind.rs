//! Which of this crate's runs a folder holds, if any.

use std::path::Path;

use foundation::Failure;
use foundation::run_folder;
use serde::Deserialize;

use crate::advice::COMMANDS;
use crate::blunders::plan::BlundersPlan;
use crate::puzzles::plan::PuzzlesPlan;
use crate::suite::plan::SuitePlan;

/// A run that plays no games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Suite,
    Blunders,
    Puzzles,
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
}
