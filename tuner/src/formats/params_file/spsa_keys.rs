//! The section `[spsa]` of a file of parameters.

use crate::algorithm::schedule::Schedule;

/// The section `[spsa]`; flags override it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SpsaKeys {
    pub iterations: Option<u64>,
    pub pairs_per_iteration: Option<u64>,
    pub alpha: Option<f64>,
    pub gamma: Option<f64>,
    pub a_ratio: Option<f64>,
}

impl SpsaKeys {
    pub fn schedule(&self) -> Schedule {
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
