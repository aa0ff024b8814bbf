//! What to expect of a run, before a game is played.
//!
//! At constant gain SPSA is a linear system with noise. With n parameters that matter, variance
//! `s2` of a pair's result and kappa points per Elo, a rate r keeps about `r n s2 / (8 kappa)` Elo
//! of noise, and a parameter whose curvature is h Elo per c squared forgets where it started in `1
//! / (2 kappa r h)` pairs. Each algorithm states its own figures.
//!
//! A parameter with few values has no slope. Where any two of its L values are played equally often,
//! their difference in Elo has the variance `s2 (L - 1) / (kappa^2 pairs)`. In tunes simulated with
//! values 2 Elo apart and as many pairs as make this their standard deviation, the better one was
//! found in 81% (two values) and 83% (three) of the parameters that did not start from it.

use foundation::counted;
use serde::Serialize;

use crate::elo::{POINTS_PER_ELO, TWO_SIDED_95};
use crate::evidence::levels::Levels;
use crate::parameter::Parameter;

use super::AlgorithmName;
use super::problem::{Expectation, Problem};
use super::schedule::Schedule;

/// Predictions for a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Forecast {
    pub pairs: u64,
    #[serde(flatten)]
    pub expectation: Expectation,
    /// Hours, where the speed is known.
    pub hours: Option<f64>,
    /// Parameters that have a slope.
    pub slopes: usize,
    /// Standard deviation of the difference between two values of a parameter with few, Elo.
    pub values_sd: Option<f64>,
    /// Pairs in which that standard deviation comes down to [`APART`].
    pub needed_by_values: f64,
}

/// Elo between two values that are to be told apart.
const APART: f64 = 2.0;

impl Forecast {
    pub(crate) fn new(
        algorithm: AlgorithmName,
        schedule: Schedule,
        parameters: &[Parameter],
        variance: f64,
        pairs_per_second: Option<f64>,
    ) -> Self {
        let pairs = schedule.pairs();
        let mut expectation = algorithm
            .start(Problem {
                parameters,
                tuned: parameters.len(),
                schedule,
            })
            .expectation(variance);
        let terms = algorithm.terms(parameters);
        let levels = (0..parameters.len()).filter_map(|index| terms.levels(index));
        let degrees: Vec<usize> = levels.map(Levels::degrees).collect();
        let slopes = parameters.len() - degrees.len();
        // Values are compared as they are, and none is the noisy end of a way.
        expectation.noise *= slopes as f64 / parameters.len().max(1) as f64;
        let most = degrees.into_iter().max();
        let of_one = most.map(|degrees| (variance * degrees as f64).sqrt() / POINTS_PER_ELO);
        // What is needed is played in whole iterations.
        let at_once = schedule.pairs_per_iteration.max(1) as f64;
        let whole = |needed: f64| (needed / at_once).ceil() * at_once;
        expectation.needed = whole(expectation.needed);
        Self {
            pairs,
            expectation,
            hours: pairs_per_second.map(|speed| pairs as f64 / speed / 3600.0),
            slopes,
            values_sd: of_one.map(|sd| sd / (pairs.max(1) as f64).sqrt()),
            needed_by_values: whole((of_one.unwrap_or(0.0) / APART).powi(2)),
        }
    }

    /// Whether a typical parameter can get near its optimum at all.
    pub(crate) fn suffices(&self) -> bool {
        self.pairs as f64 >= self.needed()
    }

    /// Pairs in which it can.
    pub(crate) fn needed(&self) -> f64 {
        let by_slopes = if self.slopes > 0 {
            self.expectation.needed
        } else {
            0.0
        };
        by_slopes.max(self.needed_by_values)
    }

    /// As text, one line each.
    pub(crate) fn words(&self) -> String {
        let duration = match self.hours {
            None => String::new(),
            Some(hours) if hours < 1.0 => {
                format!(
                    ", about {}",
                    counted((60.0 * hours).ceil() as u64, "minute")
                )
            }
            Some(hours) => format!(", about {hours:.1} hours"),
        };
        let needed = counted(self.needed() as u64, "pair");
        let verdict = if self.suffices() {
            String::new()
        } else if self.needed() == self.needed_by_values {
            format!(
                "\nthe budget is too small: it takes {needed} to find the better of two values that \
                 are {APART} Elo apart in four of five parameters that do not start from it"
            )
        } else {
            format!(
                "\nthe budget is too small: a parameter worth 1 Elo per c needs {needed} to come two \
                 thirds of its way"
            )
        };
        let rate = self
            .expectation
            .r_end
            .map_or(String::new(), |rate| format!("; r_end {rate:.4}"));
        let slopes = format!(
            "; noise at the end about {:.1} Elo; gradients to ±{:.2} Elo per c (95%)",
            self.expectation.noise,
            TWO_SIDED_95 * self.expectation.gradient_sd
        );
        let values = self.values_sd.map_or(String::new(), |sd| {
            let half = TWO_SIDED_95 * sd;
            format!("; two values of a parameter with few to ±{half:.1} Elo (95%)")
        });
        format!(
            "{}{duration}{rate}{}{values}{verdict}",
            counted(self.pairs, "pair"),
            if self.slopes > 0 { &*slopes } else { "" },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::USUAL_VARIANCE;
    use crate::synthetic::study;

    fn forecast(iterations: u64, count: usize, r_end: Option<f64>) -> Forecast {
        let schedule = Schedule {
            iterations,
            ..Schedule::default()
        };
        let mut parameters = study::parameters(count, 1);
        for parameter in &mut parameters {
            parameter.r_end = r_end;
        }
        of(AlgorithmName::Classic, schedule, &parameters, Some(2.0))
    }

    fn of(
        name: AlgorithmName,
        schedule: Schedule,
        parameters: &[Parameter],
        speed: Option<f64>,
    ) -> Forecast {
        Forecast::new(name, schedule, parameters, USUAL_VARIANCE, speed)
    }

    #[test]
    fn the_noise_is_that_of_the_published_formula() {
        // 21.7 r n s2 Elo.
        let noise = forecast(2500, 15, Some(0.002)).expectation.noise;
        assert!((noise - 21.7 * 0.002 * 15.0 * 0.89).abs() < 0.01, "{noise}");
    }

    #[test]
    fn a_small_budget_is_reported() {
        assert!(forecast(2500, 15, None).suffices());
        let poor = forecast(100, 15, Some(0.002));
        assert!(!poor.suffices());
        assert!(poor.words().contains("too small"));
        assert!(
            poor.words().starts_with("800 pairs, about 7 minutes; "),
            "{}",
            poor.words()
        );
        assert_eq!(poor.expectation.needed % 8.0, 0.0);
        let one = forecast(1, 15, Some(0.002)).words();
        assert!(one.contains("8 pairs, about 1 minute; "), "{one}");
    }

    #[test]
    fn the_noise_foretold_for_bayes_is_what_runs_lose() {
        let noise = |pairs: u64, count| {
            let schedule = Schedule {
                iterations: pairs,
                pairs_per_iteration: 1,
                ..Schedule::default()
            };
            let parameters = study::parameters(count, 1);
            of(AlgorithmName::Bayes, schedule, &parameters, None)
                .expectation
                .noise
        };
        assert!(noise(8, 56) < 10.0, "{}", noise(8, 56));
        // Losses from the optimum on synthetic surfaces, quadratic and kinked, where the whole move
        // was kept.
        for (pairs, count, lost) in [
            (1000, 15, 1.6),
            (5000, 15, 1.0),
            (1000, 40, 3.5),
            (5000, 40, 3.5),
        ] {
            let foretold = noise(pairs, count);
            assert!(
                (0.6..1.6).contains(&(foretold / lost)),
                "{pairs} pairs, {count} parameters: {foretold}"
            );
        }
    }

    #[test]
    fn of_a_parameter_with_few_values_no_slope_is_foretold() {
        let switch = |name: &str| {
            let texts = ["false", "true"].map(str::to_owned);
            Parameter::choice(name.to_owned(), texts.to_vec(), 0)
        };
        let schedule = |iterations| Schedule {
            iterations,
            ..Schedule::default()
        };
        let switches = [switch("A"), switch("B")];
        let bayes = |list: &[Parameter], iterations| {
            of(AlgorithmName::Bayes, schedule(iterations), list, None)
        };
        let enough = bayes(&switches, 5000);
        assert_eq!(
            (enough.expectation.noise, enough.words().as_str()),
            (
                0.0,
                "40000 pairs; two values of a parameter with few to ±1.6 Elo (95%)"
            )
        );
        let short = bayes(&switches, 100);
        let told = "it takes 6720 pairs to find the better of two values that are 2 Elo apart";
        assert!(
            !short.suffices() && short.words().contains(told),
            "{}",
            short.words()
        );
        let mut mixed = study::parameters(2, 1);
        let slopes = bayes(&mixed, 100).expectation.noise;
        mixed.extend(switches);
        let both = bayes(&mixed, 100);
        assert!(
            (both.expectation.noise / slopes - 1.0).abs() < 1e-9,
            "{both:?}"
        );
        assert!(both.words().contains("gradients to ±"), "{}", both.words());
        let classic = of(AlgorithmName::Classic, schedule(5000), &mixed, None);
        assert_eq!((classic.slopes, classic.values_sd), (4, None));
    }

    #[test]
    fn bayes_is_not_held_back_by_a_rate() {
        let schedule = Schedule {
            iterations: 1000,
            ..Schedule::default()
        };
        let mut parameters = study::parameters(4, 1);
        for parameter in &mut parameters {
            parameter.r_end = Some(0.002);
        }
        let [classic, bayes] = [AlgorithmName::Classic, AlgorithmName::Bayes]
            .map(|name| of(name, schedule, &parameters, None));
        assert!(
            bayes.suffices() && !classic.suffices(),
            "{classic:?} {bayes:?}"
        );
        assert!(!bayes.words().contains("r_end"), "{}", bayes.words());
    }
}
