//! A suite's run in a list of runs.

use std::path::{Path, PathBuf};

use foundation::Failure;
use runs::activity::begun;
use runs::overview::RunState;
use runs::state_folder::name;
use runs::status::Status;
use schemars::JsonSchema;
use serde::Serialize;

use super::comparison::{Comparison, GateVerdict};
use super::folder::SuiteRun;

/// An entry in a list of runs.
#[derive(Serialize, JsonSchema)]
pub struct SuiteOverview {
    pub name: String,
    pub path: PathBuf,
    /// When the run was started.
    pub date: Option<String>,
    pub engines: Vec<String>,
    pub limit: String,
    pub positions: usize,
    /// Searches that were made, and all there are.
    pub answers: usize,
    pub searches: usize,
    /// What the gate says; null before the end, and where there are not two engines.
    pub verdict: Option<GateVerdict>,
    pub state: RunState,
    #[serde(skip)]
    pub status: Status,
}

impl SuiteOverview {
    /// # Errors
    /// The folder is no run of a suite, or was changed by something else.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let run = SuiteRun::read(path)?;
        let gate = run.plan.gate.filter(|_| run.is_over());
        let status = Status::of(path, run.is_over());
        Ok(Self {
            name: name(path),
            path: path.to_owned(),
            date: begun(path),
            verdict: gate.map(|gate| Comparison::of(&gate, &run).verdict),
            state: RunState::without_test(status),
            status,
            limit: run.plan.limit.openbench(),
            positions: run.plan.positions(),
            answers: run.answers.len(),
            searches: run.plan.searches(),
            engines: run.plan.engines.into_iter().map(|it| it.name).collect(),
        })
    }

    pub fn state_in_words(&self) -> &'static str {
        match self.verdict {
            None => self.status.word(),
            Some(GateVerdict::Passed) => "passed",
            Some(GateVerdict::Loss) => "loss",
            Some(GateVerdict::Undecided) => "undecided",
        }
    }
}
