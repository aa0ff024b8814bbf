//! The folder of a run: `plan.json`, and `journal.jsonl`, to which lines are only ever added.
//!
//! Plan and journal determine the state of a run: reading them again leads to the very same
//! trajectory, because [`Session`] is a pure function of both. Each finished pair is written with
//! the values that were really played, so the journal can also be analysed by other means; reading
//! it, we hold those values against our own, so a journal that was changed, or a release that would
//! go another way, is found out. A torn last line is what a kill leaves; it is dropped, and its
//! pair is played again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use foundation::journal::{self, Extent};
use foundation::run_folder::{self, Commands, Place, RunFolder};
use foundation::{Failure, failure::OrUnable};
use runs::plan::PlayPlan;
use runs::plan::contender::Contender;
use serde::{Deserialize, Serialize};

use crate::algorithm::AlgorithmName;
use crate::checks::screen::Screened;
use crate::run::attribution::Attribution;
use crate::run::lines::{FaultLine, Line};
use crate::run::session::{Outcome, Session};
use crate::run::tune::Tune;

const JOURNAL: &str = "journal.jsonl";
const SCHEMA: &str = "tuner-plan";
/// Releases of different versions lead to different trajectories from the same journal.
const VERSION: u32 = 8;
/// From this version on, runs of `classic` have the same trajectory.
const SAME_CLASSIC: u32 = 2;
/// `bayes` of this version is still known, and goes on as it began.
const OLD_BAYES: u32 = 7;
/// Killing the process loses no line; a crash of the machine may lose the lines of this long.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

const COMMANDS: Commands = Commands {
    resume: "tuner resume",
    show: "tuner show",
    list: "tuner list",
};

/// All that is decided before the first game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    schema: String,
    version: u32,
    /// The file that the parameters came from.
    pub params: PathBuf,
    pub tune: Tune,
    pub engine: Contender,
    pub play: PlayPlan,
    /// What fixed searches showed before the run, where they were made.
    #[serde(default)]
    pub screen: Vec<Screened>,
}

impl Plan {
    pub fn new(
        params: PathBuf,
        tune: Tune,
        engine: Contender,
        play: PlayPlan,
        screen: Vec<Screened>,
    ) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            version: VERSION,
            params,
            tune,
            engine,
            play,
            screen,
        }
    }

    pub fn to_json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self).or_unable("write the plan as JSON")
    }
}

/// A run's journal, open for this process alone.
#[derive(Debug)]
pub struct Journal {
    folder: RunFolder,
    file: journal::Journal,
    /// Faulty attempts at pairs that are still open.
    pub attempts: Vec<(u64, u32)>,
}

/// A run as read from its journal.
#[derive(Debug)]
pub struct Replayed {
    pub plan: Plan,
    pub session: Session,
    pub faults: Vec<FaultLine>,
    pub attribution: Attribution,
    extent: Extent,
}

impl Journal {
    /// Makes a folder for a new run.
    pub fn create(path: &Path, plan: &Plan) -> Result<(Self, Replayed), Failure> {
        let folder = RunFolder::create(path, &plan.to_json()?, &[(JOURNAL, "")], &COMMANDS)?;
        Self::go_on(folder)
    }

    /// Opens a run to resume it: truncates an incomplete last line and replays the rest.
    pub fn open(path: &Path) -> Result<(Self, Replayed), Failure> {
        Self::go_on(RunFolder::open(path, &COMMANDS)?)
    }

    fn go_on(folder: RunFolder) -> Result<(Self, Replayed), Failure> {
        let replayed = replay(folder.path())?;
        let attempts = replayed
            .faults
            .iter()
            .filter(|fault| replayed.session.open().any(|(pair, _)| pair == fault.pair))
            .map(|fault| (fault.pair, fault.attempt.saturating_add(1)))
            .collect();
        let journal = Self {
            file: journal::Journal::open(&folder.file(JOURNAL), replayed.extent.length)?,
            folder,
            attempts,
        };
        Ok((journal, replayed))
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn place(&self) -> Place {
        self.folder.place()
    }

    /// Adds a line.
    pub fn append(&mut self, line: &Line) -> Result<(), Failure> {
        self.folder.place().check()?;
        self.file.append([line])?;
        self.file.sync_after(SYNC_INTERVAL)
    }

    /// Waits until all is on disk.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.file.sync()
    }
}

/// Reads a run without the right to change it, also while it is being played.
pub fn replay(path: &Path) -> Result<Replayed, Failure> {
    replay_as(path, |session| session)
}

/// The same, with the pairs in which interactions are looked for.
pub fn replay_with_pairs(path: &Path) -> Result<Replayed, Failure> {
    replay_as(path, Session::keeping_pairs)
}

/// The same, with what was claimed on the way besides.
pub fn replay_with_claims(path: &Path) -> Result<Replayed, Failure> {
    replay_as(path, |session| session.keeping_pairs().keeping_claims())
}

fn replay_as(path: &Path, prepare: fn(Session) -> Session) -> Result<Replayed, Failure> {
    let plan = read_plan(path)?;
    let mut replayed = Replayed {
        session: prepare(Session::new(plan.tune.clone())),
        attribution: Attribution::new(&plan.tune.parameters),
        plan,
        faults: Vec::new(),
        extent: Extent::default(),
    };
    replayed.extent = journal::read(&path.join(JOURNAL), |line| replayed.take(line))?;
    Ok(replayed)
}

impl Replayed {
    /// What a crash took from the journal, in a sentence.
    pub fn loss(&self) -> Option<String> {
        let lost = self.extent.lost?;
        Some(format!("{lost}: its pair is played again"))
    }

    /// Takes in one line, or says why it does not belong here.
    fn take(&mut self, line: Line) -> Result<(), String> {
        match line {
            Line::Pair(line) => {
                let Some(expected) = self.session.perturbation(line.pair) else {
                    return Err(format!("pair {} was not under way here", line.pair));
                };
                let engine = self.session.tune().parameters.len();
                let sides = [(&expected.plus, &line.plus), (&expected.minus, &line.minus)];
                for (expected, written) in sides {
                    if !agree(&expected[..engine], written) {
                        return Err(format!(
                            "pair {} has other values than the run leads to",
                            line.pair
                        ));
                    }
                }
                if line.penta > 4 {
                    return Err(format!("{} is no index in a pentanomial", line.penta));
                }
                self.attribution.sound(&line);
                self.answer(line.pair, Outcome::Played(line.penta))
            }
            Line::GivenUp { pair } => self.answer(pair, Outcome::GivenUp),
            Line::Fault(fault) => {
                let sides = self.session.perturbation(fault.pair);
                let is_anchor = sides.is_some_and(|sides| sides.is_anchor);
                self.attribution.fault(&fault, is_anchor);
                self.faults.push(fault);
                Ok(())
            }
            Line::Extend {
                iterations,
                discounted,
            } => {
                if discounted {
                    self.session.discount_anchors();
                }
                self.session.extend(iterations);
                Ok(())
            }
        }
    }

    fn answer(&mut self, pair: u64, outcome: Outcome) -> Result<(), String> {
        if self.session.answer(pair, outcome) {
            Ok(())
        } else {
            Err(format!("pair {pair} is there twice"))
        }
    }
}

/// Equal up to the last digits, which another machine's library may compute differently.
fn agree(ours: &[f64], theirs: &[f64]) -> bool {
    let near = |(ours, theirs): (&f64, &f64)| (ours - theirs).abs() <= 1e-9 * ours.abs().max(1.0);
    ours.len() == theirs.len() && ours.iter().zip(theirs).all(near)
}

fn read_plan(path: &Path) -> Result<Plan, Failure> {
    let text = run_folder::read_plan(path, &COMMANDS)?;
    let shown = path.display();
    let mut plan: Plan = serde_json::from_str(&text).map_err(|error| {
        Failure::unable(format!(
            "`{shown}` does not hold the plan of a tune: {error}"
        ))
    })?;
    let leads_the_same_way = match plan.tune.algorithm {
        AlgorithmName::Classic => (SAME_CLASSIC..=VERSION).contains(&plan.version),
        _ => [OLD_BAYES, VERSION].contains(&plan.version),
    };
    if plan.schema != SCHEMA || !leads_the_same_way {
        return Err(Failure::unable(format!(
            "`{shown}`: expected {SCHEMA} version {VERSION}, got {} version {}",
            plan.schema, plan.version
        ))
        .hint("continue the run with the release that started it"));
    }
    if plan.version == OLD_BAYES && plan.tune.algorithm == AlgorithmName::Bayes {
        plan.tune.algorithm = AlgorithmName::Bayes7;
    }
    Ok(plan)
}
