//! `sprt check`: checks that an engine speaks UCI the way match runners expect.

use std::time::Duration;

use foundation::{Exit, Failure, Printer};
use schemars::JsonSchema;
use serde::Serialize;

use crate::check::{self, Examined, Outcome, STEPS, Settings, Step};
use runs::plan::{Contender, parse_option, wait_seconds};
use runs::signals::Signals;

/// Check that an engine speaks UCI the way match runners expect
///
/// Each step is passed, failed or skipped; for a failed one, the whole dialogue is printed. If the
/// engine does not answer when it is started, the other steps are not run.
///
#[derive(clap::Args, Clone, Debug)]
#[command(
    after_help = "Exit codes: 0 if no step failed, 1 if one did, 2 if the engine cannot be started at all."
)]
pub struct Args {
    /// The engine: a program, a git revision, or a folder with a Makefile (`.`)
    #[arg(required_unless_present = "list")]
    pub engine: Option<String>,
    /// Arguments of the engine
    #[arg(last = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,
    /// Option that is set after every start; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// Run this step only; may be repeated
    #[arg(long, value_name = "NAME")]
    pub step: Vec<String>,
    /// List the steps and stop
    #[arg(long)]
    pub list: bool,
    /// How long the engine may take to start
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = wait_seconds())]
    pub startup_timeout: u64,
    /// How long the engine may take for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = wait_seconds())]
    pub timeout: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The JSON object.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Output {
    schema: &'static str,
    version: u32,
    /// The engine as it was named.
    engine: String,
    /// Whether no step failed.
    conforms: bool,
    passed: usize,
    failed: usize,
    skipped: usize,
    /// Steps that were left when the engine could not be started any more.
    not_run: usize,
    steps: Vec<StepOutput>,
}

#[derive(Serialize, JsonSchema)]
struct StepOutput {
    name: &'static str,
    /// What is right.
    expected: &'static str,
    /// `passed`, `failed`, `skipped` or `not_run`.
    outcome: &'static str,
    /// Why it failed or was skipped.
    reason: Option<String>,
    seconds: f64,
    /// What was said, `>` to the engine and `<` by it; of a failed step, or of all with -v.
    exchange: Vec<String>,
}

const NOT_RUN: &str = "not_run";

impl StepOutput {
    fn new(examined: &Examined, with_exchange: bool) -> Self {
        let (outcome, reason) = match &examined.outcome {
            Outcome::Passed => ("passed", None),
            Outcome::Failed(why) => ("failed", Some(why.clone())),
            Outcome::Skipped(why) => ("skipped", Some(why.clone())),
            Outcome::NotRun => (NOT_RUN, None),
        };
        Self {
            name: examined.name,
            expected: examined.expected,
            outcome,
            reason,
            seconds: (examined.took.as_secs_f64() * 1000.0).round() / 1000.0,
            exchange: if with_exchange || outcome == "failed" {
                examined.exchange.clone()
            } else {
                Vec::new()
            },
        }
    }

    /// Columns as wide as the longest words, and the lines that were said below.
    fn describe(&self) -> String {
        let Self { outcome, name, .. } = self;
        let colour = match *outcome {
            "passed" => "32",
            "failed" => "31",
            _ => "33",
        };
        let mut text = format!(
            "\x1b[{colour}m{outcome:<7}\x1b[0m  {name:<21}  {}",
            self.expected
        );
        let reason = self.reason.iter().map(|reason| ("\n         ", reason));
        let lines = self.exchange.iter().map(|line| ("\n           ", line));
        for (indent, line) in reason.chain(lines) {
            text.push_str(indent);
            text.push_str(line);
        }
        text
    }
}

/// Exit 0 if no step failed, 1 if one did.
pub async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    if args.list {
        let lines = STEPS
            .iter()
            .map(|step| format!("{:<21}  {}", step.name, step.expected));
        printer.result(&lines.collect::<Vec<_>>().join("\n"));
        return Ok(Exit::Yes);
    }
    let steps = chosen(&args.step)?;
    let option = |text: &String| parse_option(text);
    let options = args.option.iter().map(option).collect::<Result<_, _>>()?;
    let source = args.engine.unwrap_or_default();
    let signals = Signals::listen()?;
    let settings = Settings {
        command: Contender::find(&source, printer)?.command,
        arguments: args.arguments,
        options,
        startup: Duration::from_secs(args.startup_timeout),
        answer: Duration::from_secs(args.timeout),
    };
    let mut taken = Vec::new();
    let on_examined = |examined: Examined| {
        let step = StepOutput::new(&examined, printer.is_verbose());
        if !args.json && step.outcome != NOT_RUN {
            printer.result(&step.describe());
        }
        taken.push(step);
    };
    let examination = check::examine(settings, &steps, on_examined);
    if signals.unless_interrupted(examination).await?.is_none() {
        return Ok(signals.exit());
    }
    let count = |outcome| taken.iter().filter(|step| step.outcome == outcome).count();
    let (passed, failed, skipped) = (count("passed"), count("failed"), count("skipped"));
    let not_run = count(NOT_RUN);
    if not_run > 0 {
        printer.warn(&format!(
            "the engine does not answer when it is started: {not_run} other steps were not run"
        ));
    }
    if args.json {
        let output = Output {
            schema: "sprt-check",
            version: 1,
            engine: source,
            conforms: failed == 0,
            passed,
            failed,
            skipped,
            not_run,
            steps: taken,
        };
        printer.json(&output)?;
    } else {
        let rest = match not_run {
            0 => String::new(),
            steps => format!(", {steps} not run"),
        };
        printer.result(&format!(
            "{passed} passed, {failed} failed, {skipped} skipped{rest}"
        ));
    }
    Ok(if failed == 0 { Exit::Yes } else { Exit::No })
}

/// The steps of these names; all where none is named.
fn chosen(names: &[String]) -> Result<Vec<Step>, Failure> {
    if names.is_empty() {
        return Ok(STEPS.to_vec());
    }
    let find = |name: &String| {
        let step = STEPS.iter().find(|step| step.name == name);
        step.copied().ok_or_else(|| {
            Failure::unable(format!("no step `{name}`")).hint("`sprt check --list` names all steps")
        })
    };
    names.iter().map(find).collect()
}
