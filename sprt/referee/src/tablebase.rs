//! Tables of endings, as adjudication asks them.

use std::fmt;

use clap::ValueEnum;
use engine_client::Color;
use serde::{Deserialize, Serialize};

/// What tables are used for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TableUse {
    /// Positions with more pieces are not probed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<usize>,
    /// Whether a win counts that takes longer than the fifty-move rule allows.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ignore_50: bool,
    #[serde(skip_serializing_if = "foundation::is_default")]
    pub adjudicate: Adjudicate,
}

/// Which games tables end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Adjudicate {
    #[default]
    All,
    /// Those that are won
    Wins,
    /// Those that are drawn
    Draws,
}

impl Adjudicate {
    /// Whether games with this result are to end.
    pub(crate) fn ends(self, winner: Option<Color>) -> bool {
        match self {
            Self::All => true,
            Self::Wins => winner.is_some(),
            Self::Draws => winner.is_none(),
        }
    }
}

/// Tables of the results of endings.
pub trait Tablebase: fmt::Debug + Send + Sync {
    /// The result of perfect play from a position, as [`Game::current`](crate::game::Game::current)
    /// has it, after a move that cannot be taken back: the winner, or a draw (`Some(None)`). `None`
    /// where the tables do not know.
    fn winner(&self, position: &str) -> Option<Option<Color>>;

    /// Its name in results.
    fn name(&self) -> &'static str;
}
