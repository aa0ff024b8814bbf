//! Which opening of a book each pair of games gets.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::shuffle::shuffled;

/// The order in which a book is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As the book has them
    Sequential,
    /// Every opening once in an order drawn from the seed, then again in another one
    #[default]
    Random,
}

impl Order {
    /// The opening, counted from 0, that comes at `place` in a book of `len` openings. The book is used again from its
    /// beginning when it is through; a random order is a fresh one each time. `len` is not 0.
    pub fn pick(self, place: u64, len: u64, seed: u64) -> u64 {
        let (pass, index) = (place / len, place % len);
        match self {
            Self::Sequential => index,
            Self::Random => shuffled(index, len, seed, pass),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sequential_order_begins_again_at_the_end() {
        let picks: Vec<u64> = (0..7)
            .map(|place| Order::Sequential.pick(place, 3, 9))
            .collect();
        assert_eq!(picks, [0, 1, 2, 0, 1, 2, 0]);
    }

    #[test]
    fn passes_and_seeds_differ() {
        let pass = |seed, pass: u64| -> Vec<u64> {
            (0..100)
                .map(|index| Order::Random.pick(pass * 100 + index, 100, seed))
                .collect()
        };
        assert_ne!(pass(1, 0), pass(1, 1));
        assert_ne!(pass(1, 0), pass(2, 0));
        assert_eq!(pass(1, 0), pass(1, 0));
    }

    proptest! {
        #[test]
        fn a_random_pass_is_a_permutation(len in 1u64..400, seed: u64, pass in 0u64..1000) {
            let mut picks: Vec<u64> = (0..len).map(|index| Order::Random.pick(pass * len + index, len, seed)).collect();
            picks.sort_unstable();
            prop_assert_eq!(picks, (0..len).collect::<Vec<_>>());
        }
    }
}
