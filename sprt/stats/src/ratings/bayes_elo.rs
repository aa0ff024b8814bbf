//! Ratings as BayesElo computes them after `mm 1 1` and `covariance`.
//!
//! Rémi Coulom, Bayesian Elo Rating, <https://www.remi-coulom.fr/Bayesian-Elo/>. With strengths
//! `r`, the advantage `a` of the first move and a band `e` for draws, all in units of `400/ln 10`
//! Elo, of players `i`, who moves first, and `j`
//!
//! ```text
//! P(i wins) = σ(r_i + a - r_j - e)     P(j wins) = σ(r_j - r_i - a - e)     σ(x) = 1/(1 + exp(-x))
//! P(draw)   = (exp(2e) - 1) P(i wins) P(j wins)
//! ```
//! This is the model of P. V. Rao and L. L. Kupper, "Ties in paired-comparison experiments",
//! Journal of the American Statistical Association 62 (1967), with a first move. BayesElo finds
//! the largest likelihood by minorization-maximization (D. R. Hunter, "MM algorithms for
//! generalized Bradley-Terry models", Annals of Statistics 32, 2004); its logarithm is concave in
//! all parameters, so Newton's method converges to the same maximum, and faster where few games
//! connect the players.

use super::CrossTable;
use super::matrix::centred_inverse;
use super::newton::{Slope, log_logistic, maximize};
use crate::normal::{Z_975, phi};

/// Draws that are added to each player's games, spread over its opponents: one contributed by
/// itself and one by them. BayesElo's default.
const PRIOR_DRAWS: f64 = 2.0;
/// Advantage and band in Elo if the results do not determine them, as with the first games:
/// BayesElo's values when it does not fit them.
const USUAL_TERMS: [f64; 2] = [32.8, 97.3];
/// A wider band is unbounded: there were only the draws of the prior, or nothing but draws.
const WIDEST_BAND: f64 = 20.0;

/// Points of the grid on which BayesElo's `exactdist` has a rating, and its ends in Elo.
const GRID: usize = 1001;
const GRID_END: f64 = 1500.0;
/// The probability on each side outside of a 95% interval.
const TAIL: f64 = 0.025;

/// Elo per unit of the parameters.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct BayesElo {
    /// For each player; `None` for one who has not played.
    pub ratings: Vec<Option<BayesRating>>,
    /// The advantage of the first move, and half the width of the band in which games are drawn, in
    /// unscaled Elo. BayesElo's defaults if the results do not determine them.
    pub advantage: f64,
    pub draw_elo: f64,
    /// The probability that the player of the row is stronger than that of the column.
    pub superiority: Vec<Vec<Option<f64>>>,
}

/// A player's figures, scaled so that they agree with usual Elo for equal players. The average of
/// all players is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BayesRating {
    pub elo: f64,
    /// The extent of the 95% interval upwards and downwards.
    pub plus: f64,
    pub minus: f64,
    /// The average rating of its opponents.
    pub opposition: f64,
}

impl BayesRating {
    /// Half the width of the interval.
    pub fn error(&self) -> f64 {
        f64::midpoint(self.plus, self.minus)
    }
}

/// Rates all players, with intervals from the whole covariance matrix; `None` if their results do
/// not connect them.
pub fn bayes_elo(table: &CrossTable) -> Option<BayesElo> {
    let active = table.connected_players()?;
    let results = Results::new(table, &active);
    let fit = results
        .fit()
        .or_else(|| results.fit_strengths(USUAL_TERMS))?;
    rate(table, &active, &results, fit)
}

/// Rates all players as BayesElo does after `advantage A`, `drawelo D`, `mm` and `exactdist`: both
/// terms are given in Elo, and the interval is that of the likelihood of the player's own games
/// while its rating varies and the average of all stays 0. `None` if the results do not connect
/// the players.
pub fn bayes_elo_exact(table: &CrossTable, advantage: f64, draw_elo: f64) -> Option<BayesElo> {
    let active = table.connected_players()?;
    let results = Results::new(table, &active);
    let fit = results.fit_strengths([advantage, draw_elo])?;
    let intervals: Vec<[f64; 2]> = (0..active.len())
        .map(|player| results.interval(&fit, player))
        .collect();
    let scale = fit.scale();
    let mut rated = rate(table, &active, &results, fit)?;
    for (&player, [minus, plus]) in active.iter().zip(intervals) {
        if let Some(rating) = &mut rated.ratings[player] {
            (rating.minus, rating.plus) = (scale * minus, scale * plus);
        }
    }
    Some(rated)
}

/// The figures of a fit.
fn rate(table: &CrossTable, active: &[usize], results: &Results, fit: Fit) -> Option<BayesElo> {
    let scale = fit.scale();
    let Fit {
        strengths,
        advantage,
        band,
    } = fit;
    let covariance = results.covariance(&strengths, advantage, band)?;

    let mean = strengths.iter().sum::<f64>() / active.len() as f64;
    let elo: Vec<f64> = strengths
        .iter()
        .map(|strength| scale * ELO * (strength - mean))
        .collect();

    let players = table.players();
    let mut ratings = vec![None; players];
    let mut superiority = vec![vec![None; players]; players];
    for (i, &player) in active.iter().enumerate() {
        let (mut games, mut opposition) = (0.0, 0.0);
        for (j, &opponent) in active.iter().enumerate() {
            let met = table.between(player, opponent).games() as f64;
            games += met;
            opposition += met * elo[j];
            if i != j {
                let variance = covariance[i][i] + covariance[j][j] - 2.0 * covariance[i][j];
                let lead = strengths[i] - strengths[j];
                superiority[player][opponent] = Some(phi(lead / variance.sqrt()));
            }
        }
        ratings[player] = Some(BayesRating {
            elo: elo[i],
            plus: scale * ELO * Z_975 * covariance[i][i].sqrt(),
            minus: scale * ELO * Z_975 * covariance[i][i].sqrt(),
            opposition: opposition / games,
        });
    }
    Some(BayesElo {
        ratings,
        advantage: ELO * advantage,
        draw_elo: ELO * band,
        superiority,
    })
}

/// The parameters of the model.
struct Fit {
    strengths: Vec<f64>,
    advantage: f64,
    band: f64,
}

impl Fit {
    /// The slope of the expected score for equal players, relative to usual Elo.
    fn scale(&self) -> f64 {
        let share = (-self.band).exp();
        4.0 * share / (1.0 + share).powi(2)
    }
}

/// The games, including the prior draws.
struct Results {
    players: usize,
    pairings: Vec<Pairing>,
    draws: f64,
}

/// Games of two players with the first move for `first`.
struct Pairing {
    first: usize,
    second: usize,
    won_or_drawn: f64,
    lost_or_drawn: f64,
}

impl Results {
    fn new(table: &CrossTable, active: &[usize]) -> Self {
        let games = |player| table.of(player).games() as f64;
        let (mut pairings, mut draws) = (Vec::new(), 0.0);
        for (first, &player) in active.iter().enumerate() {
            for (second, &opponent) in active.iter().enumerate() {
                let met = table.between(player, opponent).games() as f64;
                if met == 0.0 {
                    continue;
                }
                // Half of them for each colour.
                let share = met * (1.0 / games(player) + 1.0 / games(opponent));
                let results = table.moving_first(player, opponent);
                let drawn = results.draws as f64 + PRIOR_DRAWS / 4.0 * share;
                draws += drawn;
                pairings.push(Pairing {
                    first,
                    second,
                    won_or_drawn: results.wins as f64 + drawn,
                    lost_or_drawn: results.losses as f64 + drawn,
                });
            }
        }
        Self {
            players: active.len(),
            pairings,
            draws,
        }
    }

    /// The maximum likelihood parameters, if they exist.
    fn fit(&self) -> Option<Fit> {
        // Draws need a band of some width.
        let start = [vec![0.0; self.players], vec![0.0, 1.0]].concat();
        let mut strengths = maximize(start, |values| self.likelihood(values))?;
        let band = strengths.pop()?;
        let advantage = strengths.pop()?;
        (band < WIDEST_BAND).then_some(Fit {
            strengths,
            advantage,
            band,
        })
    }

    /// The strengths in Elo under the given terms. The prior keeps them finite, also for a player
    /// that won or lost every game.
    fn fit_strengths(&self, terms: [f64; 2]) -> Option<Fit> {
        let terms = terms.map(|elo| elo / ELO);
        let strengths = maximize(vec![0.0; self.players], |strengths| {
            let mut slope = self.likelihood(&[strengths, &terms].concat());
            slope.truncate(self.players);
            slope
        })?;
        let [advantage, band] = terms;
        Some(Fit {
            strengths,
            advantage,
            band,
        })
    }

    /// The logarithm of the likelihood of strengths, advantage and band.
    fn likelihood(&self, values: &[f64]) -> Slope {
        let (advantage, band) = (self.players, self.players + 1);
        let (a, e) = (values[advantage], values[band]);
        let mut slope = Slope::new(values.len());
        for pairing in &self.pairings {
            let &Pairing { first, second, .. } = pairing;
            let lead = values[first] + a - values[second];
            for (count, sign) in [(pairing.won_or_drawn, 1.0), (pairing.lost_or_drawn, -1.0)] {
                let [value, first_order, second_order] = log_logistic(sign * lead - e);
                slope.add(
                    &[
                        (first, sign),
                        (second, -sign),
                        (advantage, sign),
                        (band, -1.0),
                    ],
                    count * value,
                    count * first_order,
                    count * second_order,
                );
            }
        }
        // ln(exp(2e) - 1), which does not exist for a band of width zero.
        let growth = (2.0 * e).exp_m1();
        let value = if e > 0.0 {
            growth.ln()
        } else {
            f64::NEG_INFINITY
        };
        slope.add(
            &[(band, 1.0)],
            self.draws * value,
            self.draws * 2.0 * (1.0 + 1.0 / growth),
            self.draws * 4.0 * (1.0 + growth) / (growth * growth),
        );
        // Only differences of strengths matter, so their sum is fixed.
        let all: Vec<(usize, f64)> = (0..self.players).map(|player| (player, 1.0)).collect();
        let sum: f64 = values[..self.players].iter().sum();
        slope.add(&all, -sum * sum / 2.0, -sum, 1.0);
        slope
    }

    /// The extent of a player's 95% interval downwards and upwards, in unscaled Elo.
    fn interval(&self, fit: &Fit, player: usize) -> [f64; 2] {
        let others = (self.players - 1) as f64;
        let own = fit.strengths[player];
        let mean = fit.strengths.iter().sum::<f64>() / self.players as f64;
        let logarithms: Vec<f64> = (0..GRID)
            .map(|index| {
                let strength = grid(index) / ELO + mean;
                let shift = (own - strength) / others;
                let of = |other: usize| {
                    if other == player {
                        strength
                    } else {
                        fit.strengths[other] + shift
                    }
                };
                let own_games = |it: &&Pairing| it.first == player || it.second == player;
                let likelihood = |it: &Pairing| {
                    let lead = of(it.first) + fit.advantage - of(it.second);
                    it.won_or_drawn * log_logistic(lead - fit.band)[0]
                        + it.lost_or_drawn * log_logistic(-lead - fit.band)[0]
                };
                self.pairings.iter().filter(own_games).map(likelihood).sum()
            })
            .collect();
        let largest = logarithms.iter().copied().fold(f64::MIN, f64::max);
        let shares: Vec<f64> = logarithms.iter().map(|it| (it - largest).exp()).collect();
        let rating = ELO * (own - mean);
        let lowest = bound(&shares, (0..GRID).collect());
        let highest = bound(&shares, (0..GRID).rev().collect());
        [rating - lowest, highest - rating]
    }

    /// The covariance of the strengths around their mean, with advantage and band taken as known.
    fn covariance(&self, strengths: &[f64], advantage: f64, band: f64) -> Option<Vec<Vec<f64>>> {
        let mut information = vec![vec![0.0; self.players]; self.players];
        for pairing in &self.pairings {
            let &Pairing { first, second, .. } = pairing;
            let lead = strengths[first] + advantage - strengths[second];
            let curvature = pairing.won_or_drawn * log_logistic(lead - band)[2]
                + pairing.lost_or_drawn * log_logistic(-lead - band)[2];
            information[first][first] += curvature;
            information[second][second] += curvature;
            information[first][second] -= curvature;
            information[second][first] -= curvature;
        }
        centred_inverse(information)
    }
}

/// A point of the grid in Elo.
fn grid(index: usize) -> f64 {
    GRID_END * (2.0 * index as f64 / (GRID - 1) as f64 - 1.0)
}

/// The point at which the tail from one end has its probability: by the trapezoidal rule, linear
/// between two points of the grid.
fn bound(shares: &[f64], order: Vec<usize>) -> f64 {
    let total: f64 = shares.iter().sum();
    let (mut sum, mut share, mut place) = (0.0, 0.0, grid(order[0]));
    for index in order {
        let next = shares[index] / total;
        let step = f64::midpoint(share, next);
        if sum + step >= TAIL {
            return place + (grid(index) - place) * (TAIL - sum) / step;
        }
        (sum, share, place) = (sum + step, next, grid(index));
    }
    place
}
