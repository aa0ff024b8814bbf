//! What happens to games that an engine spoils.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// What happens to a pair in which an engine spoils a game: by a crash, a stall, an illegal move or
/// a loss on time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnFault {
    /// The engine loses the game
    #[default]
    Forfeit,
    /// The pair does not count
    Void,
    /// The run ends without a verdict
    Stop,
}
