//! Which of a parameter's few values pairs play, and which is exported.

use crate::evidence::levels::Levels;
use crate::perturbation::Draws;

use super::Bayes;

impl Bayes {
    /// Mean and standard deviation of what a level is worth, over the mean of all of them.
    fn worth(&self, index: usize, contrasts: &[f64]) -> (f64, f64) {
        let (mut mean, mut variance) = (0.0, 0.0);
        for (row, left) in self.terms.slots(index).zip(contrasts) {
            mean += left * self.model.mean()[row];
            for (column, right) in self.terms.slots(index).zip(contrasts) {
                variance += left * right * self.model.covariance(row, column);
            }
        }
        (mean, variance.max(0.0).sqrt())
    }

    /// Two levels for the sides of a pair: those that a draw from the posterior has for the best.
    pub(super) fn two_levels(
        &self,
        index: usize,
        levels: &Levels,
        draws: &mut Draws,
    ) -> (f64, f64) {
        let mut drawn: Vec<(f64, f64)> = levels
            .values()
            .map(|value| {
                let (mean, sd) = self.worth(index, levels.at(value));
                (mean + sd * draws.normal(), value)
            })
            .collect();
        drawn.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let (one, other) = (drawn[0].1, drawn[1].1);
        if draws.draw().0 > 0.0 {
            (one, other)
        } else {
            (other, one)
        }
    }

    /// The level with the best mean; the start, where none is better.
    pub(super) fn best_level(&self, index: usize, levels: &Levels) -> f64 {
        let mean = |value: f64| self.worth(index, levels.at(value)).0;
        levels
            .values()
            .fold(self.parameters[index].value, |best, value| {
                if mean(value) > mean(best) {
                    value
                } else {
                    best
                }
            })
    }
}
