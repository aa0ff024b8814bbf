//! The folder in which a suite is made: its plan, the count of blunders that it begins with in a
//! folder of its own, and a journal of what the judge said of the candidates.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use foundation::Failure;
use foundation::run_folder::{RunFolder, SPRT};
use runs::plan::RunPlan as _;
use runs::run_folder::read_plan;

use super::candidate::{Candidate, candidates};
use super::plan::PuzzlesPlan;
use super::puzzle::{Puzzle, Rejection, judge};
use super::verification::Verification;
use crate::blunders::folder::BlundersRun;
use crate::journal;
use crate::open_run::OpenRun;

const BLUNDERS: &str = "blunders";
pub(crate) const VERIFICATIONS: &str = "verifications.jsonl";

/// A suite in the making. There are candidates as soon as all mistakes are known.
#[derive(Debug)]
pub struct PuzzlesRun {
    pub plan: PuzzlesPlan,
    pub blunders: BlundersRun,
    pub candidates: Vec<Candidate>,
    /// By position and limit.
    pub verifications: HashMap<(String, bool), Verification>,
}

/// Where the count of blunders lies.
pub fn blunders_of(path: &Path) -> PathBuf {
    path.join(BLUNDERS)
}

impl PuzzlesRun {
    /// Makes the folder of a suite that is to be made from the games of `blunders`.
    ///
    /// # Errors
    /// It cannot be made, or holds a run already.
    pub fn create(path: &Path, plan: &PuzzlesPlan, blunders: &BlundersRun) -> Result<(), Failure> {
        RunFolder::create(path, &plan.to_json()?, &[(VERIFICATIONS, "")], &SPRT)?;
        blunders.create(&blunders_of(path))
    }

    /// Reads it, also while it is being made.
    ///
    /// # Errors
    /// The folder holds no suite, or was changed by something else.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Self::read_with_length(path).map(|(run, _)| run)
    }

    pub(super) fn open(folder: RunFolder) -> Result<(OpenRun, Self), Failure> {
        let (run, length) = Self::read_with_length(folder.path())?;
        Ok((OpenRun::new(folder, VERIFICATIONS, length)?, run))
    }

    fn read_with_length(path: &Path) -> Result<(Self, u64), Failure> {
        let plan: PuzzlesPlan = read_plan(path)?;
        let blunders = BlundersRun::read(&blunders_of(path))?;
        let mut verifications = HashMap::new();
        let extent = journal::read(
            path,
            VERIFICATIONS,
            |said: Verification| match verifications.insert((said.fen.clone(), said.again), said) {
                None => Ok(()),
                Some(_) => Err("a second search of the same position".to_owned()),
            },
        )?;
        let is_counted = blunders.judgements.len() == blunders.plan.searches;
        let candidates = if is_counted {
            candidates(&blunders, &plan.rules)
        } else {
            Vec::new()
        };
        let run = Self {
            plan,
            blunders,
            candidates,
            verifications,
        };
        Ok((run, extent.length))
    }

    /// Candidates whose searches at a limit are still to be made. The second limit is for those
    /// that are puzzles at the first.
    pub(super) fn open_positions(&self, again: bool) -> Vec<String> {
        let is_open = |candidate: &&Candidate| {
            let said = |again| self.verifications.get(&(candidate.fen.clone(), again));
            let passes = |first| judge(candidate, first, &self.plan.rules).is_ok();
            said(again).is_none() && (!again || said(false).is_some_and(passes))
        };
        let open = self.candidates.iter().filter(is_open);
        open.map(|candidate| candidate.fen.clone()).collect()
    }

    /// The outcome of each candidate whose searches have been made.
    pub fn puzzles(&self) -> Vec<Result<Puzzle, Rejection>> {
        let judged = self.candidates.iter().map(|it| self.judged(it));
        judged.flatten().collect()
    }

    fn judged(&self, candidate: &Candidate) -> Option<Result<Puzzle, Rejection>> {
        let at = |again| {
            let said = self.verifications.get(&(candidate.fen.clone(), again))?;
            Some(judge(candidate, said, &self.plan.rules))
        };
        let before = match at(false)? {
            Ok(puzzle) => puzzle,
            rejected => return Some(rejected),
        };
        Some(at(true)?.and_then(|now| {
            if now.best == before.best {
                Ok(now)
            } else {
                Err(Rejection::Unstable)
            }
        }))
    }

    pub fn is_over(&self) -> bool {
        self.blunders.judgements.len() == self.blunders.plan.searches
            && self.open_positions(false).is_empty()
            && self.open_positions(true).is_empty()
    }
}
