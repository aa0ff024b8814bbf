//! The schedule of the perturbation c and the learning rate r over a run, as defined by OpenBench
//! and fishtest.
//!
//! Source: Spall's gain sequences with the constants solved from their values at the end of the
//! run. With N iterations, A = `a_ratio` N, and k the iteration (a real number: a run's clock
//! advances with every pair):
//!
//! ```text
//! c_k = c_end (N / k)^gamma                      in the option's unit, not below half a step for integers
//! a_k = r_end c_end^2 ((A + N) / (A + k))^alpha
//! r_k = a_k / c_k^2                              without a unit
//! ```
//!
//! One point of result (a game won instead of drawn) moves a parameter by `r_k c_k`.

use serde::{Deserialize, Serialize};
pub use stats::spsa::suggested_r_end;

/// The shape of a run.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    pub iterations: u64,
    pub pairs_per_iteration: u64,
    pub alpha: f64,
    pub gamma: f64,
    pub a_ratio: f64,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            iterations: 5000,
            pairs_per_iteration: 8,
            alpha: 0.602,
            gamma: 0.101,
            a_ratio: 0.1,
        }
    }
}

/// The perturbation and the learning rate of one parameter at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gain {
    pub c: f64,
    pub r: f64,
}

impl Schedule {
    /// All pairs of the run.
    pub fn pairs(&self) -> u64 {
        self.iterations.saturating_mul(self.pairs_per_iteration)
    }

    /// The clock at the moment when `pairs` have been played.
    pub fn iteration(&self, pairs: u64) -> f64 {
        1.0 + pairs as f64 / self.pairs_per_iteration as f64
    }

    /// The factor of all gains that is the same for every parameter, at iteration `k`.
    pub fn at(&self, k: f64) -> Moment {
        let end = self.iterations as f64;
        let stability = self.a_ratio * end;
        Moment {
            c: (end / k).powf(self.gamma),
            a: ((stability + end) / (stability + k)).powf(self.alpha),
        }
    }
}

/// c and a relative to their values at the end of the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moment {
    c: f64,
    a: f64,
}

impl Moment {
    pub fn gain(self, c_end: f64, r_end: f64, smallest_c: f64) -> Gain {
        let c = (c_end * self.c).max(smallest_c);
        Gain {
            c,
            r: r_end * c_end * c_end * self.a / (c * c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows computed by OpenBench itself.
    #[derive(Deserialize)]
    struct Row {
        c_end: f64,
        r_end: f64,
        is_float: bool,
        alpha: f64,
        gamma: f64,
        a_ratio: f64,
        iterations: u64,
        pairs_per: u64,
        games: u64,
        iteration: f64,
        c_value: f64,
        a_value: f64,
        c: f64,
        r: f64,
        delta_per_point: f64,
    }

    #[test]
    fn gains_are_those_of_openbench() {
        let rows: Vec<Row> =
            serde_json::from_str(include_str!("../../tests/data/openbench_schedule.json"))
                .expect("vectors");
        let near = |ours: f64, theirs: f64| (ours - theirs).abs() <= 1e-9 * theirs.abs().max(1.0);
        assert!(rows.len() > 30, "vectors are missing");
        for row in rows {
            let schedule = Schedule {
                iterations: row.iterations,
                pairs_per_iteration: row.pairs_per,
                alpha: row.alpha,
                gamma: row.gamma,
                a_ratio: row.a_ratio,
            };
            let k = schedule.iteration(row.games / 2);
            let smallest = if row.is_float { 0.0 } else { 0.5 };
            let gain = schedule.at(k).gain(row.c_end, row.r_end, smallest);
            assert_eq!(k, row.iteration);
            assert!(near(gain.c, row.c), "c {} {}", gain.c, row.c);
            assert!(near(gain.r, row.r), "r {} {}", gain.r, row.r);
            assert!(near(gain.r * gain.c, row.delta_per_point));
            // At k = 1 our relative form must give OpenBench's stored constants too.
            let first = schedule.at(1.0);
            assert!(near(row.c_end * first.c, row.c_value));
            let stability = row.a_ratio * row.iterations as f64;
            let a_value =
                row.r_end * row.c_end.powi(2) * first.a * (stability + 1.0).powf(row.alpha);
            assert!(near(a_value, row.a_value), "a {a_value} {}", row.a_value);
        }
    }
}
