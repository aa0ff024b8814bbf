//! One tune played on a synthetic surface, and what became of it.

use crate::algorithm::AlgorithmName;
use crate::algorithm::problem::Problem;
use crate::algorithm::schedule::Schedule;
use crate::elo::USUAL_VARIANCE;
use crate::evidence::{Basis, Verdict};
use crate::parameter::Parameter;
use crate::run::session::{Outcome, Session};
use crate::run::tune::Tune;

use super::games::Games;
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
    let mut games = Games::new(&oracle, seed);
    let mut algorithm = algorithm.start(Problem {
        parameters,
        tuned: parameters.len(),
        schedule,
    });
    for pair in 0..schedule.pairs() {
        let perturbation = algorithm.perturb(seed, pair);
        let fraction = pair as f64 / schedule.pairs() as f64;
        let difference = surface.difference(&perturbation.plus, &perturbation.minus, fraction);
        let result = games.play(difference) as i32 - 2;
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
    /// What the final values of the run would have gained without shrinkage.
    pub end_gained: f64,
    pub kept: f64,
    pub claimed: f64,
    pub claimed_sd: f64,
    /// Whether the run says that its model does not describe the surface.
    pub is_misfit: bool,
    pub effects: u64,
    pub effects_seen: u64,
    pub dead: u64,
    pub false_alarms: u64,
}

impl Trial {
    /// Plays a tune on a surface.
    pub fn play(tune: Tune, surface: &impl EloSurface, oracle: &PairOracle) -> Self {
        let mut games = Games::new(oracle, tune.seed);
        let pairs = tune.schedule.pairs().max(1) as f64;
        let mut session = Session::new(tune);
        loop {
            let Some((pair, perturbation)) = session.open().next() else {
                break;
            };
            let fraction = pair as f64 / pairs;
            let difference = surface.difference(&perturbation.plus, &perturbation.minus, fraction);
            let result = games.play(difference);
            session.answer(pair, Outcome::Played(result as u8));
        }
        let summary = session.summary();
        let mut run = Self {
            deficit: surface.deficit(),
            gained: surface.elo(&session.proposal()) + surface.deficit(),
            end_gained: surface.elo(&session.end()) + surface.deficit(),
            kept: summary.kept,
            claimed: summary.elo,
            claimed_sd: summary.elo_sd,
            is_misfit: summary.basis == Basis::Anchors,
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
