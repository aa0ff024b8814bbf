//! Log-likelihood ratios of the generalised sequential test: how much better the counts fit `elo1`
//! than `elo0`, when for each of the two the likeliest distribution with that strength is taken.
//!
//! Every solver here has a bracket that holds its root by construction and a cap on its rounds.

use crate::distribution::{Distribution, Moments, points};
use crate::elo::{NORMALIZED_ELO_PER_T, expected_score};

/// OpenBench and fishtest stop the search for the likeliest distribution with a given t-value here,
/// converged or not; ours must too, to print what they print.
const T_VALUE_ROUNDS: usize = 10;
/// Rounds where they fail and only we answer.
const RESTARTED_ROUNDS: usize = 100;
/// A round that moves no frequency by more than this is the last.
const SETTLED: f64 = 1e-9;
/// Beyond this, in logistic Elo, the weaker side's expected score leaves the numbers of a double.
const LOGISTIC_LIMIT: f64 = 40_000.0;

/// What each outcome adds to the log-likelihood ratio.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Increments<const K: usize>(pub [f64; K]);

impl<const K: usize> Increments<K> {
    /// From the logarithms of `observed / likeliest` frequencies under each hypothesis.
    fn between(under_h0: [f64; K], under_h1: [f64; K]) -> Self {
        Self(std::array::from_fn(|index| {
            under_h0[index] - under_h1[index]
        }))
    }

    pub(crate) fn llr(&self, data: &Distribution<K>) -> f64 {
        data.total * self.mean(data)
    }

    pub(crate) fn mean(&self, data: &Distribution<K>) -> f64 {
        (0..K)
            .map(|index| data.frequencies[index] * self.0[index])
            .sum()
    }
}

/// OpenBench's `PentanomialSPRT` and fishtest's `LLR_normalized`: `elo0` and `elo1` in normalised
/// Elo, `counts` from worst to best of pairs or games. `normalized_elo_practical.pdf`, section 4.1.
pub fn normalized_llr<const K: usize>(counts: &[u64; K], elo0: f64, elo1: f64) -> f64 {
    llr(counts, |data| normalized_increments(data, elo0, elo1))
}

/// fishtest's `LLR_logistic`: `elo0` and `elo1` in logistic Elo. `support_MLE_multinomial.pdf`,
/// proposition 1.1.
pub fn logistic_llr<const K: usize>(counts: &[u64; K], elo0: f64, elo1: f64) -> f64 {
    llr(counts, |data| logistic_increments(data, elo0, elo1))
}

fn llr<const K: usize>(
    counts: &[u64; K],
    increments: impl Fn(&Distribution<K>) -> Increments<K>,
) -> f64 {
    if counts.iter().all(|&count| count == 0) {
        return 0.0;
    }
    let data = Distribution::of(counts);
    increments(&data).llr(&data)
}

/// fishtest's `LLR_normalized_alt`, the closed form of `normalized_elo_practical.pdf`, section 4.2:
/// near [`normalized_llr`] for ordinary counts, far from it where hardly any pair differs from the
/// others.
pub fn closed_form_llr<const K: usize>(counts: &[u64; K], elo0: f64, elo1: f64) -> f64 {
    if counts.iter().all(|&count| count == 0) {
        return 0.0;
    }
    let data = Distribution::of(counts);
    let t = (data.moments().mean - 0.5) / data.deviation_per_game();
    let distance = |elo: f64| ((t - elo / NORMALIZED_ELO_PER_T).powi(2)).ln_1p();
    data.games() / 2.0 * (distance(elo0) - distance(elo1))
}

/// The same for logistic Elo, `LLR_alt` of `GSPRT_approximation.pdf`: scores as if normally
/// distributed, with the variance seen.
pub(crate) fn gaussian_llr<const K: usize>(counts: &[u64; K], elo0: f64, elo1: f64) -> f64 {
    if counts.iter().all(|&count| count == 0) {
        return 0.0;
    }
    let data = Distribution::of(counts);
    let moments = data.moments();
    let (score0, score1) = (expected_score(elo0), expected_score(elo1));
    data.total * (score1 - score0) * (2.0 * moments.mean - score0 - score1)
        / (2.0 * moments.variance)
}

pub(crate) fn normalized_increments<const K: usize>(
    data: &Distribution<K>,
    elo0: f64,
    elo1: f64,
) -> Increments<K> {
    let under = |elo: f64| {
        let per_game = elo / NORMALIZED_ELO_PER_T;
        likeliest_with_t_value(
            data,
            Distribution::<K>::games_per_outcome().sqrt() * per_game,
        )
    };
    Increments::between(under(elo0), under(elo1))
}

pub(crate) fn logistic_increments<const K: usize>(
    data: &Distribution<K>,
    elo0: f64,
    elo1: f64,
) -> Increments<K> {
    let under = |elo: f64| likeliest_with_mean(data, elo.clamp(-LOGISTIC_LIMIT, LOGISTIC_LIMIT));
    Increments::between(under(elo0), under(elo1))
}

/// The likeliest distribution with the expected score of `elo`, as logarithms of `observed /
/// likeliest`.
fn likeliest_with_mean<const K: usize>(data: &Distribution<K>, elo: f64) -> [f64; K] {
    // The side whose expected score is small is computed, so that it keeps its digits.
    let small = 1.0 / (1.0 + 10f64.powf(elo.abs() / 400.0));
    let deviations = std::array::from_fn(|index| {
        if elo > 0.0 {
            small - points::<K>(K - 1 - index)
        } else {
            points::<K>(index) - small
        }
    });
    Tilt::solve(data, &deviations).map_or([0.0; K], |tilt| tilt.log_ratios())
}

/// The likeliest distribution whose mean lies `t` of its own standard deviations above one half, as
/// logarithms of `observed / likeliest`.
///
/// A fixed-point iteration: each round makes the condition linear at the distribution of the last
/// one. A round can always follow another (the linear condition puts the t-value at or beyond `t`,
/// by the inequality of the arithmetic and geometric mean, and then outcomes on both sides of it
/// exist), but with a far `t` none can follow the uniform distribution that OpenBench and fishtest
/// start from. They raise an error then; we start beyond `t`.
fn likeliest_with_t_value<const K: usize>(data: &Distribution<K>, t: f64) -> [f64; K] {
    let uniform = [1.0 / K as f64; K];
    iterate(data, t, uniform, T_VALUE_ROUNDS)
        .or_else(|| iterate(data, t, beyond(t), RESTARTED_ROUNDS))
        .unwrap_or([0.0; K])
}

fn iterate<const K: usize>(
    data: &Distribution<K>,
    t: f64,
    start: [f64; K],
    rounds: usize,
) -> Option<[f64; K]> {
    let mut current = start;
    let mut tilt = None;
    for _ in 0..rounds {
        let Moments { mean, variance } = Moments::of(&current);
        let sigma = variance.sqrt();
        let deviations = std::array::from_fn(|index| {
            let score = points::<K>(index);
            score - 0.5 - t * sigma * (1.0 + ((mean - score) / sigma).powi(2)) / 2.0
        });
        let Some(found) = Tilt::solve(data, &deviations) else {
            break;
        };
        let next = found.frequencies(data);
        let change = (0..K)
            .map(|index| (next[index] - current[index]).abs())
            .fold(0.0, f64::max);
        tilt = Some(found);
        if change < SETTLED {
            break;
        }
        current = next;
    }
    tilt.map(|tilt| tilt.log_ratios())
}

/// A distribution with a t-value at or beyond `t`: the uniform one drawn towards the better or the
/// worse end.
fn beyond<const K: usize>(t: f64) -> [f64; K] {
    let end = if t > 0.0 { K - 1 } else { 0 };
    let mut rest = 1.0;
    loop {
        rest /= 2.0;
        let mut drawn = [rest / K as f64; K];
        drawn[end] += 1.0 - rest;
        if Moments::of(&drawn).t_value().abs() >= t.abs() || rest < f64::EPSILON * f64::EPSILON {
            return drawn;
        }
    }
}

/// The distribution `q[i] = p[i] / (1 + x b[i])` nearest to the data `p` under which the deviations
/// `b` average zero.
struct Tilt<const K: usize> {
    /// `x b[i]`.
    shifts: [f64; K],
    /// `1 + x b[i]`, computed so that it keeps its digits near zero.
    divisors: [f64; K],
}

impl<const K: usize> Tilt<K> {
    /// Solves the secular equation `sum p[i] b[i] / (1 + x b[i]) = 0`; `None` where the deviations
    /// do not lie on both sides of zero.
    ///
    /// The root has the sign of the average deviation. Towards it the extreme deviation on the
    /// other side, `e`, bounds it: with `x = (y - 1) / e`, `y` lies between 0, where `1 + x e`
    /// vanishes, and 1, where `x` does. As `q` is a distribution, `y` is at least the frequency of
    /// `e`, so the root is bracketed, however near the edge it lies.
    fn solve(data: &Distribution<K>, deviations: &[f64; K]) -> Option<Self> {
        let p = &data.frequencies;
        let average: f64 = (0..K).map(|index| p[index] * deviations[index]).sum();
        let lowest = deviations.iter().copied().fold(f64::INFINITY, f64::min);
        let highest = deviations.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if !(lowest < 0.0 && highest > 0.0 && average.is_finite()) {
            return None;
        }
        let extreme = if average > 0.0 { lowest } else { highest };
        // In units of the extreme deviation: at most 1.
        let scaled = deviations.map(|deviation| deviation / extreme);
        let divisors = |y: f64| scaled.map(|deviation| (1.0 - deviation) + y * deviation);

        // The sum falls as y rises: from above zero at the lower end to below zero at the upper.
        let mut low = (0..K)
            .filter(|&index| deviations[index] == extreme)
            .map(|index| p[index])
            .sum();
        let mut high = 1.0;
        let mut y: f64 = if average == 0.0 {
            1.0
        } else {
            f64::midpoint(low, high)
        };
        for _ in 0..200 {
            let divisors = divisors(y);
            let (mut sum, mut slope) = (0.0, 0.0);
            for index in 0..K {
                let ratio = scaled[index] / divisors[index];
                sum += p[index] * ratio;
                slope -= p[index] * ratio * ratio;
            }
            if sum > 0.0 {
                low = y;
            } else {
                high = y;
            }
            let newton = y - sum / slope;
            if (newton - y).abs() <= 2.0 * f64::EPSILON * y {
                break;
            }
            // Outside the bracket, halve it on the logarithmic scale: the root may be as small as a
            // frequency.
            y = if newton > low && newton < high {
                newton
            } else {
                (low * high).sqrt()
            };
        }
        Some(Self {
            shifts: scaled.map(|deviation| (y - 1.0) * deviation),
            divisors: divisors(y),
        })
    }

    fn frequencies(&self, data: &Distribution<K>) -> [f64; K] {
        std::array::from_fn(|index| data.frequencies[index] / self.divisors[index])
    }

    fn log_ratios(&self) -> [f64; K] {
        std::array::from_fn(|index| {
            if self.shifts[index].abs() < 0.5 {
                self.shifts[index].ln_1p()
            } else {
                self.divisors[index].ln()
            }
        })
    }
}
