//! The folder of a count: its plan, and a journal of what the judge said of each position.
//!
//! The games stay where they are; digests make sure that they have not changed.

use std::collections::BTreeSet;
use std::path::Path;

use foundation::run_folder::{RunFolder, SPRT};
use foundation::{Failure, digest, failure::OrUnable};
use runs::plan::RunPlan as _;
use runs::run_folder::read_plan;

use super::judgement::{Judgement, Judgements, steps};
use super::plan::BlundersPlan;
use crate::games::game::Game;
use crate::games::pgn;
use crate::journal;
use crate::open_run::OpenRun;

pub(crate) const JUDGEMENTS: &str = "judgements.jsonl";

/// Games, and what the judge said so far.
#[derive(Debug)]
pub struct BlundersRun {
    pub plan: BlundersPlan,
    pub games: Vec<Game>,
    /// Games that break the rules, with their numbers in their files.
    pub broken: Vec<(u64, String)>,
    pub judgements: Judgements,
}

impl BlundersRun {
    /// Reads the games of a plan, before anything is begun.
    ///
    /// # Errors
    /// There are none, the judge cannot play them, or a file is not what it was.
    pub fn prepare(plan: BlundersPlan) -> Result<Self, Failure> {
        let variant = plan.variant()?;
        let (mut games, mut broken) = (Vec::new(), Vec::new());
        for file in &plan.games {
            let shown = file.path.display();
            let now =
                digest::of_file_cached(&file.path).or_unable(format_args!("read `{shown}`"))?;
            if now != file.sha256 {
                return Err(Failure::unable(format!(
                    "`{shown}` has changed since its games were counted"
                ))
                .hint("restore it, or start anew"));
            }
            pgn::read(&file.path, Some(variant), |number, game| match game {
                Ok(game) => games.push(game),
                Err(why) => broken.push((number, why)),
            })?;
        }
        if games.is_empty() {
            let first = broken.first();
            let why = first.map(|(number, why)| format!(": game {number} is left out: {why}"));
            let why = why.unwrap_or_default();
            return Err(Failure::unable(format!("there is no game to judge{why}"))
                .hint("expected PGN, or a run with games"));
        }
        let is_other = |game: &&Game| game.variant.name() != variant.name();
        if let Some((place, other)) = games.iter().enumerate().find(|(_, it)| is_other(it)) {
            return Err(Failure::unable(format!(
                "game {} is one of `{}`, expected `{}` as in the first",
                place + 1,
                other.variant.name(),
                variant.name()
            ))
            .hint("the judge is asked in one variant; leave such games out"));
        }
        let mut run = Self {
            plan,
            games,
            broken,
            judgements: Judgements::new(),
        };
        run.plan.games_read = run.games.len();
        run.plan.searches = run.positions().len();
        Ok(run)
    }

    /// Makes the folder of a count that has not begun.
    ///
    /// # Errors
    /// It cannot be made, or holds a run already.
    pub fn create(&self, path: &Path) -> Result<(), Failure> {
        RunFolder::create(path, &self.plan.to_json()?, &[(JUDGEMENTS, "")], &SPRT).map(drop)
    }

    /// Reads a count, which may still be running.
    ///
    /// # Errors
    /// The folder is no count, or was changed by something else.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Self::read_with_length(path).map(|(run, _)| run)
    }

    /// Opens it to go on with it.
    pub(super) fn open(path: &Path) -> Result<(OpenRun, Self), Failure> {
        let folder = RunFolder::open(path, &SPRT)?;
        let (run, length) = Self::read_with_length(path)?;
        Ok((OpenRun::new(folder, JUDGEMENTS, length)?, run))
    }

    fn read_with_length(path: &Path) -> Result<(Self, u64), Failure> {
        let plan: BlundersPlan = read_plan(path)?;
        let mut run = Self::prepare(plan)?;
        let extent = journal::read(path, JUDGEMENTS, |judgement: Judgement| {
            let key = (judgement.fen.clone(), judgement.again);
            match run.judgements.insert(key, judgement) {
                None => Ok(()),
                Some(_) => Err("a second judgement of the same position".to_owned()),
            }
        })?;
        Ok((run, extent.length))
    }

    /// Every position that is to be judged, with its limit, in the order of the games.
    pub(super) fn positions(&self) -> Vec<(String, bool)> {
        let mut seen = BTreeSet::new();
        let mut positions = Vec::new();
        for (again, _) in self.plan.limits() {
            for game in &self.games {
                for step in steps(game, &self.plan) {
                    for fen in step.positions() {
                        if seen.insert((fen.clone(), again)) {
                            positions.push((fen.clone(), again));
                        }
                    }
                }
            }
        }
        positions
    }
}

/// The plan of a count and how many searches have been made, the games not read.
///
/// # Errors
/// As for [`BlundersRun::read`].
pub fn overview(path: &Path) -> Result<(BlundersPlan, usize), Failure> {
    let plan: BlundersPlan = read_plan(path)?;
    let mut judged = 0;
    journal::read(path, JUDGEMENTS, |_: Judgement| {
        judged += 1;
        Ok(())
    })?;
    Ok((plan, judged))
}
