//! The run itself: a match, until the test decides. How it is played is the [`session`]'s business.
//!
//! [`start`] is the door of the library: whoever has a [`Plan`] can have it played. [`resume`] goes
//! on with one.

use std::path::Path;
use std::sync::Arc;

use foundation::{Exit, Failure, Printer};

use crate::plan::{Plan, PlayPlan};
use crate::report::{Event, Output, Reporters, RunEnd, RunFinished, RunState};
use crate::run_folder::{GameRecord, MatchFolder, PairLine};
use crate::session::{self, Contest};
use crate::signals::Signals;
use crate::standing::Standing;
use engine_client::LogTarget;
use referee::arena::{Job, MatchSetup, Scheduler};
use referee::openings::Book;

/// Plays a plan from its first pair on, and reports on it.
pub async fn start(
    plan: Plan,
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    session::start::<Match>(plan, output, signals, printer).await
}

/// Goes on where the journal of a run ends. `change` may adapt its plan in what does not decide
/// which games are played.
pub async fn resume(
    run: &Path,
    change: impl FnOnce(&mut Plan) -> Result<(), Failure>,
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    session::resume::<Match>(run, change, output, signals, printer).await
}

/// A match under test.
pub struct Match {
    plan: Plan,
    setup: Arc<MatchSetup>,
    standing: Standing,
}

impl Match {
    fn state<'a>(&'a self, run: &'a Path) -> RunState<'a> {
        RunState {
            plan: &self.plan,
            run,
            standing: &self.standing,
        }
    }
}

impl Contest for Match {
    type Plan = Plan;

    fn name(plan: &Plan) -> String {
        format!("{}-vs-{}", plan.new.name, plan.base.name)
    }

    fn play_plan(plan: &Plan) -> &PlayPlan {
        &plan.play
    }

    fn verify(plan: &Plan) -> Result<(), Failure> {
        plan.base.verify()?;
        plan.new.verify()
    }

    fn after(plan: Plan, lines: &[PairLine], log: Option<LogTarget>) -> Result<Self, Failure> {
        let mut setup = plan.setup()?;
        setup.base.log.clone_from(&log);
        setup.new.log = log;
        Ok(Self {
            setup: Arc::new(setup),
            standing: Standing::after(&plan, lines),
            plan,
        })
    }

    fn reporters(
        &self,
        directory: MatchFolder,
        output: &Output,
        printer: Printer,
    ) -> Result<Reporters, Failure> {
        Reporters::of_run(&self.plan, directory, output, printer)
    }

    fn scheduler(&mut self) -> Result<Scheduler, Failure> {
        let engines = [&self.plan.base.settings, &self.plan.new.settings];
        Ok(Scheduler {
            setup: Arc::clone(&self.setup),
            slots: self.plan.slots(self.pairs()),
            own_processors: self.plan.play.processors_of_a_game(&engines),
        })
    }

    fn pairs(&self) -> u64 {
        self.standing.tally().pairs_played()
    }

    fn job(&mut self, number: u64, book: &Book) -> Result<Option<Job>, Failure> {
        if self.plan.is_used_up(number) {
            return Ok(None);
        }
        let opening = book.opening(self.plan.opening_of(number))?;
        let mut job = Job::pair(number, opening);
        job.games = self.plan.colors_of_new(number);
        Ok(Some(job))
    }

    fn add(&mut self, games: &[GameRecord]) {
        self.standing.add(games);
    }

    fn is_over(&self) -> bool {
        self.standing.is_over(&self.plan)
    }

    fn exit(&self) -> Exit {
        self.standing.exit()
    }

    fn started<'a>(&'a self, run: &'a Path) -> Event<'a> {
        Event::RunStarted(self.state(run))
    }

    fn progress<'a>(&'a self, _run: &'a Path) -> Event<'a> {
        Event::Progress(&self.standing)
    }

    fn finished<'a>(&'a self, run: &'a Path, end: RunEnd) -> Event<'a> {
        let state = self.state(run);
        Event::RunFinished(RunFinished { state, end })
    }
}

/// A failure of a run that can be continued.
pub fn resumable(failure: Failure, run: &Path) -> Failure {
    let go_on = format!("continue with `sprt resume {}`", run.display());
    match failure.next_step() {
        Some(hint) => {
            let hint = format!("{hint}; then {go_on}");
            failure.hint(hint)
        }
        None => failure.hint(go_on),
    }
}
