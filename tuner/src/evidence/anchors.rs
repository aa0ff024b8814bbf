//! Pairs near the end of a run that play its current values against its start.
//!
//! The other pairs of a tune compare only nearby points: next to a cliff they show a slope, and a
//! sum of slopes is not a height. Anchor pairs measure the height itself. They are chosen only by
//! their number, so that the trajectory stays a pure function of plan and results.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::elo;

/// Which pairs are anchors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Anchors {
    /// The fraction of the run from which on some pairs are anchors.
    pub from: f64,
    /// The share of anchors from there on.
    pub share: f64,
    /// The fraction of the run from which on all pairs are, and play what the run has come to by
    /// then. In runs begun by older releases there is no such part, and all anchors count.
    #[serde(default)]
    pub last: Option<f64>,
}

/// Runs with fewer pairs are short and need a larger share of anchors.
const SHORT: u64 = 10_000;

impl Anchors {
    pub const NONE: Self = Self {
        from: 1.0,
        share: 0.0,
        last: None,
    };

    /// The anchors of a run of this many pairs.
    pub fn of_run(pairs: u64) -> Self {
        Self {
            from: 0.6,
            share: if pairs < SHORT { 0.25 } else { 0.15 },
            last: Some(0.9),
        }
    }

    /// Whether a pair is an anchor, given the number of all pairs.
    pub fn include(self, pair: u64, pairs: u64) -> bool {
        let first = (self.from * pairs as f64).ceil();
        let place = pair as f64 - first;
        self.are_last(pair, pairs)
            || place >= 0.0 && ((place + 1.0) * self.share).floor() > (place * self.share).floor()
    }

    /// Whether a pair is an anchor that plays the final values of the run.
    pub fn are_last(self, pair: u64, pairs: u64) -> bool {
        self.last
            .is_some_and(|last| pair as f64 >= (last * pairs as f64).ceil())
    }
}

/// Sums over the anchors played so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnchorSums {
    pairs: u64,
    points: f64,
    squares: f64,
}

/// The mean Elo over the start of the values that the anchors played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnchorEstimate {
    pub pairs: u64,
    pub elo: f64,
    pub elo_sd: f64,
}

impl AnchorSums {
    pub fn add(&mut self, result: i32) {
        self.pairs += 1;
        self.points += f64::from(result);
        self.squares += f64::from(result).powi(2);
    }

    /// `None` if there are too few for an estimate; `variance` is that of a pair's result in the
    /// rest of the run, and counts as much as the fewest anchors do; `luck` is how many times the
    /// variance of a mean is that of independent pairs.
    pub fn estimate(self, variance: f64, luck: f64) -> Option<AnchorEstimate> {
        const LEAST: u64 = 30;
        if self.pairs < LEAST {
            return None;
        }
        let count = self.pairs as f64;
        let (elo, slope) = elo::of_mean(self.points / count);
        let own = self.squares - self.points.powi(2) / count;
        let variance = (own + variance * LEAST as f64) / (count + LEAST as f64);
        Some(AnchorEstimate {
            pairs: self.pairs,
            elo,
            elo_sd: slope * (luck * variance / count).sqrt(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_spread_evenly_over_the_last_part() {
        let anchors = Anchors {
            from: 0.6,
            share: 0.15,
            last: None,
        };
        let chosen: Vec<u64> = (0..20_000)
            .filter(|&pair| anchors.include(pair, 20_000))
            .collect();
        assert_eq!(chosen.len(), 1200);
        assert!(chosen[0] >= 12_000);
        assert!(chosen.windows(2).all(|pair| pair[1] - pair[0] <= 7));
        assert!((0..100).all(|pair| !Anchors::NONE.include(pair, 100)));
    }

    #[test]
    fn an_estimate_is_elo_with_its_standard_deviation() {
        let mut sums = AnchorSums::default();
        for pair in 0..1000 {
            sums.add(i32::from(pair % 10 == 0));
        }
        let found = sums.estimate(0.89, 1.0).expect("enough pairs");
        // These are drawn far more often than the run's other pairs.
        assert!((found.elo - 17.4).abs() < 0.1 && (found.elo_sd - 1.85).abs() < 0.05);
        assert_eq!(AnchorSums::default().estimate(0.89, 1.0), None);
    }
}
