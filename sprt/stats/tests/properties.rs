//! What must hold for any counts and any bounds.

use proptest::array::uniform5;
use proptest::prelude::*;
use stats::{
    MatchCounts, Model, Pentanomial, Summary, Test, Wdl, bayes_elo_llr, closed_form_llr,
    logistic_elo, logistic_llr, normalized_elo, normalized_llr, openbench_elo,
};

/// Counts of all sizes, zero among them.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(0u64),
        0..10u64,
        0..100_000u64,
        0..=1_000_000_000_000u64
    ]
}

/// Counts of a realistic match.
fn ordinary() -> impl Strategy<Value = [u64; 5]> {
    uniform5(1..5_000u64)
}

fn bound() -> impl Strategy<Value = f64> {
    prop_oneof![
        -20.0..20.0,
        -1000.0..1000.0,
        -1e6..1e6,
        Just(0.0),
        Just(1e6),
        Just(-1e6)
    ]
}

/// Alpha and beta with a sum below 1, also next to 0 and 1.
fn error_rates() -> impl Strategy<Value = (f64, f64)> {
    prop_oneof![
        (0.001..0.5, 0.001..0.499),
        Just((1e-300, 1e-300)),
        Just((1.0 - 1e-12, 1e-13)),
        Just((1e-13, 1.0 - 1e-12)),
        Just((0.5, 0.5 - 1e-16)),
    ]
}

fn model() -> impl Strategy<Value = Model> {
    prop_oneof![
        Just(Model::Normalized),
        Just(Model::Logistic),
        Just(Model::Bayesian)
    ]
}

fn reversed(counts: [u64; 5]) -> [u64; 5] {
    Pentanomial(counts).reversed().0
}

/// Rounding errors grow with the number of pairs, and where the ten rounds of the iteration end
/// before it has settled (hardly any pair differs from the others, and the hypotheses are far off),
/// its last round magnifies them.
fn close(left: f64, right: f64, counts: &[u64]) -> bool {
    let pairs = counts.iter().sum::<u64>() as f64;
    (left - right).abs() <= 1e-6 * (1.0 + left.abs() + right.abs()) + 1e-12 * pairs
}

fn assert_finite(value: &serde_json::Value, path: &str) {
    match value {
        serde_json::Value::Object(fields) => {
            for (name, field) in fields {
                assert_finite(field, &format!("{path}/{name}"));
            }
        }
        serde_json::Value::Number(number) => {
            assert!(
                number.as_f64().is_some_and(f64::is_finite),
                "{path} is {number}"
            );
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_figure_exists_or_is_missing(
        counts in uniform5(count()),
        decisive in 0.0..=1.0f64,
        (elo0, elo1) in (bound(), bound()),
        (alpha, beta) in error_rates(),
        model in model(),
    ) {
        let test = Test::of_any_bounds(elo0, elo1, alpha, beta, model).unwrap();
        prop_assert!(test.lower() < test.upper());
        let [ll, ld, middle, dw, ww] = counts;
        let shared = (middle as f64 * decisive) as u64;
        let games = Wdl {
            wins: dw + 2 * ww + shared,
            losses: ld + 2 * ll + shared,
            draws: ld + dw + 2 * (middle - shared),
        };
        let score = MatchCounts::new(Pentanomial(counts), games);
        let score = score.or_else(|_| MatchCounts::of_pairs(Pentanomial(counts))).unwrap();
        let summary = Summary::of(&test, &score);
        let [llr, nelo, los] = [summary.llr, summary.nelo, summary.los];
        let alike = counts.iter().filter(|&&count| count > 0).count() < 2;
        prop_assert!(llr.is_some() || score.wdl().is_none());
        prop_assert_eq!(nelo.is_none(), alike);
        prop_assert!(los.is_none_or(|los| (0.0..=1.0).contains(&los)));
        prop_assert_eq!(los.is_none(), alike && counts[2] == 0);
        prop_assert!(los.is_some() || summary.unbiased_los.is_none());
        prop_assert!(summary.expected_pairs_left.is_none_or(|pairs| pairs >= 0.0));
        assert_finite(&serde_json::to_value(&summary).unwrap(), "");
        let figures = [
            normalized_llr(&counts, elo0, elo1),
            logistic_llr(&counts, elo0, elo1),
            closed_form_llr(&counts, elo0, elo1),
            bayes_elo_llr(&games.worst_to_best(), elo0, elo1).unwrap_or(0.0),
            logistic_elo(&counts).margin,
            normalized_elo(&counts).margin,
            openbench_elo(&counts).larger_side(),
        ];
        prop_assert!(figures.iter().all(|figure| figure.is_finite()), "{figures:?}");
    }

    #[test]
    fn the_opponent_sees_the_opposite(
        counts in uniform5(count()), (elo0, elo1) in (-400.0..400.0, -400.0..400.0)
    ) {
        let mirror = reversed(counts);
        for llr in [normalized_llr, logistic_llr, closed_form_llr] {
            let (ours, theirs) = (llr(&counts, elo0, elo1), llr(&mirror, -elo0, -elo1));
            prop_assert!(close(ours, theirs, &counts), "{ours} {theirs}");
        }
        let (ours, theirs) = (openbench_elo(&counts), openbench_elo(&mirror));
        let tolerance = 1e-6;
        prop_assert!((ours.value + theirs.value).abs() < tolerance, "{ours:?} {theirs:?}");
        prop_assert!((ours.low + theirs.high).abs() < tolerance, "{ours:?} {theirs:?}");
    }

    #[test]
    fn exchanged_hypotheses_exchange_the_sign(
        counts in uniform5(count()), (elo0, elo1) in (bound(), bound())
    ) {
        for llr in [normalized_llr, logistic_llr] {
            prop_assert_eq!(llr(&counts, elo0, elo1), -llr(&counts, elo1, elo0));
            prop_assert_eq!(llr(&counts, elo0, elo0), 0.0);
        }
    }

    #[test]
    fn better_pairs_give_a_higher_ratio(
        counts in ordinary(), (middle, width) in (-20.0..20.0f64, 0.5..10.0f64), class in 0..4usize
    ) {
        let mut better = counts;
        better[class] -= 1;
        better[class + 1] += 1;
        let (elo0, elo1) = (middle - width / 2.0, middle + width / 2.0);
        prop_assert!(logistic_llr(&better, elo0, elo1) > logistic_llr(&counts, elo0, elo1));
        prop_assert!(openbench_elo(&better).value > openbench_elo(&counts).value);
    }

    /// Normalised Elo rewards a draw for a win where the spread shrinks more than the mean, so its
    /// ratio rises only with whole matches shifted, not with each single pair.
    #[test]
    fn a_stronger_opponent_takes_the_normalised_ratio_down(
        counts in ordinary(), (middle, width) in (-5.0..5.0f64, 0.5..10.0f64)
    ) {
        let mirror = reversed(counts);
        let (elo0, elo1) = (middle - width / 2.0, middle + width / 2.0);
        let (ours, theirs) = (normalized_elo(&counts).value, normalized_elo(&mirror).value);
        let difference =
            normalized_llr(&counts, elo0, elo1) - normalized_llr(&mirror, elo0, elo1);
        prop_assume!((ours - theirs).abs() > 1e-6);
        prop_assert_eq!(difference > 0.0, ours > theirs);
    }

    #[test]
    fn the_estimate_after_the_test_lies_in_its_interval(counts in ordinary()) {
        let test = Test::new(0.0, 5.0, 0.05, 0.05, Model::Normalized).unwrap();
        let summary = Summary::of(&test, &MatchCounts::of_pairs(Pentanomial(counts)).unwrap());
        let elo = summary.unbiased_elo;
        prop_assert!(elo.low <= elo.value && elo.value <= elo.high, "{elo:?}");
    }
}

/// A match runner hung in its solver on such data.
#[test]
fn wide_bounds_on_lost_matches_have_an_answer() {
    for counts in [
        [100, 0, 0, 0, 0],
        [1_000_000_000, 0, 0, 0, 0],
        [0, 0, 0, 0, 5550],
    ] {
        for bounds in [(0.0, 500.0), (-1000.0, 1000.0), (300.0, 400.0), (-1e6, 1e6)] {
            for llr in [normalized_llr::<5>, logistic_llr::<5>] {
                let llr = llr(&counts, bounds.0, bounds.1);
                assert!(
                    llr.is_finite() && llr != 0.0,
                    "{counts:?} {bounds:?}: {llr}"
                );
                assert_eq!(llr > 0.0, counts[4] > 0, "{counts:?} {bounds:?}: {llr}");
            }
        }
    }
}

/// Where OpenBench and fishtest find no distribution with the t-value of 300 normalised Elo or
/// more.
#[test]
fn the_ratio_goes_on_beyond_the_reach_of_the_uniform_distribution() {
    let counts = [1, 2, 3, 4, 5];
    let mut last = normalized_llr(&counts, 0.0, 150.0);
    for elo1 in (160..2000).step_by(10) {
        let llr = normalized_llr(&counts, 0.0, f64::from(elo1));
        assert!(llr < last && last - llr < 0.5, "{elo1}: {last} to {llr}");
        last = llr;
    }
}

#[test]
fn tests_that_make_no_sense_are_refused_by_the_name_of_the_flag() {
    for (elo0, elo1, alpha, beta, flag) in [
        (0.0, 0.0, 0.05, 0.05, "--bounds"),
        (5.0, 0.0, 0.05, 0.05, "--bounds"),
        (f64::NAN, 5.0, 0.05, 0.05, "--bounds"),
        (0.0, f64::INFINITY, 0.05, 0.05, "--bounds"),
        (0.0, 5.0, 0.0, 0.05, "--alpha"),
        (0.0, 5.0, 0.05, 1.0, "--beta"),
        (0.0, 5.0, 0.05, f64::NAN, "--beta"),
        (0.0, 5.0, 0.5, 0.5, "--alpha"),
    ] {
        let failure = Test::new(elo0, elo1, alpha, beta, Model::Normalized).unwrap_err();
        assert!(failure.message().starts_with(flag), "{failure}");
    }
}
