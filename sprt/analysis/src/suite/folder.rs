//! The folder of a suite's run: plan, positions, and a journal of answers.
//!
//! Answers stand in the order in which they came. What is not there is searched when the run goes
//! on, so a run that was killed ends as if it had not been.

use std::collections::BTreeSet;
use std::path::Path;

use foundation::run_folder::{RunFolder, SPRT};
use foundation::{Failure, failure::OrUnable};
use runs::plan::RunPlan as _;
use runs::run_folder::read_plan;

use super::answer::Answer;
use super::plan::SuitePlan;
use super::{Position, file};
use crate::journal;
use crate::open_run::OpenRun;

const POSITIONS: &str = "positions.epd";
pub const ANSWERS: &str = "answers.jsonl";

/// A run: what is searched and what has been found so far.
#[derive(Debug)]
pub struct SuiteRun {
    pub plan: SuitePlan,
    pub positions: Vec<Position>,
    pub answers: Vec<Answer>,
}

impl SuiteRun {
    /// Makes the folder of a run that has not begun.
    ///
    /// # Errors
    /// It cannot be made, or holds a run already.
    pub fn create(path: &Path, plan: SuitePlan, positions: Vec<Position>) -> Result<Self, Failure> {
        let lines = positions
            .iter()
            .map(|position| format!("{}\n", position.line));
        let files = [(POSITIONS, &*lines.collect::<String>()), (ANSWERS, "")];
        RunFolder::create(path, &plan.to_json()?, &files, &SPRT)?;
        Ok(Self {
            plan,
            positions,
            answers: Vec::new(),
        })
    }

    /// Reads a run, which may still be running.
    ///
    /// # Errors
    /// It is no run of a suite, or was changed by something else.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Self::read_with_length(path).map(|(run, _)| run)
    }

    /// Opens it to go on with it.
    pub(super) fn open(path: &Path) -> Result<(OpenRun, Self), Failure> {
        let folder = RunFolder::open(path, &SPRT)?;
        let (run, length) = Self::read_with_length(path)?;
        Ok((OpenRun::new(folder, ANSWERS, length)?, run))
    }

    fn read_with_length(path: &Path) -> Result<(Self, u64), Failure> {
        let plan: SuitePlan = read_plan(path)?;
        let file = path.join(POSITIONS);
        let text =
            std::fs::read_to_string(&file).or_unable(format_args!("read `{}`", file.display()))?;
        let positions = positions(&plan, &text).map_err(|what| {
            Failure::unable(format!("`{}`: {what}", file.display()))
                .hint("the file was changed by something else; restore it, or start a new run")
        })?;
        let mut answers = Vec::new();
        let mut seen = BTreeSet::new();
        let extent = journal::read(path, ANSWERS, |answer: Answer| {
            if answer.position >= positions.len()
                || answer.engine >= plan.engines.len()
                || answer.search >= plan.budgets
            {
                return Err("an answer to a question that the plan does not ask".to_owned());
            }
            if !seen.insert((answer.position, answer.engine, answer.search)) {
                return Err("a second answer to the same question".to_owned());
            }
            answers.push(answer);
            Ok(())
        })?;
        let run = Self {
            plan,
            positions,
            answers,
        };
        Ok((run, extent.length))
    }

    pub fn is_over(&self) -> bool {
        self.answers.len() == self.plan.searches()
    }

    /// Searches that are still to be made, by position: engine and number of the search.
    pub(super) fn open_questions(&self) -> Vec<(usize, Vec<(usize, u32)>)> {
        let answered: BTreeSet<_> = self
            .answers
            .iter()
            .map(|answer| (answer.position, answer.engine, answer.search))
            .collect();
        let questions = |position: usize| {
            let engines = 0..self.plan.engines.len();
            let all = engines
                .flat_map(|engine| (0..self.plan.budgets).map(move |search| (engine, search)));
            all.filter(|(engine, search)| !answered.contains(&(position, *engine, *search)))
                .collect::<Vec<_>>()
        };
        let all = (0..self.positions.len()).map(|position| (position, questions(position)));
        all.filter(|(_, questions)| !questions.is_empty()).collect()
    }
}

/// The positions of a run, with the themes they had: those without one have that of their file.
fn positions(plan: &SuitePlan, text: &str) -> Result<Vec<Position>, String> {
    let variant = plan
        .variant()
        .map_err(|failure| failure.message().to_owned())?;
    let mut lines = text.lines();
    let mut positions = Vec::new();
    for suite in &plan.suites {
        let name = Path::new(&suite.file).file_stem().unwrap_or_default();
        let part: Vec<&str> = lines.by_ref().take(suite.positions).collect();
        let read = file::parse(&part.join("\n"), &name.to_string_lossy(), variant);
        if read.positions.len() != suite.positions {
            return Err(format!(
                "{} positions of `{}`, expected {}",
                read.positions.len(),
                suite.file,
                suite.positions
            ));
        }
        positions.extend(read.positions);
    }
    Ok(positions)
}
