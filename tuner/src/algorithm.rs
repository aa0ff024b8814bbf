//! How a run learns: what each pair plays, and what its result teaches.
//!
//! An algorithm is a file with a type that implements [`Algorithm`], and a line in
//! [`AlgorithmName`].

pub mod bayes;
pub mod classic;
pub mod forecast;
pub mod perturbation;
pub mod regression;
pub mod schedule;

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::parameter::Parameter;

use bayes::Bayes;
use classic::Classic;
use forecast::Expectation;
use perturbation::Perturbation;
use schedule::Schedule;

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

    /// Another horizon for all pairs not yet sent out.
    fn reschedule(&mut self, schedule: Schedule);

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

/// The algorithms there are.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum AlgorithmName {
    /// SPSA with the gains of OpenBench and fishtest
    Classic,
    /// A quadratic model by online regression with forgetting
    #[default]
    Bayes,
}

impl AlgorithmName {
    /// The algorithm before the first pair.
    pub fn start(self, problem: Problem) -> Box<dyn Algorithm> {
        match self {
            Self::Classic => Box::new(Classic::new(problem)),
            Self::Bayes => Box::new(Bayes::new(problem)),
        }
    }
}

impl fmt::Display for AlgorithmName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Classic => "classic",
            Self::Bayes => "bayes",
        })
    }
}
