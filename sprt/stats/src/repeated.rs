//! The evidence of a match with repeated openings.
//!
//! Pairs from one opening tend to end alike, and at fixed nodes they are the same games. A test
//! that counts them as independent is overconfident. The design effect of cluster samples (L. Kish,
//! *Survey Sampling*, 1965, chapter 5) says by how much: N pairs are worth `N / design effect`
//! independent ones.

/// The design effect: the variance of the mean score when pairs from one opening form a cluster,
/// relative to that of independent pairs; at least 1. Each group has the counts of one opening,
/// worst to best.
pub fn design_effect<const K: usize>(groups: &[[u64; K]]) -> f64 {
    let sum = |weight: &dyn Fn(f64) -> f64| {
        let of_group = |group: &[u64; K]| {
            let outcomes = group.iter().enumerate();
            outcomes
                .map(|(score, &count)| count as f64 * weight(score as f64))
                .sum::<f64>()
        };
        groups.iter().map(of_group).collect::<Vec<f64>>()
    };
    let number: f64 = sum(&|_| 1.0).iter().sum();
    if number == 0.0 {
        return 1.0;
    }
    let mean = sum(&|score| score).iter().sum::<f64>() / number;
    let together: f64 = sum(&|score| score - mean)
        .iter()
        .map(|deviation| deviation * deviation)
        .sum();
    let apart: f64 = sum(&|score| (score - mean) * (score - mean)).iter().sum();
    if apart == 0.0 {
        return 1.0;
    }
    (together / apart).max(1.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn copies_of_pairs_count_once() {
        let once = [[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 1]];
        assert!((design_effect(&once) - 1.0).abs() < 1e-12);
        let thrice = once.map(|group| group.map(|count| 3 * count));
        assert!((design_effect(&thrice) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn without_games_or_without_variance_nothing_is_said() {
        assert_eq!(design_effect::<5>(&[]), 1.0);
        assert_eq!(design_effect(&[[0, 9, 0], [0, 2, 0]]), 1.0);
    }

    proptest! {
        #[test]
        fn pairs_from_different_openings_are_independent(scores in prop::collection::vec(0usize..5, 1..60)) {
            let groups: Vec<[u64; 5]> = scores.iter().map(|&score| {
                let mut group = [0; 5];
                group[score] = 1;
                group
            }).collect();
            prop_assert!((design_effect(&groups) - 1.0).abs() < 1e-9);
        }
    }
}
