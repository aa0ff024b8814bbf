//! What matches and tournaments have in common while they are played: jobs go to the arena, pairs
//! come back, are reported and counted in the order of the schedule, until the [`Contest`] is over.
//!
//! [`start`] is the entry point of the library: it plays a plan. [`resume`] continues a run.

use std::path::Path;

use foundation::run_folder::Place;
use foundation::{Exit, Failure, Printer};

use crate::control::Control;
use crate::pair_record::{GameRecord, PairLine};
use crate::report::{Event, Output, Reporters, RunEnd};
use crate::run_folder::MatchFolder;
use crate::signals::Signals;
use crate::state_folder::{find_run, new_run_path};
use engine_client::LogTarget;
use referee::arena::{self, FinishedJob, FinishedPair, Flow, InOrder, Job, SchedulerState, Source};
use referee::openings::Book;

mod contest;
mod repair;
mod replay;
mod tournament;
mod two_engines;

pub use contest::{Contest, RunKind};
pub use repair::repair;
pub use replay::{Difference, Replayed, Sample, replay};

/// Plays a plan from its first pair on, and reports on it.
pub async fn start<P: RunKind>(
    plan: P,
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    output.check()?;
    let path = match &output.out {
        Some(path) => path.clone(),
        None => new_run_path(&P::Contest::name(&plan))?,
    };
    let directory = MatchFolder::create(&path, &plan)?;
    play::<P::Contest>(plan, directory, &[], output, signals, printer).await
}

/// Goes on where the journal of a run ends. `change` may adapt its plan in what does not decide
/// which games are played.
pub async fn resume<P: RunKind>(
    run: &Path,
    change: impl FnOnce(&mut P) -> Result<(), Failure>,
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let (directory, mut plan, recorded): (_, P, _) = MatchFolder::open(&find_run(run)?)?;
    output.check()?;
    P::Contest::verify(&plan)?;
    change(&mut plan)?;
    for loss in recorded.losses() {
        printer.warn(&loss);
    }
    play::<P::Contest>(plan, directory, &recorded.lines, output, signals, printer).await
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
    let (run, place) = (directory.path().to_owned(), directory.place());
    let log = LogTarget::new(output.log.clone(), printer).map(|log| LogTarget {
        gzip: output.log_gzip,
        ..log
    });
    let warning = C::warning(&plan);
    let contest = C::after(plan, lines, log)?;
    if let Some(warning) = warning.filter(|_| !contest.is_over()) {
        printer.warn(&warning);
    }
    Control::clear(&run);
    let reporters = Reporters::new(&contest.state(&run), directory, output, printer)?;
    let next = contest.pairs();
    let mut session = Session {
        contest,
        run: &run,
        place: &place,
        is_stopped: false,
        state: SchedulerState::default(),
        book,
        next,
        order: InOrder::new(next),
        reporters,
    };
    let start = Event::Started(session.contest.state(&run));
    session.reporters.report(&start)?;
    let scheduler = session.contest.scheduler()?;
    session.state.slots = scheduler.slots;
    let result = scheduler.run(&mut session, &signals.interrupt).await;
    // What ended it last may have been that.
    let there = place.check();

    let Session {
        contest,
        is_stopped,
        mut reporters,
        ..
    } = session;
    let was_ended = signals.was_interrupted() || is_stopped;
    let end = if there.is_ok() {
        RunEnd::of(&result, contest.is_over(), was_ended)
    } else {
        reporters.leave_folder();
        RunEnd::Failed
    };
    let reported = reporters.report(&Event::Finished(contest.state(&run), end));
    // Where the folder is not, nothing continues it.
    there?;
    result.map_err(|failure| resumable(failure, &output.resume_command(&run)))?;
    reported.or_else(|failure| place.check().and(Err(failure)))?;
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
    place: &'a Place,
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
            self.reporters.report(&Event::PairFinished(&pair))?;
            if self.contest.is_over() {
                break;
            }
        }
        if self.contest.pairs() > before {
            let progress = Event::Progress(self.contest.state(self.run));
            self.reporters.report(&progress)?;
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
        self.place.check()?;
        if state == self.state {
            return Ok(());
        }
        self.state = state;
        self.reporters.report(&Event::StateChanged(state))
    }

    fn slot_failed(&mut self, slots: usize, failure: &Failure) -> Result<(), Failure> {
        let lowered = Control {
            concurrency: Some(slots),
            ..Control::read(self.run)
        };
        // For its page; the scheduler keeps to it even where this cannot be written.
        let _ = lowered.write(self.run);
        self.reporters.report(&Event::SlotFailed(slots, failure))
    }

    fn wants_events(&self) -> bool {
        self.reporters.want_live()
    }

    fn wants_moves(&mut self) -> bool {
        self.reporters.want_moves()
    }

    fn on_event(&mut self, event: arena::Event) -> Result<(), Failure> {
        self.reporters.report(&Event::Live(&event))
    }
}

/// A failure of a run that can be continued.
fn resumable(failure: Failure, command: &str) -> Failure {
    let go_on = format!("continue with {command}");
    match failure.next_step() {
        Some(hint) => {
            let hint = format!("{hint}; then {go_on}");
            failure.hint(hint)
        }
        None => failure.hint(go_on),
    }
}
