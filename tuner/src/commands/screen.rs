//! `tuner screen`: which parameters do anything, and is each c of the right size?

use clap::Args;
use foundation::{Exit, Failure, Printer, counted};
use runs::signals::Signals;
use schemars::JsonSchema;
use serde::Serialize;

use crate::checks::budget::Budget;
use crate::checks::liveness;
use crate::checks::options;
use crate::checks::screen::{self, ScreenVerdict, Screened};
use crate::commands::probing::Probing;
use crate::commands::settings::{EngineArgs, ProbeFlags};
use crate::parameter::{Parameter, some_of};
use crate::run::printed::{short, table, to_json};

/// The arguments of `tuner screen`.
#[derive(Args, Clone, Debug)]
pub(crate) struct ScreenArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub probe: ProbeFlags,
    /// Probe for so many seconds at most, and report what was seen by then
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub budget: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ScreenReport<'a> {
    schema: &'static str,
    version: u32,
    depth: u32,
    positions: usize,
    parameters: &'a [Screened],
}

pub(crate) async fn run(args: ScreenArgs, printer: Printer) -> Result<Exit, Failure> {
    let settings = args.engine.resolve(printer).await?;
    let parameters = &settings.file.parameters;
    options::require(&options::lint(parameters, &settings.options))?;
    let questions = args.probe.questions(&args.engine, &settings)?;
    let signals = Signals::listen()?;
    let budget = Budget::start(args.budget, &signals.interrupt);
    let mut probing = Probing::new(printer);
    let (jobs, count) = (settings.play.concurrency, parameters.len());
    let progress = |done: usize| probing.at(done, count, "parameters probed");
    let screened = screen::screen(&questions, parameters, jobs, &budget.stop, progress).await?;
    probing.finish();
    if args.json {
        printer.result(&to_json(&ScreenReport {
            schema: "tuner-screen",
            version: 1,
            depth: args.probe.probe_depth,
            positions: questions.positions().len(),
            parameters: &screened,
        })?);
    } else {
        printer.result(&in_rows(&screened, parameters));
    }
    let mut omissions = screen::omissions(&screened, args.probe.probe_depth);
    let alive = screen::named(&screened, ScreenVerdict::Alive);
    if !alive.is_empty() {
        omissions.push(format!(
            "no time to judge the c of {} that do something: {}",
            counted(alive.len(), "parameter"),
            some_of(&alive)
        ));
    }
    for omission in &omissions {
        printer.warn(&format!(
            "{omission}; --budget SECONDS allows more than {}",
            args.budget
        ));
    }
    for failure in screen::failures(&screened) {
        printer.warn(&format!("{failure}; `tuner lint` finds out more"));
    }
    let depth = args.probe.probe_depth;
    let mere_nodes = screen::named(&screened, ScreenVerdict::NoEffect);
    if !mere_nodes.is_empty() {
        printer.warn(&format!(
            "changes nodes only, up to depth {depth}: {}; try --probe-depth {}",
            some_of(&mere_nodes),
            depth + 4
        ));
    }
    if signals.was_interrupted() {
        return Ok(signals.exit());
    }
    let dead = screen::named(&screened, ScreenVerdict::Dead);
    if dead.is_empty() {
        return Ok(if screen::failures(&screened).next().is_some() {
            Exit::No
        } else if omissions.is_empty() {
            Exit::Yes
        } else {
            Exit::Undecided
        });
    }
    printer.warn(&format!(
        "dead up to depth {}: {}; not wired, gated by another option, or in need of a clock",
        liveness::deepest(args.probe.probe_depth),
        dead.join(", ")
    ));
    Ok(Exit::No)
}

fn in_rows(screened: &[Screened], parameters: &[Parameter]) -> String {
    let heads = [
        "parameter",
        "start-c",
        "start+c",
        "min",
        "max",
        "c_end",
        "suggested",
        "",
    ];
    let rows = screened.iter().zip(parameters).map(|(seen, parameter)| {
        let [below, above, min, max] = seen.shares_in_words();
        let is_choice = !parameter.choices.is_empty();
        let suggested = match seen.suggested_c {
            Some(c) if c == seen.c_end => String::new(),
            Some(c) => short(c),
            None => "-".to_owned(),
        };
        [
            seen.name.clone(),
            below,
            above,
            min,
            max,
            if is_choice {
                String::new()
            } else {
                short(seen.c_end)
            },
            suggested,
            seen.verdict.words().to_owned(),
        ]
    });
    format!(
        "{}\nshare of positions whose move or score changes; a stand-in for Elo, not a measure of it",
        table(heads, rows)
    )
}
