//! The run itself: pairs come in from the arena, are told to the reporters and counted, until the
//! test decides.
//!
//! [`start`] is the door of the library: whoever has a [`Plan`] can have it played. [`resume`] goes
//! on with one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use foundation::{Exit, Failure, Printer, folders};

use crate::arena::{
    self, Finished, FinishedPair, Flow, InOrder, Job, Pace, Scheduler, Source, Wishes,
};
use crate::engine::LogTarget;
use crate::openings::Book;
use crate::plan::Plan;
use crate::report::{Event, Output, Reporters, RunEnd, RunFinished, RunState};
use crate::run_directory::{GameRecord, PairLine, RunDirectory};
use crate::signals::Signals;
use crate::standing::Standing;

mod control;

pub use control::Control;

/// Plays a plan from its first pair on, and reports on it.
pub async fn start(
    plan: Plan,
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    output.check()?;
    let path = match &output.out {
        Some(path) => path.clone(),
        None => new_run_path(&format!("{}-vs-{}", plan.new.name, plan.base.name))?,
    };
    let directory = RunDirectory::create(&path, &plan)?;
    play(plan, directory, &[], output, signals, printer).await
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
    let (directory, mut plan, lines) = RunDirectory::open(&find_run(run)?)?;
    change(&mut plan)?;
    output.check()?;
    plan.base.verify()?;
    plan.new.verify()?;
    play(plan, directory, &lines, output, signals, printer).await
}

async fn play(
    plan: Plan,
    directory: RunDirectory,
    lines: &[PairLine],
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let book = plan.play.open_book()?;
    let run = directory.path().to_owned();
    let standing = Standing::after(&plan, lines);
    Control::clear(&run);
    let mut reporters = Reporters::of_run(&plan, directory, output, printer)?;
    reporters.tell(&Event::RunStarted(RunState {
        plan: &plan,
        run: &run,
        standing: &standing,
    }))?;
    let next = standing.tally().pairs_played();
    let slots = plan.slots(next);
    let mut played = Match {
        plan: &plan,
        run: &run,
        is_stopped: false,
        pace: Pace {
            slots,
            ..Pace::default()
        },
        book,
        next,
        order: InOrder::new(next),
        standing,
        reporters,
    };
    let mut setup = plan.setup()?;
    let log = LogTarget::new(output.log.clone(), printer);
    setup.base.log.clone_from(&log);
    setup.new.log = log;
    let scheduler = Scheduler {
        setup: Arc::new(setup),
        slots,
        own_processors: plan
            .play
            .processors_of_a_game(&[&plan.base.settings, &plan.new.settings]),
    };
    let result = scheduler.run(&mut played, &signals.interrupt).await;

    let Match {
        standing,
        is_stopped,
        mut reporters,
        ..
    } = played;
    let was_ended = signals.was_interrupted() || is_stopped;
    let end = RunEnd::of(&result, standing.is_over(&plan), was_ended);
    let reported = reporters.tell(&Event::RunFinished(RunFinished {
        state: RunState {
            plan: &plan,
            run: &run,
            standing: &standing,
        },
        end,
    }));
    result.map_err(|failure| resumable(failure, &run))?;
    reported?;
    Ok(match end {
        RunEnd::Interrupted if is_stopped => Exit::Interrupted,
        RunEnd::Interrupted => signals.exit(),
        RunEnd::Over | RunEnd::Failed => standing.exit(),
    })
}

/// A failure of a run that can be continued.
pub(crate) fn resumable(failure: Failure, run: &Path) -> Failure {
    let go_on = format!("continue with `sprt resume {}`", run.display());
    match failure.next_step() {
        Some(hint) => {
            let hint = format!("{hint}; then {go_on}");
            failure.hint(hint)
        }
        None => failure.hint(go_on),
    }
}

/// A match under test: pairs in the order of the schedule, until the test decides.
struct Match<'a> {
    plan: &'a Plan,
    run: &'a Path,
    /// Whether somebody asked for the end.
    is_stopped: bool,
    /// What was last done about wishes.
    pace: Pace,
    book: Book,
    /// The next pair to hand out.
    next: u64,
    order: InOrder<FinishedPair>,
    standing: Standing,
    reporters: Reporters,
}

impl Source for Match<'_> {
    fn next_job(&mut self) -> Result<Option<Job>, Failure> {
        if self.plan.is_used_up(self.next) || self.standing.is_over(self.plan) {
            return Ok(None);
        }
        let opening = self.book.opening(self.plan.opening_of(self.next))?;
        let mut job = Job::pair(self.next, opening);
        job.games = self.plan.colors_of_new(self.next);
        self.next += 1;
        Ok(Some(job))
    }

    fn take_in(&mut self, finished: Vec<Finished>) -> Result<Flow, Failure> {
        let mut fault = None;
        for job in finished {
            match job.result {
                Ok(pair) => self.order.add(job.pair, pair),
                Err(why) => fault = Some(why),
            }
        }
        let before = self.standing.tally().pairs_played();
        while let Some(pair) = self.order.pop() {
            self.standing.add(&GameRecord::of_pair(&pair));
            self.reporters.tell(&Event::PairFinished(&pair))?;
            if self.standing.is_over(self.plan) {
                break;
            }
        }
        if self.standing.tally().pairs_played() > before {
            self.reporters.tell(&Event::Progress(&self.standing))?;
        }
        if self.standing.is_over(self.plan) {
            return Ok(Flow::Stop);
        }
        match fault {
            Some(fault) => Err(fault.failure),
            None => Ok(Flow::GoOn),
        }
    }

    fn wishes(&mut self) -> Wishes {
        let wishes = Control::read(self.run).wishes();
        self.is_stopped |= wishes.stop;
        wishes
    }

    fn keep_pace(&mut self, pace: Pace) -> Result<(), Failure> {
        if pace == self.pace {
            return Ok(());
        }
        self.pace = pace;
        self.reporters.tell(&Event::PaceChanged(pace))
    }

    fn listens(&self) -> bool {
        self.reporters.want_live()
    }

    fn hear(&mut self, event: arena::Event) -> Result<(), Failure> {
        self.reporters.tell(&Event::Live(&event))
    }
}

/// A folder that does not exist yet, named for the moment and what is played.
pub(crate) fn new_run_path(what: &str) -> Result<PathBuf, Failure> {
    let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    let name: String = format!("{now}-{what}")
        .chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() || "-_.".contains(letter) {
                letter
            } else {
                '_'
            }
        })
        .collect();
    let runs = runs()?;
    let numbered = (2..).map(|number| runs.join(format!("{name}-{number}")));
    let free = std::iter::once(runs.join(&name))
        .chain(numbered)
        .find(|path| !path.exists());
    Ok(free.unwrap_or(runs))
}

/// Where runs are kept that were given no folder of their own.
pub fn runs() -> Result<PathBuf, Failure> {
    Ok(folders::state()?.join("runs"))
}

/// The folder of a run that was named by path or by name.
pub fn find_run(run: &Path) -> Result<PathBuf, Failure> {
    if run.is_dir() {
        return Ok(run.to_owned());
    }
    let kept = runs()?.join(run);
    if kept.is_dir() {
        return Ok(kept);
    }
    Err(Failure::unable(format!(
        "no run `{}`: no such folder, here or in `{}`",
        run.display(),
        runs()?.display()
    ))
    .hint("`sprt list` shows the runs that there are"))
}
