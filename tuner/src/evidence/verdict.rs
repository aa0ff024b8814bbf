//! Whether a parameter has an effect.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An effect counts as seen beyond this chi-squared of the sign test.
///
/// The middle of a dead parameter is itself a sum of its coins, so under SPSA the two sums together
/// are not chi-squared with two degrees of freedom but distributed as in a test for a unit root
/// (Dickey and Fuller 1981, twice their statistic Phi 1), whose 1% point is 12.9 instead of 9.2. Of
/// 8,640 dead parameters simulated on the study's surfaces, 3 were beyond 16.
pub const SEEN: f64 = 16.0;
/// A parameter is called dead if 95% of its posterior lies below this loss, in Elo at one c.
const NEGLIGIBLE: f64 = 1.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The games show an effect.
    Evident,
    Undecided,
    /// Whatever effect it has is too small to matter.
    Dead,
}

impl Verdict {
    /// From the sign test, and from what each term loses at one c, or each level, with standard
    /// deviations.
    pub fn new(chi2: f64, losses: &[(f64, f64)]) -> Self {
        let is_negligible = |&(mean, sd): &(f64, f64)| mean.abs() + 2.0 * sd < NEGLIGIBLE;
        if chi2 > SEEN {
            Self::Evident
        } else if losses.iter().all(is_negligible) {
            Self::Dead
        } else {
            Self::Undecided
        }
    }

    /// The name in JSON and in the classes of a page's style.
    pub fn name(self) -> &'static str {
        match self {
            Self::Evident => "evident",
            Self::Undecided => "undecided",
            Self::Dead => "dead",
        }
    }

    /// In a table, beside a value that has moved or not.
    pub fn words(self, has_moved: bool) -> &'static str {
        match self {
            Self::Evident if has_moved => "moved with evidence",
            Self::Evident => "has an effect",
            Self::Undecided => "undecided",
            Self::Dead => "dead",
        }
    }
}
