//! Saturated results: the sides of each pair are so far apart that results show hardly anything
//! else.

/// The share of pairs with both games won by one side, where results are saturated.
const DECIDED: f64 = 0.85;
const LIMIT: f64 = 11.0;

/// A cumulative sum (Page's CUSUM) of the evidence that one side wins both games in [`DECIDED`] of
/// the pairs, against the half of equal sides that never draw. These reach [`LIMIT`] once in more
/// than `e^11`, 60,000 pairs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Saturation {
    evidence: f64,
}

impl Saturation {
    /// Records a result, and returns whether results are saturated; if so, it begins anew.
    pub(crate) fn observe(&mut self, result: i32) -> bool {
        let is_decided = result.abs() == 2;
        let likelihood = if is_decided { DECIDED } else { 1.0 - DECIDED };
        self.evidence = (self.evidence + (likelihood / 0.5).ln()).max(0.0);
        let is_saturated = self.evidence > LIMIT;
        if is_saturated {
            *self = Self::default();
        }
        is_saturated
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha8Rng;
    use rand::{Rng, SeedableRng};

    use super::*;

    fn alarms(results: [i32; 4]) -> usize {
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
        assert_eq!(alarms([2, -2, 2, -2]), 480 / 21);
        assert!(alarms([2, -2, 2, 1]) > 0);
        assert_eq!(alarms([2, 0, -2, 0]), 0);
        assert_eq!(alarms([1, 0, 0, -1]), 0);
    }
}
