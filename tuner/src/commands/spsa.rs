//! `tuner spsa`: checks a parameter file and an engine, and plays a tune.

use std::path::PathBuf;

use clap::Args;
use engine_client::Limit;
use foundation::{Exit, Failure, Printer, counted};
use runs::signals::Signals;
use runs::state_folder::new_folder;

use crate::algorithm::forecast::Forecast;
use crate::checks::budget::Budget;
use crate::checks::complaint::Severity;
use crate::checks::conformance::dialogue::played_nodes;
use crate::checks::liveness;
use crate::checks::prober::Questions;
use crate::checks::screen::{self, ScreenVerdict, Screened};
use crate::commands::list::runs_folder;
use crate::commands::probing::Probing;
use crate::commands::settings::{EngineArgs, GainFlags, Settings};
use crate::elo::USUAL_VARIANCE;
use crate::evidence::anchors::Anchors;
use crate::run::journal::{Journal, Plan};
use crate::run::play;
use crate::run::tune::Tune;

/// Pairs that may be under way or waiting, per slot; enough that a long game holds up nobody.
const WINDOW_PER_SLOT: u64 = 4;
/// The window takes no more than one of so many pairs of the run, if each slot has one.
const WINDOW_OF_PAIRS: u64 = 25;
/// One opening of so many is kept for `tuner validate`, however long the tune.
const RESERVED_SHARE: u64 = 5;
/// Depth and positions of the quick screen before a run.
const QUICK_DEPTH: u32 = 7;
const QUICK_POSITIONS: u64 = 8;

/// The arguments of `tuner spsa`.
#[derive(Args, Clone, Debug)]
pub(crate) struct SpsaArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub gains: GainFlags,
    /// Tune dead parameters too, and do not screen
    #[arg(long, help_heading = "Tune")]
    pub force: bool,
    /// Look for dead parameters for so many seconds at most before the first game
    #[arg(long, value_name = "SECONDS", help_heading = "Tune", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub probe_budget: u64,
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

pub(crate) async fn run(args: SpsaArgs, printer: Printer) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    let prepared = signals
        .interrupt
        .run_until_cancelled(Box::pin(prepare(&args, &signals, printer)))
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
        None => new_folder(&runs_folder()?, &plan.engine.name)?,
    };
    let (journal, replayed) = Journal::create(&path, &plan)?;
    play::play(replayed, journal, args.json, &signals, printer).await
}

/// Everything before the first game: nothing is written yet.
async fn prepare(args: &SpsaArgs, signals: &Signals, printer: Printer) -> Result<Plan, Failure> {
    let Settings {
        file,
        mut play,
        engine,
        options,
        ..
    } = args.engine.resolve(printer).await?;
    play.book.reading.reserved = play.book.openings / RESERVED_SHARE;
    let complaints = crate::checks::options::lint(&file.parameters, &options);
    for complaint in complaints
        .iter()
        .filter(|one| one.severity != Severity::Error)
    {
        printer.warn(&format!("{}: {}", complaint.parameter, complaint.text));
    }
    crate::checks::options::require(&complaints)?;
    if !file.fixed.is_empty() {
        let names: Vec<&str> = file.fixed.iter().map(|(name, _)| name.as_str()).collect();
        printer.detail(&format!("not tuned, without c_end: {}", names.join(", ")));
    }
    if let Some(doubt) =
        crate::checks::options::of_algorithm(args.gains.algorithm, &file.parameters)?
    {
        printer.warn(&doubt);
    }
    let schedule = args.gains.over(file.spsa.schedule());
    let mut screened = Vec::new();
    if !args.force && !args.dry_run {
        let questions = Questions::new(
            engine.launch(play.variant()?),
            &play,
            Limit::depth(QUICK_DEPTH),
            QUICK_POSITIONS,
        )?;
        if let Some(text) = played_nodes(&questions, &play.limit).await? {
            return Err(Failure::engine(format!("the engine {text}"))
                .hint("play with a clock (--tc 8+0.08), or go on all the same with --force"));
        }
        let budget = Budget::start(args.probe_budget, &signals.interrupt);
        let mut probing = Probing::new(printer);
        let (list, jobs) = (&file.parameters, play.concurrency);
        let progress = |done: usize| probing.at(done, list.len(), "parameters probed");
        screened = screen::screen(&questions, list, jobs, &budget.stop, progress).await?;
        probing.finish();
        refuse_dead(&screened)?;
        for failure in screen::failures(&screened) {
            printer.warn(&format!(
                "{failure}; it is tuned all the same, and pairs that such a value spoils count for nothing"
            ));
        }
        for omission in screen::omissions(&screened, QUICK_DEPTH) {
            printer.warn(&format!(
                "{omission}; they are tuned all the same (--probe-budget SECONDS allows more than {}, \
                 `tuner screen` takes its time)",
                args.probe_budget
            ));
        }
    }
    let (pairs, openings) = (schedule.pairs(), play.book.openings);
    let usable = openings.saturating_sub(play.book.reading.reserved);
    if openings > 0 && pairs > usable {
        printer.note(&format!(
            "the book has {} for {}: they are played {:.1} times each; --book FILE takes others",
            counted(usable, "opening"),
            counted(pairs, "pair"),
            pairs as f64 / usable.max(1) as f64
        ));
    }
    let algorithm = args.gains.algorithm;
    let forecast = Forecast::new(algorithm, schedule, &file.parameters, USUAL_VARIANCE, None);
    printer.note(&format!(
        "plan: {}, {}",
        counted(file.parameters.len(), "parameter"),
        forecast.words()
    ));
    // What is under way when the run nears its end has not taught the values that it ends with.
    let slots = play.concurrency as u64;
    let window = (WINDOW_PER_SLOT * slots).min((pairs / WINDOW_OF_PAIRS).max(slots));
    let tune = Tune {
        parameters: file.parameters,
        schedule,
        algorithm,
        seed: play.book.reading.seed,
        window,
        anchors: Anchors::of_run(schedule.pairs()),
    };
    let params = std::path::absolute(&args.engine.params).unwrap_or(args.engine.params.clone());
    Ok(Plan::new(params, tune, engine, play, screened))
}

fn refuse_dead(screened: &[Screened]) -> Result<(), Failure> {
    let dead = screen::named(screened, ScreenVerdict::Dead);
    if dead.is_empty() {
        return Ok(());
    }
    Err(Failure::unable(format!(
        "dead up to depth {}: {}; no value tried changes a search",
        liveness::deepest(QUICK_DEPTH),
        dead.join(", ")
    ))
    .hint(
        "`tuner screen --probe-depth N` searches deeper, but no fixed search shows what only a clock \
         uses; leave them out with --only, or tune them with --force",
    ))
}
