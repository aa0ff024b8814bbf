//! What to expect of a run, before a game is played.
//!
//! At constant gain SPSA is a linear system with noise. With n parameters that matter, variance
//! `s2` of a pair's result and kappa points per Elo, a rate r keeps about `r n s2 / (8 kappa)` Elo
//! of noise, and a parameter whose curvature is h Elo per c squared forgets where it started in `1
//! / (2 kappa r h)` pairs. Each algorithm states its own figures.

use foundation::counted;
use serde::Serialize;

use crate::elo::TWO_SIDED_95;
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
}

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
        // What is needed is played in whole iterations.
        let at_once = schedule.pairs_per_iteration.max(1) as f64;
        expectation.needed = (expectation.needed / at_once).ceil() * at_once;
        Self {
            pairs,
            expectation,
            hours: pairs_per_second.map(|speed| pairs as f64 / speed / 3600.0),
        }
    }

    /// Whether a typical parameter can get near its optimum at all.
    pub(crate) fn suffices(&self) -> bool {
        self.pairs as f64 >= self.expectation.needed
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
        let verdict = if self.suffices() {
            String::new()
        } else {
            format!(
                "\nthe budget is too small: a parameter worth 1 Elo per c needs {} to come two \
                 thirds of its way",
                counted(self.expectation.needed as u64, "pair")
            )
        };
        let rate = self
            .expectation
            .r_end
            .map_or(String::new(), |rate| format!("; r_end {rate:.4}"));
        format!(
            "{}{duration}{rate}; noise at the end about {:.1} Elo; gradients to \
             ±{:.2} Elo per c (95%){verdict}",
            counted(self.pairs, "pair"),
            self.expectation.noise,
            TWO_SIDED_95 * self.expectation.gradient_sd
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
