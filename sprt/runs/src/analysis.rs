//! Everything that a view of a run shows, gathered once: views draw it and compute nothing.
//!
//! The journal is read whole. Of the games, whose file may have gigabytes, only a sample spread
//! over the run is read.

mod clocks;
mod course;
mod endings;
mod moves;
pub mod record;
mod sample;
mod trends;

use std::path::{Path, PathBuf};

use foundation::Failure;
use stats::{MatchCounts, Outcomes};

pub use course::CoursePoint;
pub use endings::{Ending, LENGTH_STEP, Openings};
pub use moves::{Phase, Phases};
pub use trends::Trends;

use self::record::RecordedGame;
use crate::activity::Activity;
use crate::pair_record::PairLine;
use crate::plan::Plan;
use crate::recorded::Recorded;
use crate::run_folder::{games_path, read_plan};
use crate::standing::Standing;
use crate::status::Status;

/// Pairs that are named because one engine won both games.
const NAMED_PAIRS: usize = 12;

/// A run so far.
pub struct Analysis {
    pub run: PathBuf,
    pub plan: Plan,
    pub standing: Standing,
    pub status: Status,
    /// What its process does or did; `None` in runs of earlier releases.
    pub activity: Option<Activity>,
    pub course: Vec<CoursePoint>,
    /// The pairs expected under H0 and under H1, given the spread of results in this match.
    pub expected: Option<[[f64; 5]; 2]>,
    pub endings: Vec<Ending>,
    /// Games by length, in steps of [`LENGTH_STEP`] plies: won, drawn and lost by the new engine.
    pub lengths: Vec<[u64; 3]>,
    pub openings: Openings,
    /// The opening of the latest pairs in which one engine won both games.
    pub decided: Vec<DecidedPair>,
    pub phases: Phases,
    pub trends: Trends,
    /// Seconds that base and new had left on their clocks at least, in a sample of games.
    pub least_time_left: [Option<f64>; 2],
}

/// A pair in which one engine won both games.
pub struct DecidedPair {
    pub pair: u64,
    pub new_won: bool,
    /// Its opening as the record has it: a position or moves; empty where it could not be read.
    pub opening: String,
}

impl Analysis {
    pub fn of(run: &Path) -> Result<Self, Failure> {
        Self::after(run, &Recorded::read(run)?.lines)
    }

    /// The same of a run whose journal was read already.
    pub fn after(run: &Path, lines: &[PairLine]) -> Result<Self, Failure> {
        let plan: Plan = read_plan(run)?;
        let standing = Standing::after(&plan, lines);
        let tally = standing.tally();
        let games = sample::sample(run, lines);
        let expected = MatchCounts::new(tally.pentanomial, tally.wdl)
            .ok()
            .filter(|_| tally.pentanomial.pairs() > 0 && !plan.no_test)
            .map(|counts| {
                let pairs = tally.pentanomial.pairs() as f64;
                [plan.test.elo0, plan.test.elo1].map(|elo| {
                    Outcomes::like(&counts, plan.test.model, elo)
                        .pairs
                        .map(|share| share * pairs)
                })
            });
        Ok(Self {
            run: run.to_owned(),
            status: Status::of(run, standing.is_over(&plan)),
            activity: Activity::read(run),
            course: course::course(&plan, lines),
            expected,
            endings: endings::endings(lines),
            lengths: endings::lengths(lines),
            openings: Openings::of(lines),
            decided: decided(run, lines),
            phases: Phases::of(&plan, &games),
            trends: Trends::of(&plan, &games),
            least_time_left: clocks::least_time_left(&plan, &games),
            standing,
            plan,
        })
    }
}

fn decided(run: &Path, lines: &[PairLine]) -> Vec<DecidedPair> {
    let both_won = |line: &&PairLine| {
        let mut results = line
            .games
            .iter()
            .map(|game| game.winner.map(|winner| winner == game.new));
        match (results.next(), results.next()) {
            (Some(first), Some(second)) => first.is_some() && first == second,
            _ => false,
        }
    };
    let games = games_path(run);
    let opening = |pair: usize| {
        let text = record::read_pairs(&games, lines, pair..pair + 1).unwrap_or_default();
        let games = record::parse(&text);
        games.first().map(RecordedGame::opening).unwrap_or_default()
    };
    lines
        .iter()
        .rev()
        .filter(both_won)
        .take(NAMED_PAIRS)
        .map(|line| DecidedPair {
            pair: line.pair,
            new_won: line.games[0].winner == Some(line.games[0].new),
            opening: opening(line.pair as usize),
        })
        .collect()
}
