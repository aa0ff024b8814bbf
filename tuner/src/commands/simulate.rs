//! `tuner simulate`: the run that a file describes, played against surfaces whose optimum is known,
//! or against a program of the user's.
//!
//! Nothing is known about the user's own surface; what this shows is what the budget can find on
//! surfaces that are as large, as far off and as noisy, and how much of it is luck.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum as _};
use foundation::failure::OrUnable;
use foundation::{Exit, Failure, Printer, counted, signals};
use schemars::JsonSchema;
use serde::Serialize;

use crate::algorithm::AlgorithmName;
use crate::checks::options;
use crate::commands::settings::read_params;
use crate::evidence::anchors::Anchors;
use crate::run::printed::{interval, table};
use crate::run::result::RunResult;
use crate::run::session::Session;
use crate::run::tune::Tune;
use crate::synthetic::own::OwnSurface;
use crate::synthetic::program::Program;
use crate::synthetic::{EloSurface, Family, Noise, PairOracle, Surface, Trial, usual_deficit};

/// The arguments of `tuner simulate`.
#[derive(Args, Debug)]
pub(crate) struct SimulateArgs {
    /// The parameters and the shape of the run
    #[arg(value_name = "PARAMS")]
    params: PathBuf,
    /// Take these parameters only, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Leave these parameters out, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    except: Vec<String>,
    /// Shape of the surface [default: all of them, one after the other]
    #[arg(long, value_enum, value_name = "FAMILY")]
    surface: Option<Family>,
    /// The surface that a file describes, TOML or JSON
    #[arg(long, value_name = "FILE", conflicts_with_all = ["surface", "deficit"])]
    surface_file: Option<PathBuf>,
    /// A program that plays the pairs: it reads a line of JSON for each, and answers with its
    /// result; run by `sh -c`
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["surface", "deficit", "surface_file", "surfaces"])]
    oracle: Option<String>,
    /// How long each answer of the oracle may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    oracle_timeout: u64,
    /// How many Elo the start is below the optimum [default: 20, times the root of a fifteenth of
    /// the number of parameters]
    #[arg(long, value_name = "ELO")]
    deficit: Option<f64>,
    /// Surfaces of each shape, and runs on each of them
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(2..=10_000))]
    surfaces: u64,
    #[arg(long, value_enum, default_value_t)]
    algorithm: AlgorithmName,
    /// Iterations of the run [default: the file's]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// One family's runs.
#[derive(Debug, Serialize, JsonSchema)]
struct FamilyReport {
    surface: String,
    runs: u64,
    /// Elo that the starts lacked, on average.
    deficit: f64,
    gained: f64,
    gained_standard_error: f64,
    worst: f64,
    best: f64,
    /// What the tuner itself said it had gained, on average, and its standard deviation.
    claimed: f64,
    claimed_sd: f64,
    /// Root mean square of the claim's error, in the standard deviations that it states: 1 if it is
    /// honest.
    claim_error: f64,
    /// Shares of the parameters with an effect and of the dead ones that the games showed to
    /// matter.
    effects_seen: f64,
    false_alarms: f64,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct SimulationReport {
    schema: &'static str,
    version: u32,
    parameters: usize,
    pairs: u64,
    algorithm: AlgorithmName,
    families: Vec<FamilyReport>,
}

impl SimulateArgs {
    pub(crate) fn run(&self, printer: Printer) -> Result<Exit, Failure> {
        let file = read_params(&self.params, &self.only, &self.except, printer)?;
        if let Some(doubt) = options::of_algorithm(self.algorithm, &file.parameters)? {
            printer.warn(&doubt);
        }
        let mut schedule = file.spsa.schedule();
        schedule.iterations = self.iterations.unwrap_or(schedule.iterations);
        let count = file.parameters.len();
        let deficit = self.deficit.unwrap_or(usual_deficit(count));
        if !(deficit.is_finite() && deficit >= 0.0) {
            return Err(Failure::unable(format!(
                "--deficit is {deficit}, not a number from 0 up"
            )));
        }
        let tune = Tune {
            parameters: file.parameters,
            schedule,
            algorithm: self.algorithm,
            seed: self.seed,
            window: 1,
            anchors: Anchors::of_run(schedule.pairs()),
        };
        if let Some(command) = &self.oracle {
            return self.play_with_program(command, tune, printer);
        }
        let families = self
            .surface
            .map_or(Family::value_variants().to_vec(), |family| vec![family]);
        let reports = match &self.surface_file {
            Some(path) => {
                let surface = OwnSurface::read(path, &tune.parameters)?;
                let name = path.display().to_string();
                vec![self.runs(&tune, name, Noise::Usual, |_| surface.clone())]
            }
            None => families
                .iter()
                .map(|&family| {
                    self.runs(&tune, family.name(), family.noise(), |seed| {
                        Surface::random(&tune.parameters, family, deficit, seed)
                    })
                })
                .collect(),
        };
        let report = SimulationReport {
            schema: "tuner-simulation",
            version: 1,
            parameters: count,
            pairs: schedule.pairs(),
            algorithm: self.algorithm,
            families: reports,
        };
        if self.json {
            printer.result(&serde_json::to_string(&report).or_unable("write JSON")?);
        } else {
            printer.result(&in_rows(&report));
        }
        Ok(Exit::Yes)
    }

    /// One run whose pairs a program plays; what the values are worth, it alone knows.
    fn play_with_program(
        &self,
        command: &str,
        tune: Tune,
        printer: Printer,
    ) -> Result<Exit, Failure> {
        let mut session = Session::new(tune).keeping_pairs();
        let timeout = Duration::from_secs(self.oracle_timeout);
        // A signal ends the program, and then us.
        signals::watch()?;
        let played = Program::start(command, timeout)?.play(&mut session);
        if let Some(exit) = signals::exit() {
            return Ok(exit);
        }
        played?;
        let result = RunResult::new(&session);
        printer.result(&if self.json {
            result.to_json(Path::new(command))?
        } else {
            result.table()
        });
        Ok(Exit::Yes)
    }

    /// As many runs as asked for, each on the surface that its seed gives.
    fn runs<S: EloSurface>(
        &self,
        tune: &Tune,
        name: String,
        noise: Noise,
        surface: impl Fn(u64) -> S,
    ) -> FamilyReport {
        let oracle = PairOracle::of(noise);
        let runs: Vec<Trial> = (0..self.surfaces)
            .map(|run| {
                let seed = self.seed.wrapping_add(run);
                let tune = Tune {
                    seed,
                    ..tune.clone()
                };
                Trial::play(tune, &surface(seed), &oracle)
            })
            .collect();
        let mean =
            |of: &dyn Fn(&Trial) -> f64| runs.iter().map(of).sum::<f64>() / runs.len() as f64;
        let gained = mean(&|run| run.gained);
        let spread = mean(&|run| (run.gained - gained).powi(2));
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        let sum = |of: &dyn Fn(&Trial) -> u64| runs.iter().map(of).sum::<u64>();
        FamilyReport {
            surface: name,
            runs: self.surfaces,
            deficit: mean(&|run| run.deficit),
            gained,
            gained_standard_error: (spread / (runs.len() as f64 - 1.0)).sqrt(),
            worst: runs
                .iter()
                .map(|run| run.gained)
                .fold(f64::INFINITY, f64::min),
            best: runs
                .iter()
                .map(|run| run.gained)
                .fold(f64::NEG_INFINITY, f64::max),
            claimed: mean(&|run| run.claimed),
            claimed_sd: mean(&|run| run.claimed_sd),
            claim_error: mean(&|run| ((run.claimed - run.gained) / run.claimed_sd).powi(2)).sqrt(),
            effects_seen: share(sum(&|run| run.effects_seen), sum(&|run| run.effects)),
            false_alarms: share(sum(&|run| run.false_alarms), sum(&|run| run.dead)),
        }
    }
}

fn in_rows(report: &SimulationReport) -> String {
    let heads = [
        "surface",
        "start lacks",
        "gained",
        "worst to best run",
        "tuner's own claim",
        "its error / sd",
        "effects seen",
        "false alarms",
    ];
    let rows = report.families.iter().map(|family| {
        [
            family.surface.clone(),
            format!("{:.1}", family.deficit),
            interval(family.gained, family.gained_standard_error, 1),
            format!("{:.1} to {:.1}", family.worst, family.best),
            interval(family.claimed, family.claimed_sd, 1),
            format!("{:.2}", family.claim_error),
            format!("{:.0}%", 100.0 * family.effects_seen),
            format!("{:.1}%", 100.0 * family.false_alarms),
        ]
    });
    format!(
        "{}, {}; Elo, mean of {} on each surface; every ± is 95%\n{}",
        counted(report.parameters, "parameter"),
        counted(report.pairs, "pair"),
        counted(
            report.families.first().map_or(0, |family| family.runs),
            "run"
        ),
        table(heads, rows)
    )
}
