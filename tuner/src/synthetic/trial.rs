//! One tune played on a synthetic surface, and what became of it.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use crate::algorithm::AlgorithmName;
use crate::algorithm::problem::Problem;
use crate::algorithm::schedule::Schedule;
use crate::elo::USUAL_VARIANCE;
use crate::evidence::Verdict;
use crate::parameter::Parameter;
use crate::run::session::{Outcome, Session};
use crate::run::tune::Tune;

use super::{EloSurface, PairOracle};

/// Elo that an algorithm gains on a surface, with nothing claimed and so in far less time than a
/// trial.
pub fn gain(
    algorithm: AlgorithmName,
    parameters: &[Parameter],
    schedule: Schedule,
    surface: &impl EloSurface,
    seed: u64,
) -> f64 {
    let oracle = PairOracle::default();
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(u64::MAX);
    let mut algorithm = algorithm.start(Problem {
        parameters,
        tuned: parameters.len(),
        schedule,
    });
    for pair in 0..schedule.pairs() {
        let perturbation = algorithm.perturb(seed, pair);
        let difference = surface.elo(&perturbation.plus) - surface.elo(&perturbation.minus);
        let result = oracle.draw(difference, &mut generator) as i32 - 2;
        algorithm.learn(&perturbation, result, USUAL_VARIANCE);
    }
    let values: Vec<f64> = parameters
        .iter()
        .zip(algorithm.proposal())
        .map(|(parameter, value)| parameter.settle(value))
        .collect();
    surface.elo(&values) + surface.deficit()
}

/// What one simulated run came to.
pub struct Trial {
    pub deficit: f64,
    pub gained: f64,
    pub claimed: f64,
    pub claimed_sd: f64,
    pub effects: u64,
    pub effects_seen: u64,
    pub dead: u64,
    pub false_alarms: u64,
}

impl Trial {
    /// Plays a tune on a surface.
    pub fn play(tune: Tune, surface: &impl EloSurface, oracle: &PairOracle) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(tune.seed);
        // The tune's own draws use the streams from zero up.
        generator.set_stream(u64::MAX);
        let mut session = Session::new(tune);
        loop {
            let Some((pair, perturbation)) = session.open().next() else {
                break;
            };
            let difference = surface.elo(&perturbation.plus) - surface.elo(&perturbation.minus);
            let result = oracle.draw(difference, &mut generator);
            session.answer(pair, Outcome::Played(result as u8));
        }
        let summary = session.summary();
        let mut run = Self {
            deficit: surface.deficit(),
            gained: surface.elo(&session.proposal()) + surface.deficit(),
            claimed: summary.elo,
            claimed_sd: summary.elo_sd,
            effects: 0,
            effects_seen: 0,
            dead: 0,
            false_alarms: 0,
        };
        for index in 0..session.tune().parameters.len() {
            let seen = u64::from(summary.parameters[index].verdict == Verdict::Evident);
            if surface.is_dead(index) {
                run.dead += 1;
                run.false_alarms += seen;
            } else {
                run.effects += 1;
                run.effects_seen += seen;
            }
        }
        run
    }
}
