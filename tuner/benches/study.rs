//! Elo gained by the tuner's algorithms against OpenBench's, and how far their claims are off, over
//! families of surfaces.
//!
//! `cargo bench -p tuner --bench study -- [surfaces=N] [seed=N] [pairs=N,…] [cells=WORD,…]
//! [threads=N] [what=openbench|claims]`
//!
//! `what=openbench` leaves our algorithms out and holds OpenBench's recursion with the rates that
//! `tuner plan --openbench` writes against the same with its usual rate.
//!
//! `what=claims` plays `bayes` alone and judges its claims: root mean square of their errors, the
//! share of them outside of their 95% intervals, and their mean width. Without
//! words the hard cells are left out.
//!
//! Every algorithm meets the same surfaces. OpenBench's SPSA is played as it runs there (eight
//! pairs a perturbation, steps by the nominal c), with its usual `r_end` of 0.002 and with the one
//! of four rates that is best for the cell, which nobody knows beforehand. Gains are true Elo of
//! the rounded result over the start; a claim's error is in units of the standard deviation that it
//! states, and so is `top`, the highest claim of a cell. The last columns are mean differences on
//! the same surfaces.

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use foundation::Printer;
use tuner::algorithm::AlgorithmName;
use tuner::algorithm::schedule::Schedule;
use tuner::evidence::anchors::Anchors;
use tuner::parameter::Parameter;
use tuner::run::tune::Tune;
use tuner::synthetic::study::{self, CELLS, Cell, HARD_CELLS};
use tuner::synthetic::{PairOracle, Surface, Trial, openbench};

const PAIRS_PER_ITERATION: u64 = 8;
/// OpenBench's usual rate comes first.
const RATES: [f64; 4] = [openbench::USUAL_RATE, 0.004, 0.008, 0.016];
const ALGORITHMS: [AlgorithmName; 2] = [AlgorithmName::Classic, AlgorithmName::Bayes];

fn main() {
    // Cargo passes `--bench` when it measures, and nothing when it only wants to see that we can be
    // started.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let settings = Settings::from_arguments();
    let printer = Printer::new(foundation::printer::OutputArgs::default());
    let started = std::time::Instant::now();
    printer.result(&format!(
        "{} surfaces a cell, seeds from {}",
        settings.surfaces, settings.seed
    ));
    for &pairs in &settings.pairs {
        let table = match settings.what {
            What::All => budget(pairs, &settings),
            What::Openbench => rates(pairs, &settings),
            What::Claims => claims(pairs, &settings),
        };
        printer.result(&table);
    }
    printer.note(&format!("{:.0} s", started.elapsed().as_secs_f64()));
}

struct Settings {
    surfaces: u64,
    seed: u64,
    pairs: Vec<u64>,
    cells: Vec<Cell>,
    threads: usize,
    what: What,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    All,
    Openbench,
    Claims,
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
        let pairs = value("pairs").unwrap_or_else(|| "1000,5000,20000,60000".to_owned());
        let words = value("cells").unwrap_or_default();
        let words: Vec<&str> = words.split(',').filter(|word| !word.is_empty()).collect();
        let named = |cell: &&Cell| words.iter().any(|word| cell.name().contains(word));
        let cells: Vec<Cell> = if words.is_empty() {
            CELLS.to_vec()
        } else {
            let all = CELLS.iter().chain(&HARD_CELLS);
            all.filter(named).copied().collect()
        };
        Self {
            surfaces: number("surfaces", 24).max(2),
            seed: number("seed", 9000),
            pairs: pairs
                .split(',')
                .filter_map(|text| text.parse().ok())
                .collect(),
            cells,
            threads: number("threads", 1) as usize,
            what: match value("what").as_deref() {
                Some("openbench") => What::Openbench,
                Some("claims") => What::Claims,
                _ => What::All,
            },
        }
    }
}

/// What one surface gave: gains of OpenBench at each rate, and each algorithm's trial.
struct Outcome {
    openbench: [f64; RATES.len()],
    trials: [Trial; ALGORITHMS.len()],
}

fn budget(pairs: u64, settings: &Settings) -> String {
    let results = each_cell(settings, |cell| play_cell(cell, pairs, settings));
    let mut text = format!(
        "\n{pairs} pairs\n{:18} {:>6} {:>12} {:>14}",
        "", "lacks", "OB .002", "OB best"
    );
    for name in ALGORITHMS {
        let _ = write!(
            text,
            " {name:>14} {:>13} {:>6} {:>5}",
            "claims", "err/sd", "top"
        );
    }
    let _ = writeln!(text, " {:>13} {:>13}", "bayes-classic", "bayes-OB best");
    let mut totals = [0.0; 2 + ALGORITHMS.len()];
    let mut errors = [0.0; ALGORITHMS.len()];
    for (cell, outcomes) in settings.cells.iter().zip(&results) {
        let deficit = mean_and_error(outcomes.iter().map(|one| one.trials[0].deficit)).0;
        let rates =
            [0, 1, 2, 3].map(|rate| mean_and_error(outcomes.iter().map(|one| one.openbench[rate])));
        let best = (0..RATES.len())
            .max_by(|&a, &b| rates[a].0.total_cmp(&rates[b].0))
            .unwrap_or(0);
        let _ = write!(
            text,
            "{:18} {deficit:6.1} {:6.1} ± {:3.1} {:6.1} ({:.3})",
            cell.name(),
            rates[0].0,
            rates[0].1,
            rates[best].0,
            RATES[best]
        );
        let share = 1.0 / settings.cells.len() as f64;
        totals[0] += rates[0].0 * share;
        totals[1] += rates[best].0 * share;
        for which in 0..ALGORITHMS.len() {
            let trials = || outcomes.iter().map(|one| &one.trials[which]);
            let gain = mean_and_error(trials().map(|trial| trial.gained));
            let claim = mean_and_error(trials().map(|trial| trial.claimed)).0;
            let sd = mean_and_error(trials().map(|trial| trial.claimed_sd)).0;
            let error = trials()
                .map(|trial| ((trial.claimed - trial.gained) / trial.claimed_sd.max(1e-9)).powi(2));
            let error = mean_and_error(error).0.sqrt();
            let top = trials()
                .map(|trial| trial.claimed / trial.claimed_sd.max(1e-9))
                .fold(f64::NEG_INFINITY, f64::max);
            let _ = write!(
                text,
                " {:8.1} ± {:3.1} {claim:+7.1} ± {sd:3.1} {error:6.2} {top:+5.1}",
                gain.0, gain.1
            );
            totals[2 + which] += gain.0 * share;
            errors[which] += error * share;
        }
        // The surfaces are the same, so differences have less noise than either gain.
        let [classic, bayes] = [0, 1];
        let over = |gain: fn(&Outcome, usize) -> f64, which: usize| {
            mean_and_error(
                outcomes
                    .iter()
                    .map(|one| one.trials[bayes].gained - gain(one, which)),
            )
        };
        let classic = over(|one, which| one.trials[which].gained, classic);
        let openbench = over(|one, which| one.openbench[which], best);
        let _ = writeln!(
            text,
            " {:+7.1} ± {:3.1} {:+7.1} ± {:3.1}",
            classic.0, classic.1, openbench.0, openbench.1
        );
    }
    let _ = write!(
        text,
        "{:18} {:6} {:6.2}       {:6.2}        ",
        "mean", "", totals[0], totals[1]
    );
    for which in 0..ALGORITHMS.len() {
        let _ = write!(
            text,
            " {:9.2} {:19} {:6.2} {:5}",
            totals[2 + which],
            "",
            errors[which],
            ""
        );
    }
    text
}

/// What `bayes` claims.
fn claims(pairs: u64, settings: &Settings) -> String {
    let played = each_cell(settings, |cell| {
        each_surface(cell, settings, |parameters, surface, oracle, seed| {
            trial(
                AlgorithmName::Bayes,
                pairs,
                parameters,
                surface,
                oracle,
                seed,
            )
        })
    });
    let mut text = format!(
        "\n{pairs} pairs, claims of bayes\n{:22} {:>12} {:>15} {:>6} {:>8}\n",
        "", "gained", "claimed", "err/sd", "outside"
    );
    let mut totals = [0.0; 4];
    for (cell, trials) in settings.cells.iter().zip(&played) {
        let gain = mean_and_error(trials.iter().map(|trial| trial.gained));
        let claim = mean_and_error(trials.iter().map(|trial| trial.claimed)).0;
        let sd = mean_and_error(trials.iter().map(|trial| trial.claimed_sd)).0;
        let errors = trials
            .iter()
            .map(|trial| (trial.claimed - trial.gained) / trial.claimed_sd.max(1e-9));
        let error = mean_and_error(errors.clone().map(|error| error.powi(2)))
            .0
            .sqrt();
        let outside = mean_and_error(errors.map(|error| f64::from(error.abs() > 1.96))).0;
        let _ = writeln!(
            text,
            "{:22} {:6.1} ± {:3.1} {claim:+8.1} ± {sd:4.1} {error:6.2} {:7.0}%",
            cell.name(),
            gain.0,
            gain.1,
            100.0 * outside
        );
        let share = 1.0 / settings.cells.len() as f64;
        for (total, figure) in totals.iter_mut().zip([gain.0, sd, error, outside]) {
            *total += figure * share;
        }
    }
    let [gain, sd, error, outside] = totals;
    let _ = write!(
        text,
        "{:22} {gain:6.2} {:14} ± {sd:4.1} {error:6.2} {:7.1}%",
        "mean",
        "",
        100.0 * outside
    );
    text
}

/// OpenBench's recursion with its usual rate and with ours.
fn rates(pairs: u64, settings: &Settings) -> String {
    let played = each_cell(settings, |cell| {
        each_surface(cell, settings, |parameters, surface, oracle, seed| {
            [Some(openbench::USUAL_RATE), None].map(|rate| {
                let list = openbench::with_rate(parameters, rate);
                openbench::gain(&list, schedule(pairs), surface, oracle, seed)
            })
        })
    });
    let mut text = format!(
        "\n{pairs} pairs on OpenBench\n{:24} {:>12} {:>12} {:>14}\n",
        "", "r_end 0.002", "our r_end", "difference"
    );
    let mut totals = [0.0; 2];
    for (cell, gains) in settings.cells.iter().zip(&played) {
        let [usual, ours] = [0, 1].map(|which| mean_and_error(gains.iter().map(|own| own[which])));
        let more = mean_and_error(gains.iter().map(|own| own[1] - own[0]));
        let _ = writeln!(
            text,
            "{:24} {:12.1} {:12.1} {:+8.1} ± {:3.1}",
            cell.name(),
            usual.0,
            ours.0,
            more.0,
            more.1
        );
        let share = 1.0 / settings.cells.len() as f64;
        totals[0] += usual.0 * share;
        totals[1] += ours.0 * share;
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

/// What `play` makes of each cell, cells shared out among the threads.
fn each_cell<T: Send>(settings: &Settings, play: impl Fn(Cell) -> Vec<T> + Sync) -> Vec<Vec<T>> {
    let next = AtomicUsize::new(0);
    let done: Vec<Mutex<Vec<T>>> = settings.cells.iter().map(|_| Mutex::default()).collect();
    thread::scope(|scope| {
        for _ in 0..settings.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(cell) = settings.cells.get(place) else {
                        return;
                    };
                    let outcomes = play(*cell);
                    if let Ok(mut done) = done[place].lock() {
                        *done = outcomes;
                    }
                }
            });
        }
    });
    done.into_iter()
        .map(|cell| cell.into_inner().unwrap_or_default())
        .collect()
}

/// What `play` makes of each surface of a cell.
fn each_surface<T>(
    cell: Cell,
    settings: &Settings,
    play: impl Fn(&[Parameter], &Surface, &PairOracle, u64) -> T,
) -> Vec<T> {
    let oracle = PairOracle::default();
    (settings.seed..settings.seed + settings.surfaces)
        .map(|seed| {
            // Cells get surfaces and draws of their own, so that their errors are independent.
            let seed = seed + 100_000 * cell.stream();
            let parameters = study::parameters(cell.count, seed);
            let surface = Surface::random(&parameters, cell.family, cell.deficit, seed);
            play(&parameters, &surface, &oracle, seed)
        })
        .collect()
}

fn play_cell(cell: Cell, pairs: u64, settings: &Settings) -> Vec<Outcome> {
    each_surface(cell, settings, |parameters, surface, oracle, seed| {
        Outcome {
            openbench: RATES.map(|rate| {
                let list = openbench::with_rate(parameters, Some(rate));
                openbench::gain(&list, schedule(pairs), surface, oracle, seed)
            }),
            trials: ALGORITHMS
                .map(|algorithm| trial(algorithm, pairs, parameters, surface, oracle, seed)),
        }
    })
}

fn trial(
    algorithm: AlgorithmName,
    pairs: u64,
    parameters: &[Parameter],
    surface: &Surface,
    oracle: &PairOracle,
    seed: u64,
) -> Trial {
    let tune = Tune {
        parameters: parameters.to_vec(),
        schedule: schedule(pairs),
        algorithm,
        seed,
        window: 1,
        anchors: Anchors::of_run(pairs),
    };
    Trial::play(tune, surface, oracle)
}

fn schedule(pairs: u64) -> Schedule {
    Schedule {
        iterations: pairs / PAIRS_PER_ITERATION,
        pairs_per_iteration: PAIRS_PER_ITERATION,
        ..Schedule::default()
    }
}

/// Mean and its standard error.
fn mean_and_error(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (spread / (count - 1.0) / count).sqrt())
}
