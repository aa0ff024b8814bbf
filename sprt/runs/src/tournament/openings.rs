//! From which opening each pair of games of a tournament begins.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Which pairings share openings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BookPolicy {
    /// All pairings of a round begin from the same opening
    #[default]
    Round,
    /// Each pairing has openings of its own
    Encounter,
}

/// How openings are shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Openings {
    pub policy: BookPolicy,
    /// Pairs of games that a pairing plays from each of its openings, one after the other.
    pub pairs_each: u64,
}

impl Default for Openings {
    fn default() -> Self {
        Self {
            policy: BookPolicy::Round,
            pairs_each: 1,
        }
    }
}

impl Openings {
    /// Number of the opening, from 0, with which pairing `pairing` of `pairings` begins a pair of
    /// games of a round.
    pub fn number(self, round: u64, pairing: u64, pairings: u64) -> u64 {
        let turn = round / self.pairs_each.max(1);
        match self.policy {
            BookPolicy::Round => turn,
            BookPolicy::Encounter => turn * pairings + pairing,
        }
    }

    /// Openings that so many rounds take.
    pub fn taken(self, rounds: u64, pairings: u64) -> u64 {
        let turns = rounds.div_ceil(self.pairs_each.max(1));
        match self.policy {
            BookPolicy::Round => turns,
            BookPolicy::Encounter => turns * pairings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn openings_are_shared_or_not_and_may_come_more_than_once() {
        let numbers = |policy, pairs_each| {
            let openings = Openings { policy, pairs_each };
            let number = |place: u64| openings.number(place / 3, place % 3, 3);
            (0..12).map(number).collect::<Vec<_>>()
        };
        let round = |pairs_each| numbers(BookPolicy::Round, pairs_each);
        assert_eq!(round(1), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
        assert_eq!(round(2), [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
        let encounter = |pairs_each| numbers(BookPolicy::Encounter, pairs_each);
        assert_eq!(encounter(1), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(encounter(2), [0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5]);
    }

    proptest! {
        #[test]
        fn what_was_taken_does_not_come_again(
            is_shared: bool, pairs_each in 1..5_u64, rounds in 1..9_u64, pairings in 1..9_u64,
        ) {
            let policy = if is_shared { BookPolicy::Round } else { BookPolicy::Encounter };
            let openings = Openings { policy, pairs_each };
            let numbers = (0..rounds * pairings)
                .map(|place| openings.number(place / pairings, place % pairings, pairings));
            let all: std::collections::BTreeSet<u64> = numbers.collect();
            prop_assert_eq!(all.len() as u64, openings.taken(rounds, pairings));
            prop_assert_eq!(all.last().copied(), Some(openings.taken(rounds, pairings) - 1));
        }
    }
}
