//! Pairs near the end of a run that play the values it has come to against its start.
//!
//! A tune's other pairs see differences of nearby points only: beside a cliff they see a slope, and
//! a sum of slopes is no height. Anchor pairs measure the height itself. They are chosen by their
//! number alone, so that the trajectory stays a pure function of plan and results.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::elo;

/// Which pairs are anchors.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Anchors {
    /// The fraction of the run from which on there are any.
    pub from: f64,
    /// Their share from there on.
    pub share: f64,
}

/// Runs below this are short: a larger share of theirs is needed to say anything.
const SHORT: u64 = 10_000;

impl Anchors {
    pub const NONE: Self = Self {
        from: 1.0,
        share: 0.0,
    };

    /// Those of a run of so many pairs.
    pub fn of_run(pairs: u64) -> Self {
        Self {
            from: 0.6,
            share: if pairs < SHORT { 0.25 } else { 0.15 },
        }
    }

    /// Whether a pair is one, of so many in all.
    pub fn include(self, pair: u64, pairs: u64) -> bool {
        let first = (self.from * pairs as f64).ceil();
        let place = pair as f64 - first;
        place >= 0.0 && ((place + 1.0) * self.share).floor() > (place * self.share).floor()
    }
}

/// What the anchors played so far say.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnchorSums {
    pairs: u64,
    points: f64,
}

/// Elo of the values that the anchors played over the start, on average.
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
    }

    /// None where there are too few to say anything; `variance` is that of a pair's result.
    pub fn estimate(self, variance: f64) -> Option<AnchorEstimate> {
        const LEAST: u64 = 30;
        if self.pairs < LEAST {
            return None;
        }
        let count = self.pairs as f64;
        let (elo, slope) = elo::of_mean(self.points / count);
        Some(AnchorEstimate {
            pairs: self.pairs,
            elo,
            elo_sd: slope * (variance / count).sqrt(),
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
        let found = sums.estimate(0.89).expect("enough pairs");
        assert!((found.elo - 17.4).abs() < 0.1 && (found.elo_sd - 5.2).abs() < 0.1);
        assert_eq!(AnchorSums::default().estimate(0.89), None);
    }
}
