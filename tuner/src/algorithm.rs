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

use std::fmt;

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::words::value_name;

use bayes::Bayes;
use classic::Classic;
use problem::{Algorithm, Problem};

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
}

impl AlgorithmName {
    /// The algorithm before the first pair.
    pub fn start(self, problem: Problem) -> Box<dyn Algorithm> {
        match self {
            Self::Classic => Box::new(Classic::new(problem)),
            Self::Bayes => Box::new(Bayes::new(problem)),
            Self::Bayes4 => Box::new(Bayes::of_version_4(problem)),
            Self::Bayes5 => Box::new(Bayes::of_version_5(problem)),
        }
    }
}

impl fmt::Display for AlgorithmName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bayes4 => formatter.write_str("bayes, as of plans of version 4"),
            Self::Bayes5 => formatter.write_str("bayes, as of plans of version 5"),
            Self::Classic | Self::Bayes => formatter.write_str(&value_name(self)),
        }
    }
}
