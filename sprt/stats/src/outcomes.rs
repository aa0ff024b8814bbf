//! The expected frequency of each outcome of a pair between two engines of known difference in
//! strength.
//!
//! Strength does not determine how many pairs are drawn, so the spread is that of an earlier match
//! or of a typical one. Its outcomes are tilted exponentially to the given strength: the least
//! change, in relative entropy, that reaches it.

use crate::bayes_elo;
use crate::counts::{MatchCounts, Pentanomial, Wdl};
use crate::distribution::{Distribution, Moments, points};
use crate::elo::{NORMALIZED_ELO_PER_T, expected_score};
use crate::sprt::Model;

/// A long match of two versions of an engine on an OpenBench server.
const USUAL_PAIRS: Pentanomial = Pentanomial([28, 858, 1839, 983, 33]);
const USUAL_GAMES: Wdl = Wdl {
    wins: 1780,
    losses: 1645,
    draws: 4057,
};
/// The largest tilt: beyond it, the rarer outcomes underflow.
const MOST_TILT: f64 = 300.0;

/// The probabilities of the outcomes of a pair and of a game, worst to best. All are above zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcomes {
    pub pairs: [f64; 5],
    pub games: [f64; 3],
}

impl Outcomes {
    /// For engines that differ by `elo` in the unit of `model`, with the spread of a typical match.
    pub fn usual(model: Model, elo: f64) -> Self {
        Self::spread_as(&USUAL_PAIRS, &USUAL_GAMES).at(model, elo)
    }

    /// Like [`Self::usual`], with the spread of an earlier match. Where only its pairs or only its
    /// games are known, games are taken to be independent.
    pub fn like(earlier: &MatchCounts, model: Model, elo: f64) -> Self {
        Self::seen(earlier).at(model, elo)
    }

    /// As [`Self::like`], where a usual match counts as much as `prior_pairs` of the earlier one.
    pub(crate) fn like_blended(
        earlier: &MatchCounts,
        prior_pairs: f64,
        model: Model,
        elo: f64,
    ) -> Self {
        let pairs = earlier.games() as f64 / 2.0;
        let share = pairs / (pairs + prior_pairs);
        let (seen, usual) = (
            Self::seen(earlier),
            Self::spread_as(&USUAL_PAIRS, &USUAL_GAMES),
        );
        let blended = Self {
            pairs: mixed(&seen.pairs, &usual.pairs, share),
            games: mixed(&seen.games, &usual.games, share),
        };
        blended.at(model, elo)
    }

    fn seen(counts: &MatchCounts) -> Self {
        match (counts.pentanomial(), counts.wdl()) {
            (Some(pairs), Some(games)) => Self::spread_as(pairs, games),
            (Some(pairs), None) => Self::spread_as(pairs, &halved(pairs)),
            (None, games) => Self::of_games(frequencies(
                &games.copied().unwrap_or_default().worst_to_best(),
            )),
        }
    }

    fn spread_as(pairs: &Pentanomial, games: &Wdl) -> Self {
        Self {
            pairs: frequencies(&pairs.0),
            games: frequencies(&games.worst_to_best()),
        }
    }

    /// The outcomes of pairs of independent games.
    fn of_games(games: [f64; 3]) -> Self {
        let mut pairs = [0.0; 5];
        for (first, p) in games.iter().enumerate() {
            for (second, q) in games.iter().enumerate() {
                pairs[first + second] += p * q;
            }
        }
        Self { pairs, games }
    }

    fn at(self, model: Model, elo: f64) -> Self {
        match model {
            Model::Normalized => Self {
                pairs: tilted(&self.pairs, |moments| {
                    moments.t_value() - elo * std::f64::consts::SQRT_2 / NORMALIZED_ELO_PER_T
                }),
                ..self
            },
            Model::Logistic => Self {
                pairs: tilted(&self.pairs, |moments| moments.mean - expected_score(elo)),
                ..self
            },
            Model::Bayesian => Self::of_games(bayes_elo::probabilities(
                elo,
                bayes_elo::draw_elo(&self.games),
            )),
        }
    }
}

/// Single games with as many draws as the pairs allow: a pair of the middle class is either two
/// draws or a win and a loss.
fn halved(pairs: &Pentanomial) -> Wdl {
    let [ll, ld, middle, dw, ww] = pairs.0;
    Wdl {
        wins: 2 * ww + dw + middle / 2,
        losses: 2 * ll + ld + middle / 2,
        draws: ld + dw + 2 * (middle - middle / 2),
    }
}

fn frequencies<const K: usize>(counts: &[u64; K]) -> [f64; K] {
    Distribution::of(counts).frequencies
}

fn mixed<const K: usize>(first: &[f64; K], second: &[f64; K], share: f64) -> [f64; K] {
    std::array::from_fn(|index| share * first[index] + (1.0 - share) * second[index])
}

/// The frequencies tilted until `excess`, which rises with the tilt, is zero.
pub(crate) fn tilted<const K: usize>(
    frequencies: &[f64; K],
    excess: impl Fn(&Moments) -> f64,
) -> [f64; K] {
    let (mut low, mut high) = (-MOST_TILT, MOST_TILT);
    let at = |tilt: f64| {
        let weights: [f64; K] = std::array::from_fn(|index| {
            // Relative to the outcome that the tilt favours, so that nothing overflows.
            let distance = if tilt > 0.0 {
                points::<K>(index) - 1.0
            } else {
                points::<K>(index)
            };
            frequencies[index] * (tilt * distance).exp().max(f64::MIN_POSITIVE)
        });
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    };
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if excess(&Moments::of(&at(middle))) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    at(f64::midpoint(low, high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::{logistic_elo, normalized_elo};

    fn counted<const K: usize>(frequencies: &[f64; K]) -> [u64; K] {
        frequencies.map(|frequency| (frequency * 1e11).round() as u64)
    }

    #[test]
    fn outcomes_have_the_strength_that_was_asked_for() {
        for elo in [-120.0, -3.0, 0.0, 2.5, 300.0] {
            let pairs = counted(&Outcomes::usual(Model::Normalized, elo).pairs);
            assert!((normalized_elo(&pairs).value - elo).abs() < 1e-4, "{elo}");
            let pairs = counted(&Outcomes::usual(Model::Logistic, elo).pairs);
            assert!((logistic_elo(&pairs).value - elo).abs() < 1e-4, "{elo}");
            let games = counted(&Outcomes::usual(Model::Bayesian, elo).games);
            let other = counted(&Outcomes::usual(Model::Bayesian, -elo).games);
            assert_eq!(games[2], other[0], "{elo}");
        }
    }

    #[test]
    fn the_spread_is_that_of_the_earlier_match() {
        let drawish = MatchCounts::of_pairs(Pentanomial([0, 50, 900, 50, 0])).unwrap();
        let outcomes = Outcomes::like(&drawish, Model::Normalized, 0.0);
        assert!((outcomes.pairs[2] - 0.9).abs() < 1e-3, "{outcomes:?}");
        let games = MatchCounts::of_games(Wdl {
            wins: 25,
            losses: 25,
            draws: 50,
        })
        .unwrap();
        let outcomes = Outcomes::like(&games, Model::Logistic, 0.0);
        assert!((outcomes.pairs[2] - 0.375).abs() < 1e-3, "{outcomes:?}");
    }
}
