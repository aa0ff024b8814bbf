//! Who judges, how long, and what makes a puzzle.

use std::path::PathBuf;

use engine_client::Limit;
use foundation::Failure;
use runs::plan::{Contender, RunPlan, check_header};
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;

/// The making of a suite, resolved. The count of blunders that it begins with has a plan of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PuzzlesPlan {
    schema: String,
    version: u32,
    /// It reports its two best moves.
    pub judge: Contender,
    /// The best move must be the same at both.
    pub limits: [Limit; 2],
    pub rules: Rules,
    /// Positions searched at the same time.
    pub concurrency: usize,
    pub startup_timeout_s: u64,
    pub move_timeout_s: u64,
    /// Where the suite is written at the end; it is printed otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epd: Option<PathBuf>,
}

/// What makes a puzzle, in percentage points of winning chances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rules {
    /// What the mistake lost, at least.
    pub loss: f64,
    /// By how much the best move is better than the second, at least.
    pub gap: f64,
}

impl RunPlan for PuzzlesPlan {
    const OF: &str = "making of a suite";

    fn check(&self) -> Result<(), Failure> {
        check_header((&self.schema, self.version), (Self::SCHEMA, VERSION))
    }
}

impl PuzzlesPlan {
    pub(crate) const SCHEMA: &str = "sprt-suite-make-plan";

    #[must_use]
    pub fn new(judge: Contender, limits: [Limit; 2], rules: Rules) -> Self {
        Self {
            schema: Self::SCHEMA.to_owned(),
            version: VERSION,
            judge,
            limits,
            rules,
            concurrency: 1,
            startup_timeout_s: 10,
            move_timeout_s: 60,
            epd: None,
        }
    }
}
