//! What the judge said of its two best moves in a position.

use engine_client::EngineScore;
use serde::{Deserialize, Serialize};

use crate::search::SearchTrace;

/// Moves of the judge's line that are kept.
const LINE: usize = 6;

/// What the judge said of a candidate: a line of the journal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    pub fen: String,
    /// Whether it is that of the second limit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub again: bool,
    pub best: String,
    /// Of the best move and the second, for the side to move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<EngineScore>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<EngineScore>,
    /// The moves that it expects, its own first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

impl Verification {
    pub(super) fn of(fen: String, again: bool, trace: Result<SearchTrace, String>) -> Self {
        match trace {
            Ok(trace) => Self {
                fen,
                again,
                best: trace.best,
                score: trace.last.score,
                second: trace.second,
                line: trace.line.into_iter().take(LINE).collect(),
                fault: None,
            },
            Err(fault) => Self {
                fen,
                again,
                fault: Some(fault),
                ..Self::default()
            },
        }
    }
}
