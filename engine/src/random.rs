//! A small deterministic random number generator.

/// `SplitMix64`, the generator of Steele, Lea and Flood (2014).
pub struct SplitMix(u64);

impl SplitMix {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_below_the_bound_and_all_of_them_occur() {
        let mut random = SplitMix::new(7);
        let mut seen = [0; 10];
        for _ in 0..1_000 {
            seen[random.below(10) as usize] += 1;
        }
        assert!(
            seen.iter().all(|count| (60..140).contains(count)),
            "{seen:?}"
        );
    }
}
