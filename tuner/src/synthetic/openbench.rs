//! SPSA as an OpenBench server does it: several pairs a perturbation, steps by the nominal c.

use crate::algorithm::schedule::{Schedule, suggested_r_end};
use crate::parameter::Parameter;
use crate::perturbation::{Draws, probe};

use super::games::Games;
use super::{EloSurface, PairOracle};

/// The `r_end` that most tunes there have.
pub const USUAL_RATE: f64 = 0.002;

/// Elo that such a tune gains over its start, with the parameters' own rates, or where they have
/// none the rule's.
pub fn gain(
    parameters: &[Parameter],
    schedule: Schedule,
    surface: &impl EloSurface,
    oracle: &PairOracle,
    seed: u64,
) -> f64 {
    let mut games = Games::new(oracle, seed);
    let rule = suggested_r_end(schedule.pairs(), parameters.len());
    let mut point: Vec<f64> = parameters.iter().map(|parameter| parameter.value).collect();
    let count = parameters.len();
    let (mut plus, mut minus, mut steps) = (vec![0.0; count], vec![0.0; count], vec![0.0; count]);
    let pairs_at_once = schedule.pairs_per_iteration.max(1);
    for iteration in 0..schedule.iterations {
        let played = iteration * pairs_at_once;
        let moment = schedule.at(schedule.iteration(played));
        let mut draws = Draws::new(seed, played);
        for (index, (parameter, &value)) in parameters.iter().zip(&point).enumerate() {
            let r_end = parameter.r_end.unwrap_or(rule);
            let gain = moment.gain(parameter.c_end, r_end, parameter.kind.smallest_c());
            let draw = draws.draw();
            (plus[index], minus[index]) = probe(parameter, value, gain.c, draw);
            steps[index] = gain.r * gain.c * draw.0;
        }
        let fraction = played as f64 / schedule.pairs().max(1) as f64;
        let difference = surface.difference(&plus, &minus, fraction);
        let result: f64 = (0..pairs_at_once)
            .map(|_| games.play(difference) as f64 - 2.0)
            .sum();
        for ((parameter, value), step) in parameters.iter().zip(&mut point).zip(&steps) {
            *value = parameter.clip(*value + step * result);
        }
    }
    let exported: Vec<f64> = parameters
        .iter()
        .zip(&point)
        .map(|(parameter, &value)| parameter.settle(value))
        .collect();
    surface.elo(&exported) + surface.deficit()
}

/// The same parameters with one rate for all.
pub fn with_rate(parameters: &[Parameter], r_end: Option<f64>) -> Vec<Parameter> {
    let with = |parameter: &Parameter| Parameter {
        r_end,
        ..parameter.clone()
    };
    parameters.iter().map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{Family, Surface, study};

    #[test]
    fn our_rates_gain_more_than_the_usual_one_in_a_short_tune() {
        let schedule = Schedule {
            iterations: 625,
            ..Schedule::default()
        };
        let oracle = PairOracle::default();
        let mut gained = [0.0; 2];
        for seed in 0..4 {
            let parameters = study::parameters(15, seed);
            let surface = Surface::random(&parameters, Family::Quadratic, 20.0, seed);
            for (sum, rate) in gained.iter_mut().zip([Some(USUAL_RATE), None]) {
                let list = with_rate(&parameters, rate);
                *sum += gain(&list, schedule, &surface, &oracle, seed) / 4.0;
            }
        }
        assert!(gained[0] > 3.0 && gained[1] > gained[0] + 2.0, "{gained:?}");
    }

    #[test]
    fn nothing_moves_without_a_rate() {
        let parameters = with_rate(&study::parameters(3, 1), Some(1e-12));
        let surface = Surface::random(&parameters, Family::Quadratic, 8.0, 1);
        let schedule = Schedule {
            iterations: 20,
            ..Schedule::default()
        };
        let gained = gain(&parameters, schedule, &surface, &PairOracle::default(), 1);
        assert!(gained.abs() < 1e-9, "{gained}");
    }
}
