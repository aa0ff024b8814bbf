//! What a run reports, in the order in which it happens.

use std::path::Path;

use engine_client::Limit;
use foundation::Failure;
use referee::arena::{self, FinishedPair, SchedulerState};
use serde::Serialize;

use crate::plan::{Contender, Plan, PlayPlan};
use crate::standing::Standing;
use crate::tournament::{TournamentPlan, TournamentStanding};

/// Something that happened in a run.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    Started(State<'a>),
    /// In the order of the schedule, once the pair counts.
    PairFinished(&'a FinishedPair),
    /// After some pairs. Reporters that buffer pairs write them now, before further games depend on
    /// them.
    Progress(State<'a>),
    /// Somebody paused or resumed the run, or changed its concurrency.
    StateChanged(SchedulerState),
    /// A further slot that was asked for could not be opened; so many games at a time go on.
    SlotFailed(usize, &'a Failure),
    /// The last event, whatever happened.
    Finished(State<'a>, RunEnd),
    /// Something in a slot, as it happens; only where a reporter wants it.
    Live(&'a arena::Event),
}

/// How a run stands: its plan, its folder, and its results.
#[derive(Clone, Copy, Debug)]
pub enum State<'a> {
    Match(MatchState<'a>),
    Tournament(TournamentState<'a>),
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct MatchState<'a> {
    pub plan: &'a Plan,
    /// The run's folder.
    pub run: &'a Path,
    pub standing: &'a Standing,
}

#[derive(Clone, Copy, Debug)]
pub struct TournamentState<'a> {
    pub plan: &'a TournamentPlan,
    /// The run's folder.
    pub run: &'a Path,
    pub standing: &'a TournamentStanding,
}

impl<'a> State<'a> {
    pub fn run(&self) -> &'a Path {
        match self {
            Self::Match(state) => state.run,
            Self::Tournament(state) => state.run,
        }
    }

    pub fn play(&self) -> &'a PlayPlan {
        match self {
            Self::Match(state) => &state.plan.play,
            Self::Tournament(state) => &state.plan.play,
        }
    }

    /// Those who play.
    pub fn engines(&self) -> Vec<&'a Contender> {
        match self {
            Self::Match(state) => vec![&state.plan.base, &state.plan.new],
            Self::Tournament(state) => state.plan.engines.iter().map(|it| &it.contender).collect(),
        }
    }

    /// Their limits.
    pub fn limits(&self) -> Vec<&'a Limit> {
        let engines = self.engines().into_iter();
        engines
            .map(|engine| engine.limit(&self.play().limit))
            .collect()
    }

    /// Games that were played and count.
    pub fn games(&self) -> u64 {
        match self {
            Self::Match(state) => state.standing.tally().wdl.games(),
            Self::Tournament(state) => 2 * state.standing.pairs(),
        }
    }
}

/// Why no more is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// The test is decided, or all games of the plan are played.
    Over,
    Interrupted,
    /// Something went wrong; the command that started the run reports it.
    Failed,
}

impl RunEnd {
    /// Why it ended: with this result, with everything played or not, on request or not.
    pub fn of(result: &Result<(), Failure>, is_over: bool, was_ended: bool) -> Self {
        match result {
            Err(_) => Self::Failed,
            Ok(()) if is_over || !was_ended => Self::Over,
            Ok(()) => Self::Interrupted,
        }
    }
}
