//! The folder of a run: `plan.json`, and `journal.jsonl`, to which lines are only ever added.
//!
//! Plan and journal determine the state of a run: reading them again leads to the very same trajectory, because
//! [`Session`] is a pure function of both. Each finished pair is written with the values that were really played, so the
//! journal can also be analysed by other means; reading it, we hold those values against our own, so a journal that was
//! changed, or a release that would go another way, is found out. A torn last line is what a kill leaves; it is dropped,
//! and its pair is played again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use foundation::{Failure, failure::OrUnable};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sprt::contender::Contender;
use sprt::plan::PlayPlan;

use crate::checks::screen::Screened;
use crate::commands::apply::replace;
use crate::run::attribution::Blame;
use crate::run::session::{Outcome, Session, Tune};

const PLAN: &str = "plan.json";
const JOURNAL: &str = "journal.jsonl";
const SCHEMA: &str = "tuner-plan";
const VERSION: u32 = 1;
/// A kill of the process loses no line; the end of the machine may lose what this long ago was not on disk.
const SYNC_INTERVAL: Duration = Duration::from_secs(1);

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
    /// End the run from its half on if next to nothing can be hoped for.
    #[serde(default)]
    pub stop_early: bool,
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
            stop_early: false,
        }
    }

    pub fn to_json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self).or_unable("write the plan as JSON")
    }
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Line {
    Pair(PairLine),
    Fault(FaultLine),
    /// A pair that was given up after repeated faults.
    Void {
        pair: u64,
    },
    /// Another horizon, for all pairs not sent out by then.
    Extend {
        iterations: u64,
    },
}

/// A finished pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairLine {
    pub pair: u64,
    /// Index in the pentanomial, from two losses of the plus side to two wins.
    pub penta: u8,
    #[serde(with = "numbers")]
    pub plus: Vec<f64>,
    #[serde(with = "numbers")]
    pub minus: Vec<f64>,
}

/// A game that an engine spoiled; its pair does not count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FaultLine {
    pub pair: u64,
    pub attempt: u32,
    /// Whose engine it was, where that is known.
    pub side: Option<Side>,
    pub what: String,
    #[serde(with = "numbers")]
    pub plus: Vec<f64>,
    #[serde(with = "numbers")]
    pub minus: Vec<f64>,
}

/// The engine of a pair whose result is counted, or its opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Plus,
    Minus,
}

impl FaultLine {
    /// What happened, and to whom.
    pub fn words(&self) -> String {
        let side = match self.side {
            Some(Side::Plus) => "plus side: ",
            Some(Side::Minus) => "minus side: ",
            None => "",
        };
        format!("{side}{}", self.what)
    }
}

/// Whole numbers without a decimal point: most values are, and there are many.
mod numbers {
    use super::{Deserialize, Deserializer, Serializer};

    const EXACT: f64 = (1_u64 << 53) as f64;

    pub fn serialize<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeSeq;
        let mut list = serializer.serialize_seq(Some(values.len()))?;
        for &value in values {
            if value.fract() == 0.0 && value.abs() < EXACT {
                list.serialize_element(&(value as i64))?;
            } else {
                list.serialize_element(&value)?;
            }
        }
        list.end()
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        Vec::deserialize(deserializer)
    }
}

/// A run's folder, open for this process alone.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    synced: Instant,
    /// Faulty attempts at pairs that are still open.
    pub attempts: Vec<(u64, u32)>,
    /// Holds the lock as long as it lives.
    _plan: File,
}

/// A run as its journal tells it.
#[derive(Debug)]
pub struct Replayed {
    pub plan: Plan,
    pub session: Session,
    pub faults: Vec<FaultLine>,
    pub blame: Blame,
    /// Bytes of whole lines.
    length: u64,
}

impl Journal {
    /// Makes a folder for a new run.
    pub fn create(path: &Path, plan: &Plan) -> Result<(Self, Replayed), Failure> {
        let shown = path.display();
        if path.join(PLAN).exists() {
            return Err(
                Failure::unable(format!("`{shown}` holds a run already")).hint(format!(
                    "continue it with `tuner resume {shown}`, or name another --out"
                )),
            );
        }
        fs::create_dir_all(path)
            .and_then(|()| fs::write(path.join(JOURNAL), ""))
            .or_unable(format_args!("create the run folder `{shown}`"))
            .map_err(|failure| failure.hint("name a folder that you may write to with --out"))?;
        replace(&path.join(PLAN), &plan.to_json()?)?;
        Self::open(path)
    }

    /// Opens a run to go on with it: cuts off a torn last line and replays the rest.
    pub fn open(path: &Path) -> Result<(Self, Replayed), Failure> {
        let lock = lock(path)?;
        let replayed = replay(path)?;
        let journal = path.join(JOURNAL);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&journal)
            .or_unable(format_args!("open `{}`", journal.display()))?;
        file.set_len(replayed.length)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .or_unable(format_args!("cut the torn end off `{}`", journal.display()))?;
        let attempts = replayed
            .faults
            .iter()
            .filter(|fault| replayed.session.open().any(|(pair, _)| pair == fault.pair))
            .map(|fault| (fault.pair, fault.attempt.saturating_add(1)))
            .collect();
        let journal = Self {
            path: path.to_owned(),
            file,
            synced: Instant::now(),
            attempts,
            _plan: lock,
        };
        Ok((journal, replayed))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line.
    pub fn append(&mut self, line: &Line) -> Result<(), Failure> {
        let mut text = serde_json::to_vec(line).or_unable("write a line of the journal")?;
        text.push(b'\n');
        self.file
            .write_all(&text)
            .and_then(|()| {
                if self.synced.elapsed() < SYNC_INTERVAL {
                    return Ok(());
                }
                self.synced = Instant::now();
                self.file.sync_data()
            })
            .or_unable(format_args!("write to `{}`", self.path.display()))
            .map_err(|failure| {
                failure.hint(format!(
                    "make room, then `tuner resume {}`",
                    self.path.display()
                ))
            })
    }

    /// Waits until all is on disk.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.file
            .sync_data()
            .or_unable(format_args!("write to `{}`", self.path.display()))
    }
}

/// Reads a run without the right to change it, also while it is being played.
pub fn replay(path: &Path) -> Result<Replayed, Failure> {
    let plan = read_plan(path)?;
    let name = path.join(JOURNAL);
    let shown = name.display();
    let file = File::open(&name).or_unable(format_args!("open `{shown}`"))?;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut replayed = Replayed {
        session: Session::new(plan.tune.clone()),
        blame: Blame::new(&plan.tune.parameters),
        plan,
        faults: Vec::new(),
        length: 0,
    };
    let mut text = Vec::new();
    for number in 1_u64.. {
        text.clear();
        let length = reader
            .read_until(b'\n', &mut text)
            .or_unable(format_args!("read `{shown}`"))?;
        if length == 0 || text.last() != Some(&b'\n') {
            break;
        }
        replayed.length += length as u64;
        let wrong = |what: &str| {
            Failure::unable(format!("`{shown}`, line {number}: {what}")).hint(
                "the journal was changed, or written by a release that goes another way; restore \
                 it, or continue with that release",
            )
        };
        let line: Line = serde_json::from_slice(&text)
            .map_err(|error| wrong(&format!("not a line of a journal: {error}")))?;
        replayed.take(line).map_err(|what| wrong(&what))?;
    }
    Ok(replayed)
}

impl Replayed {
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
                self.blame.sound(&line);
                self.answer(line.pair, Outcome::Played(line.penta))
            }
            Line::Void { pair } => self.answer(pair, Outcome::Void),
            Line::Fault(fault) => {
                self.blame.fault(&fault);
                self.faults.push(fault);
                Ok(())
            }
            Line::Extend { iterations } => {
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
    let file = path.join(PLAN);
    let shown = file.display();
    let text = fs::read_to_string(&file)
        .or_unable(format_args!("read `{shown}`"))
        .map_err(|failure| failure.hint("expected the folder of a run of `tuner spsa`"))?;
    let plan: Plan = serde_json::from_str(&text)
        .map_err(|error| Failure::unable(format!("`{shown}` is not the plan of a run: {error}")))?;
    if plan.schema != SCHEMA || plan.version > VERSION {
        return Err(Failure::unable(format!(
            "`{shown}`: expected {SCHEMA} version {VERSION} or older, got {} version {}",
            plan.schema, plan.version
        ))
        .hint("continue the run with the release that started it"));
    }
    Ok(plan)
}

fn lock(path: &Path) -> Result<File, Failure> {
    let file = path.join(PLAN);
    let handle = File::open(&file)
        .or_unable(format_args!("open `{}`", file.display()))
        .map_err(|failure| failure.hint("expected the folder of a run of `tuner spsa`"))?;
    match handle.try_lock() {
        Ok(()) => Ok(handle),
        Err(TryLockError::WouldBlock) => Err(Failure::unable(format!(
            "the run in `{}` is being played by another process",
            path.display()
        ))
        .hint(format!("look at it with `tuner report {}`", path.display()))),
        Err(TryLockError::Error(error)) => Err(Failure::unable(format!(
            "failed to lock `{}`: {error}",
            file.display()
        ))),
    }
}
