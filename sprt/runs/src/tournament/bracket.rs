//! A knock-out: who meets whom in each stage, and who advances.
//!
//! The engine that made more points in its match goes on. Where both made as many, they play
//! further pairs from new openings until one is ahead after a pair; after [`MOST_TIE_BREAKS`] of
//! those the engine that was listed first goes on. Engines are seeded in the order of the list, so
//! that the first two can meet only in the final; where their number is no power of two, the first
//! ones have no opponent in the first stage.

use serde::Serialize;

use super::batch::{Batch, Players};
use super::openings::Openings;

/// Two engines that play alike would never break a tie.
pub(crate) const MOST_TIE_BREAKS: u64 = 20;

/// The stages so far, the present one last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    rounds: u64,
    openings: Openings,
    stages: Vec<Stage>,
}

/// One stage, in the order of the bracket: the winners of two neighbours meet in the next.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stage {
    matches: Vec<Match>,
}

/// A match of a knock-out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Match {
    /// The second is `None` where the first goes on without an opponent.
    pub players: (usize, Option<usize>),
    /// In half points.
    pub points: [u64; 2],
    /// Pairs that were played to break a tie.
    pub tie_breaks: u64,
    pub winner: Option<usize>,
}

impl Bracket {
    /// The bracket and its first batch.
    pub fn new(engines: usize, rounds: u64, openings: Openings) -> (Self, Batch) {
        let seeds = seeding(engines.next_power_of_two());
        let places: Vec<Option<usize>> = seeds
            .into_iter()
            .map(|seed| (seed < engines).then_some(seed))
            .collect();
        let stage = Stage::new(&places);
        let batch = stage.batch(rounds, 0, openings);
        let bracket = Self {
            rounds,
            openings,
            stages: vec![stage],
        };
        (bracket, batch)
    }

    /// The matches of each stage.
    pub fn stages(&self) -> impl Iterator<Item = &[Match]> {
        self.stages.iter().map(|stage| &stage.matches[..])
    }

    /// Who won the final.
    pub fn winner(&self) -> Option<usize> {
        match &self.stages.last()?.matches[..] {
            [last] => last.winner,
            _ => None,
        }
    }

    /// What a stage of so many matches is called.
    pub(crate) fn stage_name(matches: usize) -> String {
        match matches {
            1 => "final".to_owned(),
            2 => "semi-finals".to_owned(),
            4 => "quarter-finals".to_owned(),
            more => format!("round of {}", 2 * more),
        }
    }

    /// Counts a pair of games of the present stage.
    pub(super) fn add(&mut self, players: Players, points: [u64; 2]) {
        let matches = self.stages.last_mut().map(|stage| &mut stage.matches);
        let played = matches
            .into_iter()
            .flatten()
            .find(|played| played.pairing() == Some(players));
        if let Some(played) = played {
            played.points[0] += points[0];
            played.points[1] += points[1];
        }
    }

    /// The matches after `batch`, all results of which are known.
    pub(super) fn next_batch(&mut self, batch: &Batch) -> Option<Batch> {
        let first_opening = batch.next_opening();
        let stage = self.stages.last_mut()?;
        let tied: Vec<Players> = stage.decide();
        if !tied.is_empty() {
            return Some(Batch {
                most_pairs: None,
                pairings: tied,
                rounds: 1,
                first_opening,
                openings: self.openings,
            });
        }
        if stage.matches.len() == 1 {
            return None;
        }
        let winners: Vec<Option<usize>> =
            stage.matches.iter().map(|played| played.winner).collect();
        let next = Stage::new(&winners);
        let batch = next.batch(self.rounds, first_opening, self.openings);
        self.stages.push(next);
        Some(batch)
    }
}

impl Stage {
    fn new(places: &[Option<usize>]) -> Self {
        let matches = places.chunks(2).filter_map(|two| {
            let mut players = two.iter().copied().flatten().collect::<Vec<_>>();
            players.sort_unstable();
            let first = *players.first()?;
            let second = players.get(1).copied();
            Some(Match {
                players: (first, second),
                points: [0; 2],
                tie_breaks: 0,
                winner: second.is_none().then_some(first),
            })
        });
        Self {
            matches: matches.collect(),
        }
    }

    fn batch(&self, rounds: u64, first_opening: u64, openings: Openings) -> Batch {
        Batch {
            most_pairs: None,
            pairings: self.matches.iter().filter_map(Match::pairing).collect(),
            rounds,
            first_opening,
            openings,
        }
    }

    /// Decides the matches that can be decided, and returns the pairings that play on.
    fn decide(&mut self) -> Vec<Players> {
        let mut tied = Vec::new();
        for played in self
            .matches
            .iter_mut()
            .filter(|played| played.winner.is_none())
        {
            let (first, second) = played.players;
            let [own, other] = played.points;
            if own == other && played.tie_breaks < MOST_TIE_BREAKS {
                played.tie_breaks += 1;
                tied.extend(played.pairing());
            } else {
                played.winner = if own >= other { Some(first) } else { second };
            }
        }
        tied
    }
}

impl Match {
    fn pairing(&self) -> Option<Players> {
        self.players.1.map(|second| [self.players.0, second])
    }
}

/// The places of `size` seeds, a power of two: where every match goes to the better seed, the
/// strongest meet as late as possible.
fn seeding(size: usize) -> Vec<usize> {
    let mut places = vec![0];
    while places.len() < size {
        let last = 2 * places.len() - 1;
        places = places
            .into_iter()
            .flat_map(|seed| [seed, last - seed])
            .collect();
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairings(batch: &Batch) -> &[Players] {
        &batch.pairings
    }

    #[test]
    fn the_best_two_seeds_can_meet_only_in_the_final() {
        assert_eq!(seeding(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        let (mut bracket, mut batch) = Bracket::new(6, 2, Openings::default());
        // The first two rest.
        assert_eq!(pairings(&batch), [[3, 4], [2, 5]]);
        let mut stages = 0;
        loop {
            for players in batch.pairings.clone() {
                bracket.add(players, [3, 1]);
            }
            stages += 1;
            match bracket.next_batch(&batch) {
                Some(next) => batch = next,
                None => break,
            }
        }
        assert_eq!(pairings(&batch), [[0, 1]]);
        assert_eq!(
            (stages, bracket.winner(), batch.first_opening),
            (3, Some(0), 4)
        );
        let names: Vec<String> = bracket
            .stages()
            .map(|matches| Bracket::stage_name(matches.len()))
            .collect();
        assert_eq!(names, ["quarter-finals", "semi-finals", "final"]);
    }

    #[test]
    fn a_tie_is_broken_by_pairs_from_new_openings_and_at_last_by_the_list() {
        let (mut bracket, first) = Bracket::new(2, 3, Openings::default());
        bracket.add([0, 1], [6, 6]);
        let mut batch = bracket.next_batch(&first).expect("a tie-break");
        assert_eq!(
            (batch.rounds, batch.first_opening, batch.pairs()),
            (1, 3, 1)
        );
        let mut upset = bracket.clone();
        upset.add([0, 1], [1, 3]);
        assert!(upset.next_batch(&batch).is_none());
        assert_eq!(upset.winner(), Some(1));
        for _ in 1..MOST_TIE_BREAKS {
            bracket.add([0, 1], [2, 2]);
            batch = bracket.next_batch(&batch).expect("another");
        }
        assert!(bracket.next_batch(&batch).is_none());
        assert_eq!(bracket.winner(), Some(0));
    }
}
