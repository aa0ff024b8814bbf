//! Classic SPSA: the recursion of OpenBench and fishtest, with the step taken from what was really
//! played.
//!
//! With result = wins - losses of the plus side over the pair (-2 to 2) and d the half distance of
//! the two sides after rounding and clipping, `theta += r_k result d`. OpenBench takes the nominal
//! `c_k flip` for d; the two differ only where rounding, the floor or a bound changed the probe,
//! and there the realised one is the unbiased choice.

use crate::elo::POINTS_PER_ELO;
use crate::parameter::Parameter;
use crate::perturbation::{Draws, Perturbation, probe};

use super::problem::{Algorithm, CURVATURE, Expectation, Problem};
use super::schedule::{Schedule, suggested_r_end};

/// The mean rate over OpenBench's schedule, relative to the rate at its end.
const MEAN_RATE: f64 = 1.25;

/// The state of a classic run: the current point.
#[derive(Debug, Clone)]
pub(crate) struct Classic {
    parameters: Vec<Parameter>,
    tuned: usize,
    r_end: Vec<f64>,
    schedule: Schedule,
    point: Vec<f64>,
}

impl Classic {
    /// Starts at the parameters' values.
    pub(crate) fn new(problem: Problem) -> Self {
        let parameters = problem.parameters;
        let mut classic = Self {
            parameters: parameters.to_vec(),
            tuned: problem.tuned,
            r_end: Vec::new(),
            schedule: problem.schedule,
            point: parameters.iter().map(|parameter| parameter.value).collect(),
        };
        classic.r_end = classic.rates();
        classic
    }

    /// The learning rates of the parameters: the file's, or the rule's.
    fn rates(&self) -> Vec<f64> {
        let rule = suggested_r_end(self.schedule.pairs(), self.tuned);
        let own = self.parameters.iter().map(|parameter| parameter.r_end);
        own.map(|r_end| r_end.unwrap_or(rule)).collect()
    }
}

impl Algorithm for Classic {
    fn point(&self) -> &[f64] {
        &self.point
    }

    fn perturb(&self, seed: u64, pair: u64) -> Perturbation {
        let moment = self.schedule.at(self.schedule.iteration(pair));
        let mut draws = Draws::new(seed, pair);
        let count = self.parameters.len();
        let mut perturbation = Perturbation {
            plus: Vec::with_capacity(count),
            minus: Vec::with_capacity(count),
            step: Vec::with_capacity(count),
            is_anchor: false,
            counts: false,
        };
        for ((parameter, &r_end), &centre) in
            self.parameters.iter().zip(&self.r_end).zip(&self.point)
        {
            let gain = moment.gain(parameter.c_end, r_end, parameter.kind.smallest_c());
            let (plus, minus) = probe(parameter, centre, gain.c, draws.draw());
            perturbation.plus.push(plus);
            perturbation.minus.push(minus);
            perturbation.step.push(gain.r * (plus - minus) / 2.0);
        }
        perturbation
    }

    fn learn(&mut self, perturbation: &Perturbation, result: i32, _variance: f64) {
        for ((parameter, value), step) in self
            .parameters
            .iter()
            .zip(&mut self.point)
            .zip(&perturbation.step)
        {
            *value = parameter.clip(*value + step * f64::from(result));
        }
    }
    fn reschedule(&mut self, schedule: Schedule) {
        self.schedule = schedule;
        self.r_end = self.rates();
    }

    /// The noise ball and the relaxation of SPSA at constant gain (fishtest's and vdbergh's
    /// theory).
    fn expectation(&self, variance: f64) -> Expectation {
        let tuned = self.tuned.max(1) as f64;
        let r_end = self.r_end.iter().take(self.tuned).sum::<f64>() / tuned;
        let slope = 2.0 * POINTS_PER_ELO;
        let pairs = self.schedule.pairs().max(1) as f64;
        Expectation {
            r_end: Some(r_end),
            noise: r_end * tuned * variance / (8.0 * POINTS_PER_ELO),
            needed: 1.0 / (slope * r_end * MEAN_RATE * CURVATURE),
            gradient_sd: variance.sqrt() / slope / pairs.sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::study;

    fn classic(parameters: &[Parameter]) -> Classic {
        Classic::new(Problem {
            parameters,
            tuned: parameters.len(),
            schedule: Schedule::default(),
        })
    }

    #[test]
    fn a_win_moves_each_parameter_towards_the_side_that_won() {
        let parameters = study::parameters(8, 2);
        let mut classic = classic(&parameters);
        let perturbation = classic.perturb(1, 0);
        classic.learn(&perturbation, 2, 0.89);
        for (index, parameter) in parameters.iter().enumerate() {
            let half = (perturbation.plus[index] - perturbation.minus[index]) / 2.0;
            let moved = classic.point()[index] - parameter.value;
            assert!(half != 0.0 && moved / half > 0.0);
            // r is the same for all but those whose c was raised to half a step: 2 points times r.
            let rule = moved / half / 2.0;
            assert!(rule > 0.0 && rule < 0.012, "{rule}");
        }
    }

    #[test]
    fn the_step_follows_what_was_played_at_a_bound() {
        let mut parameters = study::parameters(1, 2);
        parameters[0].max = parameters[0].value;
        let classic = classic(&parameters);
        let perturbation = classic.perturb(1, 0);
        let (plus, minus) = (perturbation.plus[0], perturbation.minus[0]);
        let rate = suggested_r_end(Schedule::default().pairs(), 1);
        let gain = Schedule::default()
            .at(1.0)
            .gain(parameters[0].c_end, rate, 0.5);
        assert_eq!(perturbation.step[0], gain.r * (plus - minus) / 2.0);
        assert!(
            (plus - minus).abs() < 2.0 * gain.c - 1.0,
            "the bound shortened the probe"
        );
    }

    #[test]
    fn an_r_end_in_the_file_is_obeyed() {
        let mut parameters = study::parameters(2, 2);
        parameters[0].r_end = Some(0.001);
        let rule = suggested_r_end(Schedule::default().pairs(), 2);
        assert_eq!(classic(&parameters).rates(), [0.001, rule]);
    }
}
