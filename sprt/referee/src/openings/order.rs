//! Which opening of a book each pair of games gets.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::shuffle::shuffled;

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
    /// The opening, counted from 0, that comes at `place` in a book of `len` openings. When all
    /// have been used, the book starts again from its beginning; a random order is a fresh one each
    /// time. `len` is not 0.
    pub fn pick(self, place: u64, len: u64, seed: u64) -> u64 {
        let (pass, index) = (place / len, place % len);
        match self {
            Self::Sequential => index,
            Self::Random => shuffled(index, len, seed, pass),
        }
    }

    /// The same without the last `reserved` openings of the first pass, which never come. There are
    /// fewer of them than openings.
    pub(crate) fn pick_unreserved(self, place: u64, len: u64, reserved: u64, seed: u64) -> u64 {
        let usable = len - reserved;
        let index = self.pick(place, usable, seed);
        match self {
            Self::Sequential => index,
            Self::Random if reserved == 0 => index,
            Self::Random if place < usable => shuffled(place, len, seed, 0),
            Self::Random => shuffled(index, len, seed, 0),
        }
    }
}

/// What another run has taken from the same book in random order: `count` openings from place
/// `start` on, both counted from 0, in its order of `seed`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    pub seed: u64,
    pub start: u64,
    pub count: u64,
}

impl Used {
    /// How many openings the other run has left over; none where it went past the end of a pass,
    /// because it then took openings from two orders.
    pub fn fresh(self, len: u64) -> u64 {
        let end = (self.start % len).saturating_add(self.count);
        if end <= len { len - self.count } else { 0 }
    }

    /// As [`Order::pick`], but from the openings that are left over, of which there is at least
    /// one.
    pub(crate) fn pick_fresh(self, order: Order, place: u64, len: u64, seed: u64) -> u64 {
        let (pass, begun) = (self.start / len, self.start % len);
        let after = begun + self.count + order.pick(place, self.fresh(len), seed);
        shuffled(after % len, len, self.seed, pass)
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
        fn what_another_run_left_over_comes_once_each(
            len in 1u64..200, pass in 0u64..3, begun in 0u64..200, taken in 0u64..200, seeds: [u64; 2]
        ) {
            let begun = begun % len;
            let used = Used { seed: seeds[0], start: pass * len + begun, count: taken };
            if begun + taken >= len {
                prop_assert_eq!(used.fresh(len), u64::from(begun + taken == len) * begun);
            } else {
                prop_assert_eq!(used.fresh(len), len - taken);
            }
            let places = (0..taken).map(|place| used.start + place);
            let mut all: Vec<u64> = places.map(|place| Order::Random.pick(place, len, seeds[0])).collect();
            if used.fresh(len) > 0 {
                all.extend((0..used.fresh(len)).map(|place| used.pick_fresh(Order::Random, place, len, seeds[1])));
                all.sort_unstable();
                prop_assert_eq!(all, (0..len).collect::<Vec<_>>());
            }
        }

        #[test]
        fn reserved_openings_never_come_and_are_what_is_left_over(
            len in 2u64..200, share in 1u64..100, seeds: [u64; 2], is_random: bool
        ) {
            let order = if is_random { Order::Random } else { Order::Sequential };
            let reserved = 1 + share * (len - 1) / 100;
            prop_assume!(reserved < len);
            let usable = len - reserved;
            let pass = |pass: u64| -> Vec<u64> {
                let places = pass * usable..(pass + 1) * usable;
                let mut picks: Vec<u64> = places
                    .map(|place| order.pick_unreserved(place, len, reserved, seeds[0]))
                    .collect();
                picks.sort_unstable();
                picks
            };
            prop_assert_eq!(pass(0), pass(3));
            if is_random {
                let used = Used { seed: seeds[0], start: 0, count: usable };
                let rest = (0..reserved).map(|place| used.pick_fresh(Order::Random, place, len, seeds[1]));
                let mut all: Vec<u64> = pass(0).into_iter().chain(rest).collect();
                all.sort_unstable();
                prop_assert_eq!(all, (0..len).collect::<Vec<_>>());
            } else {
                prop_assert_eq!(pass(0), (0..usable).collect::<Vec<_>>());
            }
        }

        #[test]
        fn a_random_pass_is_a_permutation(len in 1u64..400, seed: u64, pass in 0u64..1000) {
            let mut picks: Vec<u64> = (0..len).map(|index| Order::Random.pick(pass * len + index, len, seed)).collect();
            picks.sort_unstable();
            prop_assert_eq!(picks, (0..len).collect::<Vec<_>>());
        }
    }
}
