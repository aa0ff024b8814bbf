//! Saturated results: the sides of each pair are so far apart that results show hardly anything
//! else.

/// Results of this many pairs are taken together.
const WINDOW: u32 = 48;
/// If their mean square is above this, one side of each pair is far worse: that of equal sides is 2
/// on average if no game is drawn, and less if openings favour one colour. One window in ten
/// thousand of such sides is above it.
const SATURATED: f64 = 3.0;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Saturation {
    pairs: u32,
    squares: i32,
}

impl Saturation {
    /// Records a result, and returns whether it completes a window of saturated results.
    pub(crate) fn observe(&mut self, result: i32) -> bool {
        self.pairs += 1;
        self.squares += result * result;
        if self.pairs < WINDOW {
            return false;
        }
        let is_saturated = f64::from(self.squares) > SATURATED * f64::from(WINDOW);
        *self = Self::default();
        is_saturated
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, SeedableRng};

    use super::*;

    fn windows(results: [i32; 4]) -> usize {
        let mut saturation = Saturation::default();
        let all = results.iter().cycle().take(480);
        all.filter(|&&result| saturation.observe(result)).count()
    }

    #[test]
    fn equal_sides_without_draws_are_not_saturated() {
        let mut saturation = Saturation::default();
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
