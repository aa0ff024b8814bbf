//! Random choices that never change: a permutation that needs no memory, and a stream of numbers.
//!
//! Both are our own arithmetic on integers, so a seed means the same on every machine and with
//! every version of any library. The numbers are those of `SplitMix64` (Steele, Lea and Flood,
//! "Fast splittable pseudorandom number generators", 2014).

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Enough for books of millions: the permutation's bias falls by a constant factor each round
/// (Hoang, Morris and Rogaway, theorem 2), and 6 log2(len) rounds are ample.
const ROUNDS: u64 = 160;

/// Where a random permutation of `0..len`, drawn from `seed` and `pass`, sends `index`.
///
/// The swap-or-not shuffle (Hoang, Morris and Rogaway, "An enciphering scheme based on a card
/// shuffle", 2012): each round pairs every index with another one by a random sum, and swaps the
/// two or not by a random bit of the pair.
pub(crate) fn shuffled(index: u64, len: u64, seed: u64, pass: u64) -> u64 {
    let key = mix(mix(seed) ^ pass.wrapping_mul(GOLDEN_GAMMA));
    (0..ROUNDS).fold(index, |index, round| {
        let round_key = mix(key ^ round);
        // `%` favours small sums by less than len / 2^64.
        let partner = (round_key % len + len - index) % len;
        let pair = index.max(partner);
        if mix(round_key ^ pair.wrapping_mul(GOLDEN_GAMMA)) & 1 == 1 {
            partner
        } else {
            index
        }
    })
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Stream(u64);

impl Stream {
    /// The stream of that number among those of a seed.
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        Self(mix(mix(seed) ^ number.wrapping_mul(GOLDEN_GAMMA)))
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        // The upper half of the product is uniform up to bound / 2^64.
        ((u128::from(mix(self.0)) * u128::from(bound)) >> 64) as u32
    }
}

/// The finalizer of `SplitMix64`: a bijection in which each input bit changes half of the output
/// bits.
fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pearson's statistic of counts that should be equal, over its degrees of freedom: near 1 for
    /// random ones.
    fn unevenness(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        let sum: f64 = counts
            .iter()
            .map(|count| (f64::from(*count) - expected).powi(2) / expected)
            .sum();
        sum / (counts.len() - 1) as f64
    }

    #[test]
    fn what_a_seed_means_never_changes() {
        let order: Vec<u64> = (0..8).map(|index| shuffled(index, 8, 1, 0)).collect();
        assert_eq!(order, [7, 4, 5, 1, 2, 0, 3, 6]);
        let mut stream = Stream::new(1, 0);
        let numbers: Vec<u32> = (0..4).map(|_| stream.below(1000)).collect();
        assert_eq!(numbers, [255, 88, 290, 566]);
    }

    #[test]
    fn every_opening_is_as_likely_as_any_other_at_every_place() {
        const LEN: u64 = 6;
        let mut counts = [[0u32; LEN as usize]; LEN as usize];
        for seed in 0..12_000 {
            for (place, counts) in (0..LEN).zip(&mut counts) {
                counts[shuffled(place, LEN, seed, 0) as usize] += 1;
            }
        }
        for counts in counts {
            assert!(unevenness(&counts) < 4.0, "{counts:?}");
        }
    }

    #[test]
    fn passes_are_independent_of_each_other() {
        const LEN: u64 = 10;
        let mut counts = [0u32; (LEN * LEN) as usize];
        for pass in 0..10_000 {
            let (first, second) = (shuffled(3, LEN, 7, pass), shuffled(3, LEN, 7, pass + 1));
            counts[(first * LEN + second) as usize] += 1;
        }
        assert!(unevenness(&counts) < 1.6, "{counts:?}");
    }

    #[test]
    fn a_stream_is_even_and_stays_below_its_bound() {
        let mut counts = [0u32; 30];
        for number in 0..1000 {
            let mut stream = Stream::new(5, number);
            for _ in 0..30 {
                counts[stream.below(30) as usize] += 1;
            }
        }
        assert!(unevenness(&counts) < 2.0, "{counts:?}");
    }
}
