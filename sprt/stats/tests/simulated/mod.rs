//! Many simulated tests of engines of known strength.

use rand::{Rng, RngExt as _, SeedableRng, rngs::ChaCha8Rng};
use stats::{Outcomes, Overshoot, Pentanomial, Test, Verdict, Wdl};

/// Sums over simulated tests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Simulated {
    pub tests: u64,
    pub h1: u64,
    pub pairs: u64,
    squares: f64,
}

impl Simulated {
    pub fn run(test: &Test, outcomes: &Outcomes, tests: u64, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut sums = Self::default();
        for _ in 0..tests {
            let (verdict, pairs) = one(test, outcomes, &mut random);
            sums.tests += 1;
            sums.h1 += u64::from(verdict == Verdict::H1);
            sums.pairs += pairs;
            sums.squares += (pairs as f64).powi(2);
        }
        sums
    }

    pub fn share_of_h1(&self) -> f64 {
        self.h1 as f64 / self.tests as f64
    }

    /// The standard error of `share_of_h1`.
    pub fn error_of_h1(&self) -> f64 {
        let share = self.share_of_h1();
        (share * (1.0 - share) / self.tests as f64).sqrt()
    }

    pub fn mean_pairs(&self) -> f64 {
        self.pairs as f64 / self.tests as f64
    }

    /// The standard error of `mean_pairs`.
    pub fn error_of_pairs(&self) -> f64 {
        let mean = self.mean_pairs();
        let variance = self.squares / self.tests as f64 - mean * mean;
        (variance / self.tests as f64).sqrt()
    }
}

fn one(test: &Test, outcomes: &Outcomes, random: &mut impl Rng) -> (Verdict, u64) {
    // As OpenBench does, the ratio is looked at after each pair; but while it is far from
    // everything that its next pairs can reach, it need not be computed.
    let reach = 3.0 * largest_step(test, outcomes);
    let mut counts = Pentanomial::default();
    let mut overshoot = Overshoot::default();
    let (mut lowest, mut highest) = (0.0_f64, 0.0_f64);
    let (mut lower, mut upper) = (test.lower(), test.upper());
    let mut skip = 0;
    for pairs in 1.. {
        counts.0[outcome(outcomes, random)] += 1;
        if skip > 0 && pairs > 100 {
            skip -= 1;
            continue;
        }
        let llr = test.llr(&counts, &Wdl::default());
        let mut distance = (upper - llr).min(llr - lower);
        if test.overshoot_correction {
            overshoot.update(llr);
            (lower, upper) = overshoot.corrected(test.lower(), test.upper());
            lowest = lowest.min(llr);
            highest = highest.max(llr);
            distance = distance.min(highest - llr).min(llr - lowest);
        }
        if llr > upper {
            return (Verdict::H1, pairs);
        }
        if llr < lower {
            return (Verdict::H0, pairs);
        }
        skip = (distance / reach) as u64;
    }
    unreachable!("the numbers of pairs do not end");
}

/// The most that one pair changes the ratio of a long test.
fn largest_step(test: &Test, outcomes: &Outcomes) -> f64 {
    let counts = outcomes.pairs.map(|p| (p * 1e7) as u64);
    let llr = |counts: [u64; 5]| test.llr(&Pentanomial(counts), &Wdl::default());
    let before = llr(counts);
    let steps = (0..5).map(|index| {
        let mut more = counts;
        more[index] += 10;
        (llr(more) - before).abs() / 10.0
    });
    steps.fold(0.0, f64::max)
}

/// The points of one more pair, drawn at random.
pub fn outcome(outcomes: &Outcomes, random: &mut impl Rng) -> usize {
    let mut left: f64 = random.random();
    for (index, probability) in outcomes.pairs.iter().enumerate() {
        if left < *probability {
            return index;
        }
        left -= probability;
    }
    4
}
