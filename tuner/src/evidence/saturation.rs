//! Saturated results: the sides of each pair are so far apart that results show hardly anything
//! else.

/// When results are saturated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    /// Results of this many pairs are taken together.
    window: u32,
    /// If their mean square is above this, one side of each pair is far worse: that of equal sides
    /// is 2 on average if no game is drawn, and less if openings favour one colour.
    mean_square: f64,
}

impl Rule {
    /// One window in ten thousand of equal sides that never draw is above it.
    pub(crate) const USUAL: Self = Self {
        window: 48,
        mean_square: 3.0,
    };
    /// That of plans of version 5: one window in four of such sides.
    pub(crate) const VERSION_5: Self = Self {
        window: 24,
        mean_square: 2.2,
    };
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Saturation {
    rule: Rule,
    pairs: u32,
    squares: i32,
}

impl Saturation {
    pub(crate) fn new(rule: Rule) -> Self {
        Self {
            rule,
            pairs: 0,
            squares: 0,
        }
    }

    /// Records a result, and returns whether it completes a window of saturated results.
    pub(crate) fn observe(&mut self, result: i32) -> bool {
        self.pairs += 1;
        self.squares += result * result;
        if self.pairs < self.rule.window {
            return false;
        }
        let mean_square = f64::from(self.squares) / f64::from(self.rule.window);
        *self = Self::new(self.rule);
        mean_square > self.rule.mean_square
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, SeedableRng};

    use super::*;

    fn windows(results: [i32; 4]) -> usize {
        let mut saturation = Saturation::new(Rule::USUAL);
        let all = results.iter().cycle().take(480);
        all.filter(|&&result| saturation.observe(result)).count()
    }

    #[test]
    fn equal_sides_without_draws_are_not_saturated() {
        let mut saturation = Saturation::new(Rule::USUAL);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut game = || 2 * (random.next_u32() & 1) as i32 - 1;
        assert!((0..20_000).all(|_| !saturation.observe(game() + game())));
    }

    #[test]
    fn sides_that_win_both_games_are_distinguished_from_games_without_draws() {
        assert_eq!(windows([2, -2, 2, 1]), 10);
        assert_eq!(windows([2, 0, -2, 0]), 0);
        assert_eq!(windows([1, 0, 0, -1]), 0);
    }
}
