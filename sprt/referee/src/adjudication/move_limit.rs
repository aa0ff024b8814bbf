//! The move limit: a game that is as long as games may be is drawn.

use super::ruling::{Adjudication, Ply, Rule};

/// The rule in a game.
pub(super) struct MoveLimit {
    /// Full moves that the engines play at most.
    pub(super) most: u32,
    /// Plies that the engines have played.
    pub(super) plies: u32,
}

impl Rule for MoveLimit {
    fn after_ply(&mut self, _ply: &Ply<'_>) -> Option<Adjudication> {
        self.plies += 1;
        (self.plies / 2 >= self.most).then(|| Adjudication::new(None, "move limit"))
    }
}
