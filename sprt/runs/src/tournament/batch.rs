//! Pairs of games that may be played in any order and at the same time.

use super::openings::Openings;

/// Two engines, the one that has the first move in the first of their two games first.
pub(super) type Players = [usize; 2];

/// A pair of games that is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fixture {
    pub players: Players,
    /// Number of the opening, from 0.
    pub opening: u64,
}

/// Rounds in which each of the pairings plays one pair of games.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub pairings: Vec<Players>,
    pub rounds: u64,
    /// Pairs of games in all, if the last round is not to be a whole one.
    pub most_pairs: Option<u64>,
    pub first_opening: u64,
    pub openings: Openings,
}

impl Batch {
    pub(crate) fn pairs(&self) -> u64 {
        let all = self.pairings.len() as u64 * self.rounds;
        self.most_pairs.map_or(all, |most| most.min(all))
    }

    pub(crate) fn fixture(&self, number: u64) -> Fixture {
        let pairings = self.pairings.len() as u64;
        Fixture {
            players: self.pairings[(number % pairings) as usize],
            opening: self.first_opening
                + self
                    .openings
                    .number(number / pairings, number % pairings, pairings),
        }
    }

    /// The first opening that none of its pairs begins from.
    pub(crate) fn next_opening(&self) -> u64 {
        let pairings = self.pairings.len() as u64;
        self.first_opening + self.openings.taken(self.rounds, pairings)
    }
}
