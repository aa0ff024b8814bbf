//! `sprt suite`: from engines and EPD files to a plan, and from its answers to tables and a verdict.

use std::path::{Path, PathBuf};
use std::time::Instant;

use analysis::suite::comparison::Comparison;
use analysis::suite::file::{Read, read_all};
use analysis::suite::folder::SuiteRun;
use analysis::suite::gate::{Gate, Measure, USUALLY_DIFFERING};
use analysis::suite::plan::{MateRule, SuiteFile, SuitePlan};
use analysis::suite::{Position, figures::Figures, report, session};
use engine_client::{Limit, Timeouts};
use foundation::command_line::count;
use foundation::{Exit, Failure, Printer, counted, process::command_on};
use referee::game::{self, variants};
use runs::plan::{
    Contender, EngineFlags, EngineSettings, Entry, MatchFlags, NamedSetting, RunPlan as _, Trial,
    wait_seconds, with_last_values,
};
use runs::run_folder::read_plan;
use runs::signals::Signals;
use runs::state_folder::new_run_path;
use runs::tournament::request::EngineRequest;

use super::progress::{in_words, progress};

pub(super) mod make;

/// Run engines on test suites, and test whether one of two is worse; make suites from games
///
/// Every engine searches every position with an empty hash table. Solutions are the operations
/// `bm`, `am`, `dm`, `bm #N` and scored moves (`c0 "f5=10, Be5+=2"`) of the EPD files; where a
/// position has `bm` and `am`, `bm` counts.
///
/// Of two engines the first is BASE. The gate between them asks one question, which --by and
/// --margin name: each position is searched at several limits around the given one, and counts as
/// one case. It says nothing about Elo.
#[derive(clap::Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(after_long_help = "\
Exit codes:
  0    all was searched; of two engines: a loss as large as --margin is excluded
  1    of two engines: a loss is shown
  2    error: usage, environment or network
  3    an engine failed at a position
  4    of two engines: neither is shown
  130  interrupted by Ctrl-C; continue with `sprt resume`
  143  terminated; continue with `sprt resume`")]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<SuiteCommand>,
    /// Engines: programs, git revisions, or folders with a Makefile (`.`), each perhaps with settings
    /// of its own: 'stockfish name=sf nodes=1000 option=Hash=64'
    #[arg(required = true, value_name = "ENGINE [KEY=VALUE...]")]
    pub engine: Vec<String>,
    /// Positions with solutions, as EPD; may be repeated
    #[arg(long, value_name = "FILE", required = true)]
    pub suite: Vec<PathBuf>,
    /// Game of the positions, or variant of chess
    #[arg(long, value_name = "GAME", default_value = variants::USUAL)]
    pub variant: String,
    /// Refuse a suite with a line that cannot be used, instead of leaving the line out
    #[arg(long)]
    pub strict: bool,
    /// Settings of the engine to compare with its own: 'conservative: RfpMargin=110, NmpEnable=0', or
    /// the name of one in [settings] of whetstone.toml; may be repeated
    #[arg(long, value_name = "NAME[: OPTION=VALUE, ...]")]
    pub setting: Vec<String>,
    /// Nodes of a search [default: 100000, where no other limit is given]
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub nodes: Option<u64>,
    /// Depth of a search
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Milliseconds of a search
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Hash of each engine in MiB [default: 16]
    #[arg(long, value_name = "MIB")]
    pub hash: Option<u32>,
    /// Threads of each engine [default: 1]
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,
    /// Option for all engines; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// Which mates solve a position that asks for one
    #[arg(long, value_enum, value_name = "RULE", default_value = "any")]
    pub mates: MateRule,
    /// What the gate compares [default: points, where all positions have them, else solved]
    #[arg(long, value_enum, value_name = "MEASURE")]
    pub by: Option<Measure>,
    /// The smallest loss that matters, in percentage points of --by
    #[arg(long, value_name = "POINTS", default_value_t = 5.0)]
    pub margin: f64,
    /// Error rate of each of the gate's answers
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// Searches at each position, at nodes or times around the given one [default: 5 for two
    /// engines, else 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub budgets: Option<u32>,
    /// Seed of the searches' limits
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Positions searched at the same time [default: cores / threads]
    #[arg(long, value_name = "N", env = "WHETSTONE_CONCURRENCY", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub concurrency: Option<u64>,
    /// Seconds to wait for an engine to start
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = wait_seconds())]
    pub startup_timeout: u64,
    /// Seconds to wait for a move where the limit does not say
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = wait_seconds())]
    pub move_timeout: u64,
    /// Folder of the run [default: a new one under the state folder]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print every answer too
    #[arg(long)]
    pub positions: bool,
    /// Print the plan as JSON and search nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// What is done with suites besides searching them.
#[derive(clap::Subcommand, Clone, Debug)]
pub enum SuiteCommand {
    Make(Box<make::Args>),
}

/// Broken lines that are named; more are counted only.
const NAMED: usize = 10;

pub async fn run(args: Args, printer: Printer) -> Result<Exit, Failure> {
    if let Some(SuiteCommand::Make(args)) = args.command {
        return make::run(*args, printer).await;
    }
    let (suites, positions) = args.read(printer)?;
    let plan = args.plan(suites, &positions, printer).await?;
    if args.dry_run {
        printer.result(&plan.to_json()?);
        return Ok(Exit::Yes);
    }
    let path = match &args.out {
        Some(out) => out.clone(),
        None => new_run_path(&format!("suite-{}", plan.engines[0].name))?,
    };
    SuiteRun::create(&path, plan, positions)?;
    search(&path, args.json, args.positions, printer).await
}

/// Prints what a run has found so far.
pub(super) fn show(path: &Path, json: bool, printer: Printer) -> Result<Exit, Failure> {
    let run = SuiteRun::read(path)?;
    let exit = print(&run, json, printer)?;
    let searches = run.plan.searches();
    printer.note(&in_words(path, run.answers.len(), searches));
    Ok(if run.is_over() { exit } else { Exit::Undecided })
}

/// Searches what a run has not searched yet, and prints the result.
pub(super) async fn search(
    path: &Path,
    json: bool,
    positions: bool,
    printer: Printer,
) -> Result<Exit, Failure> {
    let signals = Signals::listen()?;
    let searches = read_plan::<SuitePlan>(path)?.searches();
    let bar = progress(searches, printer);
    let start = Instant::now();
    let done = session::run(path, &signals, |answers| {
        bar.set_position(answers as u64);
    })
    .await;
    bar.finish_and_clear();
    let Some(run) = done? else {
        printer.note(&format!(
            "interrupted; continue with `{}`",
            command_on("sprt resume", path)
        ));
        return Ok(signals.exit());
    };
    if positions && !json {
        printer.result(&report::position_lines(&run));
    }
    let exit = print(&run, json, printer)?;
    printer.note(&format!(
        "{}, {:.1} s, in `{}`",
        counted(searches, "search"),
        start.elapsed().as_secs_f64(),
        path.display()
    ));
    Ok(exit)
}

/// The tables, and of two engines what changed and the verdict; the code to exit with.
fn print(run: &SuiteRun, json: bool, printer: Printer) -> Result<Exit, Failure> {
    let comparison = run.plan.gate.map(|gate| Comparison::of(&gate, run));
    if json {
        printer.result(&report::json(run)?);
    } else {
        printer.result(&report::tables(run));
    }
    if let Some(comparison) = comparison.as_ref().filter(|_| !json) {
        let changes = report::changes(run, comparison);
        if !changes.is_empty() {
            printer.result(&format!("\n{changes}"));
        }
        printer.result(&format!("\n{}", report::verdict(comparison)));
    }
    warn_of_faults(run, printer);
    let has_faults = run.answers.iter().any(|answer| answer.fault.is_some());
    Ok(match comparison {
        _ if has_faults => Exit::EngineFault,
        Some(comparison) => comparison.verdict.exit(),
        None => Exit::Yes,
    })
}

fn warn_of_faults(run: &SuiteRun, printer: Printer) {
    let engines = run.plan.engines.iter().zip(Figures::of(run).engines);
    for (index, (engine, found)) in engines.enumerate() {
        let first = run
            .answers
            .iter()
            .filter(|answer| answer.engine == index)
            .find_map(|answer| {
                Some((
                    run.positions[answer.position].name(),
                    answer.fault.as_ref()?,
                ))
            });
        if let Some((position, fault)) = first {
            printer.warn(&format!(
                "`{}` failed at {} of {}, counted as not solved; for instance at `{position}`: {fault}",
                engine.name,
                found.faults,
                counted(found.searches, "search")
            ));
        }
    }
}

impl Args {
    /// The positions of all files, no position twice.
    fn read(&self, printer: Printer) -> Result<(Vec<SuiteFile>, Vec<Position>), Failure> {
        let variant = game::find(&self.variant)?;
        let remark = |read: &Read, shown: &str, repeated: usize| {
            if self.strict
                && let Some((line, why)) = read.broken.first()
            {
                return Err(Failure::unable(format!("`{shown}`, line {line}: {why}"))
                    .hint("mend it, or leave out --strict to leave out such lines"));
            }
            for (line, why) in read.broken.iter().take(NAMED) {
                printer.warn(&format!("`{shown}`, line {line} is left out: {why}"));
            }
            if read.broken.len() > NAMED {
                printer.warn(&format!(
                    "`{shown}`: {} lines are left out in all",
                    read.broken.len()
                ));
            }
            if repeated > 0 {
                printer.warn(&format!(
                    "`{shown}`: {} stood there before",
                    counted(repeated, "position")
                ));
            }
            Ok(())
        };
        let (suites, positions) = read_all(&self.suite, variant, remark)?;
        if positions.is_empty() {
            return Err(Failure::unable("there is no position with a solution in the suite")
                .hint("expected EPD with `bm`, `am`, `dm` or scored moves, such as `... w - - bm Qg6; id \"WAC.001\";`"));
        }
        Ok((suites, positions))
    }

    async fn plan(
        &self,
        suites: Vec<SuiteFile>,
        positions: &[Position],
        printer: Printer,
    ) -> Result<SuitePlan, Failure> {
        let limit = self.limit()?;
        let entries = self.entries()?;
        let trial = Trial {
            variant: game::find(&self.variant)?,
            timeouts: Timeouts::of_seconds(self.startup_timeout, self.move_timeout),
            limit: Some(limit.clone()),
        };
        let mut engines = Vec::new();
        for entry in &entries {
            let limit = entry.settings.limit.as_ref();
            if limit.is_some_and(|limit| limit.clock.is_some()) || entry.settings.ponder {
                return Err(Failure::unable(format!(
                    "`{}`: a position has no clock, so an engine has neither `tc` nor `ponder`",
                    entry.source
                ))
                .hint("give it `nodes`, `depth` or `movetime`"));
            }
            engines.push(Contender::resolve(entry, &trial, printer).await?);
        }
        let threads = engines
            .iter()
            .map(|engine| engine.settings.threads())
            .max()
            .unwrap_or(1);
        let cores = foundation::pool::cores();
        let mut plan = SuitePlan::new(engines, suites, limit);
        plan.variant.clone_from(&self.variant);
        plan.gate = self.gate(plan.engines.len(), positions)?;
        plan.budgets = self.budgets(&plan)?;
        plan.seed = self.seed;
        plan.mates = self.mates;
        plan.concurrency = self
            .concurrency
            .map_or((cores / threads).max(1), |number| number as usize);
        plan.startup_timeout_s = self.startup_timeout;
        plan.move_timeout_s = self.move_timeout;
        if let Some(gate) = &plan.gate {
            let counts = |position: &&Position| match gate.measure {
                Measure::Solved => true,
                Measure::Points => position.has_points(),
            };
            print_power(gate, positions.iter().filter(counts).count(), printer);
        }
        Ok(plan)
    }

    fn limit(&self) -> Result<Limit, Failure> {
        let flags = EngineFlags {
            nodes: self.nodes,
            depth: self.depth,
            movetime: self.movetime,
            ..EngineFlags::default()
        };
        let entry = flags.entry("", &EngineSettings::default())?;
        Ok(entry
            .settings
            .limit
            .unwrap_or_else(|| Limit::nodes(100_000)))
    }

    /// The engines, or one engine as it is and with each of its settings.
    fn entries(&self) -> Result<Vec<Entry>, Failure> {
        let common = MatchFlags {
            hash: self.hash,
            threads: self.threads,
            option: self.option.clone(),
            ..MatchFlags::default()
        };
        let settings = common.settings()?;
        let entries = self.engine.iter().map(|text| {
            let engine = named(text)?;
            engine.flags.entry(&engine.source, &settings)
        });
        let mut entries = entries.collect::<Result<Vec<_>, Failure>>()?;
        if self.setting.is_empty() {
            return Ok(entries);
        }
        let [baseline] = &mut entries[..] else {
            return Err(Failure::unable(format!(
                "--setting with {} engines: expected one, whose settings are compared",
                self.engine.len()
            ))
            .hint("give one engine, or --option for all"));
        };
        baseline.name.get_or_insert("baseline".to_owned());
        let baseline = baseline.clone();
        for text in &self.setting {
            let NamedSetting { name, options } = NamedSetting::read(text)?;
            let own = baseline.settings.options.iter().cloned().chain(options);
            entries.push(Entry {
                name: Some(name),
                settings: EngineSettings {
                    options: with_last_values(own),
                    ..baseline.settings.clone()
                },
                ..baseline.clone()
            });
        }
        Ok(entries)
    }

    fn gate(&self, engines: usize, positions: &[Position]) -> Result<Option<Gate>, Failure> {
        if !(0.0..100.0).contains(&self.margin) || self.margin == 0.0 {
            return Err(Failure::unable(format!(
                "--margin {}: expected a loss between 0 and 100 percentage points",
                self.margin
            )));
        }
        if !(self.alpha > 0.0 && self.alpha < 0.5) {
            return Err(Failure::unable(format!(
                "--alpha {}: expected an error rate between 0 and 0.5",
                self.alpha
            )));
        }
        let scored = positions
            .iter()
            .filter(|position| position.has_points())
            .count();
        let measure = match self.by {
            Some(Measure::Points) if scored == 0 => {
                return Err(Failure::unable("--by points: no position has scored moves")
                    .hint("leave it out, or use a suite with `c0 \"f5=10, Be5+=2\"`"));
            }
            Some(measure) => measure,
            None if scored == positions.len() => Measure::Points,
            None => Measure::Solved,
        };
        Ok((engines == 2).then_some(Gate {
            measure,
            margin: self.margin / 100.0,
            alpha: self.alpha,
        }))
    }

    fn budgets(&self, plan: &SuitePlan) -> Result<u32, Failure> {
        let mut limits = plan.engines.iter().map(|engine| engine.limit(&plan.limit));
        let can_vary = limits.all(|limit| limit.nodes.is_some() || limit.movetime.is_some());
        match self.budgets {
            Some(budgets) if budgets > 1 && !can_vary => Err(Failure::unable(format!(
                "--budgets {budgets}: depth is no limit that can be varied a little"
            ))
            .hint("use --nodes or --movetime, or one budget")),
            Some(budgets) => Ok(budgets),
            None if plan.gate.is_some() && can_vary => Ok(5),
            None => Ok(1),
        }
    }
}

fn print_power(gate: &Gate, positions: usize, printer: Printer) {
    let power = gate.power(positions);
    printer.note(&format!(
        "power: if {:.0} % of the {positions} positions differ, a loss of {:.1} points is shown in 4 of 5 comparisons; \
         equal engines pass a margin of {:.1} points with probability {:.2}",
        100.0 * USUALLY_DIFFERING,
        100.0 * power.smallest_loss,
        100.0 * gate.margin,
        power.shows_no_loss,
    ));
}

/// Reads `ENGINE KEY=VALUE...`; a path may have blanks.
fn named(text: &str) -> Result<EngineRequest, Failure> {
    if Path::new(text).exists() {
        return Ok(EngineRequest {
            source: text.to_owned(),
            ..EngineRequest::default()
        });
    }
    EngineRequest::parse(text)
}
