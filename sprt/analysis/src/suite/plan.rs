//! What is searched, by whom, how long, and what is asked of the result: all of it known before the
//! first search.

use engine_client::Limit;
use foundation::Failure;
use referee::game::{self, Variant, variants};
use runs::plan::{Contender, RunPlan, check_header};
use serde::{Deserialize, Serialize};

use super::budget;
use super::gate::Gate;
pub use super::goal::MateRule;

const VERSION: u32 = 1;

/// A suite, resolved. The positions lie beside it in the run's folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuitePlan {
    schema: String,
    version: u32,
    #[serde(
        default = "variants::usual",
        skip_serializing_if = "variants::is_usual"
    )]
    pub variant: String,
    /// The first is BASE where there are two.
    pub engines: Vec<Contender>,
    pub suites: Vec<SuiteFile>,
    /// Of engines that have none of their own.
    pub limit: Limit,
    /// Searches of each engine at each position, with limits near its own.
    pub budgets: u32,
    pub seed: u64,
    pub mates: MateRule,
    /// Positions searched at the same time.
    pub concurrency: usize,
    pub startup_timeout_s: u64,
    pub move_timeout_s: u64,
    /// `None` where there are not two engines.
    pub gate: Option<Gate>,
}

/// A file of positions, as far as they could be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuiteFile {
    pub file: String,
    pub positions: usize,
}

impl RunPlan for SuitePlan {
    const OF: &str = "suite";

    fn check(&self) -> Result<(), Failure> {
        check_header((&self.schema, self.version), (Self::SCHEMA, VERSION))
    }
}

impl SuitePlan {
    pub(crate) const SCHEMA: &str = "sprt-suite-plan";

    /// A plan of this release; engines of the same name get numbers.
    #[must_use]
    pub fn new(mut engines: Vec<Contender>, suites: Vec<SuiteFile>, limit: Limit) -> Self {
        let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
        let mut numbered: Vec<String> = Vec::new();
        for (index, engine) in engines.iter_mut().enumerate() {
            if names.iter().filter(|name| **name == engine.name).count() > 1 {
                let name = &engine.name;
                let mut free = (index + 1..).map(|number| format!("{name}-{number}"));
                let free = free.find(|it| !names.contains(it) && !numbered.contains(it));
                engine.name = free.unwrap_or_default();
                numbered.push(engine.name.clone());
            }
        }
        Self {
            schema: Self::SCHEMA.to_owned(),
            version: VERSION,
            variant: variants::usual(),
            engines,
            suites,
            limit,
            budgets: 1,
            seed: 1,
            mates: MateRule::default(),
            concurrency: 1,
            startup_timeout_s: 10,
            move_timeout_s: 60,
            gate: None,
        }
    }

    /// # Errors
    /// The plan names one that is unknown.
    pub fn variant(&self) -> Result<&'static dyn Variant, Failure> {
        game::find(&self.variant)
    }

    /// The limit of one search of an engine.
    pub(super) fn limit_of(&self, engine: usize, position: usize, number: u32) -> Limit {
        let asked = self.engines[engine].limit(&self.limit);
        budget::limit(asked, self.seed, position, number, self.budgets)
    }

    pub fn positions(&self) -> usize {
        self.suites.iter().map(|suite| suite.positions).sum()
    }

    /// All searches of the run.
    pub fn searches(&self) -> usize {
        self.positions() * self.engines.len() * self.budgets as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_of_one_name_get_names_that_are_free() {
        let named = |name: &&str| Contender {
            name: (*name).to_owned(),
            ..Contender::default()
        };
        let engines = ["a", "a", "a-2", "b"].iter().map(named).collect();
        let plan = SuitePlan::new(engines, Vec::new(), Limit::nodes(1));
        let names: Vec<&str> = plan.engines.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["a-1", "a-3", "a-2", "b"]);
    }
}
