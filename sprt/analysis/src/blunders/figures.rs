//! Judged moves added up: by player, by two players against each other, by two limits of the judge.
//!
//! Moves of one game are not independent: intervals and tests take each game as one case.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use stats::independent::{Welch, mean_and_error};
use stats::paired::{Differences, SignFlip};
use stats::student_975;

use super::judgement::JudgedMove;
use super::plan::Thresholds;
use crate::window;
use referee::game::Phase;

/// Own moves that are counted together.
const WINDOW: u32 = 10;
const MOST_WINDOWS: usize = 12;

/// Moves and what they lost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Losses {
    pub moves: u64,
    /// Moves that lost as much as each threshold, but not as the next.
    pub inaccuracies: u64,
    pub mistakes: u64,
    pub blunders: u64,
    #[serde(skip)]
    points: f64,
    #[serde(skip)]
    centipawns: f64,
}

impl Losses {
    fn add(&mut self, judged: &JudgedMove, thresholds: &Thresholds) {
        let loss = judged.loss();
        self.moves += 1;
        self.points += loss;
        self.centipawns += f64::from(judged.centipawns);
        if loss >= thresholds.blunder {
            self.blunders += 1;
        } else if loss >= thresholds.mistake {
            self.mistakes += 1;
        } else if loss >= thresholds.inaccuracy {
            self.inaccuracies += 1;
        }
    }

    /// Percentage points of winning chances that a move lost on average.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.points / self.moves as f64)
    }

    pub fn mean_centipawns(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.centipawns / self.moves as f64)
    }
}

/// A figure with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Estimate {
    pub low: f64,
    pub value: f64,
    pub high: f64,
}

/// A player's mistakes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerLosses {
    pub games: u64,
    pub all: Losses,
    /// Opening, middlegame, endgame.
    pub phases: [Losses; 3],
    /// By tens of own moves.
    pub windows: Vec<Losses>,
    /// Blunders in each game, by the game's place.
    by_game: BTreeMap<usize, u64>,
}

impl PlayerLosses {
    /// By tens of own moves, such as `1-10`; the last holds all later ones, `111+`.
    pub fn named_windows(&self) -> impl Iterator<Item = (String, &Losses)> {
        window::named(&self.windows, WINDOW, MOST_WINDOWS)
    }

    /// Blunders a game, with Student's interval over games, or, where there is no blunder, Poisson's.
    /// `None` where the spread is unknown: of a single game, and of games with equally many blunders.
    pub fn blunders_a_game(&self) -> Option<Estimate> {
        let counts: Vec<f64> = self.by_game.values().map(|count| *count as f64).collect();
        let games = counts.len() as f64;
        // `None` of fewer than two games.
        let (mean, square) = mean_and_error(&counts)?;
        let half = if square > 0.0 {
            student_975(games - 1.0) * square.sqrt()
        } else if mean > 0.0 {
            return None;
        } else {
            (1.0_f64 / 0.025).ln() / games
        };
        Some(Estimate {
            low: (mean - half).max(0.0),
            value: mean,
            high: mean + half,
        })
    }
}

/// Everybody's mistakes, by name.
pub fn by_player(moves: &[JudgedMove], thresholds: &Thresholds) -> BTreeMap<String, PlayerLosses> {
    let mut players: BTreeMap<String, PlayerLosses> = BTreeMap::new();
    for judged in moves {
        let player = players.entry(judged.player.clone()).or_default();
        let before = player.all.blunders;
        player.all.add(judged, thresholds);
        *player.by_game.entry(judged.game).or_default() += player.all.blunders - before;
        let phase = Phase::ALL.iter().position(|phase| *phase == judged.phase);
        player.phases[phase.unwrap_or_default()].add(judged, thresholds);
        let window = ((judged.own_number.saturating_sub(1)) / WINDOW) as usize;
        let window = window.min(MOST_WINDOWS - 1);
        if player.windows.len() <= window {
            player.windows.resize(window + 1, Losses::default());
        }
        player.windows[window].add(judged, thresholds);
    }
    for player in players.values_mut() {
        player.games = player.by_game.len() as u64;
    }
    players
}

/// Two players: in the games that they played against each other, or, where these are fewer than six and
/// not all, in the games of each.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Duel {
    pub first: String,
    pub second: String,
    /// Games against each other; 0 where the games of each are compared.
    pub games: usize,
    /// Blunders a game of the second player less those of the first, with its 95% interval.
    pub difference: Estimate,
    /// Probability of a difference as large or larger if the players are equal, two-sided: exact
    /// sign-flip permutation of shared games, or else Welch's t-test, each game one case.
    pub p: f64,
}

/// With fewer shared games no difference is significant at 5%, however large: of the 32 sign flips of
/// five games, two are as extreme as all alike.
const FEWEST_SHARED: usize = 6;

/// Of the two players with most games; `None` where they can't be compared.
pub fn duel(players: &BTreeMap<String, PlayerLosses>) -> Option<Duel> {
    let mut by_games: Vec<_> = players.iter().collect();
    by_games.sort_by_key(|(_, player)| std::cmp::Reverse(player.games));
    let [(first, a), (second, b), ..] = by_games[..] else {
        return None;
    };
    let shared = a
        .by_game
        .iter()
        .filter_map(|(game, of_a)| Some(*b.by_game.get(game)? as i64 - *of_a as i64));
    let differences: Vec<i64> = shared.collect();
    let has_others = a.games.max(b.games) as usize > differences.len();
    if differences.len() < FEWEST_SHARED && has_others {
        return apart((first, a), (second, b));
    }
    let most = differences.iter().map(|it| it.unsigned_abs()).max()?.max(1) as f64;
    let scaled = Differences::new(differences.iter().map(|it| *it as f64 / most));
    let [low, high] = scaled.interval(0.95)?;
    Some(Duel {
        first: first.clone(),
        second: second.clone(),
        games: differences.len(),
        difference: Estimate {
            low: low * most,
            value: scaled.mean()? * most,
            high: high * most,
        },
        p: SignFlip::of(&differences).two_sided(),
    })
}

/// Of two players that hardly met.
fn apart(
    (first, a): (&String, &PlayerLosses),
    (second, b): (&String, &PlayerLosses),
) -> Option<Duel> {
    let counts = |player: &PlayerLosses| -> Vec<f64> {
        player.by_game.values().map(|count| *count as f64).collect()
    };
    let test = Welch::of(&counts(a), &counts(b))?;
    let [low, high] = test.interval_95();
    Some(Duel {
        first: first.clone(),
        second: second.clone(),
        games: 0,
        difference: Estimate {
            low,
            value: test.difference,
            high,
        },
        p: test.two_sided(),
    })
}

/// How far the judge agrees with itself, on moves that it judged at both limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Agreement {
    /// Blunders at both limits, at the first alone, at the second alone, and at neither.
    pub both: u64,
    pub first_only: u64,
    pub second_only: u64,
    pub neither: u64,
    /// Cohen's kappa: 1 is full agreement, 0 what chance gives; null where no move is a blunder.
    pub kappa: Option<f64>,
}

/// `None` where there is no second limit.
pub fn agreement(
    first: &[JudgedMove],
    second: &[JudgedMove],
    thresholds: &Thresholds,
) -> Option<Agreement> {
    let key = |judged: &JudgedMove| (judged.game, judged.fen.clone(), judged.number);
    let again: BTreeMap<_, bool> = second
        .iter()
        .map(|it| (key(it), it.loss() >= thresholds.blunder))
        .collect();
    let mut found = Agreement::default();
    for judged in first {
        let Some(&then) = again.get(&key(judged)) else {
            continue;
        };
        match (judged.loss() >= thresholds.blunder, then) {
            (true, true) => found.both += 1,
            (true, false) => found.first_only += 1,
            (false, true) => found.second_only += 1,
            (false, false) => found.neither += 1,
        }
    }
    let all = (found.both + found.first_only + found.second_only + found.neither) as f64;
    let (a, b) = (
        (found.both + found.first_only) as f64 / all,
        (found.both + found.second_only) as f64 / all,
    );
    let by_chance = a * b + (1.0 - a) * (1.0 - b);
    let agreed = (found.both + found.neither) as f64 / all;
    found.kappa = (by_chance < 1.0).then(|| (agreed - by_chance) / (1.0 - by_chance));
    (all > 0.0).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(game: usize, player: &str, number: u32, loss: f64) -> JudgedMove {
        JudgedMove {
            game,
            ply: 0,
            player: player.to_owned(),
            number,
            own_number: number,
            phase: Phase::Middlegame,
            fen: format!("{player} {number}"),
            played: "e4".to_owned(),
            best: "d2d4".to_owned(),
            before: 60.0,
            after: 60.0 - loss,
            centipawns: 10,
        }
    }

    #[test]
    fn a_move_is_counted_once_by_the_highest_threshold_that_it_reaches() {
        let moves = [0.0, 10.0, 25.0, 30.0, -5.0].map(|loss| played(0, "A", 1, loss));
        let players = by_player(&moves, &Thresholds::default());
        let all = &players["A"].all;
        assert_eq!(
            (all.moves, all.inaccuracies, all.mistakes, all.blunders),
            (5, 1, 1, 1)
        );
        assert_eq!(
            all.mean_loss(),
            Some(13.0),
            "a gain is no loss of other moves"
        );
        assert_eq!(players["A"].phases[1].blunders, 1);
        assert_eq!(players["A"].blunders_a_game(), None);
    }

    /// A makes no blunder, B one in each of the last `games` of 12.
    fn match_of(games: usize) -> BTreeMap<String, PlayerLosses> {
        let both = (0..12).flat_map(|game| {
            let loss = if game < games { 40.0 } else { 0.0 };
            [played(game, "A", 15, 0.0), played(game, "B", 15, loss)]
        });
        by_player(&both.collect::<Vec<_>>(), &Thresholds::default())
    }

    #[test]
    fn two_players_are_compared_game_by_game() {
        let found = duel(&match_of(6)).expect("they met");
        assert_eq!(
            (found.first.as_str(), found.second.as_str(), found.games),
            ("A", "B", 12)
        );
        assert!((found.p - 2.0 / 64.0).abs() < 1e-12, "{found:?}");
        let Estimate { low, value, high } = found.difference;
        assert!(
            low > 0.0 && (value - 0.5).abs() < 1e-12 && high < 1.0,
            "{found:?}"
        );
        let equal = duel(&match_of(0)).expect("they met");
        assert_eq!((equal.p, equal.difference.value), (1.0, 0.0));
    }

    #[test]
    fn players_that_hardly_met_are_compared_by_the_games_of_each() {
        // In no game, and in one.
        for first in [12, 11] {
            let apart = |loss: f64| {
                let of_a =
                    (0..12).map(|game| played(game, "A", 1, if game == 0 { 40.0 } else { 0.0 }));
                let of_b = (first..first + 12)
                    .map(|game| played(game, "B", 1, if game > first { loss } else { 0.0 }));
                by_player(
                    &of_a.chain(of_b).collect::<Vec<_>>(),
                    &Thresholds::default(),
                )
            };
            let found = duel(&apart(40.0)).expect("games of both");
            assert_eq!(found.games, 0);
            assert!(
                (found.difference.value - 10.0 / 12.0).abs() < 1e-12 && found.difference.low > 0.0,
                "{found:?}"
            );
            assert!(found.p < 0.001);
            let equal = duel(&apart(0.0)).expect("A varies");
            assert!(equal.p > 0.3 && equal.difference.low < 0.0, "{equal:?}");
        }
        let single = [played(0, "A", 1, 0.0), played(1, "B", 1, 0.0)];
        assert_eq!(duel(&by_player(&single, &Thresholds::default())), None);
    }

    #[test]
    fn blunders_a_game_have_an_interval_over_games() {
        let players = match_of(6);
        let it = players["B"].blunders_a_game().expect("12 games");
        assert!(
            (it.value - 0.5).abs() < 1e-12 && (it.high - 0.5 - 2.201 * 0.1508).abs() < 0.001,
            "{it:?}"
        );
        let none = players["A"].blunders_a_game().expect("12 games");
        assert!(
            (none.low, none.value) == (0.0, 0.0) && (none.high - 3.689 / 12.0).abs() < 0.001,
            "{none:?}"
        );
        assert_eq!(match_of(12)["B"].blunders_a_game(), None, "of no spread");
        assert_eq!(
            players["B"].windows[1].moves, 12,
            "move 15 is one of 11 to 20"
        );
        let late = by_player(&[played(0, "A", 130, 0.0)], &Thresholds::default());
        let names: Vec<String> = late["A"].named_windows().map(|it| it.0).collect();
        assert_eq!(
            (&*names[1], &*names[11], names.len()),
            ("11-20", "111+", 12)
        );
    }

    #[test]
    fn agreement_is_counted_move_by_move() {
        let first = [40.0, 40.0, 0.0, 0.0]
            .into_iter()
            .zip(1..)
            .map(|(loss, number)| played(0, "A", number, loss));
        let second = [40.0, 0.0, 40.0]
            .into_iter()
            .zip(1..)
            .map(|(loss, number)| played(0, "A", number, loss));
        let (first, second): (Vec<_>, Vec<_>) = (first.collect(), second.collect());
        let found = agreement(&first, &second, &Thresholds::default()).expect("two limits");
        assert_eq!(
            (
                found.both,
                found.first_only,
                found.second_only,
                found.neither
            ),
            (1, 1, 1, 0)
        );
        let same = agreement(&first, &first, &Thresholds::default()).expect("two limits");
        assert_eq!(same.kappa, Some(1.0));
        assert_eq!(agreement(&first, &[], &Thresholds::default()), None);
    }
}
