//! How games are played, whatever they are played for: by a match, a tournament or a tune.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use foundation::{Failure, files};
use serde::{Deserialize, Serialize};

use super::contender::{Contender, Trial};
use super::run_plan::RunPlan;
use engine_client::{Limit, SideLimit, Timeouts};
use referee::adjudication;
use referee::arena::{ArenaOptions, MatchRules, MatchSetup, ProcessorList};
use referee::game::{self, Variant};
use referee::openings::{Book, Reading};
use referee::tablebase::{TableUse, Tablebase};

/// Everything about the games except who plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayPlan {
    pub limit: Limit,
    pub variant: String,
    pub adjudication: adjudication::Rules,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syzygy: Option<SyzygyPlan>,
    pub book: BookPlan,
    pub concurrency: usize,
    /// Whether each slot gets a processor of its own.
    pub own_processors: bool,
    /// Those that games are played on, where not all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processors: Option<ProcessorList>,
    pub time_margin_ms: u64,
    pub startup_timeout_s: u64,
    pub move_timeout_s: u64,
    #[serde(flatten)]
    pub options: ArenaOptions,
}

/// The endgame tables by which games are adjudicated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyzygyPlan {
    pub folders: Vec<PathBuf>,
    #[serde(flatten)]
    pub table_use: TableUse,
}

/// Which openings are played, and what they were when the run began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookPlan {
    /// `None` is the embedded book.
    pub file: Option<PathBuf>,
    #[serde(flatten)]
    pub reading: Reading,
    pub sha256: String,
    pub openings: u64,
    /// The pairs that would begin in the position of an earlier one, of those whose openings are read
    /// before the first game. These openings are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<u64>,
}

/// What all kinds of plan have in common.
impl RunPlan for PlayPlan {
    const OF: &str = "run";
}

impl PlayPlan {
    pub fn setup(&self, base: &Contender, new: &Contender) -> Result<MatchSetup, Failure> {
        let variant = self.variant()?;
        let side = |contender: &Contender| SideLimit {
            limit: contender.limit(&self.limit).clone(),
            margin: Duration::from_millis(
                contender
                    .settings
                    .time_margin_ms
                    .unwrap_or(self.time_margin_ms),
            ),
        };
        Ok(MatchSetup {
            base: base.launch(variant),
            new: new.launch(variant),
            timeouts: self.timeouts(),
            rules: MatchRules {
                base: side(base),
                new: side(new),
                move_timeout: Duration::from_secs(self.move_timeout_s),
                adjudication: self.adjudication,
                tablebase: self.tablebase()?,
                options: self.options,
                keep_lines: false,
            },
            variant,
        })
    }

    pub fn timeouts(&self) -> Timeouts {
        Timeouts::of_seconds(self.startup_timeout_s, self.move_timeout_s)
    }

    pub fn variant(&self) -> Result<&'static dyn Variant, Failure> {
        game::find(&self.variant)
    }

    /// What engines are tried with before they play.
    pub fn trial(&self) -> Result<Trial, Failure> {
        Ok(Trial {
            variant: self.variant()?,
            timeouts: self.timeouts(),
            limit: Some(self.limit.clone()),
        })
    }

    /// The endgame tables, if games are adjudicated by any.
    ///
    /// # Errors
    /// They are not where they should be.
    pub fn tablebase(&self) -> Result<Option<Arc<dyn Tablebase>>, Failure> {
        let Some(syzygy) = &self.syzygy else {
            return Ok(None);
        };
        let variant = self.variant()?;
        variant
            .tablebase(&syzygy.folders, syzygy.table_use)
            .map(Some)
    }

    /// Opens the book again and makes sure that it is the one the plan was made with.
    pub fn open_book(&self) -> Result<Book, Failure> {
        let book = BookPlan::open(
            self.book.file.as_deref(),
            self.variant()?,
            self.book.reading,
        )?;
        if book.sha256() != self.book.sha256 {
            return Err(Failure::unable(format!(
                "the book `{}` has changed since the run began",
                book.name()
            ))
            .hint("restore it, or start a new run"));
        }
        Ok(book.without(&self.book.repeats))
    }
}

impl BookPlan {
    pub fn open(
        file: Option<&Path>,
        variant: &'static dyn Variant,
        reading: Reading,
    ) -> Result<Book, Failure> {
        let Some(file) = file else {
            return Book::embedded(variant, reading);
        };
        // It is read again when the run begins, and whenever it is resumed.
        files::refuse_stream(file)
            .map_err(|failure| failure.hint("write the book to a file first"))?;
        Book::open(file, variant, reading)
    }
}
