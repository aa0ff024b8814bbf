//! `tuner spsa`, `resume` and `extend`: plays a tune, and goes on with one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::Args;
use foundation::{Exit, Failure, Printer, folders};
use sprt::limit::Limit;
use sprt::signals::Signals;

use crate::arena::{ATTEMPTS, Arena};
use crate::forecast::Forecast;
use crate::journal::{Journal, Line, Plan, Replayed};
use crate::prober::Questions;
use crate::recorder::Recorder;
use crate::result::RunResult;
use crate::schedule::Schedule;
use crate::screen;
use crate::session::{Algorithm, Session, Tune};
use crate::settings::{EngineArgs, Settings};
use crate::wiring::dialogue::played_nodes;

/// Pairs that may be under way or waiting, per slot; enough that a long game holds up nobody.
const WINDOW_PER_SLOT: u64 = 4;
/// Depth and positions of the quick screen before a run.
const QUICK_DEPTH: u32 = 7;
const QUICK_POSITIONS: u64 = 8;

/// What `tuner spsa` was told.
#[derive(Args, Clone, Debug)]
pub struct SpsaArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub gains: GainFlags,
    /// Tune dead parameters too, and do not screen
    #[arg(long, help_heading = "Tune")]
    pub force: bool,
    /// From half of the run on, end it if less than 2 Elo can be hoped for
    #[arg(long, help_heading = "Tune")]
    pub stop_early: bool,
    /// Folder of the run [default: a new one under the state folder]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Print the plan as JSON and play nothing
    #[arg(long, help_heading = "Output")]
    pub dry_run: bool,
    /// Print the result as JSON
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

/// The shape of the run; flags override the file's section `spsa`.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Tune")]
pub struct GainFlags {
    /// Iterations [default: 5000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub iterations: Option<u64>,
    /// Pairs of games that advance the schedule by one iteration [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub pairs_per_iteration: Option<u64>,
    /// How the run learns
    #[arg(long, value_enum, default_value_t)]
    pub algorithm: Algorithm,
}

impl GainFlags {
    pub fn over(self, mut schedule: Schedule) -> Schedule {
        schedule.iterations = self.iterations.unwrap_or(schedule.iterations);
        schedule.pairs_per_iteration = self
            .pairs_per_iteration
            .unwrap_or(schedule.pairs_per_iteration);
        schedule
    }
}

/// A run to go on with.
#[derive(Args, Clone, Debug)]
pub struct ResumeArgs {
    /// The run's folder
    pub run: PathBuf,
    /// Games played at the same time [default: as before]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub concurrency: Option<u64>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// A run to lengthen or shorten.
#[derive(Args, Clone, Debug)]
pub struct ExtendArgs {
    #[command(flatten)]
    pub resume: ResumeArgs,
    /// Iterations of the whole run, those played included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub iterations: u64,
}

pub async fn spsa(args: SpsaArgs, printer: Printer) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    let prepared = signals
        .interrupt
        .run_until_cancelled(prepare(&args, printer))
        .await;
    let plan = match prepared {
        None => return Ok(signals.exit()),
        Some(Err(_)) if signals.was_interrupted() => return Ok(signals.exit()),
        Some(plan) => plan?,
    };
    if args.dry_run {
        printer.result(&plan.to_json()?);
        return Ok(Exit::Yes);
    }
    let path = match args.out {
        Some(path) => path,
        None => new_folder(&plan)?,
    };
    let (journal, replayed) = Journal::create(&path, &plan)?;
    play(replayed, journal, args.json, &signals, printer).await
}

pub async fn resume(args: ResumeArgs, printer: Printer) -> Result<Exit, Failure> {
    let (journal, replayed) = Journal::open(&args.run)?;
    go_on(args, journal, replayed, printer).await
}

pub async fn extend(args: ExtendArgs, printer: Printer) -> Result<Exit, Failure> {
    let (mut journal, mut replayed) = Journal::open(&args.resume.run)?;
    let before = replayed.session.tune().schedule;
    let sent = replayed.session.sent_out();
    let wanted = args.iterations.saturating_mul(before.pairs_per_iteration);
    if wanted < sent {
        return Err(Failure::unable(format!(
            "--iterations {}: {sent} pairs are played or under way, more than the {wanted} asked for",
            args.iterations
        )));
    }
    // Nothing is changed for a run that cannot be gone on with.
    replayed.plan.engine.verify()?;
    journal.append(&Line::Extend {
        iterations: args.iterations,
    })?;
    journal.sync()?;
    replayed.session.extend(args.iterations);
    printer.note(&format!(
        "horizon changed from {} to {} iterations; c and r of the pairs to come follow the new one",
        before.iterations, args.iterations
    ));
    go_on(args.resume, journal, replayed, printer).await
}

async fn go_on(
    args: ResumeArgs,
    journal: Journal,
    mut replayed: Replayed,
    printer: Printer,
) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    if let Some(concurrency) = args.concurrency {
        replayed.plan.play.concurrency = concurrency as usize;
    }
    replayed.plan.engine.verify()?;
    play(replayed, journal, args.json, &signals, printer).await
}

/// Everything before the first game: nothing is written yet.
async fn prepare(args: &SpsaArgs, printer: Printer) -> Result<Plan, Failure> {
    let Settings {
        file,
        play,
        engine,
        options,
    } = args.engine.resolve(printer).await?;
    let complaints = crate::options::lint(&file.parameters, &options);
    for complaint in complaints.iter().filter(|complaint| !complaint.fatal) {
        printer.warn(&format!("{}: {}", complaint.parameter, complaint.text));
    }
    crate::options::require(&complaints)?;
    if !file.fixed.is_empty() {
        printer.detail(&format!(
            "not tuned, without c_end: {}",
            file.fixed.join(", ")
        ));
    }
    let schedule = args.gains.over(file.spsa.schedule());
    let mut screened = Vec::new();
    if !args.force && !args.dry_run {
        let questions = Questions::new(
            engine.launch(),
            &play,
            Limit::Depth(QUICK_DEPTH),
            QUICK_POSITIONS,
        )?;
        if let Some(text) = played_nodes(&questions, play.limit).await? {
            return Err(Failure::engine(format!("the engine {text}"))
                .hint("play with a clock (--tc 8+0.08), or go on all the same with --force"));
        }
        let jobs = play.concurrency;
        screened = screen::screen(&questions, &file.parameters, jobs, |_| {}).await?;
        let dead = screen::dead(&screened);
        if !dead.is_empty() {
            return Err(Failure::unable(format!(
                "dead at depth {QUICK_DEPTH}: {}; no value from minimum to maximum changes a search",
                dead.join(", ")
            ))
            .hint("`tuner screen` searches deeper, but no fixed search shows what only a clock uses; leave them \
                 out with --only, or tune them with --force"));
        }
    }
    let algorithm = args.gains.algorithm;
    let forecast = Forecast::new(algorithm, &schedule, &file.parameters, None);
    printer.note(&format!(
        "plan: {} parameters, {}",
        file.parameters.len(),
        forecast.words()
    ));
    let window = WINDOW_PER_SLOT * play.concurrency as u64;
    let tune = Tune {
        parameters: file.parameters,
        schedule,
        algorithm,
        seed: play.book.reading.seed,
        window,
    };
    let params = std::path::absolute(&args.engine.params).unwrap_or(args.engine.params.clone());
    let mut plan = Plan::new(params, tune, engine, play, screened);
    plan.stop_early = args.stop_early;
    Ok(plan)
}

async fn play(
    replayed: Replayed,
    journal: Journal,
    json: bool,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let Replayed {
        plan,
        mut session,
        blame,
        ..
    } = replayed;
    let (shown, params) = (journal.path().display().to_string(), plan.params.clone());
    let arena = Arena::new(&plan.play, &plan.engine, &plan.tune.parameters)?;
    let attempts: HashMap<u64, u32> = journal.attempts.iter().copied().collect();
    let path = journal.path().to_owned();
    let mut recorder = Recorder::new(plan, journal, blame, &session, printer);
    let played = arena
        .run(
            &mut session,
            attempts,
            &signals.interrupt,
            |session, pair, event| recorder.receive(session, pair, event),
        )
        .await;
    let suspects = recorder.close()?;
    played.map_err(|failure| {
        let go_on = format!("then `tuner resume {shown}`");
        match failure.next_step() {
            Some(hint) => {
                let hint = format!("{hint}; {go_on}");
                failure.hint(hint)
            }
            None => failure.hint(go_on),
        }
    })?;
    for suspect in &suspects {
        printer.warn(&format!("the engine fails with {}", suspect.words()));
    }
    conclude(&session, &params, &path, json, signals, printer)
}

/// Prints where the run stands, and says how it ended.
fn conclude(
    session: &Session,
    params: &Path,
    path: &Path,
    json: bool,
    signals: &Signals,
    printer: Printer,
) -> Result<Exit, Failure> {
    let shown = path.display();
    let result = RunResult::new(session);
    if json {
        printer.result(&result.to_json(path)?);
    } else {
        printer.result(&result.table());
    }
    if session.is_finished() {
        for warning in result.warnings() {
            printer.warn(&warning);
        }
        let params = params.display();
        printer.note(&format!(
            "look at it: tuner report {shown}\nprove it:   tuner validate {shown}\nkeep it:    tuner \
             apply {shown} {params}"
        ));
        return Ok(Exit::Yes);
    }
    if signals.was_interrupted() {
        printer.note(&format!(
            "interrupted; continue with `tuner resume {shown}`"
        ));
        return Ok(signals.exit());
    }
    Err(Failure::engine(format!(
        "{} pairs were given up after {ATTEMPTS} tries each",
        session.void()
    ))
    .hint(format!(
        "`tuner report {shown}` lists the values; mend the engine, or narrow min and max, and start a new run"
    )))
}

fn new_folder(plan: &Plan) -> Result<PathBuf, Failure> {
    let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
    let runs = folders::state()?.join("tunes");
    let name = format!("{now}-{}", plan.engine.name);
    let numbered = (2..).map(|number| runs.join(format!("{name}-{number}")));
    let free = std::iter::once(runs.join(&name))
        .chain(numbered)
        .find(|path| !path.exists());
    Ok(free.unwrap_or(runs))
}
