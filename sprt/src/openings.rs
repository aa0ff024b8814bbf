//! Where games start.

/// A start position and the moves from it that are played before the engines take over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// A FEN; `None` is the variant's usual start position.
    pub start: Option<String>,
    /// Moves in the engines' notation.
    pub moves: Vec<String>,
}
