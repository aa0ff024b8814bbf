//! `tuner plan`: what a run can be expected to find, and when.

use std::time::{Duration, Instant};

use clap::Args;
use foundation::{Exit, Failure, Printer, counted};
use referee::arena::Flow;
use runs::signals::Signals;

use crate::algorithm::AlgorithmName;
use crate::algorithm::forecast::Forecast;
use crate::algorithm::schedule::Schedule;
use crate::checks::options;
use crate::commands::openbench;
use crate::commands::settings::{EngineArgs, GainFlags, Settings};
use crate::elo::USUAL_VARIANCE;
use crate::evidence::anchors::Anchors;
use crate::parameter::Parameter;
use crate::run::arena::{Arena, Event};
use crate::run::session::Session;
use crate::run::tune::Tune;
use crate::synthetic::{self, Family, Surface, gain};

/// The arguments of `tuner plan`.
#[derive(Args, Clone, Debug)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub gains: GainFlags,
    /// Play no games to find out how long the run will take; no engine is needed
    #[arg(long)]
    pub untimed: bool,
    /// Write what the form of an OpenBench server wants, with gains for as many pairs as will be
    /// played; PARAMS may be the folder of a run, which hands over its present values and what is left
    /// of its pairs
    #[arg(long)]
    pub openbench: bool,
}

pub(crate) async fn run(args: PlanArgs, printer: Printer) -> Result<Exit, Failure> {
    if args.openbench {
        return {
            let engine = &args.engine;
            openbench::plan::run(engine, &args.gains, printer)
        };
    }
    let algorithm = args.gains.algorithm;
    let doubt = |parameters: &[Parameter]| -> Result<(), Failure> {
        if let Some(doubt) = options::of_algorithm(algorithm, parameters)? {
            printer.warn(&doubt);
        }
        Ok(())
    };
    if args.untimed {
        let file = args.engine.read_params(printer)?;
        doubt(&file.parameters)?;
        let schedule = args.gains.over(file.spsa.schedule());
        let forecast = Forecast::new(algorithm, schedule, &file.parameters, USUAL_VARIANCE, None);
        printer.result(&forecast.words());
        advise(&forecast, algorithm, schedule, &file.parameters, printer);
        return Ok(Exit::Yes);
    }
    let settings = args.engine.resolve(printer).await?;
    let parameters = settings.file.parameters.clone();
    options::require(&options::lint(&parameters, &settings.options))?;
    doubt(&parameters)?;
    let schedule = args.gains.over(settings.file.spsa.schedule());
    let signals = Signals::listen()?;
    let sample = measure(&settings, schedule, &signals).await?;
    if signals.was_interrupted() {
        return Ok(signals.exit());
    }
    let (variance, speed) = (sample.variance(), sample.speed());
    let forecast = Forecast::new(algorithm, schedule, &parameters, variance, speed);
    printer.result(&forecast.words());
    if let Some(speed) = speed {
        printer.note(&format!(
            "{speed:.2} pairs a second, {} at a time; variance of a pair {variance:.2}, from {}",
            settings.play.concurrency,
            counted(sample.pairs, "pair")
        ));
    }
    advise(&forecast, algorithm, schedule, &parameters, printer);
    Ok(Exit::Yes)
}

/// What would make the run better.
fn advise(
    forecast: &Forecast,
    algorithm: AlgorithmName,
    schedule: Schedule,
    parameters: &[Parameter],
    printer: Printer,
) {
    let pinned = parameters.iter().filter(|own| own.r_end.is_some()).count();
    if pinned > 0 && forecast.expectation.r_end.is_none() {
        printer.note(&format!(
            "the file gives r_end for {}, which --algorithm {algorithm} does not use",
            counted(pinned, "parameter")
        ));
    } else if pinned > 0 {
        let cost = cost_of_pinned_rates(schedule, parameters);
        let verb = if cost > 0.0 { "costs" } else { "gains" };
        printer.note(&format!(
            "the file pins r_end for {}: on synthetic surfaces that {verb} {:.1} Elo \
             against the rule; take it out of the file unless you know better",
            counted(pinned, "parameter"),
            cost.abs()
        ));
    }
    if !forecast.suffices() {
        let least = forecast.needed() / schedule.pairs_per_iteration.max(1) as f64;
        printer.note(&format!(
            "advice: --iterations {least:.0} or more; or a smaller node limit, to play as many pairs in \
             the same time"
        ));
    } else if forecast.expectation.noise > WORTHWHILE {
        let fewer = (forecast.slopes as f64 * WORTHWHILE / forecast.expectation.noise).max(1.0);
        printer.note(&format!(
            "advice: {} at a time, or more pairs: the noise of {} is {:.1} Elo",
            counted(fewer as usize, "parameter"),
            forecast.slopes,
            forecast.expectation.noise
        ));
    } else {
        printer.note("advice: the budget fits the parameters");
    }
}

/// Noise beyond this, in Elo, eats up much of what most tunes gain.
const WORTHWHILE: f64 = 5.0;

/// Elo that the rates of the file gain less than the rule, mean of some synthetic surfaces.
fn cost_of_pinned_rates(schedule: Schedule, parameters: &[Parameter]) -> f64 {
    const SURFACES: u64 = 8;
    let ruled: Vec<Parameter> = parameters
        .iter()
        .map(|parameter| Parameter {
            r_end: None,
            ..parameter.clone()
        })
        .collect();
    let deficit = synthetic::usual_deficit(parameters.len());
    let costs = (0..SURFACES).map(|seed| {
        let surface = Surface::random(parameters, Family::Kinked, deficit, seed);
        let gained =
            |list: &[Parameter]| gain(AlgorithmName::Classic, list, schedule, &surface, seed);
        gained(&ruled) - gained(parameters)
    });
    costs.sum::<f64>() / SURFACES as f64
}

/// What the first pairs of a run show.
#[derive(Debug, Default)]
struct Sample {
    pairs: u64,
    squares: f64,
    seconds: f64,
}

impl Sample {
    fn add(&mut self, result: i32) {
        self.pairs += 1;
        self.squares += f64::from(result).powi(2);
    }

    fn speed(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.pairs as f64 / self.seconds)
    }

    /// The variance of a pair's result; that of a few pairs is averaged with the usual one.
    fn variance(&self) -> f64 {
        const USUAL_WEIGHT: f64 = 10.0;
        (USUAL_VARIANCE * USUAL_WEIGHT + self.squares) / (USUAL_WEIGHT + self.pairs as f64)
    }
}

/// Plays the first pairs of the run to come.
async fn measure(
    settings: &Settings,
    schedule: Schedule,
    signals: &Signals,
) -> Result<Sample, Failure> {
    /// This many pairs are wanted; where games are slow, fewer are played: for this long, and this
    /// many a slot.
    const PAIRS: u64 = 64;
    const LONG: Duration = Duration::from_mins(1);
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
    let started = Instant::now();
    let mut sample = Sample::default();
    arena
        .run(
            &mut session,
            std::collections::HashMap::new(),
            &signals.interrupt,
            |_, _, event| {
                match event {
                    Event::Fault { what, .. } => {
                        return Err(Failure::engine(what.clone())
                            .hint("`tuner lint` finds the values that the engine fails with"));
                    }
                    Event::Played(penta) => sample.add(i32::from(*penta) - 2),
                }
                let is_slow = started.elapsed() > LONG;
                let suffices = sample.pairs >= PAIRS.max(slots as u64)
                    || is_slow && sample.pairs >= PAIRS_PER_SLOT * slots as u64;
                Ok(if suffices { Flow::Stop } else { Flow::GoOn })
            },
        )
        .await?;
    sample.seconds = started.elapsed().as_secs_f64();
    Ok(sample)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::study;

    #[test]
    fn the_variance_is_that_of_the_sample() {
        let mut sample = Sample::default();
        assert_eq!((sample.variance(), sample.speed()), (USUAL_VARIANCE, None));
        for pair in 0..64 {
            sample.add(if pair % 2 == 0 { 2 } else { 0 });
        }
        assert!(
            (sample.variance() - 2.0).abs() < 0.2,
            "{}",
            sample.variance()
        );
    }

    #[test]
    fn a_pinned_rate_that_is_too_low_costs_elo_in_a_short_run() {
        let mut parameters = study::parameters(10, 1);
        for parameter in &mut parameters {
            parameter.r_end = Some(0.002);
        }
        let schedule = Schedule {
            iterations: 250,
            ..Schedule::default()
        };
        assert!(cost_of_pinned_rates(schedule, &parameters) > 2.0);
    }
}
