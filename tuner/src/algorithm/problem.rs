//! The problem that an algorithm solves, and the trait that it implements.

use std::fmt;

use serde::Serialize;

use crate::evidence::{Evidence, Summary};
use crate::parameter::Parameter;
use crate::perturbation::Perturbation;

use super::schedule::Schedule;

/// An algorithm proposes the values of each pair and learns from its result.
///
/// It is a pure function of the problem, the seed and the results, which it gets in the order of
/// the pairs.
pub trait Algorithm: fmt::Debug + Send + Sync {
    /// The current point of the run, in the options' own units.
    fn point(&self) -> &[f64];

    /// The values to export, wholly or in part.
    fn proposal(&self) -> Vec<f64> {
        self.point().to_vec()
    }

    /// The values of a pair; the random numbers depend only on seed and pair.
    fn perturb(&self, seed: u64, pair: u64) -> Perturbation;

    /// Learns from `result`, wins minus losses of the plus side (-2 to 2), given the variance of
    /// pairs.
    fn learn(&mut self, perturbation: &Perturbation, result: i32, variance: f64);

    /// Changes the length of the run for all pairs not yet sent out.
    fn reschedule(&mut self, schedule: Schedule);

    /// What the games so far show, and which values the run exports.
    fn summary(&self, evidence: &Evidence, end: &[f64]) -> Summary {
        evidence.summary(end)
    }

    /// What can be expected of the run before it begins, given the variance of pairs.
    fn expectation(&self, variance: f64) -> Expectation;
}

/// The problem that an algorithm has to solve.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    /// The parameters, and the dummies that are perturbed with them.
    pub parameters: &'a [Parameter],
    /// How many of them, from the first on, an engine gets.
    pub tuned: usize,
    pub schedule: Schedule,
}

/// A typical parameter loses 1 Elo at one c from its optimum: 2 Elo per c squared.
pub(crate) const CURVATURE: f64 = 2.0;

/// What an algorithm expects of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Expectation {
    /// The mean learning rate, where the algorithm has one.
    pub r_end: Option<f64>,
    /// Elo lost to noise at the end of the run.
    pub noise: f64,
    /// Pairs in which a parameter worth 1 Elo per c covers two thirds of its distance.
    pub needed: f64,
    /// Standard deviation of a gradient at the end, Elo per c.
    pub gradient_sd: f64,
}
