//! A run in one line: what it plays, its standing, and the activity of its process.

use std::path::{Path, PathBuf};

use foundation::{Failure, run_folder};
use schemars::JsonSchema;
use serde::Serialize;
use stats::{EloFigures, Verdict};

use crate::activity::begun;
use crate::run_folder::MatchFolder;
use crate::standing::Standing;
use crate::state_folder::name;
use crate::status::Status;
use crate::tournament::{Figures, Kind, TournamentPlan, TournamentStanding, is_tournament};

/// What is being done with a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// A process plays it.
    Running,
    /// It can be continued.
    Interrupted,
    /// The test has a verdict.
    Decided,
    /// All games that it may have are played.
    Undecided,
    /// All games of a tournament, or of a match without a test, are played.
    Finished,
    /// Faults of an engine, or copies of games, leave no verdict.
    NoVerdict,
}

impl RunState {
    /// The state of a run that has no test.
    pub fn without_test(status: Status) -> Self {
        match status {
            Status::Interrupted => Self::Interrupted,
            Status::Over => Self::Finished,
            _ => Self::Running,
        }
    }
}

/// An entry in a list of runs.
#[derive(Serialize, JsonSchema)]
pub struct RunOverview {
    pub name: String,
    pub path: PathBuf,
    /// When the run was started.
    pub date: Option<String>,
    pub state: RunState,
    pub verdict: Verdict,
    /// For a match; null for a tournament.
    pub base: Option<String>,
    pub new: Option<String>,
    /// The settings that differ between the engines.
    pub difference: Option<String>,
    pub limit: String,
    pub elo0: Option<f64>,
    pub elo1: Option<f64>,
    pub games: u64,
    /// Games at most.
    pub max_games: Option<u64>,
    pub llr: Option<f64>,
    pub elo: EloFigures,
    /// What a crash took from it, which is played again when it is resumed.
    pub losses: Vec<String>,
    #[serde(skip)]
    pub status: Status,
    /// For a tournament; null for a match.
    pub tournament: Option<TournamentOverview>,
}

/// What an entry has for tournaments only.
#[derive(Serialize, JsonSchema)]
pub struct TournamentOverview {
    pub title: String,
    pub kind: Kind,
    pub engines: Vec<String>,
    /// Who won the knock-out or the Swiss tournament, or has the best rating.
    pub leader: Option<String>,
}

impl RunOverview {
    pub fn state_in_words(&self) -> &'static str {
        self.verdict.accepted().unwrap_or(match self.state {
            RunState::Running => self.status.word(),
            RunState::Interrupted => "interrupted",
            RunState::NoVerdict => "no verdict",
            RunState::Finished => "finished",
            RunState::Undecided | RunState::Decided => "undecided",
        })
    }

    pub fn read(path: &Path) -> Result<Self, Failure> {
        if is_tournament(path)? {
            Self::read_tournament(path)
        } else {
            Self::read_match(path)
        }
    }

    fn read_match(path: &Path) -> Result<Self, Failure> {
        let (plan, recorded) = MatchFolder::read_recorded(path)?;
        let standing = Standing::after(&plan, &recorded.lines);
        let verdict = standing.verdict();
        let state = match verdict {
            _ if verdict.accepted().is_some() => RunState::Decided,
            _ if run_folder::is_being_played(path) => RunState::Running,
            Verdict::NoTest if standing.is_over(&plan) => RunState::Finished,
            _ if standing.no_verdict().is_some() => RunState::NoVerdict,
            _ if standing.is_over(&plan) => RunState::Undecided,
            _ => RunState::Interrupted,
        };
        Ok(Self {
            name: name(path),
            path: path.to_owned(),
            date: begun(path),
            state,
            verdict,
            difference: plan.difference(),
            limit: plan.limit_in_words(),
            max_games: standing.max_games(),
            status: Status::of(path, standing.is_over(&plan)),
            base: Some(plan.base.name),
            new: Some(plan.new.name),
            elo0: standing.test().map(|test| test.elo0),
            elo1: standing.test().map(|test| test.elo1),
            games: standing.tally().wdl.games(),
            llr: standing.test().map(|_| standing.llr()),
            elo: standing.elo(),
            losses: recorded.losses(),
            tournament: None,
        })
    }

    fn read_tournament(path: &Path) -> Result<Self, Failure> {
        let (plan, recorded) = MatchFolder::read_recorded::<TournamentPlan>(path)?;
        let standing = TournamentStanding::after(&plan, &recorded.lines)?;
        let figures = Figures::of(&plan, &standing);
        let state = if run_folder::is_being_played(path) {
            RunState::Running
        } else if !figures.spoiled.is_empty() {
            RunState::NoVerdict
        } else if figures.is_over {
            RunState::Finished
        } else {
            RunState::Interrupted
        };
        let leader = figures.leader().map(|row| row.name.as_str());
        let leader = figures.decided().or(leader).map(str::to_owned);
        Ok(Self {
            name: name(path),
            path: path.to_owned(),
            date: begun(path),
            state,
            verdict: Verdict::NoTest,
            base: None,
            new: None,
            difference: None,
            limit: plan.limit_in_words(),
            max_games: None,
            status: Status::of(path, figures.is_over),
            elo0: None,
            elo1: None,
            games: figures.games,
            llr: None,
            elo: EloFigures::default(),
            losses: recorded.losses(),
            tournament: Some(TournamentOverview {
                kind: plan.format.kind,
                engines: plan.names().into_iter().map(str::to_owned).collect(),
                title: plan.format.title,
                leader,
            }),
        })
    }
}
