//! `tuner screen` and `plan`: what can be known before a game is played.

use std::time::Instant;

use clap::Args;
use foundation::{Exit, Failure, Printer};
use serde::Serialize;
use sprt::limit::Limit;
use sprt::signals::Signals;

use crate::arena::{Arena, Event, Next};
use crate::forecast::Forecast;
use crate::options;
use crate::prober::Questions;
use crate::result::{short, to_json};
use crate::schedule::Schedule;
use crate::screen::{self, Screened};
use crate::session::{Algorithm, Session, Tune};
use crate::settings::{EngineArgs, Settings, read_params};
use crate::tune::GainFlags;

/// How the engine is probed.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Probe")]
pub struct ProbeFlags {
    /// Search positions to this depth
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=64))]
    pub probe_depth: u32,
    /// Positions, from the book
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub positions: u64,
}

/// Without `--seed`, a command that only probes asks the same positions each time.
const PROBE_SEED: u64 = 1;

impl ProbeFlags {
    pub fn questions(self, args: &EngineArgs, settings: &Settings) -> Result<Questions, Failure> {
        let mut play = settings.play.clone();
        play.book.reading.seed = args.play.seed.unwrap_or(PROBE_SEED);
        let limit = Limit::Depth(self.probe_depth);
        Questions::new(settings.engine.launch(), &play, limit, self.positions)
    }
}

/// What `tuner screen` was told.
#[derive(Args, Clone, Debug)]
pub struct ScreenArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub probe: ProbeFlags,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// What `tuner plan` was told.
#[derive(Args, Clone, Debug)]
pub struct PlanArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub gains: GainFlags,
    /// Play no games to find out how long the run will take; no engine is needed
    #[arg(long)]
    pub untimed: bool,
}

#[derive(Serialize)]
struct ScreenReport<'a> {
    schema: &'static str,
    version: u32,
    depth: u32,
    positions: usize,
    parameters: &'a [Screened],
}

pub async fn screen(args: ScreenArgs, printer: Printer) -> Result<Exit, Failure> {
    let settings = args.engine.resolve(printer).await?;
    let parameters = &settings.file.parameters;
    options::require(&options::lint(parameters, &settings.options))?;
    let questions = args.probe.questions(&args.engine, &settings)?;
    let bar = printer
        .draws_progress()
        .then(|| indicatif::ProgressBar::new(parameters.len() as u64));
    let progress = |done: usize| {
        if let Some(bar) = &bar {
            bar.set_position(done as u64);
        }
    };
    let screened =
        screen::screen(&questions, parameters, settings.play.concurrency, progress).await?;
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    if args.json {
        printer.result(&to_json(&ScreenReport {
            schema: "tuner-screen",
            version: 1,
            depth: args.probe.probe_depth,
            positions: questions.positions().len(),
            parameters: &screened,
        })?);
    } else {
        printer.result(&table(&screened));
    }
    let dead = screen::dead(&screened);
    if dead.is_empty() {
        return Ok(Exit::Yes);
    }
    printer.warn(&format!(
        "dead at depth {}: {}; not wired, gated by another option, or in need of a deeper search",
        args.probe.probe_depth,
        dead.join(", ")
    ));
    Ok(Exit::No)
}

fn table(screened: &[Screened]) -> String {
    let mut builder = tabled::builder::Builder::default();
    builder.push_record([
        "parameter",
        "start-c",
        "start+c",
        "min",
        "max",
        "c_end",
        "suggested",
        "",
    ]);
    for seen in screened {
        let mut row = vec![seen.name.clone()];
        row.extend(
            seen.shares
                .iter()
                .map(|share| format!("{:.0}%", 100.0 * share)),
        );
        row.push(short(seen.c_end));
        row.push(if seen.suggested_c == seen.c_end {
            String::new()
        } else {
            short(seen.suggested_c)
        });
        row.push(seen.verdict.words().to_owned());
        builder.push_record(row);
    }
    let mut table = builder.build();
    table.with(tabled::settings::Style::sharp());
    format!(
        "{table}\nshare of positions whose move or score changes; a stand-in for Elo, not a measure of it"
    )
}

pub async fn plan(args: PlanArgs, printer: Printer) -> Result<Exit, Failure> {
    if args.untimed {
        let file = read_params(&args.engine.params, &args.engine.only)?;
        let schedule = args.gains.over(file.spsa.schedule());
        let forecast = Forecast::new(args.gains.algorithm, &schedule, &file.parameters, None);
        printer.result(&forecast.words());
        return Ok(Exit::Yes);
    }
    let settings = args.engine.resolve(printer).await?;
    let parameters = settings.file.parameters.clone();
    options::require(&options::lint(&parameters, &settings.options))?;
    let schedule = args.gains.over(settings.file.spsa.schedule());
    let signals = Signals::listen()?;
    let speed = measure(&settings, schedule, &signals).await?;
    if signals.was_interrupted() {
        return Ok(signals.exit());
    }
    let forecast = Forecast::new(args.gains.algorithm, &schedule, &parameters, speed);
    printer.result(&forecast.words());
    if let Some(speed) = speed {
        printer.note(&format!(
            "{speed:.2} pairs a second, {} at a time",
            settings.play.concurrency
        ));
    }
    Ok(Exit::Yes)
}

/// Pairs a second, from the first few pairs of the run to come.
async fn measure(
    settings: &Settings,
    schedule: Schedule,
    signals: &Signals,
) -> Result<Option<f64>, Failure> {
    const PAIRS_PER_SLOT: u64 = 3;
    let slots = settings.play.concurrency;
    let arena = Arena::new(&settings.play, &settings.engine, &settings.file.parameters)?;
    let mut session = Session::new(Tune {
        parameters: settings.file.parameters.clone(),
        schedule,
        algorithm: Algorithm::Classic,
        seed: settings.play.book.reading.seed,
        window: 4 * slots as u64,
    });
    let wanted = PAIRS_PER_SLOT * slots as u64;
    let started = Instant::now();
    let mut played = 0;
    arena
        .run(
            &mut session,
            std::collections::HashMap::new(),
            &signals.interrupt,
            |_, _, event| {
                if let Event::Fault { what, .. } = event {
                    return Err(Failure::engine(what.clone())
                        .hint("`tuner lint` tells which values the engine fails with"));
                }
                played += 1;
                Ok(if played < wanted {
                    Next::GoOn
                } else {
                    Next::Stop
                })
            },
        )
        .await?;
    Ok((played > 0).then(|| played as f64 / started.elapsed().as_secs_f64()))
}
