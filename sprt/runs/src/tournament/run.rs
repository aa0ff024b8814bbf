//! The tournament itself, until all its pairs are played. How they are played is the [`session`]'s
//! business.

use std::path::Path;

use foundation::{Exit, Failure, Printer};

use super::plan::Setups;
use super::{TournamentPlan, TournamentStanding};
use crate::plan::PlayPlan;
use crate::report::{Event, Output, Reporters, RunEnd, TournamentFinished, TournamentState};
use crate::run_folder::{GameRecord, MatchFolder, PairLine};
use crate::session::{self, Contest};
use crate::signals::Signals;
use engine_client::LogTarget;
use referee::arena::{Job, Scheduler};
use referee::openings::Book;

/// Goes on where the journal of a tournament ends. `change` may adapt its plan in what does not
/// decide which games are played.
pub async fn resume(
    run: &Path,
    change: impl FnOnce(&mut TournamentPlan) -> Result<(), Failure>,
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    session::resume::<Tournament>(run, change, output, signals, printer).await
}

/// A tournament that is being played.
pub struct Tournament {
    plan: TournamentPlan,
    setups: Setups,
    standing: TournamentStanding,
}

impl Tournament {
    fn state<'a>(&'a self, run: &'a Path) -> TournamentState<'a> {
        TournamentState {
            plan: &self.plan,
            run,
            standing: &self.standing,
        }
    }
}

impl Contest for Tournament {
    type Plan = TournamentPlan;

    fn name(plan: &TournamentPlan) -> String {
        plan.format.title.clone()
    }

    fn play_plan(plan: &TournamentPlan) -> &PlayPlan {
        &plan.play
    }

    fn verify(plan: &TournamentPlan) -> Result<(), Failure> {
        plan.engines
            .iter()
            .try_for_each(|entrant| entrant.contender.verify())
    }

    fn after(
        plan: TournamentPlan,
        lines: &[PairLine],
        log: Option<LogTarget>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            standing: TournamentStanding::after(&plan, lines)?,
            setups: Setups::new(&plan, log)?,
            plan,
        })
    }

    fn reporters(
        &self,
        directory: MatchFolder,
        output: &Output,
        printer: Printer,
    ) -> Result<Reporters, Failure> {
        Reporters::of_tournament(&self.plan, directory, output, printer)
    }

    fn scheduler(&mut self) -> Result<Scheduler, Failure> {
        let engines = self.plan.engines.iter();
        let settings: Vec<_> = engines.map(|entrant| &entrant.contender.settings).collect();
        let own_processors = self.plan.play.processors_of_a_game(&settings);
        // Slots start the engines of the jobs that they get; this is only where they could begin.
        let first = self.standing.awaited().map_or([0, 1], |next| next.players);
        Ok(Scheduler {
            setup: self.setups.get(&self.plan, first)?,
            slots: self.plan.play.concurrency,
            own_processors,
        })
    }

    fn pairs(&self) -> u64 {
        self.standing.pairs()
    }

    fn job(&mut self, number: u64, book: &Book) -> Result<Option<Job>, Failure> {
        let Some(fixture) = self.standing.hand_out() else {
            return Ok(None);
        };
        let mut job = Job::pair(number, book.opening(fixture.opening)?);
        job.setup = Some(self.setups.get(&self.plan, fixture.players)?);
        Ok(Some(job))
    }

    fn add(&mut self, games: &[GameRecord]) {
        self.standing.add(games);
    }

    fn is_over(&self) -> bool {
        self.standing.is_over()
    }

    fn exit(&self) -> Exit {
        self.standing.exit()
    }

    fn started<'a>(&'a self, run: &'a Path) -> Event<'a> {
        Event::TournamentStarted(self.state(run))
    }

    fn progress<'a>(&'a self, run: &'a Path) -> Event<'a> {
        Event::TournamentProgress(self.state(run))
    }

    fn finished<'a>(&'a self, run: &'a Path, end: RunEnd) -> Event<'a> {
        let state = self.state(run);
        Event::TournamentFinished(TournamentFinished { state, end })
    }
}
