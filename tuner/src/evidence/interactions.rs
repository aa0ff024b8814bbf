//! Interactions: how the slope of one parameter depends on the value of another.
//!
//! With the sides of a pair at `m + d` and `m - d`, in c from the start, a term `k z_a z_b` of Elo
//! adds `2 k (m_a d_b + m_b d_a)` to their difference. It is seen as middles move, and told from
//! what else moves with them: for each two, results are regressed on that and on the terms of
//! both parameters, whose slopes may drift with time besides. Coins of other parameters are
//! independent, so their terms are left out. The strongest one that is significant among all that
//! were tested is taken, then the strongest given that one, and so on.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::elo::POINTS_PER_ELO;

use super::sums::Sums;

/// At most so many interactions are named.
const MOST: usize = 4;
/// Interactions are looked for between at most so many parameters, those with the most evidence of
/// an effect.
const CANDIDATES: usize = 24;
/// The probability of naming an interaction if no parameters interact.
const LEVEL: f64 = 0.05;
/// The prior standard deviation of any term where interactions are compared, in Elo: hardly any prior.
const WIDE: f64 = 20.0;
/// Means and standard deviations of gradients, curvatures and interactions where a slice is drawn.
const GRADIENT: (f64, f64) = (0.0, 4.0);
const CURVATURE: (f64, f64) = (1.5, 1.5);

/// The pairs played so far, but for anchors.
#[derive(Debug, Clone)]
pub(crate) struct Played {
    count: usize,
    /// d and m of each parameter, pair after pair.
    sides: Vec<(f32, f32)>,
    results: Vec<i8>,
}

/// Two parameters that interact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Interaction {
    pub parameters: [usize; 2],
    /// The coefficient of the product of both distances, Elo per c squared.
    pub elo: f64,
    pub elo_sd: f64,
    /// The least and the greatest value of each that was played, in c from the start.
    pub region: [[f64; 2]; 2],
    pub slice: Slice,
}

/// Elo as a quadratic function of two parameters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slice {
    pub gradients: [f64; 2],
    pub curvatures: [f64; 2],
    pub interaction: f64,
}

/// What was found in so many tests.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interactions {
    pub tested: usize,
    pub found: Vec<Interaction>,
}

impl Slice {
    /// Elo over the start, at these distances from it in c.
    pub(crate) fn elo(&self, z: [f64; 2]) -> f64 {
        let own: f64 = (0..2)
            .map(|side| {
                self.gradients[side] * z[side] - self.curvatures[side] * z[side].powi(2) / 2.0
            })
            .sum();
        own + self.interaction * z[0] * z[1]
    }
}

/// The regressors of a pair in the regression of two parameters.
struct Row<'a> {
    sides: &'a [(f32, f32)],
    /// From the first pair to the last, -1 to 1.
    time: f64,
}

impl Row<'_> {
    fn side(&self, parameter: usize) -> (f64, f64) {
        let (half, middle) = self.sides[parameter];
        (2.0 * POINTS_PER_ELO * f64::from(half), f64::from(middle))
    }

    fn product(&self, [first, second]: [usize; 2]) -> f64 {
        let ((own, middle), (other, place)) = (self.side(first), self.side(second));
        middle * other + place * own
    }

    /// Gradients and curvatures of both.
    fn terms(&self, both: [usize; 2]) -> impl Iterator<Item = f64> {
        both.into_iter().flat_map(|parameter| {
            let (half, middle) = self.side(parameter);
            [half, -half * middle]
        })
    }

    fn drifts(&self, both: [usize; 2]) -> impl Iterator<Item = f64> {
        both.into_iter()
            .map(|parameter| self.side(parameter).0 * self.time)
    }
}

impl Played {
    pub(super) fn new(count: usize) -> Self {
        Self {
            count,
            sides: Vec::new(),
            results: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, sides: impl Iterator<Item = (f64, f64)>, result: i32) {
        let sides = sides.map(|(half, middle)| (half as f32, middle as f32));
        self.sides.extend(sides);
        self.results.push(result as i8);
    }

    /// The interactions with evidence between these parameters, of which the first ones matter most.
    pub(super) fn interactions(&self, mut among: Vec<usize>, variance: f64) -> Interactions {
        among.truncate(CANDIDATES);
        among.sort_unstable();
        let mut candidates: Vec<[usize; 2]> = Vec::new();
        for (place, &first) in among.iter().enumerate() {
            candidates.extend(among[place + 1..].iter().map(|&second| [first, second]));
        }
        let tested = candidates.len();
        let Ok(normal) = Normal::new(0.0, 1.0) else {
            return Interactions::default();
        };
        let least = normal.inverse_cdf(1.0 - LEVEL / (2.0 * tested.max(1) as f64));
        let mut found: Vec<Interaction> = Vec::new();
        while found.len() < MOST {
            let known: Vec<[usize; 2]> = found.iter().map(|one| one.parameters).collect();
            let mut left: Vec<([usize; 2], f64, f64)> = candidates
                .iter()
                .filter_map(|&both| {
                    let (elo, sd) = self.estimate(both, &known, variance)?;
                    ((elo / sd).abs() > least).then_some((both, elo, sd))
                })
                .collect();
            left.sort_by(|a, b| (b.1 / b.2).abs().total_cmp(&(a.1 / a.2).abs()));
            let Some(&(parameters, elo, elo_sd)) = left.first() else {
                break;
            };
            let Some(slice) = self.slice(parameters, variance) else {
                break;
            };
            found.push(Interaction {
                parameters,
                elo,
                elo_sd,
                region: parameters.map(|parameter| self.region(parameter)),
                slice,
            });
            candidates = left[1..].iter().map(|(both, ..)| *both).collect();
        }
        Interactions { tested, found }
    }

    fn rows(&self) -> impl Iterator<Item = (Row<'_>, f64)> {
        let pairs = self.results.len().max(1) as f64;
        let rows = self.sides.chunks_exact(self.count.max(1)).enumerate();
        let rows = rows.map(move |(pair, sides)| Row {
            sides,
            time: 2.0 * pair as f64 / pairs - 1.0,
        });
        rows.zip(self.results.iter().map(|&result| f64::from(result)))
    }

    /// Mean and standard deviation of an interaction, given those that are known.
    fn estimate(
        &self,
        both: [usize; 2],
        known: &[[usize; 2]],
        variance: f64,
    ) -> Option<(f64, f64)> {
        let touches = |other: &&[usize; 2]| other.iter().any(|one| both.contains(one));
        let known: Vec<[usize; 2]> = known.iter().filter(touches).copied().collect();
        let size = 7 + known.len();
        let mut sums = Sums::new(size);
        let mut row = Vec::with_capacity(size);
        for (pair, result) in self.rows() {
            row.clear();
            row.extend(pair.terms(both));
            row.extend(pair.drifts(both));
            row.extend(known.iter().map(|&other| pair.product(other)));
            row.push(pair.product(both));
            sums.add(&row, result);
        }
        let given = sums.given(variance, |_| (0.0, WIDE))?;
        let last = size - 1;
        Some((given.mean[last], given.variances()[last].sqrt()))
    }

    fn region(&self, parameter: usize) -> [f64; 2] {
        let pairs = self.sides.chunks_exact(self.count.max(1));
        let sides = pairs.flat_map(|sides| {
            let (half, middle) = sides[parameter];
            [middle - half, middle + half].map(f64::from)
        });
        sides.fold([0.0; 2], |[least, most]: [f64; 2], z| {
            [least.min(z), most.max(z)]
        })
    }

    /// Elo as a function of two parameters.
    fn slice(&self, both: [usize; 2], variance: f64) -> Option<Slice> {
        let mut sums = Sums::new(5);
        let mut row = Vec::with_capacity(5);
        for (pair, result) in self.rows() {
            row.clear();
            row.extend(pair.terms(both));
            row.push(pair.product(both));
            sums.add(&row, result);
        }
        let given = sums.given(variance, |slot| match slot {
            0 | 2 | 4 => GRADIENT,
            _ => CURVATURE,
        })?;
        Some(Slice {
            gradients: [given.mean[0], given.mean[2]],
            curvatures: [given.mean[1], given.mean[3]],
            interaction: given.mean[4],
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::algorithm::AlgorithmName;
    use crate::algorithm::schedule::Schedule;
    use crate::evidence::anchors::Anchors;
    use crate::run::session::{Outcome, Session};
    use crate::run::tune::Tune;
    use crate::synthetic::games::Games;
    use crate::synthetic::study::Cell;
    use crate::synthetic::{EloSurface, Family, PairOracle, Surface};

    /// Of each interaction that a run of 5,000 pairs names, whether it is one. Nothing matters in a run
    /// of noise.
    fn named(seed: u64, is_noise: bool) -> Vec<bool> {
        let cell = Cell {
            family: Family::Ridged,
            count: 15,
            deficit: 20.0,
        };
        let parameters = cell.parameters(seed);
        let surface = Surface::random(&parameters, cell.family, cell.deficit, seed);
        let true_ones: Vec<[usize; 2]> = surface.interactions().collect();
        let oracle = PairOracle::default();
        let mut games = Games::new(&oracle, seed);
        let mut session = Session::new(Tune {
            parameters,
            schedule: Schedule {
                iterations: 625,
                ..Schedule::default()
            },
            algorithm: AlgorithmName::Bayes,
            seed,
            window: 1,
            anchors: Anchors::of_run(5000),
        })
        .keeping_pairs();
        loop {
            let Some((pair, sides)) = session.open().next() else {
                break;
            };
            let elo = surface.difference(&sides.plus, &sides.minus, 0.0);
            let result = games.play(if is_noise { 0.0 } else { elo });
            session.answer(pair, Outcome::Played(result as u8));
        }
        let found = session.interactions().expect("pairs are kept");
        assert_eq!(found.tested, 105);
        let found = found.found.iter();
        found
            .map(|one| true_ones.contains(&one.parameters))
            .collect()
    }

    #[test]
    fn interactions_are_named_and_no_others() {
        for seed in 0..3 {
            let named = named(seed, false);
            assert!(!named.is_empty() && !named.contains(&false), "{named:?}");
        }
    }

    #[test]
    fn noise_names_no_interaction_in_most_runs() {
        let naming = (0..6).filter(|&seed| !named(seed, true).is_empty());
        assert!(naming.count() <= 1);
    }
}
