//! The sequential probability ratio test: hypotheses, bounds and verdict.

use std::f64::consts::{LN_10, SQRT_2};

use clap::ValueEnum;
use foundation::{Exit, Failure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bayes_elo::openbench_trinomial_llr;
use super::counts::{MatchCounts, Pentanomial, Wdl};
use super::likelihood::{logistic_llr, normalized_llr};

/// The largest absolute value of a bound.
const MAX_ELO: f64 = 1e6;

/// The unit of the two hypotheses.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ValueEnum, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalised Elo, from pairs (OpenBench's and fishtest's)
    #[default]
    Normalized,
    /// Logistic Elo, from pairs
    Logistic,
    /// BayesElo, from single games (OpenBench's tests without pairs)
    Bayesian,
}

impl Model {
    pub fn name(self) -> &'static str {
        match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
            Self::Bayesian => "bayesian",
        }
    }
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Verdict {
    H1,
    H0,
    #[serde(rename = "undecided")]
    Undecided,
    /// A match of fixed length, which has no test.
    #[serde(rename = "no test")]
    NoTest,
}

impl Verdict {
    pub fn exit(self) -> Exit {
        match self {
            Self::H1 | Self::NoTest => Exit::Yes,
            Self::H0 => Exit::No,
            Self::Undecided => Exit::Undecided,
        }
    }

    /// The hypothesis that the test has accepted.
    pub fn accepted(self) -> Option<&'static str> {
        match self {
            Self::H1 => Some("H1"),
            Self::H0 => Some("H0"),
            Self::Undecided | Self::NoTest => None,
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            Self::H1 => "H1 accepted",
            Self::H0 => "H0 accepted",
            Self::Undecided | Self::NoTest => "undecided",
        }
    }
}

/// H0: the new engine is stronger by `elo0`; H1: by `elo1`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Test {
    pub elo0: f64,
    pub elo1: f64,
    /// The largest probability of accepting H1 under H0.
    pub alpha: f64,
    /// The largest probability of accepting H0 under H1.
    pub beta: f64,
    pub model: Model,
    /// Whether the bounds are moved inwards by the overshoot observed so far, as in fishtest.
    #[serde(default)]
    pub overshoot_correction: bool,
}

impl Test {
    /// Validates a test that is to be run.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Self, Failure> {
        let test = Self::of_any_bounds(elo0, elo1, alpha, beta, model)?;
        if elo0 >= elo1 {
            return Err(Failure::unable(format!(
                "--bounds {elo0},{elo1}: the first must be less than the second"
            ))
            .hint("the usual bounds are 0,5 for a gain and -5,0 for a simplification"));
        }
        Ok(test)
    }

    /// A test whose hypotheses may be equal or in the wrong order: to compute with, not to play.
    pub fn of_any_bounds(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: Model,
    ) -> Result<Self, Failure> {
        for elo in [elo0, elo1] {
            if elo.is_nan() || elo.abs() > MAX_ELO {
                return Err(Failure::unable(format!(
                    "--bounds {elo0},{elo1}: expected numbers between -{MAX_ELO} and {MAX_ELO}"
                )));
            }
        }
        for (flag, probability) in [("--alpha", alpha), ("--beta", beta)] {
            if !(probability > 0.0 && probability < 1.0) {
                return Err(Failure::unable(format!(
                    "{flag} {probability}: expected a probability between 0 and 1, both excluded"
                ))
                .hint("0.05 is usual"));
            }
        }
        if alpha + beta >= 1.0 {
            return Err(Failure::unable(format!(
                "--alpha {alpha} and --beta {beta}: expected a sum of less than 1"
            ))
            .hint("0.05 is usual for both"));
        }
        Ok(Self {
            elo0,
            elo1,
            alpha,
            beta,
            model,
            overshoot_correction: false,
        })
    }

    /// The same test with its bounds corrected for overshoot, or not.
    #[must_use]
    pub fn with_overshoot_correction(self, overshoot_correction: bool) -> Self {
        Self {
            overshoot_correction,
            ..self
        }
    }

    /// H0 is accepted below this log-likelihood ratio.
    pub fn lower(&self) -> f64 {
        wald_bounds(self.alpha, self.beta).0
    }

    /// H1 is accepted above this log-likelihood ratio.
    pub fn upper(&self) -> f64 {
        wald_bounds(self.alpha, self.beta).1
    }

    /// The pairs that the test needs on average where it takes longest, in the middle between its
    /// hypotheses: `-a b / v` with the bounds a, b of the ratio and the variance v of its step, by
    /// Wald. The hypotheses are taken for normalized Elo whatever the model is.
    pub fn most_pairs_on_average(&self) -> f64 {
        let step = SQRT_2 * (self.elo1 - self.elo0) * LN_10 / 800.0;
        -self.lower() * self.upper() / (step * step)
    }

    /// The log-likelihood ratio of a match: from its pairs, in the Bayesian model from its single
    /// games.
    pub fn llr(&self, pairs: &Pentanomial, games: &Wdl) -> f64 {
        match self.model {
            Model::Bayesian => {
                openbench_trinomial_llr(&games.worst_to_best(), self.elo0, self.elo1)
            }
            _ => self.llr_in_elo(&pairs.0),
        }
    }

    /// Whether the Bayesian model gives no ratio yet, because wins, draws or losses are missing.
    pub fn lacks_a_result(&self, games: &Wdl) -> bool {
        self.model == Model::Bayesian && games.worst_to_best().contains(&0)
    }

    /// That of pairs or games, in the models whose unit is one of Elo.
    fn llr_in_elo<const K: usize>(&self, counts: &[u64; K]) -> f64 {
        match self.model {
            Model::Logistic => logistic_llr(counts, self.elo0, self.elo1),
            _ => normalized_llr(counts, self.elo0, self.elo1),
        }
    }

    /// The verdict; both comparisons are strict, as in OpenBench.
    pub fn verdict(&self, llr: f64) -> Verdict {
        if llr > self.upper() {
            Verdict::H1
        } else if llr < self.lower() {
            Verdict::H0
        } else {
            Verdict::Undecided
        }
    }

    /// The log-likelihood ratio, or `None` if the model needs single games and they are not known.
    pub fn known_llr(&self, counts: &MatchCounts) -> Option<f64> {
        Some(match (self.model, counts.pentanomial()) {
            (Model::Bayesian, _) => self.llr(&Pentanomial::default(), counts.wdl()?),
            (_, Some(pairs)) => self.llr_in_elo(&pairs.0),
            (_, None) => self.llr_in_elo(&counts.wdl()?.worst_to_best()),
        })
    }
}

/// Wald's lower and upper bound for the log-likelihood ratio.
pub fn wald_bounds(alpha: f64, beta: f64) -> (f64, f64) {
    ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
}

/// Parses `ELO0,ELO1` on command lines; brackets and spaces are allowed, as reports print them.
pub fn parse_bounds(text: &str) -> Result<(f64, f64), String> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
    let bounds = inner
        .split_once(',')
        .and_then(|(elo0, elo1)| Some((elo0.trim().parse().ok()?, elo1.trim().parse().ok()?)));
    bounds.ok_or_else(|| "expected two numbers with a comma between, as in 0,5".to_owned())
}
