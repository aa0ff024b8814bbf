//! What a run can be expected to bring, before a game is played.
//!
//! At constant gain SPSA is a linear system with noise. With n parameters that matter, variance `s2` of a pair's result and
//! kappa points per Elo, a rate r keeps about `r n s2 / (8 kappa)` Elo of noise, and a parameter whose curvature is h Elo
//! per c squared forgets where it started in `1 / (2 kappa r h)` pairs. (fishtest's and vdbergh's theory of SPSA.)
//!
//! `bayes` has no rate: it knows each gradient to some standard deviation, which misses the optimum by that over h.

use serde::Serialize;

use crate::algorithm::schedule::{Schedule, suggested_r_end};
use crate::parameter::Parameter;
use crate::run::session::Algorithm;
use crate::synthetic::POINTS_PER_ELO;

/// Variance of a pair's result in a usual match.
const VARIANCE: f64 = 0.89;
/// A parameter of middling worth loses 1 Elo at one c from its optimum: 2 Elo per c squared.
const CURVATURE: f64 = 2.0;
/// The rate is higher through most of a run than at its end; its mean over OpenBench's schedule.
const MEAN_RATE: f64 = 1.25;
/// Root mean square of the width of `bayes`'s probes over a run, in c.
const MEAN_PROBE: f64 = 1.47;

/// Predictions for a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Forecast {
    pub pairs: u64,
    /// `classic` alone has a learning rate.
    pub r_end: Option<f64>,
    /// Elo that the end point lacks because of noise.
    pub noise: f64,
    /// Pairs that a parameter worth 1 Elo per c needs to come two thirds of its way.
    pub needed: f64,
    /// Standard deviation of a gradient at the end, Elo per c.
    pub gradient_sd: f64,
    /// Hours, where the speed is known.
    pub hours: Option<f64>,
}

impl Forecast {
    pub fn new(
        algorithm: Algorithm,
        schedule: &Schedule,
        parameters: &[Parameter],
        pairs_per_second: Option<f64>,
    ) -> Self {
        let (pairs, count) = (schedule.pairs(), parameters.len());
        let slope = 2.0 * POINTS_PER_ELO;
        let sd_of_one = VARIANCE.sqrt() / slope;
        let hours = pairs_per_second.map(|speed| pairs as f64 / speed / 3600.0);
        match algorithm {
            Algorithm::Classic => {
                let r_end =
                    common_r_end(parameters).unwrap_or_else(|| suggested_r_end(pairs, count));
                Self {
                    pairs,
                    r_end: Some(r_end),
                    noise: r_end * count as f64 * VARIANCE / (8.0 * POINTS_PER_ELO),
                    needed: 1.0 / (slope * r_end * MEAN_RATE * CURVATURE),
                    gradient_sd: sd_of_one / (pairs.max(1) as f64).sqrt(),
                    hours,
                }
            }
            Algorithm::Bayes => {
                let gradient_sd = sd_of_one / MEAN_PROBE / (pairs.max(1) as f64).sqrt();
                Self {
                    pairs,
                    r_end: None,
                    noise: count as f64 * gradient_sd.powi(2) / (2.0 * CURVATURE),
                    // At one c from its optimum a third of its gradient must be told from noise.
                    needed: (sd_of_one / MEAN_PROBE / (CURVATURE / 3.0)).powi(2),
                    gradient_sd,
                    hours,
                }
            }
        }
    }

    /// Whether a parameter of middling worth can get near its optimum at all.
    pub fn suffices(&self) -> bool {
        self.pairs as f64 >= self.needed
    }

    /// In words, a line each.
    pub fn words(&self) -> String {
        let duration = match self.hours {
            None => String::new(),
            Some(hours) if hours < 1.0 => format!(", about {:.0} minutes", (60.0 * hours).ceil()),
            Some(hours) => format!(", about {hours:.1} hours"),
        };
        let verdict = if self.suffices() {
            String::new()
        } else {
            format!(
                "\nthe budget is too small: a parameter worth 1 Elo per c needs {:.0} pairs to come \
                 two thirds of its way",
                self.needed
            )
        };
        let rate = self
            .r_end
            .map_or(String::new(), |rate| format!("; r_end {rate:.4}"));
        format!(
            "{} pairs{duration}{rate}; noise at the end about {:.1} Elo; gradients to \
             ±{:.2} Elo per c{verdict}",
            self.pairs, self.noise, self.gradient_sd
        )
    }
}

/// The mean learning rate of a list, where all have one.
fn common_r_end(parameters: &[Parameter]) -> Option<f64> {
    let rates: Option<Vec<f64>> = parameters.iter().map(|parameter| parameter.r_end).collect();
    rates.map(|rates| rates.iter().sum::<f64>() / rates.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
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
        Forecast::new(Algorithm::Classic, &schedule, &parameters, Some(2.0))
    }

    #[test]
    fn the_noise_is_that_of_the_published_formula() {
        // 21.7 r n s2 Elo.
        let noise = forecast(2500, 15, Some(0.002)).noise;
        assert!((noise - 21.7 * 0.002 * 15.0 * 0.89).abs() < 0.01, "{noise}");
    }

    #[test]
    fn a_small_budget_is_told() {
        assert!(forecast(2500, 15, None).suffices());
        let poor = forecast(100, 15, Some(0.002));
        assert!(!poor.suffices());
        assert!(poor.words().contains("too small"));
        assert!(
            poor.words().starts_with("800 pairs, about 7 minutes; "),
            "{}",
            poor.words()
        );
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
        let [classic, bayes] = [Algorithm::Classic, Algorithm::Bayes]
            .map(|algorithm| Forecast::new(algorithm, &schedule, &parameters, None));
        assert!(
            bayes.suffices() && !classic.suffices(),
            "{classic:?} {bayes:?}"
        );
        assert!(!bayes.words().contains("r_end"), "{}", bayes.words());
    }
}
