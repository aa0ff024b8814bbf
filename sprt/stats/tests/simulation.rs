//! Predictions of tests against simulated tests, in a short form; `cargo bench -p stats --bench
//! error_rates` is the long one.

mod simulated;

use rand::{RngExt as _, SeedableRng, rngs::ChaCha8Rng};
use simulated::{Simulated, outcome};
use stats::{Forecast, MatchCounts, Model, Outcomes, Pentanomial, Prospect, Test, Verdict};

/// With bounds this far apart a test of some ten standard errors takes seconds.
const ELO1: f64 = 40.0;
const TESTS: u64 = 1000;
const LIMIT: u64 = 60;

fn test(overshoot_correction: bool) -> Test {
    Test::new(0.0, ELO1, 0.05, 0.05, Model::Normalized)
        .expect("usual bounds")
        .with_overshoot_correction(overshoot_correction)
}

#[test]
fn simulated_tests_go_as_foretold() {
    // The first two are long enough to be computed.
    for (elo1, elo, seed) in [(25.0, 0.0, 1), (25.0, 15.0, 2), (100.0, 30.0, 3)] {
        let test = Test::new(0.0, elo1, 0.05, 0.05, Model::Normalized).expect("usual bounds");
        let outcomes = Outcomes::usual(Model::Normalized, elo);
        let figures = Prospect::of(&test, &outcomes, None);
        let simulated = Simulated::run(&test, &outcomes, TESTS, seed);
        let (found, expected) = (simulated.mean_pairs(), figures.expected_pairs);
        assert!(
            (found - expected).abs() < 0.02 * expected + 3.0 * simulated.error_of_pairs(),
            "{elo}: {found} pairs, expected {expected}"
        );
        let found = simulated.share_of_h1();
        assert!(
            (found - figures.h1).abs() < 0.01 + 3.0 * simulated.error_of_h1(),
            "{elo}: {found} H1, expected {}",
            figures.h1
        );
    }
}

#[test]
fn the_corrected_test_is_shorter_and_keeps_its_error_rates() {
    for (elo, seed) in [(0.0, 3), (ELO1, 4)] {
        let outcomes = Outcomes::usual(Model::Normalized, elo);
        let [plain, corrected] =
            [false, true].map(|is| Simulated::run(&test(is), &outcomes, TESTS, seed));
        assert!(corrected.mean_pairs() < plain.mean_pairs());
        let errors = |simulated: &Simulated| {
            let h1 = simulated.share_of_h1();
            if elo > 0.0 { 1.0 - h1 } else { h1 }
        };
        // Three standard errors above 5%.
        assert!(
            errors(&corrected) < 0.05 + 3.0 * (0.05 / TESTS as f64).sqrt(),
            "{elo}"
        );
        assert!(errors(&plain) <= errors(&corrected) + 0.005, "{elo}");
    }
}

/// Strengths distributed as the forecast assumes: Student's distribution with two degrees of
/// freedom, by its inverse.
fn usual_strength(share: f64) -> f64 {
    let distance = (2.0 * share - 1.0) * (2.0 / (4.0 * share * (1.0 - share))).sqrt();
    ELO1 * (0.5 + distance)
}

#[test]
fn on_average_a_running_test_takes_as_long_as_forecast() {
    let test = test(false);
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (mut forecasts, mut lengths, mut chances, mut h1) = (0.0, 0.0, 0.0, 0.0);
    // The same, given up after LIMIT more pairs.
    let (mut limited, mut limited_lengths, mut undecided, mut given_up) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..TESTS / 2 {
        let elo = usual_strength(random.random_range(0.01..0.99));
        let outcomes = Outcomes::usual(Model::Normalized, elo);
        let mut counts = Pentanomial::default();
        let mut verdict = Verdict::Undecided;
        while verdict == Verdict::Undecided {
            counts.0[outcome(&outcomes, &mut random)] += 1;
            let known = MatchCounts::of_pairs(counts).expect("small counts");
            verdict = test.verdict(test.llr(&counts, &stats::Wdl::default()));
            if verdict == Verdict::Undecided && counts.pairs() == 60 {
                let forecast = Forecast::of(&test, &known).expect("pairs are known");
                forecasts += forecast.expected_pairs_left;
                chances += forecast.chance_of_h1;
                lengths -= 60.0;
                let forecast = Forecast::limited(&test, &known, Some(LIMIT));
                let forecast = forecast.expect("pairs are known");
                limited += forecast.expected_pairs_left;
                undecided += forecast.chance_undecided;
            }
        }
        if counts.pairs() > 60 {
            lengths += counts.pairs() as f64;
            h1 += f64::from(u8::from(verdict == Verdict::H1));
            limited_lengths += (counts.pairs() - 60).min(LIMIT) as f64;
            given_up += f64::from(u8::from(counts.pairs() - 60 > LIMIT));
        }
    }
    assert!(
        (limited / limited_lengths - 1.0).abs() < 0.1,
        "{limited} {limited_lengths}"
    );
    assert!(
        (undecided / given_up - 1.0).abs() < 0.1,
        "{undecided} {given_up}"
    );
    assert!(
        (forecasts / lengths - 1.0).abs() < 0.1,
        "{forecasts} {lengths}"
    );
    assert!((chances / h1 - 1.0).abs() < 0.1, "{chances} {h1}");
}
