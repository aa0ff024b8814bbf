//! Two engines on the same items: is the second one worse, and by less than what matters?
//!
//! Each item (a position, a game) gives one difference, the second engine's result less the
//! first's; several measurements of one item are added up before they come here, for they are one
//! cluster. Items are independent.
//!
//! | question | test |
//! |---|---|
//! | is there a difference? | [`SignFlip`]: the exact permutation test that exchanges the engines item by item; for differences of -1, 0 and 1 it is the exact `McNemar` test |
//! | is the loss below a margin? | [`Differences::score`]: the score test of a mean, with the variance of the likeliest distribution that has the mean of the hypothesis; for -1, 0 and 1 it is Tango's ("Equivalence test and confidence interval for the difference in proportions for the paired-sample design", 1998) |

use crate::normal::{phi, quantile};

/// Count of an outcome that was not seen, as in [`crate::Test`]: every outcome stays possible.
const PRIOR_COUNT: f64 = 1e-3;
/// Halvings of a bracket; more than the digits of a double.
const HALVINGS: usize = 100;
/// Steps of a whole in which shares are counted where no fewer hold them all exactly.
const FINEST: u64 = 1000;

/// How likely so large a sum of differences is where the engines are exchangeable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignFlip {
    /// Probability of a sum as low as the one seen, or lower.
    pub worse: f64,
    /// Probability of a sum as high as the one seen, or higher.
    pub better: f64,
}

impl SignFlip {
    /// Of shares of wholes that differ, such as points of those that can be earned. The test is exact
    /// for the shares as they are counted: rounded where their common denominator is large.
    pub fn of_shares(shares: &[(i64, u64)]) -> Self {
        let common = shares.iter().fold(1, |common, &(_, whole)| {
            FINEST.min((common / gcd(common, whole)).saturating_mul(whole))
        });
        let counted: Vec<i64> = shares
            .iter()
            .map(|&(part, whole)| (part as f64 * common as f64 / whole as f64).round() as i64)
            .collect();
        Self::of(&counted)
    }

    /// Exact: the distribution of the sum over all ways to give each difference a sign.
    pub fn of(differences: &[i64]) -> Self {
        let unit = differences
            .iter()
            .fold(0, |unit, &it| gcd(unit, it.unsigned_abs()));
        if unit == 0 {
            return Self {
                worse: 1.0,
                better: 1.0,
            };
        }
        let sizes = differences
            .iter()
            .map(|it| (it.unsigned_abs() / unit) as usize);
        let sizes: Vec<usize> = sizes.filter(|size| *size > 0).collect();
        // The sum of those with a plus says what the whole sum is.
        let plus: u64 = differences
            .iter()
            .filter(|it| **it > 0)
            .map(|it| it.unsigned_abs() / unit)
            .sum();
        let mut chances = vec![0.0; sizes.iter().sum::<usize>() + 1];
        chances[0] = 1.0;
        let mut reach = 0;
        for size in sizes {
            reach += size;
            for sum in (0..=reach).rev() {
                let without = if sum >= size {
                    chances[sum - size]
                } else {
                    0.0
                };
                chances[sum] = f64::midpoint(chances[sum], without);
            }
        }
        let plus = plus as usize;
        Self {
            worse: chances[..=plus].iter().sum::<f64>().min(1.0),
            better: chances[plus..].iter().sum::<f64>().min(1.0),
        }
    }

    /// Probability of a sum as far from zero, on either side.
    pub fn two_sided(self) -> f64 {
        (2.0 * self.worse.min(self.better)).min(1.0)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Differences between -1 and 1, one an item.
#[derive(Clone, Debug, PartialEq)]
pub struct Differences(Vec<f64>);

impl Differences {
    /// What lies outside -1 to 1 is drawn to the nearer end.
    pub fn new(differences: impl IntoIterator<Item = f64>) -> Self {
        Self(
            differences
                .into_iter()
                .map(|it| it.clamp(-1.0, 1.0))
                .collect(),
        )
    }

    /// `None` where there are none.
    pub fn mean(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.0.iter().sum::<f64>() / self.0.len() as f64)
    }

    /// How far the mean lies above `hypothesis`, in the standard errors that it has if the
    /// hypothesis is true. `None` where there are no differences.
    pub fn score(&self, hypothesis: f64) -> Option<f64> {
        let excess = self.mean()? - hypothesis;
        let variance = self.variance_under(hypothesis);
        Some(excess / (variance / self.0.len() as f64).sqrt())
    }

    /// Probability of so high a mean, or a higher one, if it is `hypothesis` in truth.
    pub fn exceeds(&self, hypothesis: f64) -> Option<f64> {
        self.score(hypothesis).map(|score| phi(-score))
    }

    /// All means that a two-sided test at `1 - confidence` does not refute.
    pub fn interval(&self, confidence: f64) -> Option<[f64; 2]> {
        let mean = self.mean()?;
        let wanted = quantile(f64::midpoint(1.0, confidence));
        let bound = |outer: f64| {
            let (mut inside, mut outside) = (mean, outer);
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(inside, outside);
                match self.score(middle) {
                    Some(score) if score.abs() <= wanted => inside = middle,
                    _ => outside = middle,
                }
            }
            inside
        };
        Some([bound(-1.0), bound(1.0)])
    }

    /// The variance of the likeliest distribution of differences whose mean is `hypothesis`:
    /// weights `w / (1 + x b)` for deviations `b`, with `x` such that these average zero.
    fn variance_under(&self, hypothesis: f64) -> f64 {
        let seen = self.0.iter().map(|it| (it - hypothesis, 1.0));
        let ends = [-1.0, 1.0].map(|end| (end - hypothesis, PRIOR_COUNT));
        let weighted: Vec<(f64, f64)> = seen.chain(ends).collect();
        let average = |x: f64| {
            weighted
                .iter()
                .map(|(b, w)| w * b / (1.0 + x * b))
                .sum::<f64>()
        };
        // Between the poles the average falls from above to below zero.
        let (mut low, mut high) = (-1.0 / (1.0 - hypothesis), 1.0 / (1.0 + hypothesis));
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(low, high);
            if average(middle) > 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let x = f64::midpoint(low, high);
        let terms = weighted.iter().map(|(b, w)| (w / (1.0 + x * b), b));
        let (total, squares) = terms.fold((0.0, 0.0), |(total, squares), (weight, b)| {
            (total + weight, squares + weight * b * b)
        });
        squares / total
    }
}

/// The power of a comparison of so many items.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// Probability that no loss is shown to be below the margin.
    pub shows_no_loss: f64,
    /// The loss that is shown in four of five comparisons.
    pub smallest_loss: f64,
}

impl Power {
    /// Where a share `differing` of `items` has a difference of 1 either way; by the normal
    /// approximation.
    pub fn of(items: usize, differing: f64, margin: f64, alpha: f64) -> Self {
        let error = (differing / items.max(1) as f64).sqrt();
        let critical = quantile(1.0 - alpha);
        Self {
            shows_no_loss: phi(margin / error - critical),
            smallest_loss: (critical + quantile(0.8)) * error,
        }
    }
}

/// Holm's correction ("A simple sequentially rejective multiple test procedure", 1979): the
/// probabilities of several tests, so that one alone may be held against alpha.
pub fn holm(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]));
    let mut corrected = vec![0.0; probabilities.len()];
    let mut largest = 0.0_f64;
    for (rank, &index) in order.iter().enumerate() {
        let times = (probabilities.len() - rank) as f64;
        largest = largest.max((times * probabilities[index]).min(1.0));
        corrected[index] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::{SeedableRng, rngs::ChaCha8Rng};

    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn differences_of_one_are_the_exact_mcnemar_test() {
        // 10 items differ, 2 of them for the better: (1 + 10 + 45) / 1024.
        let differences = [[-1; 8].as_slice(), &[1; 2], &[0; 5]].concat();
        let flip = SignFlip::of(&differences);
        assert!(near(flip.worse, 56.0 / 1024.0), "{flip:?}");
        assert!(near(flip.better, 1013.0 / 1024.0), "{flip:?}");
        assert!(near(flip.two_sided(), 112.0 / 1024.0));
        assert!(near(SignFlip::of(&[0, 0]).two_sided(), 1.0));
    }

    #[test]
    fn sums_of_unequal_differences_are_counted_exactly() {
        // Signs of 1, 2 and 4: the sums -7 to 7 in steps of 2; -5 or less are two of eight.
        let flip = SignFlip::of(&[5, -10, -20]);
        assert!(near(flip.worse, 2.0 / 8.0), "{flip:?}");
    }

    #[test]
    fn shares_count_alike_whatever_they_are_shares_of() {
        // As six items lost and six won: half of all signs, and half of those with six of each.
        let equal = 0.5 + 924.0 / 4096.0 / 2.0;
        for [lost, won] in [[100, 10], [7, 11], [997, 1009], [4_000_000_000, 3]] {
            let shares = [[(-lost, lost as u64); 6], [(won, won as u64); 6]];
            let flip = SignFlip::of_shares(&shares.concat());
            assert!(near(flip.worse, equal), "{lost}, {won}: {flip:?}");
        }
        assert!(near(SignFlip::of_shares(&[]).worse, 1.0));
    }

    #[test]
    fn the_score_test_of_three_outcomes_is_tangos() {
        // His example: 44 pairs, one of them discordant, margin 10 %: Z = 1.709, and -0.096 as
        // the lower end of the 90 % interval.
        let differences = Differences::new([vec![0.0; 43], vec![-1.0]].concat());
        let score = differences.score(-0.1).expect("differences");
        assert!((score - 1.709).abs() < 0.01, "{score}");
        let [low, _] = differences.interval(0.9).expect("an interval");
        assert!((low - -0.096).abs() < 0.002, "{low}");
    }

    #[test]
    fn few_items_show_nothing_though_none_differs() {
        let none = |items: usize| {
            Differences::new(vec![0.0; items])
                .exceeds(-0.02)
                .expect("some")
        };
        assert!(
            none(10) > 0.3 && none(300) < 0.01,
            "{} {}",
            none(10),
            none(300)
        );
        assert_eq!(Differences::new([]).mean(), None);
    }

    #[test]
    fn error_rates_stay_within_alpha() {
        const ALPHA: f64 = 0.05;
        const ROUNDS: usize = 2000;
        let mut dice = ChaCha8Rng::seed_from_u64(33);
        for (items, differing, loss) in [
            (300, 0.2, 0.0),
            (300, 0.2, 0.05),
            (100, 0.1, 0.05),
            (1000, 0.05, 0.02),
        ] {
            let (mut losses, mut safe) = (0, 0);
            for _ in 0..ROUNDS {
                let differences: Vec<i64> = (0..items)
                    .map(|_| match dice.random::<f64>() {
                        it if it < f64::midpoint(differing, loss) => -1,
                        it if it < differing => 1,
                        _ => 0,
                    })
                    .collect();
                losses += usize::from(SignFlip::of(&differences).worse <= ALPHA);
                let differences = Differences::new(differences.iter().map(|it| *it as f64));
                safe += usize::from(differences.exceeds(-loss).is_some_and(|p| p <= ALPHA));
            }
            // Three standard errors of a share of ALPHA above it.
            let most = ROUNDS as f64 * ALPHA + 3.0 * (ROUNDS as f64 * ALPHA * 0.95).sqrt();
            if loss == 0.0 {
                assert!((losses as f64) < most, "{losses} of {ROUNDS} losses shown");
            } else {
                assert!(
                    (safe as f64) < most,
                    "{items} {loss}: {safe} of {ROUNDS} called safe"
                );
            }
        }
    }

    #[test]
    fn holm_corrects_each_by_how_many_are_left() {
        let corrected = holm(&[0.04, 0.01, 0.03]);
        for (got, expected) in corrected.iter().zip([0.06, 0.03, 0.06]) {
            assert!(near(*got, expected), "{corrected:?}");
        }
    }

    #[test]
    fn power_grows_with_the_items() {
        let power = Power::of(300, 0.2, 0.05, 0.05);
        assert!((power.smallest_loss - 0.0642).abs() < 0.001, "{power:?}");
        assert!(Power::of(3000, 0.2, 0.05, 0.05).shows_no_loss > 0.99);
    }

    proptest! {
        #[test]
        fn exchanging_the_engines_exchanges_the_tails(differences in proptest::collection::vec(-9_i64..10, 0..40)) {
            let swapped: Vec<i64> = differences.iter().map(|it| -it).collect();
            let (flip, other) = (SignFlip::of(&differences), SignFlip::of(&swapped));
            prop_assert!(near(flip.worse, other.better) && near(flip.better, other.worse));
        }

        #[test]
        fn the_interval_holds_the_mean(differences in proptest::collection::vec(-1.0_f64..1.0, 1..40)) {
            let differences = Differences::new(differences);
            let (mean, [low, high]) = (differences.mean().expect("a mean"), differences.interval(0.9).expect("one"));
            prop_assert!(low <= mean && mean <= high && low >= -1.0 && high <= 1.0);
        }
    }
}
