//! The algorithms of a run: which values each pair plays, and how they learn from its result.
//!
//! An algorithm is a file with a type that implements [`Algorithm`], and a line each in
//! [`AlgorithmName`] and its `start`.

pub(crate) mod bayes;
pub(crate) mod classic;
pub(crate) mod forecast;
pub(crate) mod problem;
pub(crate) mod regression;
pub mod schedule;
pub(crate) mod tuning;

use std::fmt;

use clap::ValueEnum;
use runs::plan::value_name;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::terms::Terms;
use crate::parameter::Parameter;

use bayes::Bayes;
use classic::Classic;
use problem::{Algorithm, Problem};
use tuning::Tuning;

/// The algorithms to choose from.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ValueEnum, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum AlgorithmName {
    /// SPSA with the gains of OpenBench and fishtest
    Classic,
    /// A quadratic model by online regression with forgetting
    #[default]
    Bayes,
    /// The same as it was in plans of version 7, for their journals
    #[serde(skip)]
    #[value(skip)]
    Bayes7,
}

impl AlgorithmName {
    /// The algorithm before the first pair.
    pub fn start(self, problem: Problem) -> Box<dyn Algorithm> {
        let tuning = match self {
            Self::Classic => return Box::new(Classic::new(problem)),
            Self::Bayes => Tuning::USUAL,
            Self::Bayes7 => Tuning::VERSION_7,
        };
        let terms = self.terms(problem.parameters);
        Box::new(Bayes::new(problem, terms, tuning))
    }

    /// What Elo is a function of in its runs.
    pub(crate) fn terms(self, parameters: &[Parameter]) -> Terms {
        Terms::new(parameters, self != Self::Classic)
    }
}

impl fmt::Display for AlgorithmName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bayes7 => formatter.write_str("bayes, as of plans of version 7"),
            Self::Classic | Self::Bayes => formatter.write_str(&value_name(self)),
        }
    }
}
