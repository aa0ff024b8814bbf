//! The problem that an algorithm solves, and the interface that it implements.

use std::fmt;

use serde::Serialize;

use crate::evidence::{Evidence, Summary};
use crate::parameter::Parameter;
use crate::perturbation::Perturbation;

use super::schedule::Schedule;

/// What proposes the values of each pair and learns from its result.
///
/// It is a pure function of the problem, the seed and the results, which it gets in the order of
/// the pairs.
pub trait Algorithm: fmt::Debug + Send + Sync {
    /// Where the run stands, in the options' own units.
    fn point(&self) -> &[f64];

    /// The values to export, or to go some of the way to.
    fn proposal(&self) -> Vec<f64> {
        self.point().to_vec()
    }

    /// What a pair plays with; its draws depend on seed and pair alone.
    fn perturb(&self, seed: u64, pair: u64) -> Perturbation;

    /// Takes in `result`, wins minus losses of the plus side (-2 to 2), where pairs have this
    /// variance.
    fn learn(&mut self, perturbation: &Perturbation, result: i32, variance: f64);

    /// Changes the length of the run for all pairs not yet sent out.
    fn reschedule(&mut self, schedule: Schedule);

    /// What the games played so far say of the run, and which values it exports.
    fn summary(&self, evidence: &Evidence, end: &[f64]) -> Summary {
        evidence.summary(end)
    }

    /// What can be expected of the run before it begins, where pairs have this variance.
    fn expectation(&self, variance: f64) -> Expectation;
}

/// What an algorithm has to solve.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// The parameters, and whatever dummies are perturbed beside them.
    pub parameters: &'a [Parameter],
    /// How many of them, from the first on, an engine sees.
    pub tuned: usize,
    pub schedule: Schedule,
}

/// A parameter of middling worth loses 1 Elo at one c from its optimum: 2 Elo per c squared.
pub(crate) const CURVATURE: f64 = 2.0;

/// What an algorithm expects of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Expectation {
    /// The mean learning rate, where the algorithm has one.
    pub r_end: Option<f64>,
    /// Elo that the end of the way lacks because of noise.
    pub noise: f64,
    /// Pairs that a parameter worth 1 Elo per c needs to come two thirds of its way.
    pub needed: f64,
    /// Standard deviation of a gradient at the end, Elo per c.
    pub gradient_sd: f64,
}
