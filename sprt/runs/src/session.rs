//! What matches and tournaments have in common while they are played: jobs go to the arena, pairs
//! come back, are told to the reporters and counted in the order of the schedule, until the
//! [`Contest`] is over.

use std::path::Path;

use foundation::{Exit, Failure, Printer};

use crate::control::Control;
use crate::plan::PlayPlan;
use crate::report::{Event, Output, Reporters, RunEnd};
use crate::run::resumable;
use crate::run_folder::{GameRecord, MatchFolder, PairLine, RunPlan};
use crate::signals::Signals;
use crate::state_folder::{find_run, new_run_path};
use engine_client::LogTarget;
use referee::arena::{
    self, FinishedJob, FinishedPair, Flow, InOrder, Job, Scheduler, SchedulerState, Source,
};
use referee::openings::Book;

/// What is played in a session, and how it stands: a match or a tournament.
pub trait Contest: Sized {
    type Plan: RunPlan;

    /// What the folder of a run is named for.
    fn name(plan: &Self::Plan) -> String;

    fn play_plan(plan: &Self::Plan) -> &PlayPlan;

    /// Makes sure that the engines are those that the plan was made with.
    fn verify(plan: &Self::Plan) -> Result<(), Failure>;

    /// How it stands after the pairs of its journal.
    fn after(plan: Self::Plan, lines: &[PairLine], log: Option<LogTarget>)
    -> Result<Self, Failure>;

    /// Those who write about it.
    fn reporters(
        &self,
        directory: MatchFolder,
        output: &Output,
        printer: Printer,
    ) -> Result<Reporters, Failure>;

    /// Where its jobs are played.
    fn scheduler(&mut self) -> Result<Scheduler, Failure>;

    /// Pairs that were counted, and so the number of the next.
    fn pairs(&self) -> u64;

    /// The job of this number; `None` where there is none now.
    fn job(&mut self, number: u64, book: &Book) -> Result<Option<Job>, Failure>;

    /// Counts the next pair.
    fn add(&mut self, games: &[GameRecord]);

    fn is_over(&self) -> bool;

    fn exit(&self) -> Exit;

    fn started<'a>(&'a self, run: &'a Path) -> Event<'a>;

    fn progress<'a>(&'a self, run: &'a Path) -> Event<'a>;

    fn finished<'a>(&'a self, run: &'a Path, end: RunEnd) -> Event<'a>;
}

/// Plays a plan from its first pair on, and reports on it.
pub async fn start<C: Contest>(
    plan: C::Plan,
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    output.check()?;
    let path = match &output.out {
        Some(path) => path.clone(),
        None => new_run_path(&C::name(&plan))?,
    };
    let directory = MatchFolder::create(&path, &plan)?;
    play::<C>(plan, directory, &[], output, signals, printer).await
}

/// Goes on where the journal of a run ends. `change` may adapt its plan in what does not decide
/// which games are played.
pub async fn resume<C: Contest>(
    run: &Path,
    change: impl FnOnce(&mut C::Plan) -> Result<(), Failure>,
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let (directory, mut plan, lines) = MatchFolder::open(&find_run(run)?)?;
    change(&mut plan)?;
    output.check()?;
    C::verify(&plan)?;
    match directory.lost_pairs() {
        0 => {}
        1 => printer.warn("the games of the last pair never reached the disk; it is played again"),
        pairs => printer.warn(&format!(
            "the games of the last {pairs} pairs never reached the disk; they are played again"
        )),
    }
    play::<C>(plan, directory, &lines, output, signals, printer).await
}

async fn play<C: Contest>(
    plan: C::Plan,
    directory: MatchFolder,
    lines: &[PairLine],
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let book = C::play_plan(&plan).open_book()?;
    let run = directory.path().to_owned();
    let log = LogTarget::new(output.log.clone(), printer);
    let contest = C::after(plan, lines, log)?;
    Control::clear(&run);
    let reporters = contest.reporters(directory, output, printer)?;
    let next = contest.pairs();
    let mut session = Session {
        contest,
        run: &run,
        is_stopped: false,
        state: SchedulerState::default(),
        book,
        next,
        order: InOrder::new(next),
        reporters,
    };
    session.reporters.tell(&session.contest.started(&run))?;
    let scheduler = session.contest.scheduler()?;
    session.state.slots = scheduler.slots;
    let result = scheduler.run(&mut session, &signals.interrupt).await;

    let Session {
        contest,
        is_stopped,
        mut reporters,
        ..
    } = session;
    let was_ended = signals.was_interrupted() || is_stopped;
    let end = RunEnd::of(&result, contest.is_over(), was_ended);
    let reported = reporters.tell(&contest.finished(&run, end));
    result.map_err(|failure| resumable(failure, &run))?;
    reported?;
    Ok(match end {
        RunEnd::Interrupted if is_stopped => Exit::Interrupted,
        RunEnd::Interrupted => signals.exit(),
        RunEnd::Over | RunEnd::Failed => contest.exit(),
    })
}

/// A contest that is being played: pairs in the order of the schedule.
struct Session<'a, C> {
    contest: C,
    run: &'a Path,
    /// Whether somebody asked for the end.
    is_stopped: bool,
    /// What was last reported.
    state: SchedulerState,
    book: Book,
    /// Number of the next pair to hand out.
    next: u64,
    order: InOrder<FinishedPair>,
    reporters: Reporters,
}

impl<C: Contest> Source for Session<'_, C> {
    fn next_job(&mut self) -> Result<Option<Job>, Failure> {
        if self.contest.is_over() {
            return Ok(None);
        }
        let job = self.contest.job(self.next, &self.book)?;
        self.next += u64::from(job.is_some());
        Ok(job)
    }

    fn receive(&mut self, finished: Vec<FinishedJob>) -> Result<Flow, Failure> {
        let mut fault = None;
        for job in finished {
            match job.result {
                Ok(pair) => self.order.add(job.pair, pair),
                Err(why) => fault = Some(why),
            }
        }
        let before = self.contest.pairs();
        while let Some(pair) = self.order.pop() {
            self.contest.add(&GameRecord::of_pair(&pair));
            self.reporters.tell(&Event::PairFinished(&pair))?;
            if self.contest.is_over() {
                break;
            }
        }
        if self.contest.pairs() > before {
            self.reporters.tell(&self.contest.progress(self.run))?;
        }
        if self.contest.is_over() {
            return Ok(Flow::Stop);
        }
        match fault {
            Some(fault) => Err(fault.failure),
            None => Ok(Flow::GoOn),
        }
    }

    fn control(&mut self) -> arena::Control {
        let control = Control::read(self.run).asked();
        self.is_stopped |= control.stop;
        control
    }

    fn state_changed(&mut self, state: SchedulerState) -> Result<(), Failure> {
        if state == self.state {
            return Ok(());
        }
        self.state = state;
        self.reporters.tell(&Event::StateChanged(state))
    }

    fn wants_events(&self) -> bool {
        self.reporters.want_live()
    }

    fn wants_moves(&mut self) -> bool {
        self.reporters.want_moves()
    }

    fn on_event(&mut self, event: arena::Event) -> Result<(), Failure> {
        self.reporters.tell(&Event::Live(&event))
    }
}
