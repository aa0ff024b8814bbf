//! The set-up that algorithms are compared on: parameters as engines have them, and how far off they start.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::parameter::{Kind, Parameter};

use super::surface::log_uniform;

/// Numbers of parameters, and how many Elo the start is below the optimum for each.
pub const SIZES: [(usize, f64); 3] = [(5, 12.0), (15, 20.0), (40, 30.0)];
/// Pairs of games.
pub const BUDGETS: [u64; 3] = [5_000, 20_000, 60_000];

/// Integer parameters over 20 c around their start; a third of them so coarse that c is half a step or one.
pub fn parameters(count: usize, seed: u64) -> Vec<Parameter> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    (0..count)
        .map(|index| {
            let c_end = if generator.random_bool(0.3) {
                if generator.random() { 0.5 } else { 1.0 }
            } else {
                log_uniform(6.0, 60.0, &mut generator).round()
            };
            Parameter {
                name: format!("P{index}"),
                kind: Kind::Int,
                value: 1000.0,
                min: 1000.0 - 10.0 * c_end,
                max: 1000.0 + 10.0 * c_end,
                c_end,
                r_end: None,
                doc: None,
            }
        })
        .collect()
}
