//! A position as pages draw it, in no particular game's terms.

use std::collections::BTreeMap;

use serde::Serialize;

/// What stands on the board, and what the last move's shot did where the game has shots.
///
/// A square is named by the letter of its file and that of its rank. A piece is the name of a shape,
/// with a digit for its clockwise quarter turns in games that turn pieces: `wK`, `lbP3`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// Files from left to right.
    pub files: &'static str,
    /// Ranks from top to bottom.
    pub ranks: &'static str,
    pub pieces: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Shot::is_empty")]
    pub shot: Shot,
}

/// The way of a beam.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Shot {
    /// The squares it crosses, the shooter's first; where it hits, the last is the victim's.
    pub beam: Vec<String>,
    /// The piece that it took off the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub victim: Option<String>,
}

impl Shot {
    pub fn is_empty(&self) -> bool {
        self.beam.is_empty()
    }
}
