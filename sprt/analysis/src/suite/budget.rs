//! Several limits near the one that was asked for, so that one lucky node count decides nothing.
//!
//! The limits of a position spread evenly, on a logarithmic scale, over a factor of two around the
//! one that was asked for, moved a little by a number drawn from the seed. All engines get the same.

use engine_client::Limit;

/// The largest limit over the smallest, as a power of two.
const SPREAD: f64 = 1.0;

/// The limit of search `number` of `count` at a position.
pub(super) fn limit(asked: &Limit, seed: u64, position: usize, number: u32, count: u32) -> Limit {
    if count <= 1 {
        return asked.clone();
    }
    // One number in each of `count` equal parts.
    let place = (f64::from(number) + fraction(seed, position, number)) / f64::from(count);
    let factor = (SPREAD * (place - 0.5)).exp2();
    let times = |value: u64| ((value as f64 * factor).round() as u64).max(1);
    Limit {
        nodes: asked.nodes.map(times),
        movetime: asked.movetime.map(times),
        ..asked.clone()
    }
}

/// A number from 0 up to 1, by the finalizer of `SplitMix64`.
fn fraction(seed: u64, position: usize, number: u32) -> f64 {
    let mix = |value: u64| {
        let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    };
    let key = mix(mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ position as u64);
    (mix(key ^ (u64::from(number) << 32)) >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_lie_around_what_was_asked_for_and_differ() {
        let asked = Limit::nodes(10_000);
        for position in 0..50 {
            let nodes = |number| limit(&asked, 7, position, number, 5).nodes.expect("nodes");
            let budgets: Vec<u64> = (0..5).map(nodes).collect();
            assert!(
                budgets.is_sorted() && budgets.windows(2).all(|it| it[0] < it[1]),
                "{budgets:?}"
            );
            assert!(budgets[0] >= 7071 && budgets[4] <= 14_143, "{budgets:?}");
        }
        assert_eq!(limit(&asked, 7, 0, 0, 1), asked);
        assert_ne!(limit(&asked, 7, 0, 0, 5), limit(&asked, 8, 0, 0, 5));
    }
}
