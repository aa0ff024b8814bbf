//! Ratings as Ordo computes them with `-W -D`.
//!
//! Miguel Ballicora, <https://github.com/michiguel/Ordo>. A player of rating `a` who moves first
//! against one of rating `b` is expected to score `1/(1 + exp(-β (a + advantage - b)))`, where
//! `β` gives 76% at 202 points. Ratings and advantage are those at which every player's expected
//! points, and those of all first movers, are the points that were made: the maximum of the
//! likelihood of a logistic model in which a draw is half a win and half a loss. The draw rate of
//! equal players is the one with which as many draws are expected as there were.

use super::CrossTable;
use super::newton::{Slope, log_logistic, maximize};
use crate::Wdl;

/// Ordo's scale: a lead in rating, and the score that is expected with it.
const SCALE: (f64, f64) = (202.0, 0.76);
/// The largest distance of a rating from the average, in units of `1/β`; a player beyond it has
/// none.
const FARTHEST: f64 = 50.0;

/// The ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Ordo {
    /// For each player; `None` for one who has not played, or has won or lost every game.
    pub ratings: Vec<Option<f64>>,
    /// The advantage of the first move.
    pub advantage: f64,
    /// Share of the games that equal players draw.
    pub draw_rate: f64,
}

/// Rates all players around an average; `None` if the results determine no ratings. As in Ordo,
/// players who have won or lost every game are left out first, repeatedly until there are none.
pub fn ordo(table: &CrossTable, average: f64) -> Option<Ordo> {
    let mut table = table.clone();
    loop {
        let has_no_rating = |&player: &usize| {
            let Wdl {
                wins,
                losses,
                draws,
            } = table.of(player);
            draws == 0 && (wins == 0) != (losses == 0)
        };
        let extreme: Vec<usize> = (0..table.players()).filter(has_no_rating).collect();
        if extreme.is_empty() {
            return rate(&table, average);
        }
        table = table.without(&extreme);
    }
}

fn rate(table: &CrossTable, average: f64) -> Option<Ordo> {
    let active = table.comparable_players()?;
    let (strengths, advantage) = fit(table, &active)?;
    let mean = strengths.iter().sum::<f64>() / active.len() as f64;
    let draw_rate = draw_rate(table, &active, &strengths, advantage);
    let unit = rating_unit();
    let mut ratings = vec![None; table.players()];
    for (&player, strength) in active.iter().zip(&strengths) {
        ratings[player] = Some(unit * (strength - mean) + average);
    }
    Some(Ordo {
        ratings,
        advantage: unit * advantage,
        draw_rate,
    })
}

/// Rating points in one unit of strength: `1/β`.
fn rating_unit() -> f64 {
    let (lead, score) = SCALE;
    lead / (score / (1.0 - score)).ln()
}

/// The maximum likelihood strengths and advantage.
fn fit(table: &CrossTable, active: &[usize]) -> Option<(Vec<f64>, f64)> {
    let players = active.len();
    let mut strengths = maximize(vec![0.0; players + 1], |values| {
        let mut slope = Slope::new(players + 1);
        for_each_pairing(table, active, |i, j, games, points| {
            let lead = values[i] + values[players] - values[j];
            for (points, sign) in [(points, 1.0), (games - points, -1.0)] {
                let [value, first, second] = log_logistic(sign * lead);
                let along = [(i, sign), (j, -sign), (players, sign)];
                slope.add(&along, points * value, points * first, points * second);
            }
        });
        // Only differences of strengths matter, so their sum is fixed.
        let all: Vec<(usize, f64)> = (0..players).map(|player| (player, 1.0)).collect();
        let sum: f64 = values[..players].iter().sum();
        slope.add(&all, -sum * sum / 2.0, -sum, 1.0);
        slope
    })?;
    let advantage = strengths.pop()?;
    let exist = strengths
        .iter()
        .chain([&advantage])
        .all(|it| it.abs() < FARTHEST);
    exist.then_some((strengths, advantage))
}

/// Calls `visit` with the indices of two players, the games in which the first of them moved first,
/// and its points.
fn for_each_pairing(
    table: &CrossTable,
    active: &[usize],
    mut visit: impl FnMut(usize, usize, f64, f64),
) {
    for (i, &first) in active.iter().enumerate() {
        for (j, &second) in active.iter().enumerate() {
            let results = table.moving_first(first, second);
            if results.games() > 0 {
                let points = results.wins as f64 + results.draws as f64 / 2.0;
                visit(i, j, results.games() as f64, points);
            }
        }
    }
}

fn draw_rate(table: &CrossTable, active: &[usize], strengths: &[f64], advantage: f64) -> f64 {
    let played: u64 = active.iter().map(|&player| table.of(player).draws).sum();
    let played = played as f64 / 2.0;
    let draws = |rate: f64| {
        let mut draws = 0.0;
        for_each_pairing(table, active, |i, j, games, _| {
            let lead = strengths[i] + advantage - strengths[j];
            let score = 1.0 / (1.0 + (-lead).exp());
            draws += games * draw_share(score, rate);
        });
        draws
    };
    let (mut low, mut high) = (0.0, 1.0);
    while high - low > 1e-12 {
        let middle = f64::midpoint(low, high);
        if draws(middle) < played {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The draw rate `d` at a mean score, given that of equal players: the ratio of wins times losses
/// to `d²` is the same for both.
fn draw_share(score: f64, equal: f64) -> f64 {
    if equal <= 0.0 {
        return 0.0;
    }
    let ratio = (1.0 - equal) / (2.0 * equal);
    // (4 ratio² - 1) d² + 2 d - 4 score (1 - score) = 0, in the form that has no 0/0 at 1/2.
    let (square, constant) = (4.0 * ratio * ratio - 1.0, 4.0 * score * (1.0 - score));
    constant / (1.0 + (1.0 + square * constant).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult::{Draw, Loss, Win};

    #[test]
    fn who_lost_every_game_leaves_the_others_their_ratings() {
        let mut table = CrossTable::new(3);
        for result in [Win, Draw, Loss, Win] {
            table.add(0, 1, result);
            table.add(1, 0, result);
        }
        let without = ordo(&table, 0.0).expect("ratings of two");
        for _ in 0..4 {
            table.add(2, 0, Loss);
            table.add(1, 2, Win);
        }
        assert_eq!(ordo(&table, 0.0), Some(without));
    }

    #[test]
    fn equal_players_draw_as_often_as_the_rate_says() {
        for rate in [0.01, 0.3, 0.5, 0.7, 1.0] {
            assert!((draw_share(0.5, rate) - rate).abs() < 1e-12, "{rate}");
        }
        assert!(draw_share(0.9, 0.5) < draw_share(0.7, 0.5));
    }

    #[test]
    fn who_won_every_game_has_no_rating() {
        let mut table = CrossTable::new(3);
        for (first, second) in [(0, 1), (1, 0), (1, 2), (2, 1)] {
            table.add(first, second, Draw);
        }
        assert!(ordo(&table, 0.0).is_some());
        let mut beaten = CrossTable::new(2);
        beaten.add(0, 1, Win);
        beaten.add(1, 0, Loss);
        assert_eq!(ordo(&beaten, 0.0), None);
    }

    #[test]
    fn a_first_move_that_always_wins_has_no_value() {
        let mut table = CrossTable::new(2);
        table.add(0, 1, Win);
        table.add(1, 0, Win);
        assert_eq!(ordo(&table, 0.0), None);
    }
}
