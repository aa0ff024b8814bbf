//! Luck that lasts: whether results of pairs that follow each other are alike.
//!
//! Which side of a pair has which values is a coin's choice, so the sum of the results of many pairs
//! is that of so many independent draws around zero. Where one side is favoured for dozens of pairs
//! on end, the sums scatter more widely. Anchors always have the tuned values on the same side, so
//! their mean then is less certain than their number says.

/// Pairs whose results are summed.
const BLOCK: u32 = 64;
/// The weight of independence, in blocks.
const USUAL_WEIGHT: f64 = 20.0;

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Luck {
    pairs: u32,
    sum: f64,
    blocks: f64,
    squares: f64,
}

impl Luck {
    /// Adds a pair that is no anchor.
    pub(super) fn add(&mut self, result: i32) {
        self.pairs += 1;
        self.sum += f64::from(result);
        if self.pairs == BLOCK {
            self.blocks += 1.0;
            self.squares += self.sum.powi(2);
            (self.pairs, self.sum) = (0, 0.0);
        }
    }

    /// The factor of the variance of a mean of many pairs, given that of one; at least 1.
    pub(super) fn factor(&self, variance: f64) -> f64 {
        let seen = self.squares / (f64::from(BLOCK) * variance);
        ((USUAL_WEIGHT + seen) / (USUAL_WEIGHT + self.blocks)).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, SeedableRng};

    use super::*;

    /// The factor after so many pairs that a coin decides, thrown anew after each `lasting` pairs.
    fn factor(lasting: usize) -> f64 {
        let mut generator = ChaCha8Rng::seed_from_u64(3);
        let mut luck = Luck::default();
        let mut result = 1;
        for pair in 0..20_000 {
            if pair % lasting == 0 {
                result = 2 * (generator.next_u32() & 1) as i32 - 1;
            }
            luck.add(result);
        }
        luck.factor(1.0)
    }

    #[test]
    fn independent_results_are_known_as_such() {
        assert!((1.0..1.15).contains(&factor(1)), "{}", factor(1));
        assert_eq!(Luck::default().factor(1.0), 1.0);
    }

    #[test]
    fn luck_that_lasts_is_noticed() {
        assert!((5.0..9.0).contains(&factor(8)), "{}", factor(8));
    }
}
