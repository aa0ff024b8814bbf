//! How often each pruning technique cuts, and how often wrongly, as an engine counts it itself.
//!
//! After each search, such an engine prints a JSON object in a line `info string`, with the schema
//! `pruning-stats`: by technique `tried`, `cut`, and of those that it searched after all
//! (`sampled`) the cuts that the search contradicts (`false_cuts`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The option that makes an engine count.
pub(crate) const SWITCH: &str = "PruningStats";
/// One cut in this many is searched after all.
pub(crate) const SAMPLE: (&str, &str) = ("PruningSample", "16");

/// What one technique did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct PruningTally {
    pub tried: u64,
    pub cut: u64,
    pub sampled: u64,
    pub false_cuts: u64,
}

#[derive(Deserialize)]
struct PruningStats {
    schema: String,
    pruning: BTreeMap<String, PruningTally>,
}

/// Adds the counts of a line, if it holds any.
pub(crate) fn add_line(line: &str, all: &mut BTreeMap<String, PruningTally>) {
    let Some(place) = line.find('{').filter(|_| line.starts_with("info string")) else {
        return;
    };
    let Ok(stats) = serde_json::from_str::<PruningStats>(line[place..].trim()) else {
        return;
    };
    if stats.schema != "pruning-stats" {
        return;
    }
    for (technique, cuts) in stats.pruning {
        let sum = all.entry(technique).or_default();
        sum.tried = sum.tried.saturating_add(cuts.tried);
        sum.cut = sum.cut.saturating_add(cuts.cut);
        sum.sampled = sum.sampled.saturating_add(cuts.sampled);
        sum.false_cuts = sum.false_cuts.saturating_add(cuts.false_cuts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_several_searches_are_added_and_other_lines_passed_over() {
        let line = r#"info string stats {"schema":"pruning-stats","version":1,"counters":{},"pruning":
            {"null move":{"tried":7,"cut":4,"sampled":2,"false_cuts":1,"nodes_saved":null}}}"#;
        let mut all = BTreeMap::new();
        for line in [
            line,
            "info string {",
            "info depth 1 pv e2e4",
            "bestmove e2e4",
            line,
        ] {
            add_line(line, &mut all);
        }
        add_line(&line.replace("pruning-stats", "other"), &mut all);
        let expected = PruningTally {
            tried: 14,
            cut: 8,
            sampled: 4,
            false_cuts: 2,
        };
        assert_eq!(all, BTreeMap::from([("null move".to_owned(), expected)]));
    }
}
