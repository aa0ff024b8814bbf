//! `tuner lint`: a parameter file checked against an engine.

use clap::Args;
use engine_client::UciOption;
use foundation::{Exit, Failure, Printer, counted, process::command_on};
use runs::signals::Signals;
use schemars::JsonSchema;
use serde::Serialize;

use crate::checks::budget::Budget;
use crate::checks::complaint::{Complaint, Severity, lines};
use crate::checks::conformance::{Conformance, Listener};
use crate::checks::options;
use crate::checks::printed_list;
use crate::commands::probing::Probing;
use crate::commands::settings::{EngineArgs, ProbeFlags, check_names};
use crate::parameter::some_of;
use crate::run::printed::to_json;

/// The arguments of `tuner lint`.
#[derive(Args, Clone, Debug)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub probe: ProbeFlags,
    /// Compare names, types, ranges and gains only; search nothing
    #[arg(long)]
    pub static_only: bool,
    /// Examine for so many seconds at most, and report what was found by then
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub budget: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A first look at all options ends with this part of the budget: what it leaves out is examined all
/// the same, in the order of the file.
const LOOK_SHARE: u64 = 4;

#[derive(Serialize, JsonSchema)]
pub(crate) struct LintReport<'a> {
    schema: &'static str,
    version: u32,
    /// How many were checked against the engine.
    parameters: usize,
    /// What it was judged by; null where nothing was searched.
    depth: Option<u32>,
    positions: Option<usize>,
    /// Whether all was examined within the budget.
    complete: bool,
    /// Parameters that there was no time for.
    unexamined: &'a [String],
    complaints: &'a [Complaint],
}

pub(crate) async fn run(mut args: LintArgs, printer: Printer) -> Result<Exit, Failure> {
    // These are checked against the engine's options all the same, but not examined.
    let except = std::mem::take(&mut args.engine.except);
    let settings = args.engine.resolve(printer).await?;
    let parameters = &settings.file.parameters;
    let file = args.engine.params.display().to_string();
    let known = parameters.iter().map(|own| own.name.as_str());
    let advertised = settings.options.iter().map(|own| own.name.as_str());
    let known: Vec<&str> = known.chain(advertised).collect();
    let neither = format!("`{file}` tunes no such parameter, and the engine has no such option");
    check_names("--except", &except, &known, &neither)?;
    let mut complaints = options::lint(parameters, &settings.options);
    let is_in = |names: &[String], own: &str| {
        names
            .iter()
            .any(|name| name.trim().eq_ignore_ascii_case(own))
    };
    let only = &args.engine.only;
    let is_picked = |name: &str| only.is_empty() || is_in(only, name);
    let mut of_engine = options::advertised(&settings.options);
    let printed = printed_list::read(&settings.engine.command).await;
    if let Ok(Some((printed, _))) = &printed {
        of_engine.extend(options::printed(printed, &settings.options));
    }
    of_engine.retain(|complaint| is_picked(&complaint.parameter));
    if let Err(failure) = printed {
        of_engine.push(Complaint::new("spsa", failure.message().to_owned()));
    }
    complaints.extend(of_engine);
    let mut listener = FindingPrinter {
        probing: Probing::new(printer),
        is_quiet: args.json,
    };
    let signals = Signals::listen()?;
    listener.found(&complaints);
    let mut positions = None;
    let mut is_complete = true;
    let mut unexamined = Vec::new();
    if !args.static_only {
        // What cannot be set cannot be probed.
        let is_fatal = |name: &str| {
            let same = |complaint: &Complaint| {
                complaint.severity == Severity::Error && complaint.parameter == name
            };
            complaints.iter().any(same)
        };
        let sound: Vec<_> = parameters
            .iter()
            .filter(|parameter| !is_fatal(&parameter.name) && !is_in(&except, &parameter.name))
            .cloned()
            .collect();
        // All may be switches of the parameters, picked or not.
        let is_examined = |option: &&UciOption| !is_in(&except, &option.name);
        let options: Vec<UciOption> = settings
            .options
            .iter()
            .filter(is_examined)
            .cloned()
            .collect();
        let untuned = options.iter().filter(|option| is_picked(&option.name));
        let untuned: Vec<UciOption> = untuned.cloned().collect();
        let questions = args.probe.questions(&args.engine, &settings)?;
        positions = Some(questions.positions().len());
        let budget = Budget::start(args.budget, &signals.interrupt);
        let look = Budget::start(args.budget.div_ceil(LOOK_SHARE), &budget.stop);
        let conformance = Conformance {
            questions: &questions,
            parameters: &sound,
            options: &options,
            untuned: &untuned,
            limit: settings.play.limit.clone(),
            jobs: settings.play.concurrency,
            end_of_look: &look.stop,
        };
        let report = conformance.inspect(&budget.stop, &mut listener).await;
        listener.probing.finish();
        let report = report?;
        is_complete = report.is_complete;
        unexamined = report.unexamined;
        complaints.extend(report.complaints);
    }
    if args.json {
        printer.result(&to_json(&LintReport {
            schema: "tuner-lint",
            version: 1,
            parameters: parameters.len(),
            depth: positions.map(|_| args.probe.probe_depth),
            positions,
            complete: is_complete,
            unexamined: &unexamined,
            complaints: &complaints,
        })?);
    } else {
        for line in lines(&complaints) {
            printer.result(&line);
        }
    }
    if !is_complete {
        let unexamined: Vec<&str> = unexamined.iter().map(String::as_str).collect();
        let omitted = match unexamined.len() {
            0 => "all parameters were, but not whether `bench` sees each of them".to_owned(),
            count => format!(
                "no time for {count} of {} parameters: {}",
                parameters.len(),
                some_of(&unexamined)
            ),
        };
        printer.warn(&format!(
            "not all was examined: {omitted}; --budget SECONDS allows more than {}, and --except NAMES \
             leaves parameters out",
            args.budget
        ));
    }
    if signals.was_interrupted() {
        return Ok(signals.exit());
    }
    let is_only_notes = complaints.iter().all(|one| one.severity == Severity::Note);
    if !is_only_notes {
        return Ok(Exit::No);
    }
    if !is_complete {
        return Ok(Exit::Undecided);
    }
    if complaints.is_empty() {
        printer.note(&format!(
            "{}, nothing to complain about; next: {}",
            counted(parameters.len(), "parameter"),
            command_on("tuner screen", &args.engine.params)
        ));
    }
    Ok(Exit::Yes)
}

/// Whether an option is examined although no list tunes it.
/// Prints findings as they are made: the list at the end may be minutes away.
struct FindingPrinter {
    probing: Probing,
    is_quiet: bool,
}

impl Listener for FindingPrinter {
    fn found(&mut self, complaints: &[Complaint]) {
        if self.is_quiet {
            return;
        }
        for line in lines(complaints) {
            self.probing.note(&format!("found {line}"));
        }
    }

    fn looked(&mut self, done: usize, of: usize) {
        self.probing.at(done, of, "options looked at");
    }

    fn examined(&mut self, done: usize, of: usize) {
        self.probing.at(done, of, "options examined");
    }

    fn suspected(&mut self, names: &[&str]) {
        self.probing.note(&format!(
            "{} changed no search, and get deeper ones: {}",
            names.len(),
            some_of(names)
        ));
    }

    fn benched(&mut self, done: usize, of: usize) {
        if done == 0 {
            self.probing.note(&format!(
                "{}, to see whether it is blind to a parameter",
                counted(of, "bench")
            ));
        } else {
            self.probing.at(done, of, "benches made");
        }
    }
}
