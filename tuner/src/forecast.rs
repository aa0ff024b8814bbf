//! What a run can be expected to bring, before a game is played.
//!
//! At constant gain SPSA is a linear system with noise. With n parameters that matter, variance `s2` of a pair's result and
//! kappa points per Elo, a rate r keeps about `r n s2 / (8 kappa)` Elo of noise, and a parameter whose curvature is h Elo
//! per c squared forgets where it started in `1 / (2 kappa r h)` pairs. (fishtest's and vdbergh's theory of SPSA.)

use serde::Serialize;

use crate::oracle::POINTS_PER_ELO;
use crate::schedule::{Schedule, suggested_r_end};

/// Variance of a pair's result in a usual match.
const VARIANCE: f64 = 0.89;
/// A parameter of middling worth loses 1 Elo at one c from its optimum: 2 Elo per c squared.
const CURVATURE: f64 = 2.0;
/// The rate is higher through most of a run than at its end; its mean over OpenBench's schedule.
const MEAN_RATE: f64 = 1.25;

/// Predictions for a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Forecast {
    pub pairs: u64,
    pub r_end: f64,
    /// Elo that the end point lacks because of noise.
    pub noise: f64,
    /// Pairs in which a parameter worth 1 Elo per c comes two thirds of its way.
    pub relaxation: f64,
    /// Standard deviation of a gradient at the end, Elo per c.
    pub gradient_sd: f64,
    /// Hours, where the speed is known.
    pub hours: Option<f64>,
}

impl Forecast {
    pub fn new(
        schedule: &Schedule,
        parameters: usize,
        r_end: Option<f64>,
        pairs_per_second: Option<f64>,
    ) -> Self {
        let pairs = schedule.pairs();
        let r_end = r_end.unwrap_or_else(|| suggested_r_end(pairs, parameters));
        let noise = r_end * parameters as f64 * VARIANCE / (8.0 * POINTS_PER_ELO);
        let slope = 2.0 * POINTS_PER_ELO;
        Self {
            pairs,
            r_end,
            noise,
            relaxation: 1.0 / (slope * r_end * MEAN_RATE * CURVATURE),
            gradient_sd: (VARIANCE / pairs.max(1) as f64).sqrt() / slope,
            hours: pairs_per_second.map(|speed| pairs as f64 / speed / 3600.0),
        }
    }

    /// Whether a parameter of middling worth can get near its optimum at all.
    pub fn suffices(&self) -> bool {
        self.pairs as f64 >= self.relaxation
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
                self.relaxation
            )
        };
        format!(
            "{} pairs{duration}; r_end {:.4}; noise at the end about {:.1} Elo; gradients to \
             ±{:.2} Elo per c{verdict}",
            self.pairs, self.r_end, self.noise, self.gradient_sd
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forecast(iterations: u64, parameters: usize, r_end: Option<f64>) -> Forecast {
        let schedule = Schedule {
            iterations,
            ..Schedule::default()
        };
        Forecast::new(&schedule, parameters, r_end, Some(2.0))
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
}
