//! The middle of values that come in counts.

/// The median of values, each with how often it occurs: of an even number of values, the mean of
/// both in the middle. `None` where there is none.
pub fn median(counts: impl IntoIterator<Item = (f64, u64)>) -> Option<f64> {
    let mut counts: Vec<(f64, u64)> = counts.into_iter().collect();
    counts.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    let at = |place: u64| {
        let mut before = 0;
        let reaches = |(_, count): &&(f64, u64)| {
            before += count;
            before > place
        };
        counts.iter().find(reaches).map(|(value, _)| *value)
    };
    Some(f64::midpoint(at(all.checked_sub(1)? / 2)?, at(all / 2)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_of_values_is_between_the_two_in_the_middle() {
        let of = |values: &[f64]| median(values.iter().map(|value| (*value, 1)));
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[3.0]), Some(3.0));
        assert_eq!(of(&[9.0, 1.0]), Some(5.0));
        assert_eq!(of(&[9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(of(&[4.0, 9.0, 1.0, 2.0]), Some(3.0));
        assert_eq!(median([(1.0, 3), (5.0, 2), (6.0, 1)]), Some(3.0));
        assert_eq!(median([(1.0, 0)]), None);
    }
}
