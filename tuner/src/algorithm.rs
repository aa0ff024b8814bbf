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
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::evidence::saturation::Rule;
use crate::evidence::terms::Terms;
use crate::parameter::Parameter;
use crate::words::value_name;

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
    /// The same as it was up to plans of version 4, for their journals
    #[serde(skip)]
    #[value(skip)]
    Bayes4,
    /// The same for plans of version 5
    #[serde(skip)]
    #[value(skip)]
    Bayes5,
    /// The same for plans of version 6
    #[serde(skip)]
    #[value(skip)]
    Bayes6,
    /// The same for plans of version 7
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
            Self::Bayes4 => Tuning::VERSION_4,
            Self::Bayes5 => Tuning::VERSION_5,
            Self::Bayes6 => Tuning::VERSION_6,
            Self::Bayes7 => Tuning::VERSION_7,
        };
        let terms = self.terms(problem.parameters);
        Box::new(Bayes::new(problem, terms, tuning))
    }

    /// What Elo is a function of in its runs.
    pub(crate) fn terms(self, parameters: &[Parameter]) -> Terms {
        Terms::new(parameters, matches!(self, Self::Bayes | Self::Bayes7))
    }

    /// When the evidence of its runs forgets saturated results.
    pub(crate) fn saturation(self) -> Rule {
        match self {
            Self::Classic | Self::Bayes | Self::Bayes7 => Rule::Sequential,
            Self::Bayes4 | Self::Bayes5 | Self::Bayes6 => Rule::VERSION_6,
        }
    }
}

impl fmt::Display for AlgorithmName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bayes4 => formatter.write_str("bayes, as of plans of version 4"),
            Self::Bayes5 => formatter.write_str("bayes, as of plans of version 5"),
            Self::Bayes6 => formatter.write_str("bayes, as of plans of version 6"),
            Self::Bayes7 => formatter.write_str("bayes, as of plans of version 7"),
            Self::Classic | Self::Bayes => formatter.write_str(&value_name(self)),
        }
    }
}
