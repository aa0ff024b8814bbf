//! Everything that a run writes. Each writer is a [`Reporter`] in its own file, which listens to
//! the one stream of [`Event`]s and computes no statistic: those are in the [`Standing`] that it is
//! told.
//!
//! To add a reporter, write its file and put it on the list in [`Reporters::list`].

pub mod activity;
mod append;
pub mod block;
pub mod command;
mod epd;
pub mod events;
pub mod html;
pub mod journal;
pub mod json;
pub mod live;
pub mod outlook;
pub mod pgn;
pub mod progress;
mod spoiled;
pub mod status;
pub mod tournament;
pub mod verdict;

use std::path::{Path, PathBuf};

use foundation::{Failure, Printer};
use serde::ser::SerializeStruct as _;
use serde::{Serialize, Serializer};

use crate::plan::{Plan, RecordStyle};
use crate::run_folder::MatchFolder;
use crate::standing::Standing;
use crate::tournament::{TournamentPlan, TournamentStanding};
use engine_client::Limit;
use referee::arena::{self, FinishedPair, SchedulerState};
use referee::game::Variant;

/// What a run tells, in the order of its happening.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event<'a> {
    RunStarted(RunState<'a>),
    /// Told in the order of the schedule, once the pair counts.
    PairFinished(&'a FinishedPair),
    /// Some pairs have been told: whoever gathers writes now, before more is played on the strength
    /// of them.
    Progress(&'a Standing),
    /// Somebody paused or resumed the run, or changed its concurrency.
    #[serde(rename = "pace_changed")]
    StateChanged(SchedulerState),
    /// The last event, whatever happened.
    RunFinished(RunFinished<'a>),
    /// The first event of a tournament, which has `pair_finished` in common with a match.
    TournamentStarted(TournamentState<'a>),
    TournamentProgress(TournamentState<'a>),
    /// The last event of a tournament, whatever happened.
    TournamentFinished(TournamentFinished<'a>),
    /// Something in a slot, as it happens; only told where a reporter wants it.
    #[serde(untagged)]
    Live(&'a arena::Event),
}

/// How a run stands: its plan, its folder, and what it has brought.
#[derive(Clone, Copy, Debug)]
pub struct State<'a, Plan, Standing> {
    pub plan: &'a Plan,
    /// The run's folder.
    pub run: &'a Path,
    pub standing: &'a Standing,
}

pub type RunState<'a> = State<'a, Plan, Standing>;
pub type TournamentState<'a> = State<'a, TournamentPlan, TournamentStanding>;

impl Serialize for RunState<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut state = serializer.serialize_struct("RunState", 3)?;
        state.serialize_field("plan", self.plan)?;
        state.serialize_field("run", self.run)?;
        state.serialize_field("standing", self.standing)?;
        state.end()
    }
}

/// How a run stands at its end.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(bound(serialize = "State<'a, Plan, Standing>: Serialize"))]
pub struct Finished<'a, Plan, Standing> {
    #[serde(flatten)]
    pub state: State<'a, Plan, Standing>,
    pub end: RunEnd,
}

pub type RunFinished<'a> = Finished<'a, Plan, Standing>;
pub type TournamentFinished<'a> = Finished<'a, TournamentPlan, TournamentStanding>;

/// Why no more is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEnd {
    /// The test is decided, or all games of the plan are played.
    Over,
    Interrupted,
    /// Something went wrong, which the command that started the run tells.
    Failed,
}

impl RunEnd {
    /// Why it ended: with this result, with everything played or not, at somebody's wish or not.
    pub fn of(result: &Result<(), Failure>, is_over: bool, was_ended: bool) -> Self {
        match result {
            Err(_) => Self::Failed,
            Ok(()) if is_over || !was_ended => Self::Over,
            Ok(()) => Self::Interrupted,
        }
    }
}

/// Writes what happens in its own form.
pub trait Reporter {
    /// Takes in an event.
    ///
    /// # Errors
    /// It could not be written, which ends the run.
    fn hear(&mut self, event: &Event<'_>) -> Result<(), Failure>;

    /// Whether it wants [`Event::Live`].
    fn wants_live(&self) -> bool {
        false
    }

    /// Whether it wants them for each move now, which costs time; those that were made before come
    /// with the next one. Asked every now and then.
    fn wants_moves(&mut self) -> bool {
        self.wants_live()
    }
}

/// What is asked of a run's reports.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// Folder of the run; `None` is a new one under the state folder.
    pub out: Option<PathBuf>,
    /// A PGN file to which the games are appended.
    pub pgn: Option<PathBuf>,
    /// A file to which the position at the end of each game is appended.
    pub epd: Option<PathBuf>,
    /// Each engine's dialogue, a file a game.
    pub log: Option<PathBuf>,
    /// Where all events go as JSON Lines; `-` is standard output, on which nothing else is printed
    /// then.
    pub events: Option<PathBuf>,
    /// The result on stdout as JSON instead of OpenBench's block.
    pub json: bool,
}

impl Output {
    /// Finds out what cannot be written before anything is.
    pub fn check(&self) -> Result<(), Failure> {
        for file in self.pgn.iter().chain(&self.epd) {
            pgn::check(file)?;
        }
        Ok(())
    }
}

/// All reporters of a run, which hear each event in the order of the list.
pub struct Reporters(Vec<Box<dyn Reporter>>);

/// Those that know whether it is a match or a tournament.
struct Own<'a> {
    journal: journal::Journal,
    progress: Box<dyn Reporter>,
    result_file: Box<dyn Reporter>,
    /// For stdout.
    printed: Box<dyn Reporter>,
    conclusion: Box<dyn Reporter>,
    /// The limits of the engines, for the pages of those who watch.
    limits: Vec<&'a Limit>,
}

impl Reporters {
    /// The list.
    pub fn of_run(
        plan: &Plan,
        directory: MatchFolder,
        output: &Output,
        printer: Printer,
    ) -> Result<Self, Failure> {
        let variant = plan.play.variant()?;
        let run = directory.path().to_owned();
        let own = Own {
            journal: journal::Journal::new(directory, variant, plan.pgn.clone()),
            progress: Box::new(progress::Progress::new(printer)),
            result_file: Box::new(json::ResultFile),
            printed: if output.json {
                Box::new(json::Printed(printer))
            } else {
                Box::new(block::Printed(printer))
            },
            conclusion: Box::new(verdict::Printed::new(printer)),
            limits: plan.limits().to_vec(),
        };
        Self::list(own, &run, variant, output)
    }

    /// The list for a tournament.
    pub fn of_tournament(
        plan: &TournamentPlan,
        directory: MatchFolder,
        output: &Output,
        printer: Printer,
    ) -> Result<Self, Failure> {
        let variant = plan.play.variant()?;
        let run = directory.path().to_owned();
        let mut style = plan.pgn.clone();
        if style.event == RecordStyle::default().event {
            style.event.clone_from(&plan.format.title);
        }
        let own = Own {
            journal: journal::Journal::of_tournament(directory, variant, style),
            progress: Box::new(tournament::Progress::new(printer)),
            result_file: Box::new(tournament::ResultFile),
            printed: Box::new(tournament::Printed {
                printer,
                json: output.json,
            }),
            conclusion: Box::new(tournament::Conclusion::new(printer)),
            limits: plan.limits_of_engines(),
        };
        Self::list(own, &run, variant, output)
    }

    fn list(
        own: Own<'_>,
        run: &Path,
        variant: &'static dyn Variant,
        output: &Output,
    ) -> Result<Self, Failure> {
        let mut list: Vec<Box<dyn Reporter>> = vec![
            Box::new(own.journal),
            own.progress,
            Box::new(activity::Recorder::new(run)),
            own.result_file,
            Box::new(live::Live::new(run, &own.limits)),
        ];
        let is_stdout_taken = output.events.as_deref().is_some_and(events::is_stdout);
        if !is_stdout_taken {
            list.push(own.printed);
        }
        if let Some(file) = &output.events {
            list.push(Box::new(events::Events::create(file)?));
        }
        if let Some(file) = &output.epd {
            list.push(Box::new(epd::Appended::open(file, variant)?));
        }
        if let Some(file) = &output.pgn {
            list.push(Box::new(pgn::Copy(file.clone())));
        }
        list.push(own.conclusion);
        Ok(Self(list))
    }

    /// Tells all reporters; the first that fails is the answer, and the others hear it all the
    /// same.
    pub fn tell(&mut self, event: &Event<'_>) -> Result<(), Failure> {
        let results: Vec<_> = self.0.iter_mut().map(|one| one.hear(event)).collect();
        results.into_iter().collect()
    }

    pub fn want_live(&self) -> bool {
        self.0.iter().any(|reporter| reporter.wants_live())
    }

    pub fn want_moves(&mut self) -> bool {
        // All of them are asked, for some remember what they answered.
        let mut wanted = false;
        for reporter in &mut self.0 {
            wanted |= reporter.wants_moves();
        }
        wanted
    }
}
