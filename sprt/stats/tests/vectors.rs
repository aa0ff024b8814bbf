//! Every figure against those of OpenBench and fishtest, as their own code computed them.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use serde_json::Value;
use stats::{
    Interval, Model, Overshoot, Pentanomial, Test, Verdict, Wdl, bayes_elo_llr, closed_form_llr,
    logistic_elo, logistic_llr, normalized_elo, normalized_llr, openbench_elo,
    openbench_trinomial_llr, unbiased_elo,
};

const VECTORS: &str = include_str!("data/stats-vectors.json");
const SEQUENCES: &str = include_str!("data/stats-overshoot-sequences.json");

/// Relative to 1 + |expected|: both sides round differently, and the solvers stop at different last
/// digits.
const TOLERANCE: f64 = 1e-9;
/// For strengths found by inverting a probability that fishtest computes to 1e-9 only.
const INVERTED: f64 = 1e-7;

fn records(text: &str) -> Vec<Value> {
    serde_json::from_str(text).unwrap()
}

fn counts<const K: usize>(value: &Value) -> [u64; K] {
    let counts: Vec<u64> = serde_json::from_value(value.clone()).unwrap();
    counts.try_into().unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

struct Record {
    value: Value,
    pentanomial: [u64; 5],
    trinomial: [u64; 3],
    elo0: f64,
    elo1: f64,
}

impl Record {
    fn all() -> Vec<Self> {
        let read = |value: Value| Self {
            pentanomial: counts(&value["pentanomial"]),
            trinomial: counts(&value["trinomial"]),
            elo0: number(&value["elo0"]),
            elo1: number(&value["elo1"]),
            value,
        };
        records(VECTORS).into_iter().map(read).collect()
    }

    fn test(&self, model: Model) -> Test {
        let [alpha, beta] = ["alpha", "beta"].map(|field| number(&self.value[field]));
        Test::of_any_bounds(self.elo0, self.elo1, alpha, beta, model).unwrap()
    }

    fn check(&self, source: &str, field: &str, found: f64) {
        self.check_within(source, field, found, TOLERANCE);
    }

    /// Compares with the field, where its source gave a number.
    fn check_within(&self, source: &str, field: &str, found: f64, tolerance: f64) {
        let Some(expected) = self.value[source].pointer(field).and_then(Value::as_f64) else {
            assert!(
                self.value[source].pointer(field).is_some(),
                "no field {source}{field}"
            );
            return;
        };
        let error = (found - expected).abs() / (1.0 + expected.abs());
        assert!(
            error <= tolerance,
            "{source}{field} of {:?} [{}, {}]: {found}, expected {expected}, off by {error:e}",
            self.pentanomial,
            self.elo0,
            self.elo1
        );
    }
}

#[test]
fn openbench_figures() {
    for record in Record::all() {
        let test = record.test(Model::Normalized);
        let llr = normalized_llr(&record.pentanomial, record.elo0, record.elo1);
        let trinomial = openbench_trinomial_llr(&record.trinomial, record.elo0, record.elo1);
        record.check("openbench", "/lower_llr", test.lower());
        record.check("openbench", "/upper_llr", test.upper());
        record.check("openbench", "/llr_penta", llr);
        record.check("openbench", "/llr_tri", trinomial);
        for (prefix, Interval { low, value, high }) in [
            ("", openbench_elo(&record.pentanomial)),
            ("tri_", openbench_elo(&record.trinomial)),
        ] {
            record.check("openbench", &format!("/{prefix}elo_low"), low);
            record.check("openbench", &format!("/{prefix}elo"), value);
            record.check("openbench", &format!("/{prefix}elo_high"), high);
        }
        let state = match test.verdict(llr) {
            Verdict::H1 => "passed",
            Verdict::H0 => "failed",
            Verdict::Undecided | Verdict::NoTest => "running",
        };
        assert_eq!(record.value["openbench"]["state_penta"], state);
        let wdl = Wdl {
            losses: record.trinomial[0],
            draws: record.trinomial[1],
            wins: record.trinomial[2],
        };
        let pairs = Pentanomial(record.pentanomial);
        assert!(pairs.allows(&wdl));
        assert_eq!(test.llr(&pairs, &wdl), llr);
        assert_eq!(record.test(Model::Bayesian).llr(&pairs, &wdl), trinomial);
    }
}

#[test]
fn fishtest_log_likelihood_ratios() {
    for record in Record::all() {
        let (elo0, elo1) = (record.elo0, record.elo1);
        let (penta, tri) = (&record.pentanomial, &record.trinomial);
        for (field, found) in [
            ("/llr_normalized_penta", normalized_llr(penta, elo0, elo1)),
            ("/llr_normalized_tri", normalized_llr(tri, elo0, elo1)),
            ("/llr_logistic_penta", logistic_llr(penta, elo0, elo1)),
            ("/llr_logistic_tri", logistic_llr(tri, elo0, elo1)),
            (
                "/llr_normalized_alt_penta",
                closed_form_llr(penta, elo0, elo1),
            ),
            ("/llr_normalized_alt_tri", closed_form_llr(tri, elo0, elo1)),
        ] {
            record.check("fishtest", field, found);
        }
        if let Some(found) = bayes_elo_llr(tri, elo0, elo1) {
            record.check("fishtest", "/llr_legacy_bayeselo_tri", found);
        } else {
            assert!(record.value["fishtest"]["llr_legacy_bayeselo_tri"]["error"].is_string());
        }
    }
}

#[test]
fn fishtest_elo_estimates() {
    for record in Record::all() {
        for (suffix, logistic, normalized) in [
            (
                "penta",
                logistic_elo(&record.pentanomial),
                normalized_elo(&record.pentanomial),
            ),
            (
                "tri",
                logistic_elo(&record.trinomial),
                normalized_elo(&record.trinomial),
            ),
        ] {
            for (field, found) in [
                ("elo", logistic.value),
                ("elo95", logistic.margin),
                ("los", logistic.los),
                ("nelo", normalized.value),
                ("nelo95", normalized.margin),
                ("nelo95_simple", normalized.simple_margin),
            ] {
                record.check("fishtest", &format!("/{field}_{suffix}"), found);
            }
        }
    }
}

#[test]
fn fishtest_estimates_after_a_test() {
    for record in Record::all() {
        for (model, name) in [
            (Model::Logistic, "logistic"),
            (Model::Normalized, "normalized"),
        ] {
            let test = record.test(model);
            let field = |leaf: &str| format!("/sprt_elo_{name}/{leaf}");
            match unbiased_elo(&test, &record.pentanomial) {
                Some(found) => {
                    record.check_within("fishtest", &field("elo"), found.elo.value, INVERTED);
                    record.check_within("fishtest", &field("ci/0"), found.elo.low, INVERTED);
                    record.check_within("fishtest", &field("ci/1"), found.elo.high, INVERTED);
                    // fishtest's is that of the weaker engine where the hypotheses are in the wrong
                    // order.
                    let los = if record.elo0 < record.elo1 {
                        found.los
                    } else {
                        1.0 - found.los
                    };
                    record.check("fishtest", &field("LOS"), los);
                }
                None => assert!(
                    record.elo0 == record.elo1 || record.pentanomial == [0; 5],
                    "no estimate for {:?}",
                    record.pentanomial
                ),
            }
            let llr = match model {
                Model::Logistic => logistic_llr(&record.pentanomial, record.elo0, record.elo1),
                _ => normalized_llr(&record.pentanomial, record.elo0, record.elo1),
            };
            let state = match test.verdict(llr) {
                Verdict::H1 => "accepted",
                Verdict::H0 => "rejected",
                Verdict::Undecided | Verdict::NoTest => "running",
            };
            assert_eq!(record.value["fishtest"][format!("state_{name}")], state);
        }
    }
}

#[test]
fn overshoot_along_simulated_sequences() {
    for sequence in records(SEQUENCES) {
        let (elo0, elo1) = (number(&sequence["elo0"]), number(&sequence["elo1"]));
        let normalized = sequence["elo_model"] == "normalized";
        let model = if normalized {
            Model::Normalized
        } else {
            Model::Logistic
        };
        let [alpha, beta] = ["alpha", "beta"].map(|field| number(&sequence[field]));
        let test = Test::new(elo0, elo1, alpha, beta, model).unwrap();
        let mut checkpoints = sequence["checkpoints"]
            .as_array()
            .unwrap()
            .iter()
            .peekable();
        let mut pairs = [0u64; 5];
        let mut overshoot = Overshoot::default();
        let outcomes = sequence["outcome_order"].as_str().unwrap();
        for (outcome, played) in outcomes.bytes().zip(1u64..) {
            pairs[usize::from(outcome - b'0')] += 1;
            let llr = if normalized {
                normalized_llr(&pairs, elo0, elo1)
            } else {
                logistic_llr(&pairs, elo0, elo1)
            };
            overshoot.update(llr);
            let Some(checkpoint) = checkpoints.next_if(|next| next["pairs"] == played) else {
                continue;
            };
            assert_eq!(pairs, counts(&checkpoint["pentanomial"]));
            let (lower, upper) = overshoot.corrected(test.lower(), test.upper());
            for (field, found) in [
                ("llr", llr),
                ("corrected_lower", lower),
                ("corrected_upper", upper),
            ] {
                let expected = number(&checkpoint[field]);
                assert!(
                    (found - expected).abs() < TOLERANCE,
                    "{field} {found} {expected}"
                );
            }
            let state = match llr {
                llr if llr < lower => "rejected",
                llr if llr > upper => "accepted",
                _ => "",
            };
            assert_eq!(checkpoint["state"], state);
        }
        assert!(checkpoints.next().is_none(), "a checkpoint was passed over");
    }
}

/// Printed values from the tests of a third program, fastchess. For its match of wins alone it
/// prints 111.82, as its solver stops early; OpenBench's gives ours.
#[test]
fn a_match_runner_agrees_to_its_last_printed_digit() {
    let penta = |counts: [u64; 5], elo0, elo1| normalized_llr(&counts, elo0, elo1);
    for (found, printed) in [
        (
            penta([365, 16618, 36029 + 200, 16974, 390], 0.0, 2.0),
            "2.25",
        ),
        (
            penta([127, 4883, 10311 + 401, 5150, 104], -1.75, 0.25),
            "3.01",
        ),
        (penta([0, 0, 0, 0, 5550], 0.0, 5.0), "111.80"),
        (
            logistic_llr(&[223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5),
            "-3.07",
        ),
        (
            logistic_llr(&[871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0),
            "-4.98",
        ),
        (normalized_llr(&[36027, 68692, 36433], 0.0, 2.0), "0.92"),
        (
            openbench_trinomial_llr(&[68526, 128429, 68965], 0.0, 2.0),
            "-1.26",
        ),
    ] {
        assert_eq!(format!("{found:.2}"), printed);
    }
}
