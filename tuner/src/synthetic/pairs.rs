//! The result of one pair of games between two sides of known strength.
//!
//! The opening favours the plus side in game 1 and its opponent in game 2 by b ~ N(0, 70^2)
//! BayesElo; given b the two games are independent trinomials with draw Elo 215. `x` BayesElo is
//! `SCALE` times the difference in Elo, so that the score's slope at equality is the logistic one.
//! The five probabilities are integrated over b and tabulated.
//!
//! Real games are less regular: openings differ in how often they are drawn, and whatever favours a
//! side may last for more than a pair.

use rand::Rng;

const DRAW_ELO: f64 = 215.0;
const OPENING_SD: f64 = 70.0;
/// BayesElo per Elo at this draw Elo and these openings.
const SCALE: f64 = 1.4421;
const REACH: f64 = 600.0;
const STEP: f64 = 0.05;

/// How results scatter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Noise {
    #[default]
    Usual,
    /// Half of the openings are nearly always drawn, half of them hardly ever.
    ByOpening,
    /// One side is lucky for dozens of pairs on end.
    Correlated,
}

/// Draws the results of pairs.
#[derive(Debug, Clone)]
pub struct PairOracle {
    /// For each kind of opening, cumulative probabilities of the first four results, by difference
    /// in Elo.
    tables: Vec<Vec<[f64; 4]>>,
    noise: Noise,
}

impl Default for PairOracle {
    fn default() -> Self {
        Self::of(Noise::Usual)
    }
}

impl PairOracle {
    pub fn of(noise: Noise) -> Self {
        let draw_elos: &[f64] = match noise {
            Noise::Usual | Noise::Correlated => &[DRAW_ELO],
            Noise::ByOpening => &[40.0, 450.0],
        };
        // Whatever the openings, the slope at equality is the logistic one.
        let slope: f64 = draw_elos
            .iter()
            .map(|&draw_elo| slope(draw_elo) / draw_elos.len() as f64)
            .sum();
        let scale = SCALE * self::slope(DRAW_ELO) / slope;
        let cells = (2.0 * REACH / STEP) as usize;
        let table = |&draw_elo: &f64| {
            (0..=cells)
                .map(|cell| {
                    let mut sum = 0.0;
                    let five = results(scale * (cell as f64 * STEP - REACH), draw_elo);
                    [0, 1, 2, 3].map(|index| {
                        sum += five[index];
                        sum
                    })
                })
                .collect()
        };
        Self {
            tables: draw_elos.iter().map(table).collect(),
            noise,
        }
    }

    pub fn noise(&self) -> Noise {
        self.noise
    }

    /// Index 0 to 4 of the pentanomial: two losses of the plus side up to two wins.
    pub fn draw(&self, elo: f64, generator: &mut impl Rng) -> usize {
        let opening = match self.tables.len() {
            1 => 0,
            kinds => generator.next_u64() as usize % kinds,
        };
        let table = &self.tables[opening];
        let last = table.len() - 1;
        let cell = ((elo + REACH) / STEP).round().clamp(0.0, last as f64) as usize;
        let u = (generator.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        table[cell].iter().filter(|&&border| u >= border).count()
    }
}

/// Points of a pair that a BayesElo at equality is worth.
fn slope(draw_elo: f64) -> f64 {
    let mean = |x: f64| -> f64 {
        let five = results(x, draw_elo);
        five.iter().zip(-2..).map(|(p, r)| p * f64::from(r)).sum()
    };
    (mean(1.0) - mean(-1.0)) / 2.0
}

/// The five results of a pair, from two losses to two wins, at a difference of `elo`.
#[cfg(test)]
fn probabilities(elo: f64) -> [f64; 5] {
    results(SCALE * elo, DRAW_ELO)
}

/// The five results of a pair at an advantage of `x` BayesElo.
fn results(x: f64, draw_elo: f64) -> [f64; 5] {
    // The trapezoid rule converges exponentially for a smooth function under a Gaussian weight.
    const NODES: i32 = 60;
    const WIDTH: f64 = 0.1;
    let mut five = [0.0; 5];
    let mut total = 0.0;
    for node in -NODES..=NODES {
        let sd = f64::from(node) * WIDTH;
        let weight = (-sd * sd / 2.0).exp();
        let opening = sd * OPENING_SD;
        let first = trinomial(x + opening, draw_elo);
        let second = trinomial(x - opening, draw_elo);
        for (i, a) in first.iter().enumerate() {
            for (j, b) in second.iter().enumerate() {
                five[i + j] += weight * a * b;
            }
        }
        total += weight;
    }
    five.map(|probability| probability / total)
}

/// Loss, draw, win at a BayesElo advantage of `x`.
fn trinomial(x: f64, draw_elo: f64) -> [f64; 3] {
    let logistic = |y: f64| 1.0 / (1.0 + 10_f64.powf(y / 400.0));
    let (win, loss) = (logistic(draw_elo - x), logistic(draw_elo + x));
    [loss, 1.0 - win - loss, win]
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::ChaCha8Rng;

    use super::*;
    use crate::elo::POINTS_PER_ELO;

    fn mean(five: [f64; 5]) -> f64 {
        five.iter()
            .zip(-2..)
            .map(|(p, result)| p * f64::from(result))
            .sum()
    }

    #[test]
    fn equal_sides_score_as_the_study_says() {
        let five = probabilities(0.0);
        for (ours, theirs) in five.iter().zip([0.049, 0.248, 0.405, 0.248, 0.049]) {
            assert!((ours - theirs).abs() < 0.001, "{five:?}");
        }
        let variance: f64 = five
            .iter()
            .zip([4.0, 1.0, 0.0, 1.0, 4.0])
            .map(|(p, s)| p * s)
            .sum();
        assert!((variance - 0.890).abs() < 0.002, "{variance}");
    }

    #[test]
    fn the_slope_at_equality_is_the_logistic_one() {
        let slope = (mean(probabilities(1.0)) - mean(probabilities(-1.0))) / 2.0;
        assert!((slope / POINTS_PER_ELO - 1.0).abs() < 1e-3, "{slope}");
    }

    #[test]
    fn draws_have_the_tabulated_frequencies() {
        let oracle = PairOracle::default();
        let mut generator = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0.0; 5];
        for _ in 0..40_000 {
            counts[oracle.draw(30.0, &mut generator)] += 1.0 / 40_000.0;
        }
        for (count, probability) in counts.iter().zip(probabilities(30.0)) {
            assert!((count - probability).abs() < 0.01, "{counts:?}");
        }
    }
}
