//! The rule of endgame tables: a position that they know ends the game as they say.

use std::sync::Arc;

use super::ruling::{Adjudication, Ply, Rule};
use crate::tablebase::Tablebase;

/// The rule in a game.
pub(super) struct Tables(pub(super) Arc<dyn Tablebase>);

impl Rule for Tables {
    fn after_ply(&mut self, ply: &Ply<'_>) -> Option<Adjudication> {
        // Only after such a move do tables know the outcome under any rule that counts moves.
        if !ply.irreversible {
            return None;
        }
        let winner = self.0.winner(&(ply.position)())?;
        let mut ruling = Adjudication::new(winner, "endgame tables");
        ruling.text = format!("{}: {}", ruling.text, self.0.name());
        Some(ruling)
    }
}
