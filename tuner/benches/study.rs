//! Elo gained by the tuner's algorithms against OpenBench's, and how far their claims are off, over
//! families of surfaces.
//!
//! `cargo bench -p tuner --bench study -- [what=…] [surfaces=N] [seed=N] [pairs=N,…] [cells=WORD,…]
//! [threads=N] [to=FILE]`
//!
//! | what | plays |
//! |---|---|
//! | `usual` | the cells that resemble tunes as they should be; the default |
//! | `hard` | those where a quadratic model is wrong |
//! | `aside` | those on which no constant was chosen |
//! | `all` | the three of them |
//! | `openbench` | OpenBench's recursion with the rates of `tuner plan --openbench`, usual cells |
//! | `cost` | processor time of each algorithm a pair, at 8, 100 and 200 parameters |
//! | `serve` | nothing by itself: answers the pairs that another program asks for, in one cell |
//!
//! `cells` takes those of the chosen ones whose names contain a word. Each finished run is a line in
//! `to`; what is there already is not played again, so a study that was interrupted goes on.
//!
//! `what=serve cells=NAME seed=N pairs=N` prints a line of JSON that describes the tune (`names`,
//! `start`, `min`, `max`, `c`, `pairs`), answers the lines of `tuner simulate --oracle`, and
//! `{"final":[…]}` with the true gain of these values, which ends it.
//!
//! Every algorithm meets the same surfaces. OpenBench's SPSA is played as it runs there (eight
//! pairs a perturbation, steps by the nominal c), with its usual `r_end` of 0.002 and with the one
//! of four rates that is best for the cell, which nobody knows beforehand. Gains are true Elo of
//! the rounded result over the start; a claim's error is in units of the standard deviation that it
//! states. Differences are on the same surfaces.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use foundation::Printer;
use nix::time::ClockId;
use serde::{Deserialize, Serialize};
use tuner::algorithm::AlgorithmName;
use tuner::algorithm::schedule::Schedule;
use tuner::evidence::anchors::Anchors;
use tuner::parameter::Parameter;
use tuner::run::tune::Tune;
use tuner::synthetic::served::Served;
use tuner::synthetic::study::{CELLS, Cell, HARD_CELLS, SET_ASIDE};
use tuner::synthetic::{Family, PairOracle, Surface, Trial, openbench};

const PAIRS_PER_ITERATION: u64 = 8;
/// OpenBench's usual rate comes first.
const RATES: [f64; 4] = [openbench::USUAL_RATE, 0.004, 0.008, 0.016];

fn main() {
    // Cargo passes `--bench` when it measures, and nothing when it only wants to see that we can be
    // started.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let settings = Settings::from_arguments();
    let printer = Printer::new(foundation::printer::OutputArgs::default());
    if settings.what == "cost" {
        printer.result(&costs());
        return;
    }
    if settings.what == "serve" {
        if let Err(why) = serve(&settings, printer) {
            printer.warn(&why);
            std::process::exit(1);
        }
        return;
    }
    let started = Instant::now();
    printer.result(&format!(
        "{} surfaces a cell, seeds from {}",
        settings.surfaces, settings.seed
    ));
    let played = play_all(&settings, printer);
    for &pairs in &settings.pairs {
        printer.result(&if settings.what == "openbench" {
            rates(pairs, &settings, &played)
        } else {
            table(pairs, &settings, &played)
        });
    }
    printer.note(&format!("{:.0} s", started.elapsed().as_secs_f64()));
}

struct Settings {
    what: String,
    surfaces: u64,
    seed: u64,
    pairs: Vec<u64>,
    cells: Vec<Cell>,
    /// What `cells` was given.
    words: String,
    threads: usize,
    to: Option<String>,
}

impl Settings {
    fn from_arguments() -> Self {
        let value = |key: &str| {
            std::env::args().find_map(|argument| {
                let (name, value) = argument.split_once('=')?;
                (name == key).then(|| value.to_owned())
            })
        };
        let number = |key: &str, usual: u64| {
            value(key)
                .and_then(|text| text.parse().ok())
                .unwrap_or(usual)
        };
        let what = value("what").unwrap_or_else(|| "usual".to_owned());
        let cells: Vec<Cell> = match what.as_str() {
            "hard" => HARD_CELLS.to_vec(),
            "aside" => SET_ASIDE.to_vec(),
            "all" | "serve" => [&CELLS[..], &HARD_CELLS, &SET_ASIDE].concat(),
            _ => CELLS.to_vec(),
        };
        let cells_named = value("cells").unwrap_or_default();
        let words = cells_named.split(',').filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        let is_named =
            |cell: &Cell| words.is_empty() || words.iter().any(|word| cell.name().contains(word));
        let pairs = value("pairs").unwrap_or_else(|| "1000,5000,20000".to_owned());
        Self {
            surfaces: number("surfaces", 24).max(2),
            seed: number("seed", 9000),
            pairs: pairs
                .split(',')
                .filter_map(|text| text.parse().ok())
                .collect(),
            cells: cells.into_iter().filter(is_named).collect(),
            words: cells_named.clone(),
            threads: number("threads", 1).max(1) as usize,
            to: value("to"),
            what,
        }
    }
}

/// Which run: of a cell, by its number, on the surface of a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Key {
    cell: u64,
    seed: u64,
    pairs: u64,
}

/// What all algorithms made of one surface.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Outcome {
    #[serde(flatten)]
    key: Key,
    deficit: f64,
    /// Gains at each of [`RATES`], and with the rates of `tuner plan --openbench`.
    openbench: Vec<f64>,
    classic: f64,
    bayes: f64,
    /// What the final values of `bayes` gain without shrinkage.
    end: f64,
    kept: f64,
    claimed: f64,
    claimed_sd: f64,
    is_misfit: bool,
}

impl Outcome {
    /// The claim's error in its own standard deviations.
    fn error(&self) -> f64 {
        (self.claimed - self.bayes) / self.claimed_sd.max(1e-9)
    }
}

/// Plays whatever is not known yet, shared out among the threads.
fn play_all(settings: &Settings, printer: Printer) -> HashMap<Key, Outcome> {
    let mut known: HashMap<Key, Outcome> = HashMap::new();
    if let Some(text) = settings
        .to
        .as_ref()
        .and_then(|path| std::fs::read_to_string(path).ok())
    {
        // A torn last line is what an interruption leaves.
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        known.extend(lines.map(|one: Outcome| (one.key, one)));
    }
    let mut jobs = Vec::new();
    for &pairs in &settings.pairs {
        for seed in settings.seed..settings.seed + settings.surfaces {
            for cell in &settings.cells {
                let key = Key {
                    cell: cell.stream(),
                    seed,
                    pairs,
                };
                if !known.contains_key(&key) {
                    jobs.push((key, *cell));
                }
            }
        }
    }
    let next = AtomicUsize::new(0);
    let found = Mutex::new(known);
    thread::scope(|scope| {
        for _ in 0..settings.threads {
            scope.spawn(|| {
                let mut oracles: Vec<PairOracle> = Vec::new();
                while let Some((key, cell)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let noise = cell.family.noise();
                    let place = oracles.iter().position(|oracle| oracle.noise() == noise);
                    let place = place.unwrap_or_else(|| {
                        oracles.push(PairOracle::of(noise));
                        oracles.len() - 1
                    });
                    let outcome = play(*key, *cell, settings, &oracles[place]);
                    if let Err(error) = keep(settings.to.as_deref(), &outcome) {
                        printer.warn(&format!("the outcome was not written: {error}"));
                    }
                    if let Ok(mut found) = found.lock() {
                        found.insert(*key, outcome);
                    }
                }
            });
        }
    });
    found.into_inner().unwrap_or_default()
}

fn keep(path: Option<&str>, outcome: &Outcome) -> std::io::Result<()> {
    let Some(path) = path else { return Ok(()) };
    let mut line = serde_json::to_string(outcome)?;
    line.push('\n');
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(line.as_bytes())
}

fn play(key: Key, cell: Cell, settings: &Settings, oracle: &PairOracle) -> Outcome {
    let seed = seed_in(cell, key.seed);
    let parameters = cell.parameters(seed);
    let surface = Surface::random(&parameters, cell.family, cell.deficit, seed);
    let only_openbench = settings.what == "openbench";
    let rates = RATES.iter().map(|&rate| Some(rate)).chain([None]);
    let openbench = rates
        .map(|rate| {
            let list = openbench::with_rate(&parameters, rate);
            openbench::gain(&list, schedule(key.pairs), &surface, oracle, seed)
        })
        .collect();
    let trial = |algorithm| {
        let tune = tune(algorithm, key.pairs, parameters.clone(), seed);
        Trial::play(tune, &surface, oracle)
    };
    let bayes = (!only_openbench).then(|| trial(AlgorithmName::Bayes));
    let of_bayes = |figure: fn(&Trial) -> f64| bayes.as_ref().map_or(0.0, figure);
    Outcome {
        key,
        deficit: of_bayes(|trial| trial.deficit),
        openbench,
        classic: if only_openbench {
            0.0
        } else {
            trial(AlgorithmName::Classic).gained
        },
        bayes: of_bayes(|trial| trial.gained),
        end: of_bayes(|trial| trial.end_gained),
        kept: of_bayes(|trial| trial.kept),
        claimed: of_bayes(|trial| trial.claimed),
        claimed_sd: of_bayes(|trial| trial.claimed_sd),
        is_misfit: bayes.as_ref().is_some_and(|trial| trial.is_misfit),
    }
}

fn tune(algorithm: AlgorithmName, pairs: u64, parameters: Vec<Parameter>, seed: u64) -> Tune {
    Tune {
        parameters,
        schedule: schedule(pairs),
        algorithm,
        seed,
        window: 1,
        anchors: Anchors::of_run(pairs),
    }
}

fn schedule(pairs: u64) -> Schedule {
    Schedule {
        iterations: pairs / PAIRS_PER_ITERATION,
        pairs_per_iteration: PAIRS_PER_ITERATION,
        ..Schedule::default()
    }
}

/// Answers a program from outside until it gives its final values.
fn serve(settings: &Settings, printer: Printer) -> Result<(), String> {
    let names: Vec<String> = settings.cells.iter().map(|cell| cell.name()).collect();
    // `quadratic 15` is part of another name.
    let exact = names.iter().position(|name| *name == settings.words);
    let cell = exact.or((names.len() == 1).then_some(0));
    let cell = cell.and_then(|place| settings.cells.get(place)).copied();
    let (Some(cell), Some(&pairs)) = (cell, settings.pairs.first()) else {
        return Err(format!(
            "cells=NAME must name one cell, and pairs=N their number; cells with `{}` in their name: {}",
            settings.words,
            names.join(", ")
        ));
    };
    let oracle = PairOracle::of(cell.family.noise());
    let seed = seed_in(cell, settings.seed);
    let mut served = Served::new(cell, seed, pairs, &oracle);
    printer.result(&served.description().map_err(|error| error.to_string())?);
    for line in std::io::stdin().lines() {
        let line = line.map_err(|error| error.to_string())?;
        printer.result(&served.answer(&line)?);
        if served.is_over() {
            break;
        }
    }
    Ok(())
}

/// Cells get surfaces and draws of their own, so that their errors are independent.
fn seed_in(cell: Cell, seed: u64) -> u64 {
    seed + 100_000 * cell.stream()
}

/// The outcomes of a cell, by seed.
fn of_cell<'a>(
    cell: &Cell,
    pairs: u64,
    settings: &Settings,
    played: &'a HashMap<Key, Outcome>,
) -> Vec<&'a Outcome> {
    let cell = cell.stream();
    (settings.seed..settings.seed + settings.surfaces)
        .filter_map(|seed| played.get(&Key { cell, seed, pairs }))
        .collect()
}

fn table(pairs: u64, settings: &Settings, played: &HashMap<Key, Outcome>) -> String {
    let mut text = format!(
        "\n{pairs} pairs\n{:20} {:>5} {:>6} {:>13} {:>7} {:>11} {:>11} {:>11} {:>11} {:>6} {:>13} {:>6} {:>7} {:>6}\n",
        "",
        "lacks",
        "OB.002",
        "OB best",
        "classic",
        "bayes",
        "less OB.002",
        "less best",
        "less end",
        "worst",
        "claims",
        "err/sd",
        "outside",
        "misfit"
    );
    let mut totals = [0.0; 8];
    for cell in &settings.cells {
        let runs = of_cell(cell, pairs, settings, played);
        let of =
            |figure: &dyn Fn(&Outcome) -> f64| mean_and_error(runs.iter().map(|one| figure(one)));
        let rates = [0, 1, 2, 3].map(|rate| of(&|one| one.openbench[rate]).0);
        let best = (0..RATES.len())
            .max_by(|&a, &b| rates[a].total_cmp(&rates[b]))
            .unwrap_or(0);
        let [usual, beaten, less] = [
            of(&|one| one.bayes - one.openbench[0]),
            of(&|one| one.bayes - one.openbench[best]),
            of(&|one| one.bayes - one.end),
        ];
        let worst = runs
            .iter()
            .map(|one| one.bayes)
            .fold(f64::INFINITY, f64::min);
        let (classic, bayes) = (of(&|one| one.classic).0, of(&|one| one.bayes));
        let sd = of(&|one| one.claimed_sd).0;
        let error = of(&|one| one.error().powi(2)).0.sqrt();
        let outside = of(&|one| f64::from(one.error().abs() > 1.96)).0;
        let misfit = of(&|one| f64::from(one.is_misfit)).0;
        let pair = |(mean, error): (f64, f64)| format!("{mean:+.1} ± {error:.1}");
        let _ = writeln!(
            text,
            "{:20} {:5.1} {:6.1} {:6.1} ({:.3}) {classic:7.1} {:>11} {:>11} {:>11} {:>11} {worst:6.1} \
             {:>13} {error:6.2} {:6.0}% {:5.0}%",
            cell.name(),
            of(&|one| one.deficit).0,
            rates[0],
            rates[best],
            RATES[best],
            pair(bayes),
            pair(usual),
            pair(beaten),
            pair(less),
            format!("{:+.1} ± {sd:.1}", of(&|one| one.claimed).0),
            100.0 * outside,
            100.0 * misfit
        );
        let share = 1.0 / settings.cells.len() as f64;
        let figures = [
            rates[0],
            rates[best],
            classic,
            bayes.0,
            sd,
            error,
            outside,
            misfit,
        ];
        for (total, figure) in totals.iter_mut().zip(figures) {
            *total += figure * share;
        }
    }
    let [usual, best, classic, bayes, sd, error, outside, misfit] = totals;
    let _ = write!(
        text,
        "{:26} {usual:6.2} {best:6.2}         {classic:6.2} {bayes:+11.2} {:49}± {sd:4.1} {error:6.2} {:6.1}% {:5.1}%",
        "mean",
        "",
        100.0 * outside,
        100.0 * misfit
    );
    text
}

/// OpenBench's recursion with its usual rate and with ours.
fn rates(pairs: u64, settings: &Settings, played: &HashMap<Key, Outcome>) -> String {
    let ours = RATES.len();
    let mut text = format!(
        "\n{pairs} pairs on OpenBench\n{:24} {:>12} {:>12} {:>14}\n",
        "", "r_end 0.002", "our r_end", "difference"
    );
    let mut totals = [0.0; 2];
    for cell in &settings.cells {
        let runs = of_cell(cell, pairs, settings, played);
        let [usual, own] =
            [0, ours].map(|rate| mean_and_error(runs.iter().map(|one| one.openbench[rate])).0);
        let more = mean_and_error(
            runs.iter()
                .map(|one| one.openbench[ours] - one.openbench[0]),
        );
        let _ = writeln!(
            text,
            "{:24} {usual:12.1} {own:12.1} {:+8.1} ± {:3.1}",
            cell.name(),
            more.0,
            more.1
        );
        let share = 1.0 / settings.cells.len() as f64;
        totals[0] += usual * share;
        totals[1] += own * share;
    }
    let _ = write!(
        text,
        "{:24} {:12.2} {:12.2} {:+8.2}",
        "mean",
        totals[0],
        totals[1],
        totals[1] - totals[0]
    );
    text
}

/// Microseconds of processor time a pair that a whole run takes, with those of the surface.
fn costs() -> String {
    const PAIRS: u64 = 2000;
    let oracle = PairOracle::default();
    let mut text = format!("{:>12} {:>12} {:>12}\n", "parameters", "classic", "bayes");
    for count in [8, 100, 200] {
        let cell = Cell {
            family: Family::Weak,
            count,
            deficit: 10.0,
        };
        let parameters = cell.parameters(1);
        let surface = Surface::random(&parameters, cell.family, cell.deficit, 1);
        let of = |algorithm| {
            let tune = tune(algorithm, PAIRS, parameters.clone(), 1);
            let began = processor_time();
            Trial::play(tune, &surface, &oracle);
            processor_time().saturating_sub(began).as_secs_f64() * 1e6 / PAIRS as f64
        };
        let (classic, bayes) = (of(AlgorithmName::Classic), of(AlgorithmName::Bayes));
        let _ = writeln!(text, "{count:12} {classic:9.0} µs {bayes:9.0} µs");
    }
    text
}

fn processor_time() -> Duration {
    let now = ClockId::CLOCK_PROCESS_CPUTIME_ID.now();
    now.expect("a process has a clock").into()
}

/// Mean and its standard error.
fn mean_and_error(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (spread / (count - 1.0) / count).sqrt())
}
