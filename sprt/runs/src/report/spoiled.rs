//! Games that an engine spoiled are told one by one, until there are many.

use referee::arena::{FinishedGame, FinishedPair};

/// So many are told; after that they are only counted.
const MOST: u32 = 5;

/// Counts them.
#[derive(Debug, Default)]
pub(super) struct Spoiled(u32);

impl Spoiled {
    /// Of the games of a pair those to tell: their place in it, and what to say behind each.
    pub(super) fn games<'a>(
        &'a mut self,
        pair: &'a FinishedPair,
    ) -> impl Iterator<Item = (u64, &'a FinishedGame, &'static str)> {
        let games = (0..).zip(&pair.games);
        let spoiled = games.filter(|(_, game)| game.end.is_fault());
        spoiled.filter_map(|(place, game)| {
            self.0 = self.0.saturating_add(1);
            let more = match self.0 {
                ..MOST => "",
                MOST => " (more of these are only counted)",
                _ => return None,
            };
            Some((place, game, more))
        })
    }
}
