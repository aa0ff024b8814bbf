//! Whether an engine keeps `go nodes N`, judged by the nodes that it reports.
//!
//! An engine may look at its node counter only every few thousand nodes, and may report no nodes
//! after the last depth that it finished: both are allowed for.

use std::time::Duration;

/// The largest limit that is worth a try: an engine that keeps this one keeps larger ones.
pub const MOST: u64 = 1_000_000;
/// Nodes that engines search between two looks at the counter.
const GRAIN: u64 = 8192;
/// The last depth takes at most this many times the nodes of all before it.
const LAST_DEPTH: u64 = 10;
/// An engine that searches fewer nodes a second is not waited for; nor is any engine waited for
/// longer than a minute.
const SLOWEST: u64 = 1000;
const LONGEST: Duration = Duration::from_mins(1);
/// How much longer than expected a search may take.
const GRACE: Duration = Duration::from_secs(5);

/// How an engine broke its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breach {
    /// It searched this many nodes.
    TooMany(u64),
    /// It never searched more nodes than this.
    TooFew(u64),
}

/// How long a search of this many nodes may take.
pub fn timeout(nodes: u64) -> Duration {
    GRACE + Duration::from_secs(nodes / SLOWEST).min(LONGEST)
}

/// What is wrong with the node `counts` that searches with the limit `nodes` reported.
pub fn judge(nodes: u64, counts: &[u64]) -> Option<Breach> {
    let most = *counts.iter().max()?;
    if most > nodes + GRAIN.max(nodes / 10) {
        Some(Breach::TooMany(most))
    } else if most < nodes / LAST_DEPTH {
        Some(Breach::TooFew(most))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_judged_with_room_for_the_counters_grain_and_the_last_depth() {
        assert_eq!(judge(10_000, &[]), None);
        for (limit, counts) in [
            (2000, &[2003][..]),
            (2000, &[8192]),
            (1, &[2048]),
            (10_000, &[9_000, 10_003, 4_000]),
            (10_000, &[14_096, 16_384]),
            (10_000, &[1_200, 300]),
        ] {
            assert_eq!(judge(limit, counts), None, "{limit} {counts:?}");
        }
        assert_eq!(judge(2000, &[297_633]), Some(Breach::TooMany(297_633)));
        assert_eq!(judge(2000, &[29]), Some(Breach::TooFew(29)));
        assert_eq!(
            judge(10_000, &[9_000, 60_000]),
            Some(Breach::TooMany(60_000))
        );
        assert_eq!(judge(10_000, &[21, 35]), Some(Breach::TooFew(35)));
    }
}
