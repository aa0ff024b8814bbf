//! A Swiss tournament: engines with equal points meet, and no two meet twice.
//!
//! In each turn the engines are ordered by points, and by their place in the list where those are
//! equal. From the top, each meets one with as many points that it has not met: the one half a
//! group further down, as in FIDE's Dutch system, then those nearer, then those with fewer points.
//! With an odd number of engines, one of the last gets a bye, none twice, and with it the points of
//! two wins for each pair of games. Engines left over that have met each other break up a pairing
//! before theirs, which can always be done while there are no more turns than half of the places.

use super::batch::{Batch, Players};
use super::openings::Openings;

/// The turns so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Swiss {
    engines: usize,
    turns: u64,
    turn: u64,
    rounds: u64,
    openings: Openings,
    /// In half points.
    points: Vec<u64>,
    /// The engines that each has met; the place after the last engine is the bye.
    met: Vec<Vec<bool>>,
}

/// The most turns in which no two engines need to meet twice.
pub(super) fn most_turns(engines: usize) -> u64 {
    engines.div_ceil(2) as u64
}

/// Turns after which no two engines can have won all their matches.
pub(super) fn usual_turns(engines: usize) -> u64 {
    let turns = u64::from(engines.max(1).next_power_of_two().ilog2());
    turns.min(most_turns(engines)).max(1)
}

impl Swiss {
    /// The tournament and its first batch.
    pub(super) fn new(
        engines: usize,
        turns: u64,
        rounds: u64,
        openings: Openings,
    ) -> (Self, Batch) {
        let places = engines + engines % 2;
        let mut swiss = Self {
            engines,
            turns,
            turn: 1,
            rounds,
            openings,
            points: vec![0; engines],
            met: vec![vec![false; places]; places],
        };
        let batch = swiss.batch(0);
        (swiss, batch)
    }

    /// Counts a pair of games.
    pub(super) fn add(&mut self, players: Players, points: [u64; 2]) {
        for (player, points) in players.into_iter().zip(points) {
            self.points[player] += points;
        }
    }

    /// The next turn, once all results of this one are known.
    pub(super) fn next_batch(&mut self, batch: &Batch) -> Option<Batch> {
        if self.turn == self.turns {
            return None;
        }
        self.turn += 1;
        Some(self.batch(batch.next_opening()))
    }

    /// The present turn, and how many there are.
    pub(super) fn turns(&self) -> (u64, u64) {
        (self.turn, self.turns)
    }

    /// The half points of each engine, with those of its bye, and of all that it has met.
    pub(super) fn scores(&self) -> Vec<[u64; 2]> {
        let opponents = |engine: usize| {
            let met = self.points.iter().zip(&self.met[engine]);
            met.filter(|(_, has_met)| **has_met)
                .map(|(points, _)| points)
                .sum()
        };
        let engines = self.points.iter().enumerate();
        engines
            .map(|(engine, points)| [*points, opponents(engine)])
            .collect()
    }

    fn batch(&mut self, first_opening: u64) -> Batch {
        let mut pairings = Vec::with_capacity(self.engines / 2);
        for [first, second] in self.pair_up() {
            self.met[first][second] = true;
            self.met[second][first] = true;
            if second < self.engines {
                pairings.push([first.min(second), first.max(second)]);
            } else {
                self.points[first] += 4 * self.rounds;
            }
        }
        Batch {
            pairings,
            rounds: self.rounds,
            most_pairs: None,
            first_opening,
            openings: self.openings,
        }
    }

    /// The pairings of a turn; in one of them the second player may be the bye.
    fn pair_up(&self) -> Vec<Players> {
        let points = |place: usize| self.points.get(place);
        let mut waiting: Vec<usize> = (0..self.met.len()).collect();
        // The bye has no points, and comes after engines without points.
        waiting.sort_by_key(|&place| (std::cmp::Reverse(points(place)), place));
        let mut pairs: Vec<Players> = Vec::new();
        let mut left = Vec::new();
        while !waiting.is_empty() {
            let first = waiting.remove(0);
            let is_level = |place: &&usize| points(**place) == points(first);
            let group = waiting.iter().take_while(is_level).count();
            // In the group with the first, the second half begins here.
            let half = group.div_ceil(2).saturating_sub(1);
            let order = (half..group)
                .chain((0..half).rev())
                .chain(group..waiting.len());
            let mut order = order.map(|at| (at, waiting[at]));
            match order.find(|(_, second)| !self.met[first][*second]) {
                Some((at, second)) => {
                    waiting.remove(at);
                    pairs.push([first, second]);
                }
                None => left.push(first),
            }
        }
        for two in left.chunks_exact(2) {
            self.fit_in([two[0], two[1]], &mut pairs);
        }
        pairs
    }

    /// Pairs two who have met, with those of the last pairing that can be broken up for them.
    fn fit_in(&self, [one, other]: Players, pairs: &mut Vec<Players>) {
        let can = |a: usize, b: usize| !self.met[a][b];
        let new = pairs
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, &[first, second])| {
                if can(first, one) && can(second, other) {
                    Some((at, [[first, one], [second, other]]))
                } else if can(first, other) && can(second, one) {
                    Some((at, [[first, other], [second, one]]))
                } else {
                    None
                }
            });
        match new {
            Some((at, [these, those])) => {
                pairs[at] = in_order(these);
                pairs.push(in_order(those));
            }
            // With more turns than `most_turns`, which no plan has.
            None => pairs.push(in_order([one, other])),
        }
    }
}

/// The bye comes last.
fn in_order([one, other]: Players) -> Players {
    [one.min(other), one.max(other)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The pairings of each turn, where the stronger of two, by its place, wins all.
    fn turns(engines: usize, turns: u64) -> Vec<Vec<Players>> {
        let (mut swiss, mut batch) = Swiss::new(engines, turns, 1, Openings::default());
        let mut all = Vec::new();
        loop {
            all.push(batch.pairings.clone());
            for &players in &batch.pairings {
                swiss.add(players, [4, 0]);
            }
            match swiss.next_batch(&batch) {
                Some(next) => batch = next,
                None => return all,
            }
        }
    }

    #[test]
    fn winners_meet_winners_and_the_upper_half_the_lower() {
        let expected: [&[Players]; 3] = [
            &[[0, 4], [1, 5], [2, 6], [3, 7]],
            &[[0, 2], [1, 3], [4, 6], [5, 7]],
            &[[0, 1], [2, 4], [3, 5], [6, 7]],
        ];
        assert_eq!(turns(8, 3), expected);
    }

    #[test]
    fn of_an_odd_number_another_one_rests_each_time() {
        // The last gets the bye, then the last without one, then one for which a pairing is broken
        // up.
        let expected = [[[0, 2], [1, 3]], [[0, 1], [2, 4]], [[0, 3], [1, 4]]];
        assert_eq!(turns(5, 3), expected);
    }

    #[test]
    fn there_are_as_many_turns_as_one_winner_takes() {
        let turns: Vec<u64> = (2..10).map(usual_turns).collect();
        assert_eq!(turns, [1, 2, 2, 3, 3, 3, 3, 4]);
        assert!((2..200).all(|engines| usual_turns(engines) <= most_turns(engines)));
    }

    proptest! {
        #[test]
        fn nobody_meets_or_rests_twice(
            engines in 2..40_usize, points in prop::collection::vec(0..5_u64, 800),
        ) {
            let turns = most_turns(engines);
            let (mut swiss, mut batch) = Swiss::new(engines, turns, 1, Openings::default());
            let mut met = std::collections::BTreeSet::new();
            let mut rested = std::collections::BTreeSet::new();
            let mut points = points.into_iter().cycle();
            for turn in 1..=turns {
                prop_assert_eq!(batch.pairings.len(), engines / 2);
                let mut playing = std::collections::BTreeSet::new();
                for &[first, second] in &batch.pairings {
                    prop_assert!(first < second && met.insert([first, second]));
                    prop_assert!(playing.insert(first) && playing.insert(second));
                    let own = points.next().unwrap_or_default();
                    swiss.add([first, second], [own, 4 - own]);
                }
                for idle in (0..engines).filter(|it| !playing.contains(it)) {
                    prop_assert!(rested.insert(idle));
                }
                let next = swiss.next_batch(&batch);
                prop_assert_eq!(next.is_none(), turn == turns);
                batch = next.unwrap_or_default();
            }
        }
    }
}
