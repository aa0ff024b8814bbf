//! Which spoiled games are reported: one by one at first, only counted once there are many.

use referee::arena::{FinishedGame, FinishedPair};

/// How many are reported one by one; further ones are only counted.
const MOST: u32 = 5;

/// The number of spoiled games so far.
#[derive(Debug, Default)]
pub(super) struct Spoiled(u32);

impl Spoiled {
    /// The games of a pair to report: each with its place in the pair and a remark to append.
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
