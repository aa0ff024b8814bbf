//! Finds the first of a list of commits whose bench differs from that of the commit before the
//! list. Pure: the caller provides each commit's bench.

use foundation::Failure;

/// What the bench of a commit is, compared with the good one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Probe {
    Same,
    Differs,
    /// It does not build, or its bench fails.
    Untestable,
}

/// Where the difference lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// At this one.
    First(usize),
    /// At one of these, of which all but the last cannot be tested.
    Among(Vec<usize>),
    /// The last one has the good bench too.
    Nowhere,
}

/// Searches `0..count`, assuming that the last one differs until the search ends at it. A list of n
/// needs at most log2(n) probes, rounded up, and one more if it is the last that differs.
pub(crate) fn search(
    count: usize,
    mut probe: impl FnMut(usize) -> Result<Probe, Failure>,
) -> Result<Found, Failure> {
    // All before `low` have the good bench; `high` differs.
    let (mut low, mut high) = (0, count.saturating_sub(1));
    let mut untestable = vec![false; count];
    loop {
        // The upper middle makes the path to the last commit the shortest, because that one is
        // probed at the end anyway.
        let middle = low + (high - low) / 2;
        let nearest = (low..high)
            .filter(|index| !untestable[*index])
            .min_by_key(|index| (index.abs_diff(middle), *index));
        let Some(index) = nearest else {
            if high + 1 == count {
                match probe(high)? {
                    Probe::Same => return Ok(Found::Nowhere),
                    Probe::Untestable => {
                        return Err(Failure::unable(
                            "the last commit has no bench to compare with, and no commit before it that has one differs",
                        )
                        .hint("give a commit that builds"));
                    }
                    Probe::Differs => {}
                }
            }
            return Ok(if low == high {
                Found::First(high)
            } else {
                Found::Among((low..=high).collect())
            });
        };
        match probe(index)? {
            Probe::Same => low = index + 1,
            Probe::Differs => high = index,
            Probe::Untestable => untestable[index] = true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(count: usize, first: usize, untestable: &[usize]) -> (Found, usize) {
        let mut probes = 0;
        let found = search(count, |index| {
            probes += 1;
            Ok(if untestable.contains(&index) {
                Probe::Untestable
            } else if index < first {
                Probe::Same
            } else {
                Probe::Differs
            })
        });
        (found.expect("no failure"), probes)
    }

    #[test]
    fn a_drift_among_64_commits_needs_six_probes_after_the_good_one() {
        // 64 commits are the good one and a row of 63.
        for first in 0..63 {
            let (found, probes) = run(63, first, &[]);
            assert_eq!(found, Found::First(first));
            assert!(probes <= 6, "{probes} probes for {first}");
        }
    }

    #[test]
    fn a_row_without_a_difference_is_reported() {
        assert_eq!(run(63, 63, &[]).0, Found::Nowhere);
        assert_eq!(run(1, 1, &[]).0, Found::Nowhere);
        assert_eq!(run(1, 0, &[]).0, Found::First(0));
    }

    #[test]
    fn a_last_one_that_cannot_be_tested_is_not_to_blame() {
        for count in [1, 10] {
            let probe = |index| {
                let is_last = index + 1 == count;
                Ok(if is_last {
                    Probe::Untestable
                } else {
                    Probe::Same
                })
            };
            search(count, probe).expect_err("no answer");
        }
        assert_eq!(run(10, 7, &[9]).0, Found::First(7));
    }

    #[test]
    fn what_cannot_be_tested_is_stepped_over() {
        assert_eq!(run(10, 7, &[3, 4, 5]).0, Found::First(7));
        assert_eq!(run(10, 7, &[6]).0, Found::Among(vec![6, 7]));
        assert_eq!(run(10, 7, &[7]).0, Found::Among(vec![7, 8]));
    }
}
