//! Who plays whom, in which order, and from which opening: a function of the plan and of the
//! results so far.
//!
//! Pairs of games come in batches. Those of a batch may be played in any order and at the same
//! time; the next batch is made when all results of the one before are there. Round robin and
//! gauntlet are one batch, a knock-out has one for each stage and one for each attempt to break
//! ties, a Swiss tournament one for each turn. So the number of a pair says all about it once the
//! results before its batch are known, and a tournament that was killed goes on as if it had not
//! been.

use super::batch::{Batch, Fixture, Players};
use super::bracket::Bracket;
use super::openings::Openings;
use super::swiss::Swiss;

/// Half points of the two players of a pair of games; `None` where it does not count.
pub(crate) type HalfPoints = Option<[u64; 2]>;

/// The schedule with what is known of its results.
#[derive(Clone, Debug)]
pub struct Schedule {
    batch: Batch,
    handed_out: u64,
    taken_in: u64,
    further: Further,
}

/// What makes the batches after the first from the results.
#[derive(Clone, Debug)]
enum Further {
    Nothing,
    KnockOut(Bracket),
    Swiss(Swiss),
}

impl Further {
    fn add(&mut self, players: Players, points: HalfPoints) {
        match self {
            Self::Nothing => {}
            Self::KnockOut(bracket) => bracket.add(players, points.unwrap_or_default()),
            // Neither can make up for a pair that does not count: they do not meet again.
            Self::Swiss(swiss) => swiss.add(players, points.unwrap_or([2, 2])),
        }
    }

    fn next_batch(&mut self, batch: &Batch) -> Option<Batch> {
        match self {
            Self::Nothing => None,
            Self::KnockOut(bracket) => bracket.next_batch(batch),
            Self::Swiss(swiss) => swiss.next_batch(batch),
        }
    }
}

impl Schedule {
    /// Every one of the pairings in each of the rounds, up to a number of pairs of games.
    pub(crate) fn of_pairings(
        pairings: Vec<Players>,
        rounds: u64,
        most_pairs: Option<u64>,
        openings: Openings,
    ) -> Self {
        let batch = Batch {
            pairings,
            rounds,
            most_pairs,
            first_opening: 0,
            openings,
        };
        Self::beginning_with(batch, Further::Nothing)
    }

    /// A knock-out of so many engines, seeded in their order.
    pub(crate) fn knock_out(engines: usize, rounds: u64, openings: Openings) -> Self {
        let (bracket, batch) = Bracket::new(engines, rounds, openings);
        Self::beginning_with(batch, Further::KnockOut(bracket))
    }

    /// A Swiss tournament of so many engines and turns.
    pub(crate) fn swiss(engines: usize, turns: u64, rounds: u64, openings: Openings) -> Self {
        let (swiss, batch) = Swiss::new(engines, turns, rounds, openings);
        Self::beginning_with(batch, Further::Swiss(swiss))
    }

    fn beginning_with(batch: Batch, further: Further) -> Self {
        Self {
            batch,
            handed_out: 0,
            taken_in: 0,
            further,
        }
    }

    /// The next pair to play; `None` where there is none now.
    pub(crate) fn hand_out(&mut self) -> Option<Fixture> {
        if self.handed_out == self.batch.pairs() {
            return None;
        }
        self.handed_out += 1;
        Some(self.batch.fixture(self.handed_out - 1))
    }

    /// The pair whose result comes next; `None` where all are played.
    pub(crate) fn awaited(&self) -> Option<Fixture> {
        (self.taken_in < self.batch.pairs()).then(|| self.batch.fixture(self.taken_in))
    }

    /// Takes in the result of the awaited pair.
    pub fn take_in(&mut self, points: HalfPoints) {
        let Some(fixture) = self.awaited() else {
            return;
        };
        self.taken_in += 1;
        self.handed_out = self.handed_out.max(self.taken_in);
        self.further.add(fixture.players, points);
        if self.taken_in == self.batch.pairs()
            && let Some(next) = self.further.next_batch(&self.batch)
        {
            self.batch = next;
            (self.handed_out, self.taken_in) = (0, 0);
        }
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self) -> bool {
        self.awaited().is_none()
    }

    /// The pairs of the present batch, and how many of them have a result.
    pub fn progress(&self) -> (u64, u64) {
        (self.taken_in, self.batch.pairs())
    }

    /// The pairings of the present batch, with the pairs of games that each has played and those
    /// that it plays in all.
    pub fn meetings(&self) -> impl Iterator<Item = ([usize; 2], [u64; 2])> {
        let batch = &self.batch;
        let pairings = batch.pairings.len() as u64;
        // Of so many pairs of games, taken in turns.
        let of = move |pairs: u64, place: u64| pairs.saturating_sub(place).div_ceil(pairings);
        let each = batch.pairings.iter().zip(0..);
        each.map(move |(&players, place)| {
            let played = of(self.taken_in, place);
            (players, [played, of(batch.pairs(), place)])
        })
    }

    /// Pairs that are still to be played, in a knock-out those of the present stage.
    pub fn pairs_left(&self) -> u64 {
        let later = self
            .turns()
            .map_or(0, |(turn, turns)| (turns - turn) * self.batch.pairs());
        self.batch.pairs() - self.taken_in + later
    }

    pub fn bracket(&self) -> Option<&Bracket> {
        match &self.further {
            Further::KnockOut(bracket) => Some(bracket),
            Further::Nothing | Further::Swiss(_) => None,
        }
    }

    /// The half points of each engine of a Swiss tournament, and of all that it has met.
    pub fn swiss_scores(&self) -> Option<Vec<[u64; 2]>> {
        match &self.further {
            Further::Swiss(swiss) => Some(swiss.scores()),
            Further::Nothing | Further::KnockOut(_) => None,
        }
    }

    /// The present turn of a Swiss tournament, from 1, and how many there are.
    pub fn turns(&self) -> Option<(u64, u64)> {
        match &self.further {
            Further::Swiss(swiss) => Some(swiss.turns()),
            Further::Nothing | Further::KnockOut(_) => None,
        }
    }
}

/// All pairings for which `is_wanted` holds, in an order in which engines take turns: the circle
/// method.
pub(super) fn pairings(engines: usize, is_wanted: impl Fn(usize, usize) -> bool) -> Vec<Players> {
    // With an odd number one of them rests in each turn.
    let places = engines + engines % 2;
    let mut pairings = Vec::new();
    for turn in 0..places.saturating_sub(1) {
        // The last place stands still, the others move on by one each turn.
        let at = |place: usize| {
            if place == 0 {
                places - 1
            } else {
                (turn + place - 1) % (places - 1)
            }
        };
        for place in 0..places / 2 {
            let (a, b) = (at(place), at(places - 1 - place));
            let (first, second) = (a.min(b), a.max(b));
            if second < engines && is_wanted(first, second) {
                pairings.push([first, second]);
            }
        }
    }
    pairings
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Plays all of it, `ahead` pairs at a time, with results that depend on the players alone.
    fn played(mut schedule: Schedule, ahead: usize) -> Vec<Fixture> {
        let (mut waiting, mut all) = (std::collections::VecDeque::new(), Vec::new());
        loop {
            while waiting.len() < ahead
                && let Some(fixture) = schedule.hand_out()
            {
                waiting.push_back(fixture);
            }
            let Some(fixture) = waiting.pop_front() else {
                assert!(schedule.is_over());
                return all;
            };
            assert_eq!(schedule.awaited(), Some(fixture));
            all.push(fixture);
            let [a, b] = fixture.players;
            schedule.take_in(match (a + b) % 3 {
                0 => Some([2, 2]),
                1 => Some([3, 1]),
                _ => Some([0, 4]),
            });
        }
    }

    proptest! {
        #[test]
        fn the_order_does_not_depend_on_how_many_are_played_at_a_time(
            engines in 2..12_usize, rounds in 1..4_u64, ahead in 2..9_usize,
        ) {
            let usual = Openings::default();
            let all = Schedule::of_pairings(pairings(engines, |_, _| true), rounds, None, usual);
            prop_assert_eq!(played(all.clone(), 1), played(all, ahead));
            let knock_out = Schedule::knock_out(engines, rounds, usual);
            prop_assert_eq!(played(knock_out.clone(), 1), played(knock_out, ahead));
            let swiss = Schedule::swiss(engines, 1 + engines as u64 / 3, rounds, usual);
            prop_assert_eq!(played(swiss.clone(), 1), played(swiss, ahead));
        }

        #[test]
        fn everybody_meets_everybody_once_a_round_from_the_same_opening(
            engines in 2..12_usize, rounds in 1..4_u64,
        ) {
            let mut met = std::collections::BTreeSet::new();
            let pairings_of_all = pairings(engines, |_, _| true);
            let all = Schedule::of_pairings(pairings_of_all, rounds, None, Openings::default());
            for fixture in played(all, 1) {
                let [first, second] = fixture.players;
                prop_assert!(first < second && second < engines && fixture.opening < rounds);
                prop_assert!(met.insert((fixture.players, fixture.opening)));
            }
            let pairings = engines * (engines - 1) / 2;
            prop_assert_eq!(met.len() as u64, pairings as u64 * rounds);
        }
    }

    #[test]
    fn a_pair_that_does_not_count_leaves_both_of_a_swiss_tournament_where_they_are() {
        let mut swiss = Schedule::swiss(2, 1, 1, Openings::default());
        swiss.take_in(None);
        assert_eq!(swiss.swiss_scores(), Some(vec![[2, 2], [2, 2]]));
    }

    #[test]
    fn a_number_of_pairs_in_all_is_shared_out_evenly() {
        let all = pairings(3, |_, _| true);
        for most in 1..9 {
            let schedule = Schedule::of_pairings(all.clone(), 3, Some(most), Openings::default());
            let pairs = played(schedule, 1);
            assert_eq!(pairs.len() as u64, most);
            let met = |of: &Players| pairs.iter().filter(|it| it.players == *of).count();
            let counts: Vec<usize> = all.iter().map(met).collect();
            let (least, most) = (counts.iter().min(), counts.iter().max());
            assert!(
                most.zip(least)
                    .is_some_and(|(most, least)| most - least <= 1)
            );
        }
    }

    #[test]
    fn four_engines_take_turns() {
        let order = pairings(4, |_, _| true);
        assert_eq!(order, [[2, 3], [0, 1], [0, 3], [1, 2], [1, 3], [0, 2]]);
        let gauntlet = pairings(4, |first, _| first == 0);
        assert_eq!(gauntlet, [[0, 1], [0, 3], [0, 2]]);
    }
}
