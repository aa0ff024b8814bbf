//! Saturated results: the sides of each pair are so far apart that results show hardly anything
//! else.

/// When results are saturated.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    /// A cumulative sum (Page's CUSUM) of the evidence that one side wins both games in
    /// [`DECIDED`] of the pairs, against the half of equal sides that never draw. These reach
    /// [`LIMIT`] once in more than `e^11`, 60,000 pairs.
    Sequential,
    /// If the mean square of the results of so many pairs is above this.
    Windows { pairs: u32, mean_square: f64 },
}

/// The share of pairs with both games won by one side, where results are saturated.
const DECIDED: f64 = 0.85;
const LIMIT: f64 = 11.0;

impl Rule {
    /// That of plans of version 6: one window in ten thousand of equal sides that never draw.
    pub(crate) const VERSION_6: Self = Self::Windows {
        pairs: 48,
        mean_square: 3.0,
    };
    /// That of plans of version 5: one window in four of such sides.
    pub(crate) const VERSION_5: Self = Self::Windows {
        pairs: 24,
        mean_square: 2.2,
    };
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Saturation {
    rule: Rule,
    pairs: u32,
    squares: i32,
    evidence: f64,
}

impl Saturation {
    pub(crate) fn new(rule: Rule) -> Self {
        Self {
            rule,
            pairs: 0,
            squares: 0,
            evidence: 0.0,
        }
    }

    /// Records a result, and returns whether results are saturated; if so, it begins anew.
    pub(crate) fn observe(&mut self, result: i32) -> bool {
        self.pairs += 1;
        self.squares += result * result;
        let (is_over, is_saturated) = match self.rule {
            Rule::Sequential => {
                let is_decided = result.abs() == 2;
                let likelihood = if is_decided { DECIDED } else { 1.0 - DECIDED };
                self.evidence = (self.evidence + (likelihood / 0.5).ln()).max(0.0);
                let is_saturated = self.evidence > LIMIT;
                (is_saturated, is_saturated)
            }
            Rule::Windows { pairs, mean_square } => (
                self.pairs == pairs,
                f64::from(self.squares) / f64::from(pairs) > mean_square,
            ),
        };
        if is_over {
            *self = Self::new(self.rule);
        }
        is_over && is_saturated
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, SeedableRng};

    use super::*;

    fn alarms(results: [i32; 4]) -> usize {
        let mut saturation = Saturation::new(Rule::Sequential);
        let all = results.iter().cycle().take(480);
        all.filter(|&&result| saturation.observe(result)).count()
    }

    #[test]
    fn equal_sides_without_draws_are_not_saturated() {
        let mut saturation = Saturation::new(Rule::Sequential);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut game = || 2 * (random.next_u32() & 1) as i32 - 1;
        assert!((0..20_000).all(|_| !saturation.observe(game() + game())));
    }

    #[test]
    fn sides_that_win_both_games_are_distinguished_from_games_without_draws() {
        assert_eq!(alarms([2, -2, 2, -2]), 480 / 21);
        assert!(alarms([2, -2, 2, 1]) > 0);
        assert_eq!(alarms([2, 0, -2, 0]), 0);
        assert_eq!(alarms([1, 0, 0, -1]), 0);
    }
}
