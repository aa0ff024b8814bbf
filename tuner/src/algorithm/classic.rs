//! Classic SPSA: the recursion of OpenBench and fishtest, with the step taken from what was really played.
//!
//! With result = wins - losses of the plus side over the pair (-2 to 2) and d the half distance of the two sides after
//! rounding and clipping, `theta += r_k result d`. OpenBench takes the nominal `c_k flip` for d; the two differ only where
//! rounding, the floor or a bound changed the probe, and there the realised one is the unbiased choice.

use crate::algorithm::perturbation::{Draws, Perturbation, probe};
use crate::algorithm::schedule::Schedule;
use crate::parameter::Parameter;

/// The state of a classic run: the current point.
#[derive(Debug, Clone)]
pub struct Classic {
    parameters: Vec<Parameter>,
    r_end: Vec<f64>,
    schedule: Schedule,
    point: Vec<f64>,
}

impl Classic {
    /// Starts at the parameters' values; `rule` is the learning rate of those that have none.
    pub fn new(parameters: &[Parameter], schedule: Schedule, rule: f64) -> Self {
        Self {
            parameters: parameters.to_vec(),
            r_end: r_end(parameters, rule),
            schedule,
            point: parameters.iter().map(|parameter| parameter.value).collect(),
        }
    }

    /// Another horizon for all pairs not yet sent out.
    pub fn reschedule(&mut self, schedule: Schedule, rule: f64) {
        self.r_end = r_end(&self.parameters, rule);
        self.schedule = schedule;
    }

    pub fn point(&self) -> &[f64] {
        &self.point
    }

    pub fn perturb(&self, seed: u64, pair: u64) -> Perturbation {
        let moment = self.schedule.at(self.schedule.iteration(pair));
        let mut draws = Draws::new(seed, pair);
        let count = self.parameters.len();
        let mut perturbation = Perturbation {
            plus: Vec::with_capacity(count),
            minus: Vec::with_capacity(count),
            step: Vec::with_capacity(count),
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

    pub fn learn(&mut self, perturbation: &Perturbation, result: i32) {
        for ((parameter, value), step) in self
            .parameters
            .iter()
            .zip(&mut self.point)
            .zip(&perturbation.step)
        {
            *value = parameter.clip(*value + step * f64::from(result));
        }
    }
}

/// The learning rates of the parameters: the file's, or the rule's.
fn r_end(parameters: &[Parameter], rule: f64) -> Vec<f64> {
    parameters
        .iter()
        .map(|parameter| parameter.r_end.unwrap_or(rule))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::study;

    #[test]
    fn a_win_moves_each_parameter_towards_the_side_that_won() {
        let parameters = study::parameters(8, 2);
        let mut classic = Classic::new(&parameters, Schedule::default(), 0.004);
        let perturbation = classic.perturb(1, 0);
        classic.learn(&perturbation, 2);
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
        let classic = Classic::new(&parameters, Schedule::default(), 0.004);
        let perturbation = classic.perturb(1, 0);
        let (plus, minus) = (perturbation.plus[0], perturbation.minus[0]);
        let gain = Schedule::default()
            .at(1.0)
            .gain(parameters[0].c_end, 0.004, 0.5);
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
        let rates = r_end(&parameters, 0.004);
        assert_eq!(rates, [0.001, 0.004]);
    }
}
