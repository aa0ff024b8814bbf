//! Options of the arena besides limits and adjudication. A plan stores them unchanged, so a new
//! option of the arena is a field here, a flag, and the place that acts on it.

use std::time::Duration;

use foundation::is_default;
use serde::{Deserialize, Serialize};

/// The defaults are those of runs that earlier releases began, and of fastchess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ArenaOptions {
    /// Pause after each game, in milliseconds.
    #[serde(skip_serializing_if = "is_default")]
    pub wait_ms: u64,
    /// Whether a flag that falls, and an adjudicated win, is a draw where the winner could not win
    /// by the rules of the game.
    #[serde(skip_serializing_if = "is_default")]
    pub draws_without_material: bool,
}

impl ArenaOptions {
    pub(super) fn wait(self) -> Duration {
        Duration::from_millis(self.wait_ms)
    }
}
