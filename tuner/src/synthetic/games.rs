//! The pairs of one simulated run: results are drawn one after the other, and luck may last.

use rand::SeedableRng;
use rand::rngs::ChaCha8Rng;

use super::pairs::{Noise, PairOracle};
use super::surface::gaussian;

/// How much of a pair's luck the next one inherits, and its standard deviation in Elo.
const INHERITED: f64 = 0.95;
const LUCK: f64 = 60.0;

pub(crate) struct Games<'a> {
    oracle: &'a PairOracle,
    generator: ChaCha8Rng,
    luck: f64,
}

impl<'a> Games<'a> {
    pub(crate) fn new(oracle: &'a PairOracle, seed: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        // A tune's own draws use the streams from zero up.
        generator.set_stream(u64::MAX);
        Self {
            oracle,
            generator,
            luck: 0.0,
        }
    }

    /// Index 0 to 4 of the pentanomial.
    pub(crate) fn play(&mut self, elo: f64) -> usize {
        if self.oracle.noise() == Noise::Correlated {
            let fresh = (1.0 - INHERITED * INHERITED).sqrt() * gaussian(&mut self.generator);
            self.luck = INHERITED * self.luck + fresh;
        }
        self.oracle
            .draw(elo + LUCK * self.luck, &mut self.generator)
    }
}
