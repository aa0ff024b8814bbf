//! Error rates and lengths of simulated tests beside those foretold: `cargo bench -p stats --bench
//! error_rates [-- TESTS] [foretold|corrected]`.
//!
//! The first table is of plain tests, the second compares tests with bounds corrected for
//! overshoot. Takes minutes.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and stops where it cannot measure"
)]

#[path = "../tests/simulated/mod.rs"]
mod simulated;

use simulated::Simulated;
use stats::{MatchCounts, Model, Outcomes, Pentanomial, Prospect, Test};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let tests = words
        .iter()
        .find_map(|word| word.parse().ok())
        .unwrap_or(10_000);
    let is_wanted = |table: &str| {
        !words
            .iter()
            .any(|word| word.parse::<u64>().is_err() && word != "--bench" && word != table)
    };
    if is_wanted("foretold") {
        foretold(tests);
    }
    if is_wanted("corrected") {
        corrected(tests);
    }
}

fn foretold(tests: u64) {
    println!(
        "plain tests, alpha = beta = 0.05, {tests} each, four times as many of tests below 10,000 pairs; foretold / simulated"
    );
    println!("| bounds | model | strength | H1 % | pairs | differs by |");
    println!("|---|---|---|---|---|---|");
    let spread = MatchCounts::of_pairs(Pentanomial([59, 71, 223, 76, 100])).expect("counts");
    let mut seed = 0;
    for (elo0, elo1, model, elo) in [
        (0.0, 5.0, Model::Normalized, 3.0),
        (0.0, 5.0, Model::Normalized, 0.0),
        (0.0, 5.0, Model::Normalized, 20.0),
        (-5.0, 0.0, Model::Normalized, -1.0),
        (0.0, 10.0, Model::Normalized, 4.0),
        (0.0, 20.0, Model::Normalized, 12.0),
        (0.0, 35.0, Model::Normalized, 20.0),
        (0.0, 50.0, Model::Normalized, 0.0),
        (0.0, 100.0, Model::Normalized, 30.0),
        (0.0, 10.0, Model::Logistic, 4.0),
    ] {
        let test = Test::new(elo0, elo1, 0.05, 0.05, model).expect("usual bounds");
        for outcomes in [
            Outcomes::usual(model, elo),
            Outcomes::like(&spread, model, elo),
        ] {
            let figures = Prospect::of(&test, &outcomes, None);
            // Shorter ones are cheaper.
            let times = if figures.expected_pairs < 10_000.0 {
                4
            } else {
                1
            };
            seed += 1;
            let simulated = Simulated::run(&test, &outcomes, times * tests, seed);
            println!(
                "| {elo0}, {elo1} | {} | {elo} | {:.2} / {:.2} ± {:.2} | {:.0} / {:.0} ± {:.0} | {:+.2}% |",
                model.name(),
                100.0 * figures.h1,
                100.0 * simulated.share_of_h1(),
                100.0 * simulated.error_of_h1(),
                figures.expected_pairs,
                simulated.mean_pairs(),
                simulated.error_of_pairs(),
                100.0 * (simulated.mean_pairs() / figures.expected_pairs - 1.0),
            );
        }
    }
}

fn corrected(tests: u64) {
    println!("\nalpha and beta asked for: 5%; {tests} tests each");
    println!("| bounds | alpha plain | corrected | beta plain | corrected | pairs saved |");
    println!("|---|---|---|---|---|---|");
    for elo1 in [100.0, 50.0, 20.0, 5.0] {
        let test = Test::new(0.0, elo1, 0.05, 0.05, Model::Normalized).expect("usual bounds");
        let run = |elo: f64, is_corrected: bool| {
            let outcomes = Outcomes::usual(Model::Normalized, elo);
            Simulated::run(
                &test.with_overshoot_correction(is_corrected),
                &outcomes,
                tests,
                2,
            )
        };
        let [plain0, corrected0] = [false, true].map(|is| run(0.0, is));
        let [plain1, corrected1] = [false, true].map(|is| run(elo1, is));
        let saved = 1.0
            - (corrected0.mean_pairs() + corrected1.mean_pairs())
                / (plain0.mean_pairs() + plain1.mean_pairs());
        println!(
            "| 0, {elo1} | {:.2}% | {:.2}% | {:.2}% | {:.2}% | {:.1}% |",
            100.0 * plain0.share_of_h1(),
            100.0 * corrected0.share_of_h1(),
            100.0 * (1.0 - plain1.share_of_h1()),
            100.0 * (1.0 - corrected1.share_of_h1()),
            100.0 * saved,
        );
    }
}
