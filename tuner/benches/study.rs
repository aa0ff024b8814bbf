//! Elo gained by the tuner's two algorithms against OpenBench's, over three families of surfaces and three sizes.
//!
//! `cargo bench -p tuner --bench study -- [SURFACES] [FIRST_SEED]`, 24 fresh surfaces a cell by default. Every algorithm
//! meets the same surfaces; figures are paired differences to OpenBench's classic SPSA as it runs there: `r_end` 0.002, eight
//! pairs a perturbation, steps by the nominal c. Gains are true Elo of the rounded result over the start.

use std::fmt::Write;
use std::thread;

use foundation::Printer;
use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;
use tuner::algorithm::AlgorithmName;
use tuner::algorithm::perturbation::{Draws, probe};
use tuner::algorithm::schedule::Schedule;
use tuner::parameter::Parameter;
use tuner::run::session::Tune;
use tuner::synthetic::study::{self, BUDGETS, SIZES};
use tuner::synthetic::{Family, PairOracle, Surface, Trial};

const CELLS: usize = 9;
const PAIRS_PER_ITERATION: u64 = 8;

fn main() {
    // Cargo passes `--bench` when it measures, and nothing when it only wants to see that we can be started.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let surfaces = numbers.first().copied().unwrap_or(24).max(2);
    let first = numbers.get(1).copied().unwrap_or(9000);
    let started = std::time::Instant::now();
    let printer = Printer::new(foundation::printer::OutputArgs::default());
    printer.result(&format!("{surfaces} surfaces a cell, seeds from {first}"));
    for pairs in BUDGETS {
        printer.result(&budget(pairs, surfaces, first));
    }
    printer.note(&format!("{:.0} s", started.elapsed().as_secs_f64()));
}

/// Gains of one cell, by surface: OpenBench, classic, bayes.
type Gains = Vec<[f64; 3]>;

fn budget(pairs: u64, surfaces: u64, first: u64) -> String {
    let cells: Vec<Gains> = thread::scope(|scope| {
        let workers: Vec<_> = (0..CELLS)
            .map(|cell| scope.spawn(move || play_cell(cell, pairs, surfaces, first)))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_default())
            .collect()
    });
    let mut text = format!("\n{pairs} pairs      OpenBench   classic          bayes\n");
    let mut total = [(0.0, 0.0); 3];
    let mut worst = [
        (f64::INFINITY, String::new()),
        (f64::INFINITY, String::new()),
    ];
    for (cell, gains) in cells.iter().enumerate() {
        let (family, (count, _)) = (Family::ALL[cell / 3], SIZES[cell % 3]);
        let base = mean_and_error(gains.iter().map(|gain| gain[0]));
        let ours =
            [1, 2].map(|which| mean_and_error(gains.iter().map(|gain| gain[which] - gain[0])));
        let name = format!("{} {count}", family.name());
        let _ = writeln!(
            text,
            "{name:14} {:5.1} ± {:.1}  {:+5.1} ± {:.1}      {:+5.1} ± {:.1}",
            base.0, base.1, ours[0].0, ours[0].1, ours[1].0, ours[1].1
        );
        for (sum, value) in total.iter_mut().zip([base, ours[0], ours[1]]) {
            sum.0 += value.0 / CELLS as f64;
            sum.1 += (value.1 / CELLS as f64).powi(2);
        }
        for (worst, value) in worst.iter_mut().zip(ours) {
            if value.0 < worst.0 {
                *worst = (value.0, name.clone());
            }
        }
    }
    let _ = writeln!(
        text,
        "mean           {:5.2} ± {:.2} {:+5.2} ± {:.2}     {:+5.2} ± {:.2}",
        total[0].0,
        total[0].1.sqrt(),
        total[1].0,
        total[1].1.sqrt(),
        total[2].0,
        total[2].1.sqrt()
    );
    let _ = write!(
        text,
        "worst cell                   {:+.1} ({})  {:+.1} ({})",
        worst[0].0, worst[0].1, worst[1].0, worst[1].1
    );
    text
}

fn play_cell(cell: usize, pairs: u64, surfaces: u64, first: u64) -> Gains {
    let (family, (count, deficit)) = (Family::ALL[cell / 3], SIZES[cell % 3]);
    let oracle = PairOracle::default();
    (first..first + surfaces)
        .map(|seed| {
            let surface_seed = seed + 100_000 * cell as u64;
            let parameters = study::parameters(count, surface_seed);
            let surface = Surface::random(&parameters, family, deficit, surface_seed);
            let ours = |algorithm| {
                let tune = Tune {
                    parameters: parameters.clone(),
                    schedule: schedule(pairs),
                    algorithm,
                    seed,
                    window: 1,
                };
                Trial::play(tune, &surface, &oracle, false).gained
            };
            [
                openbench(&parameters, &surface, &oracle, pairs, seed),
                ours(AlgorithmName::Classic),
                ours(AlgorithmName::Bayes),
            ]
        })
        .collect()
}

fn schedule(pairs: u64) -> Schedule {
    Schedule {
        iterations: pairs / PAIRS_PER_ITERATION,
        pairs_per_iteration: PAIRS_PER_ITERATION,
        ..Schedule::default()
    }
}

/// SPSA as an OpenBench server does it.
fn openbench(
    parameters: &[Parameter],
    surface: &Surface,
    oracle: &PairOracle,
    pairs: u64,
    seed: u64,
) -> f64 {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(u64::MAX);
    let schedule = schedule(pairs);
    let mut point: Vec<f64> = parameters.iter().map(|parameter| parameter.value).collect();
    for played in (0..pairs).step_by(PAIRS_PER_ITERATION as usize) {
        let moment = schedule.at(schedule.iteration(played));
        let mut draws = Draws::new(seed, played);
        let (mut plus, mut minus, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for (parameter, &value) in parameters.iter().zip(&point) {
            let gain = moment.gain(parameter.c_end, 0.002, parameter.kind.smallest_c());
            let draw = draws.draw();
            let sides = probe(parameter, value, gain.c, draw);
            plus.push(sides.0);
            minus.push(sides.1);
            steps.push(gain.r * gain.c * draw.0);
        }
        let difference = surface.elo(&plus) - surface.elo(&minus);
        let result: f64 = (0..PAIRS_PER_ITERATION)
            .map(|_| oracle.draw(difference, &mut generator) as f64 - 2.0)
            .sum();
        for ((parameter, value), step) in parameters.iter().zip(&mut point).zip(steps) {
            *value = parameter.clip(*value + step * result);
        }
    }
    let rounded: Vec<f64> = point.iter().map(|value| value.round()).collect();
    surface.elo(&rounded) + surface.deficit()
}

/// Mean and its standard error.
fn mean_and_error(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.collect();
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (spread / (count - 1.0) / count).sqrt())
}
