//! The tournament itself: fixtures go to the arena, pairs come back, are told to the reporters and
//! counted, until all are played.
//!
//! [`start`] plays a plan, [`resume`] goes on with one.

use std::path::Path;

use foundation::{Exit, Failure, Printer};

use super::plan::Setups;
use super::{TournamentPlan, TournamentStanding};
use crate::arena::{
    self, Finished, FinishedPair, Flow, InOrder, Job, Pace, Scheduler, Source, Wishes,
};
use crate::engine::LogTarget;
use crate::openings::Book;
use crate::report::{Event, Output, Reporters, RunEnd, TournamentFinished, TournamentState};
use crate::run::{Control, find_run, new_run_path, resumable};
use crate::run_directory::{GameRecord, PairLine, RunDirectory};
use crate::signals::Signals;

/// Plays a tournament from its first pair on, and reports on it.
pub async fn start(
    plan: TournamentPlan,
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    output.check()?;
    let path = match &output.out {
        Some(path) => path.clone(),
        None => new_run_path(&plan.format.title)?,
    };
    let directory = RunDirectory::create(&path, &plan)?;
    play(plan, directory, &[], output, signals, printer).await
}

/// Goes on where the journal of a tournament ends. `change` may adapt its plan in what does not
/// decide which games are played.
pub async fn resume(
    run: &Path,
    change: impl FnOnce(&mut TournamentPlan),
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let (directory, mut plan, lines) = RunDirectory::open::<TournamentPlan>(&find_run(run)?)?;
    change(&mut plan);
    output.check()?;
    for entrant in &plan.engines {
        entrant.contender.verify()?;
    }
    play(plan, directory, &lines, output, signals, printer).await
}

async fn play(
    plan: TournamentPlan,
    directory: RunDirectory,
    lines: &[PairLine],
    output: &Output,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let book = plan.play.open_book()?;
    let run = directory.path().to_owned();
    let standing = TournamentStanding::after(&plan, lines)?;
    Control::clear(&run);
    let mut reporters = Reporters::of_tournament(&plan, directory, output, printer)?;
    reporters.tell(&Event::TournamentStarted(TournamentState {
        plan: &plan,
        run: &run,
        standing: &standing,
    }))?;
    let log = LogTarget::new(output.log.clone(), printer);
    let mut setups = Setups::new(&plan, log)?;
    // Slots start the engines of the jobs that they get; this is only where they could begin.
    let first = standing.awaited().map_or([0, 1], |next| next.players);
    let settings = plan
        .engines
        .iter()
        .map(|entrant| &entrant.contender.settings);
    let scheduler = Scheduler {
        setup: setups.get(&plan, first)?,
        slots: plan.play.concurrency,
        own_processors: plan
            .play
            .processors_of_a_game(&settings.collect::<Vec<_>>()),
    };
    let next = standing.pairs();
    let mut played = Tournament {
        plan: &plan,
        run: &run,
        is_stopped: false,
        pace: Pace {
            slots: plan.play.concurrency,
            ..Pace::default()
        },
        book,
        next,
        order: InOrder::new(next),
        setups,
        standing,
        reporters,
    };
    let result = scheduler.run(&mut played, &signals.interrupt).await;

    let Tournament {
        standing,
        is_stopped,
        mut reporters,
        ..
    } = played;
    let was_ended = signals.was_interrupted() || is_stopped;
    let end = RunEnd::of(&result, standing.is_over(), was_ended);
    let reported = reporters.tell(&Event::TournamentFinished(TournamentFinished {
        state: TournamentState {
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

/// Pairs in the order of the schedule.
struct Tournament<'a> {
    plan: &'a TournamentPlan,
    run: &'a Path,
    /// Whether somebody asked for the end.
    is_stopped: bool,
    /// What was last done about wishes.
    pace: Pace,
    book: Book,
    /// Number of the next pair to hand out.
    next: u64,
    order: InOrder<FinishedPair>,
    setups: Setups,
    standing: TournamentStanding,
    reporters: Reporters,
}

impl Source for Tournament<'_> {
    fn next_job(&mut self) -> Result<Option<Job>, Failure> {
        if self.standing.is_over() {
            return Ok(None);
        }
        let Some(fixture) = self.standing.hand_out() else {
            return Ok(None);
        };
        let opening = self.book.opening(fixture.opening)?;
        let mut job = Job::pair(self.next, opening);
        job.setup = Some(self.setups.get(self.plan, fixture.players)?);
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
        let before = self.standing.pairs();
        while let Some(pair) = self.order.pop() {
            self.standing.add(&GameRecord::of_pair(&pair));
            self.reporters.tell(&Event::PairFinished(&pair))?;
            if self.standing.is_over() {
                break;
            }
        }
        if self.standing.pairs() > before {
            self.reporters
                .tell(&Event::TournamentProgress(&TournamentState {
                    plan: self.plan,
                    run: self.run,
                    standing: &self.standing,
                }))?;
        }
        if self.standing.is_over() {
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
