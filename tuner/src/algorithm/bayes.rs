//! The second algorithm: a local quadratic model of Elo, learned from every pair. The run moves to
//! its optimum.
//!
//! In units of each parameter's `c_end` from the start, with A and B the values that were actually
//! played,
//!
//! ```text
//! E[wins - losses] = kappa ( sum_i alpha_i (A_i - B_i) - 1/2 sum_i h_i (A_i^2 - B_i^2) )
//! ```
//!
//! alpha is Elo per c at the start, h the curvature in Elo per c squared, kappa the points per Elo.
//! The model is wrong far from where it was learned, and optima may move, so it forgets, the more
//! the longer the run has lasted. The centre follows its optimum `alpha / h` with bounded speed.
//! Probes are wide at first, less so in long runs, and wider for small curvatures. The proposal is
//! the mean of the centre over the last 12% of the run, or over the part of them that was played.
//! The session keeps the share of the move that the games support. Gradients are shrunk according
//! to the spread of all of them. No learning rate is needed, and a badly chosen `c_end` is
//! corrected during the run.

mod choice;
mod scale;

use crate::elo::POINTS_PER_ELO;
use crate::evidence::saturation::Saturation;
use crate::evidence::sums::Sums;
use crate::evidence::terms::Terms;
use crate::evidence::{Evidence, Summary};
use crate::parameter::Parameter;
use crate::perturbation::{Draws, Perturbation, probe};

use super::problem::{Algorithm, CURVATURE, Expectation, Problem};
use super::regression::Regression;
use super::schedule::Schedule;
use super::tuning::Tuning;

/// The state of a run.
#[derive(Debug, Clone)]
pub(crate) struct Bayes {
    parameters: Vec<Parameter>,
    tuned: usize,
    terms: Terms,
    schedule: Schedule,
    tuning: Tuning,
    model: Regression,
    /// The variance that each coefficient gains at every pair.
    drift: Vec<f64>,
    /// The corrected size of c, in the option's unit, which is the unit of the fields below.
    unit: Vec<f64>,
    /// All pairs, in units of `c_end`.
    sums: Sums,
    /// The correction of all c because of saturated results.
    base: f64,
    saturation: Saturation,
    /// In units of c from the start.
    centre: Vec<f64>,
    /// In the option's unit.
    point: Vec<f64>,
    tail_sum: Vec<f64>,
    tail_count: u64,
    learned: u64,
    /// Scratch for one observation.
    row: Vec<f64>,
}

impl Bayes {
    pub(crate) fn new(problem: Problem, terms: Terms, tuning: Tuning) -> Self {
        let Problem {
            parameters,
            tuned,
            schedule,
        } = problem;
        let count = parameters.len();
        let forgetting = tuning.drift * tuning.share_forgotten(count);
        let assumed = tuning.prior(1.0);
        let (mean, variance): (Vec<f64>, Vec<f64>) = (0..terms.size())
            .map(|slot| terms.prior(slot, &assumed))
            .map(|(mean, sd)| (mean, sd.powi(2)))
            .unzip();
        Self {
            parameters: parameters.to_vec(),
            tuned,
            schedule,
            tuning,
            model: Regression::new(mean, &variance),
            drift: variance.iter().map(|prior| prior * forgetting).collect(),
            unit: parameters.iter().map(|parameter| parameter.c_end).collect(),
            sums: Sums::new(terms.size()),
            saturation: Saturation::default(),
            base: 1.0,
            centre: vec![0.0; count],
            point: parameters.iter().map(|parameter| parameter.value).collect(),
            tail_sum: vec![0.0; count],
            tail_count: 0,
            learned: 0,
            row: vec![0.0; terms.size()],
            terms,
        }
    }

    /// The variance of this engine's gradients, estimated from all of them: that of the prior is a
    /// guess, and a wide prior fits noise if values are near their optimum. It is estimated by
    /// moments, as in a random-effects meta-analysis, with the guess counted as additional
    /// parameters.
    fn gradient_variance(&self) -> f64 {
        let prior = self.tuning.alpha_sd.powi(2);
        let slopes = (0..self.parameters.len()).filter(|&index| self.terms.levels(index).is_none());
        let count = slopes.clone().count() as f64;
        let (mut squares, mut weights) = (0.0, 0.0);
        for index in slopes {
            let variance = self.model.variance(index);
            let weight = (1.0 / variance - 1.0 / prior).max(0.0);
            if weight > 0.0 {
                squares += (self.model.mean()[index] / variance).powi(2) / weight;
                weights += weight;
            }
        }
        let found = ((squares - count) / weights.max(1e-9)).clamp(0.0, prior);
        let guess = self
            .tuning
            .guess_weight
            .max(self.tuning.guess_share * count);
        (prior * guess + count * found) / (guess + count)
    }

    /// Bound of the centre's speed, c per pair.
    fn speed(&self) -> f64 {
        let whole_run = self.tuning.reach / self.schedule.pairs().max(1) as f64;
        self.tuning.speed.max(whole_run)
    }

    /// Half the distance of the sides of a pair at this fraction of the run, c.
    fn probe(&self, fraction: f64) -> f64 {
        let (start, end) = self.tuning.probes;
        let longer = self.schedule.pairs().max(1) as f64 / self.tuning.long as f64;
        let start = start / longer.max(1.0).powf(0.25);
        start * (end.min(start) / start).powf(fraction)
    }

    /// Sets the drift of each gradient so that optima move by the same number of c.
    fn let_optima_wander(&mut self) {
        let Some(way) = self.tuning.wandering else {
            return;
        };
        let count = self.parameters.len();
        let pairs = self.schedule.pairs().max(1) as f64;
        let fraction = self.learned as f64 / pairs;
        let variance = way * fraction.powi(2) / pairs * self.tuning.share_forgotten(count);
        let slopes = (0..count).filter(|&index| self.terms.levels(index).is_none());
        for index in slopes {
            let (least, most) = CURVATURES;
            let curvature = self.model.mean()[count + index].clamp(least, most);
            self.drift[index] = variance * curvature.powi(2);
        }
    }

    /// The shrinkage factor of the model's gradient, given the variance of all gradients.
    fn shrinkage(&self, index: usize, variance: f64) -> f64 {
        let prior = self.tuning.alpha_sd.powi(2);
        let weight = (1.0 / self.model.variance(index) - 1.0 / prior).max(0.0);
        variance / prior * (prior * weight + 1.0) / (variance * weight + 1.0)
    }
}

/// The bounds of the curvature by which a gradient drifts, Elo per c squared.
const CURVATURES: (f64, f64) = (0.05, 10.0);

/// In this part of the run, the middle of a probe is shifted to either side by this share of its
/// half width: asymmetric pairs show curvatures, and so whether c has the right size.
const LOOKING: f64 = 0.25;
const OFFSET: f64 = 0.3;

/// The gradient, in Elo per c, whose shrinkage is assumed to predict noise. With it, the forecast
/// is close to what tunes that start at an optimum lose on the study's first seeds.
const USUAL_GRADIENT: f64 = 1.3;

impl Algorithm for Bayes {
    fn point(&self) -> &[f64] {
        &self.point
    }

    /// The mean of the tail if it has begun, else the current point.
    fn proposal(&self) -> Vec<f64> {
        if self.tail_count == 0 {
            return self.point.clone();
        }
        self.tail_sum
            .iter()
            .map(|sum| sum / self.tail_count as f64)
            .collect()
    }

    fn perturb(&self, seed: u64, pair: u64) -> Perturbation {
        let count = self.parameters.len();
        let fraction = pair as f64 / self.schedule.pairs().max(1) as f64;
        let width = self.probe(fraction);
        let mut draws = Draws::new(seed, pair);
        let mut perturbation = Perturbation {
            plus: Vec::with_capacity(count),
            minus: Vec::with_capacity(count),
            step: Vec::new(),
            is_anchor: false,
            counts: false,
        };
        for (index, parameter) in self.parameters.iter().enumerate() {
            if let Some(levels) = self.terms.levels(index) {
                let (plus, minus) = self.two_levels(index, levels, &mut draws);
                perturbation.plus.push(plus);
                perturbation.minus.push(minus);
                continue;
            }
            let curvature = self.model.mean()[count + index].max(self.tuning.least_curvature);
            let (least, most) = self.tuning.probe_bounds;
            let corrected = self.unit[index] / parameter.c_end;
            let scale = (corrected * (self.tuning.probe_curvature / curvature).sqrt())
                .clamp(least * corrected.min(1.0), most * corrected.min(1.0));
            let c = (width * scale * parameter.c_end).max(parameter.kind.smallest_c());
            let draw = draws.draw();
            let offset = if fraction < LOOKING {
                OFFSET * c * draws.draw().0
            } else {
                0.0
            };
            let (plus, minus) = probe(parameter, self.point[index] + offset, c, draw);
            perturbation.plus.push(plus);
            perturbation.minus.push(minus);
        }
        perturbation
    }

    fn reschedule(&mut self, schedule: Schedule) {
        // The tail of a shorter run is not that of a longer one.
        if schedule.pairs() > self.schedule.pairs() {
            self.tail_sum.fill(0.0);
            self.tail_count = 0;
        }
        self.schedule = schedule;
    }

    fn learn(&mut self, perturbation: &Perturbation, result: i32, variance: f64) {
        let own = |index: usize| self.parameters[index].c_end;
        self.terms.fill(&mut self.row, perturbation, own);
        self.sums.add(&self.row, f64::from(result));
        let unit = |index: usize| self.unit[index];
        self.terms.fill(&mut self.row, perturbation, unit);
        self.let_optima_wander();
        self.model.add_drift(&self.drift);
        self.model.observe(&self.row, f64::from(result), variance);
        self.learned += 1;
        if !perturbation.is_anchor && self.saturation.observe(result) {
            self.cut_scale(variance);
        }
        if self.is_checkpoint() {
            self.find_scale(variance);
        }
        let count = self.parameters.len();
        let in_tail = self.learned as f64 > (1.0 - self.tuning.tail) * self.schedule.pairs() as f64;
        let spread = self.gradient_variance();
        let speed = self.speed();
        for (index, parameter) in self.parameters.iter().enumerate() {
            if let Some(levels) = self.terms.levels(index) {
                self.point[index] = self.best_level(index, levels);
                if in_tail {
                    self.tail_sum[index] = self.point[index] * (self.tail_count + 1) as f64;
                }
                continue;
            }
            let alpha = self.model.mean()[index] * self.shrinkage(index, spread);
            let curvature = self.model.mean()[count + index].max(self.tuning.least_curvature);
            let wish = alpha / curvature - self.centre[index];
            let moved = self.centre[index] + wish.clamp(-speed, speed);
            self.point[index] = parameter.clip(parameter.value + moved * self.unit[index]);
            self.centre[index] = (self.point[index] - parameter.value) / self.unit[index];
            if in_tail {
                self.tail_sum[index] += self.point[index];
            }
        }
        self.tail_count += u64::from(in_tail);
    }

    /// Keeps the share of the move that the pairs support.
    fn summary(&self, evidence: &Evidence, end: &[f64]) -> Summary {
        evidence.cautious_summary(end)
    }

    /// The standard deviation of each gradient, divided by the curvature, is the distance from the
    /// optimum, reduced by shrinkage. A pair from the middle of the run counts for all.
    fn expectation(&self, variance: f64) -> Expectation {
        let sd_of_one = variance.sqrt() / (2.0 * POINTS_PER_ELO) / self.probe(0.5);
        let gradient_sd = sd_of_one / (self.schedule.pairs().max(1) as f64).sqrt();
        let kept = USUAL_GRADIENT.powi(2) / (USUAL_GRADIENT.powi(2) + gradient_sd.powi(2));
        Expectation {
            r_end: None,
            noise: self.tuned as f64 * (kept * gradient_sd).powi(2) / (2.0 * CURVATURE),
            // At one c from its optimum, a third of its gradient must differ from noise.
            needed: (sd_of_one / (CURVATURE / 3.0)).powi(2),
            gradient_sd,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::AlgorithmName;
    use crate::algorithm::schedule::Schedule;
    use crate::evidence::anchors::Anchors;
    use crate::run::tune::Tune;
    use crate::synthetic::study::Cell;
    use crate::synthetic::{Family, PairOracle, Surface, Trial};

    /// Mean gain over four surfaces, for a start that is `deficit` Elo below the optimum.
    fn gained(count: usize, deficit: f64) -> f64 {
        gained_on(
            Cell {
                family: Family::Quadratic,
                count,
                deficit,
            },
            AlgorithmName::Bayes,
        )
    }

    fn gained_on(cell: Cell, algorithm: AlgorithmName) -> f64 {
        let runs = (0..4).map(|seed| {
            let parameters = cell.parameters(seed);
            let surface = Surface::random(&parameters, cell.family, cell.deficit, seed);
            let tune = Tune {
                parameters,
                schedule: Schedule {
                    iterations: 625,
                    ..Schedule::default()
                },
                algorithm,
                seed,
                window: 1,
                anchors: Anchors::NONE,
            };
            Trial::play(tune, &surface, &PairOracle::default()).gained
        });
        runs.sum::<f64>() / 4.0
    }

    #[test]
    fn what_is_far_off_is_found() {
        let gained = gained(10, 20.0);
        assert!(gained > 15.0, "{gained}");
    }

    #[test]
    fn many_parameters_stay_near_their_optimum() {
        let gained = gained(30, 0.0);
        assert!(gained > -0.9, "{gained}");
    }

    #[test]
    fn an_optimum_that_moves_is_followed() {
        let cell = Cell {
            family: Family::Drift,
            count: 8,
            deficit: 30.0,
        };
        let [now, before] =
            [AlgorithmName::Bayes, AlgorithmName::Bayes7].map(|own| gained_on(cell, own));
        assert!(now > before + 2.0, "{now} {before}");
    }

    #[test]
    fn probes_grow_narrower_and_begin_so_in_long_runs() {
        let parameters = crate::synthetic::study::parameters(2, 1);
        let widths = |iterations| {
            let problem = Problem {
                parameters: &parameters,
                tuned: 2,
                schedule: Schedule {
                    iterations,
                    ..Schedule::default()
                },
            };
            let bayes = Bayes::new(problem, Terms::new(&parameters, true), Tuning::USUAL);
            [0.0, 0.5, 1.0].map(|fraction| bayes.probe(fraction))
        };
        let [start, middle, end] = widths(500);
        assert_eq!((start, end), (2.0, 1.2));
        assert!(start > middle && middle > end);
        let [start, _, end] = widths(1_250);
        assert!((1.2..2.0).contains(&start) && end == 1.2);
        assert_eq!(widths(8_000), [1.0; 3]);
    }

    #[test]
    fn of_a_few_levels_the_best_is_found() {
        let cell = Cell {
            family: Family::Levels,
            count: 6,
            deficit: 15.0,
        };
        let gained = gained_on(cell, AlgorithmName::Bayes);
        assert!(gained > 7.0, "{gained}");
    }

    #[test]
    fn levels_do_not_enter_the_spread_of_gradients() {
        let parameters = crate::synthetic::study::parameters(8, 1);
        let few = parameters.iter().map(|own| Parameter {
            min: own.value,
            max: own.value + 3.0,
            ..own.clone()
        });
        let mixed: Vec<Parameter> = parameters.iter().cloned().chain(few).collect();
        let spread = |parameters: &[Parameter]| {
            let problem = Problem {
                parameters,
                tuned: parameters.len(),
                schedule: Schedule::default(),
            };
            let terms = Terms::new(parameters, true);
            let mut bayes = Bayes::new(problem, terms, Tuning::USUAL);
            let start: Vec<f64> = parameters.iter().map(|own| own.value).collect();
            for pair in 0..400 {
                let index = pair % 8;
                let mut perturbation = Perturbation {
                    plus: start.clone(),
                    minus: start.clone(),
                    ..Perturbation::default()
                };
                perturbation.plus[index] += 20.0 * parameters[index].c_end;
                perturbation.minus[index] -= 20.0 * parameters[index].c_end;
                bayes.learn(&perturbation, i32::from(pair / 8 % 3 == 0), 0.9);
            }
            bayes.gradient_variance()
        };
        let [with, without] = [&mixed, &parameters].map(|list| spread(list));
        assert!((with - without).abs() < 1e-9, "{with} {without}");
    }
}
