//! `tuner plan`: what a run can be expected to find, and when.

use std::time::Instant;

use clap::Args;
use foundation::{Exit, Failure, Printer};
use sprt::signals::Signals;

use crate::algorithm::AlgorithmName;
use crate::algorithm::forecast::{Forecast, USUAL_VARIANCE};
use crate::algorithm::schedule::Schedule;
use crate::checks::options;
use crate::commands::settings::{EngineArgs, GainFlags, Settings, read_params};
use crate::evidence::anchors::Anchors;
use crate::run::arena::{Arena, Event, Next};
use crate::run::session::{Session, Tune};

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

pub async fn run(args: PlanArgs, printer: Printer) -> Result<Exit, Failure> {
    if args.untimed {
        let file = read_params(&args.engine.params, &args.engine.only)?;
        let schedule = args.gains.over(file.spsa.schedule());
        let forecast = Forecast::new(
            args.gains.algorithm,
            schedule,
            &file.parameters,
            USUAL_VARIANCE,
            None,
        );
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
    let forecast = Forecast::new(
        args.gains.algorithm,
        schedule,
        &parameters,
        USUAL_VARIANCE,
        speed,
    );
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
        algorithm: AlgorithmName::Classic,
        seed: settings.play.book.reading.seed,
        window: 4 * slots as u64,
        anchors: Anchors::NONE,
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
