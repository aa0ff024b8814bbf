//! A match between two settings of the engine, at the same number of nodes a move.

use std::time::Instant;

use cozy_chess::Color;

use super::request::Request;
use crate::datagen::game::{Adjudication, result};
use crate::genfens::Openings;
use crate::packed::Outcome;
use crate::position::Position;
use crate::random::SplitMix;
use crate::search::job::{Job, Settings};
use crate::search::limits::Limits;
use crate::search::{Signals, ThreadData, threads};
use crate::tt::Table;

/// MiB of each side's table.
const HASH: usize = 4;
/// Standard normal quantile of a two-sided interval of 95%.
const QUANTILE: f64 = 1.96;

/// The result of the changed settings against the others. Each opening is played with both colours,
/// and the interval comes from the scores of these pairs, which are independent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Duel {
    pub wins: u32,
    pub losses: u32,
    pub draws: u32,
    /// Pairs by twice their score: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u32; 5],
}

impl Duel {
    /// Openings are as `genfens` draws them, and the same for every technique.
    pub fn play(base: &Settings, changed: &Settings, request: &Request) -> Result<Self, String> {
        let mut duel = Self::default();
        let mut openings = Openings::new(None, base)?;
        let mut random = SplitMix::new(request.seed);
        let mut players = [base, changed].map(|settings| Player::new(settings, request.nodes));
        for _ in 0..request.games / 2 {
            let opening = openings.draw(&mut random)?;
            let mut score = 0;
            for changed in Color::ALL {
                let outcome = game(&mut players, changed, opening.clone());
                score += duel.add(outcome, changed);
            }
            duel.pairs[score] += 1;
        }
        Ok(duel)
    }

    /// Counts a game and returns twice its score.
    fn add(&mut self, outcome: Outcome, changed: Color) -> usize {
        if outcome == Outcome::Draw {
            self.draws += 1;
            1
        } else if outcome == Outcome::win_of(changed) {
            self.wins += 1;
            2
        } else {
            self.losses += 1;
            0
        }
    }

    /// Elo of the changed settings with its interval of 95%: low, value, high. Infinite where all
    /// games were won or lost.
    pub fn elo(&self) -> Option<[f64; 3]> {
        let pairs = f64::from(self.pairs.iter().sum::<u32>());
        if pairs < 2.0 {
            return None;
        }
        let each = || self.pairs.iter().enumerate();
        let moment = |of: &dyn Fn(f64) -> f64| {
            let sum: f64 = each()
                .map(|(score, &count)| of(score as f64 / 4.0) * f64::from(count))
                .sum();
            sum / pairs
        };
        let mean = moment(&|score| score);
        let variance = moment(&|score| (score - mean).powi(2)) * pairs / (pairs - 1.0);
        let error = QUANTILE * (variance / pairs).sqrt();
        Some([mean - error, mean, mean + error].map(elo))
    }
}

/// The difference of ratings that goes with a score between 0 and 1.
fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

struct Player {
    settings: Settings,
    limits: Limits,
    table: Table,
    threads: [ThreadData; 1],
}

impl Player {
    fn new(settings: &Settings, nodes: u64) -> Self {
        Self {
            settings: Settings {
                multi_pv: 1,
                ..settings.clone()
            },
            limits: Limits {
                nodes,
                ..Limits::default()
            },
            table: Table::new(HASH),
            threads: [ThreadData::default()],
        }
    }
}

/// A game in which the second player, with the changed settings, has this colour.
fn game(players: &mut [Player; 2], changed: Color, mut position: Position) -> Outcome {
    for player in players.iter_mut() {
        player.table.clear();
        player.threads[0].clear();
    }
    let mut keys = Vec::new();
    let mut adjudication = Adjudication::default();
    loop {
        if let Some(outcome) = result(&position, &keys) {
            return outcome;
        }
        let player = &mut players[usize::from(position.side() == changed)];
        let job = Job {
            position: position.clone(),
            earlier_keys: keys.clone(),
            limits: player.limits.clone(),
            settings: player.settings.clone(),
            start: Instant::now(),
            verbose: false,
        };
        let found = threads::run(
            &job,
            &mut player.threads,
            &player.table,
            &Signals::default(),
        );
        let Some(best) = found.best else {
            return Outcome::Draw;
        };
        if let Some(outcome) = adjudication.after(&position, found.score) {
            return outcome;
        }
        keys.push(position.key());
        position = position.play(best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_interval_come_from_pairs() {
        // 100 pairs, mean 0.55, variance of the sample 0.0227: the error is 0.02955.
        let duel = Duel {
            pairs: [0, 10, 60, 30, 0],
            ..Duel::default()
        };
        let [low, value, high] = duel.elo().unwrap();
        assert!((value - 34.86).abs() < 0.01, "{value}");
        assert!((low - 14.22).abs() < 0.01, "{low}");
        assert!((high - 55.75).abs() < 0.01, "{high}");
        let mirrored = Duel {
            pairs: [0, 30, 60, 10, 0],
            ..Duel::default()
        };
        assert!((mirrored.elo().unwrap()[1] + value).abs() < 1e-9);
        let won = Duel {
            pairs: [0, 0, 0, 0, 3],
            ..Duel::default()
        };
        assert_eq!(won.elo().unwrap()[1], f64::INFINITY);
        assert_eq!(Duel::default().elo(), None);
    }
}
