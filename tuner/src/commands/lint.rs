//! `tuner lint`: a parameter file and an engine held against each other.

use clap::Args;
use foundation::{Exit, Failure, Printer};
use serde::Serialize;

use crate::checks::complaint::{Complaint, lines};
use crate::checks::conformance::Wiring;
use crate::checks::options;
use crate::checks::printed_list;
use crate::commands::settings::{EngineArgs, ProbeFlags};
use crate::run::result::to_json;

/// What `tuner lint` was told.
#[derive(Args, Clone, Debug)]
pub struct LintArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub probe: ProbeFlags,
    /// Compare names, types, ranges and gains only; search nothing
    #[arg(long)]
    pub static_only: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct LintReport<'a> {
    schema: &'static str,
    version: u32,
    /// How many were held against the engine.
    parameters: usize,
    /// What it was judged by; null where nothing was searched.
    depth: Option<u32>,
    positions: Option<usize>,
    complaints: &'a [Complaint],
}

pub async fn run(args: LintArgs, printer: Printer) -> Result<Exit, Failure> {
    let settings = args.engine.resolve(printer).await?;
    let parameters = &settings.file.parameters;
    let mut complaints = options::lint(parameters, &settings.options);
    complaints.extend(options::advertised(&settings.options));
    if let Some(printed) = printed_list::read(&settings.engine.command).await {
        complaints.extend(options::printed(&printed, &settings.options));
    }
    let mut positions = None;
    if !args.static_only {
        // What the engine cannot be told cannot be probed.
        let is_fatal = |name: &str| {
            let same = |complaint: &Complaint| complaint.fatal && complaint.parameter == name;
            complaints.iter().any(same)
        };
        let sound: Vec<_> = parameters
            .iter()
            .filter(|parameter| !is_fatal(&parameter.name))
            .cloned()
            .collect();
        let questions = args.probe.questions(&args.engine, &settings)?;
        positions = Some(questions.positions().len());
        let wiring = Wiring {
            questions: &questions,
            parameters: &sound,
            options: &settings.options,
            limit: settings.play.limit,
            jobs: settings.play.concurrency,
        };
        let bar = printer
            .draws_progress()
            .then(|| indicatif::ProgressBar::new(0));
        let found = wiring.inspect(|done, of| {
            if let Some(bar) = &bar {
                bar.set_length(of as u64);
                bar.set_position(done as u64);
            }
        });
        complaints.extend(found.await?);
        if let Some(bar) = &bar {
            bar.finish_and_clear();
        }
    }
    if args.json {
        printer.result(&to_json(&LintReport {
            schema: "tuner-lint",
            version: 1,
            parameters: parameters.len(),
            depth: positions.map(|_| args.probe.probe_depth),
            positions,
            complaints: &complaints,
        })?);
    } else {
        for line in lines(&complaints) {
            printer.result(&line);
        }
    }
    if complaints.is_empty() {
        printer.note(&format!(
            "{} parameters, nothing to complain about; next: tuner screen {}",
            parameters.len(),
            args.engine.params.display()
        ));
        return Ok(Exit::Yes);
    }
    Ok(Exit::No)
}
