//! What an engine thinks of a position.

/// A score from the mover's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate; negative: the mover is mated.
    Mate(i32),
}
