//! The empirical distribution of outcomes and its moments.

/// Replaces a count of zero, as in OpenBench and fishtest: every outcome stays possible.
const PRIOR_COUNT: f64 = 1e-3;

/// Relative frequencies of `K` outcomes scored evenly from 0 to 1, none of them zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distribution<const K: usize> {
    /// The sum of the counts, including the prior.
    pub total: f64,
    /// Sums to 1.
    pub frequencies: [f64; K],
}

impl<const K: usize> Distribution<K> {
    pub(crate) fn of(counts: &[u64; K]) -> Self {
        let counts = counts.map(|count| (count as f64).max(PRIOR_COUNT));
        let total = counts.iter().sum();
        Self {
            total,
            frequencies: counts.map(|count| count / total),
        }
    }

    /// Games per outcome: 2 for the five outcomes of a pair, 1 for the three of a game.
    pub(crate) const fn games_per_outcome() -> f64 {
        (K - 1) as f64 / 2.0
    }

    pub(crate) fn games(&self) -> f64 {
        self.total * Self::games_per_outcome()
    }

    pub(crate) fn moments(&self) -> Moments {
        Moments::of(&self.frequencies)
    }

    /// The standard deviation of the score of a single game, as if the games of a pair were
    /// independent.
    pub(crate) fn deviation_per_game(&self) -> f64 {
        (Self::games_per_outcome() * self.moments().variance).sqrt()
    }
}

/// The score of outcome `index` of `K`.
pub(crate) fn points<const K: usize>(index: usize) -> f64 {
    index as f64 / (K - 1) as f64
}

/// Mean and variance of a score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moments {
    pub mean: f64,
    pub variance: f64,
}

impl Moments {
    pub(crate) fn of<const K: usize>(frequencies: &[f64; K]) -> Self {
        let mean = average(frequencies, |score| score);
        // No other mean of whole counts comes so near to one half.
        let is_half = (mean - 0.5).abs() < 1e-13;
        let mean = if is_half { 0.5 } else { mean };
        Self {
            mean,
            variance: average(frequencies, |score| (score - mean).powi(2)),
        }
    }

    /// The distance of the mean score from one half, in standard deviations: the t-value of
    /// `normalized_elo_practical.pdf`.
    pub(crate) fn t_value(&self) -> f64 {
        (self.mean - 0.5) / self.variance.sqrt()
    }
}

/// The expectation of `figure` over the scores.
pub(crate) fn average<const K: usize>(frequencies: &[f64; K], figure: impl Fn(f64) -> f64) -> f64 {
    (0..K)
        .map(|index| frequencies[index] * figure(points::<K>(index)))
        .sum()
}
