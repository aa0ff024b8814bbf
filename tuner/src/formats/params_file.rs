//! What a file of parameters says, whatever its format.

use crate::algorithm::schedule::Schedule;
use crate::parameter::Parameter;

/// Name and value of an entry that is not tuned.
pub(crate) type Fixed = (String, Option<f64>);

/// Parameters, and what the file says besides.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ParamsFile {
    pub parameters: Vec<Parameter>,
    pub spsa: SpsaKeys,
    /// Entries without `c_end` and `r_end`, or with zero for one of them: switches and the like,
    /// not offered to a tuner.
    pub fixed: Vec<Fixed>,
    /// Parameters that `--only` and `--except` leave out.
    pub left_out: Vec<Parameter>,
    /// `[match]`: keys are the flags of a match without the dashes, and `engine`.
    pub match_section: toml::Table,
}

impl From<Vec<Parameter>> for ParamsFile {
    fn from(parameters: Vec<Parameter>) -> Self {
        Self {
            parameters,
            ..Self::default()
        }
    }
}

/// The section `[spsa]`; flags override it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct SpsaKeys {
    pub iterations: Option<u64>,
    pub pairs_per_iteration: Option<u64>,
    pub alpha: Option<f64>,
    pub gamma: Option<f64>,
    pub a_ratio: Option<f64>,
}

impl SpsaKeys {
    pub(crate) fn schedule(&self) -> Schedule {
        let default = Schedule::default();
        Schedule {
            iterations: self.iterations.unwrap_or(default.iterations),
            pairs_per_iteration: self
                .pairs_per_iteration
                .unwrap_or(default.pairs_per_iteration),
            alpha: self.alpha.unwrap_or(default.alpha),
            gamma: self.gamma.unwrap_or(default.gamma),
            a_ratio: self.a_ratio.unwrap_or(default.a_ratio),
        }
    }
}
