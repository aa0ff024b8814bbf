//! What each technique did, for the `PruningStats` option.
//!
//! - `tried`: how often a technique that is switched on was evaluated for a node or a move, with
//!   its guards passed.
//! - `cut`: the nodes and moves that it cut. Where it skips all remaining quiet moves, they count.
//! - `sampled`, `false cuts`, `saved`: of every `PruningSample`th cut the node, or the move, is
//!   searched after all, without this cut. A cut is false if that search contradicts it. The nodes
//!   of these searches, times cuts for each sampled one, are the nodes saved. `sampling` says how
//!   the search is kept as it is without them.

use std::fmt::Write as _;
use std::ops::AddAssign;

macro_rules! names {
    ($kind:ident, $texts:ident: $($name:ident = $text:literal),+ $(,)?) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum $kind { $($name),+ }
        const $texts: &[&str] = &[$($text),+];
    };
}

names! { Counter, COUNTERS:
    Node = "nodes of the main search",
    QuiescenceNode = "nodes of quiescence search",
    TableProbe = "table probes",
    TableHit = "table hits",
    FailHigh = "fail highs",
    FirstMoveFailHigh = "fail highs by the first move",
    TableCutoff = "table cutoffs",
    Repetition = "upcoming repetitions",
    NullMoveRefused = "null move refused by verification",
    LimitedRazoring = "limited razoring",
    Reduction = "late move reductions",
    ReductionResearch = "late move re-searches",
    Singular = "singular extensions",
    DoubleSingular = "double extensions",
    MultiCut = "multi-cut",
    NegativeExtension = "negative extensions",
    CheckExtension = "check extensions",
    IterativeReduction = "internal iterative reductions",
    AspirationFail = "aspiration re-searches",
}

names! { Technique, TECHNIQUES:
    ReverseFutility = "reverse futility",
    Razoring = "razoring",
    NullMove = "null move",
    DeepFutility = "deep futility",
    ProbCut = "probcut",
    LateMove = "late move pruning",
    Futility = "futility",
    CaptureFutility = "capture futility",
    Frontier = "frontier futility",
    Extended = "extended futility",
    History = "history pruning",
    Exchange = "SEE pruning",
    Delta = "quiescence delta",
}

/// What one pruning technique did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub tried: u64,
    pub cut: u64,
    pub sampled: u64,
    pub false_cuts: u64,
    /// Nodes of the searches of sampled cuts.
    pub sampled_nodes: u64,
}

impl Tally {
    /// An estimate of the nodes that the cuts saved, if any was sampled.
    pub fn saved(&self) -> Option<u64> {
        let product = u128::from(self.sampled_nodes) * u128::from(self.cut);
        product
            .checked_div(u128::from(self.sampled))
            .map(|nodes| nodes as u64)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Stats {
    counts: [u64; COUNTERS.len()],
    tallies: [Tally; TECHNIQUES.len()],
}

impl Stats {
    #[inline]
    pub(crate) fn count(&mut self, counter: Counter) {
        self.counts[counter as usize] += 1;
    }

    #[inline]
    pub(crate) fn tally(&mut self, technique: Technique) -> &mut Tally {
        &mut self.tallies[technique as usize]
    }

    /// The tally of the technique of this name.
    pub fn of(&self, name: &str) -> Option<Tally> {
        let index = TECHNIQUES.iter().position(|&text| text == name)?;
        Some(self.tallies[index])
    }

    /// One line per counter, a table of the pruning techniques, and the same as a JSON object.
    pub(crate) fn lines(&self) -> Vec<String> {
        let counters = COUNTERS.iter().zip(&self.counts);
        let mut lines: Vec<String> = counters
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        lines.push(format!(
            "{:<18} {:>10} {:>10} {:>8} {:>10} {:>12}",
            "pruning", "tried", "cut", "sampled", "false cuts", "nodes saved"
        ));
        for (name, tally) in TECHNIQUES.iter().zip(&self.tallies) {
            let saved = tally
                .saved()
                .map_or("-".to_owned(), |nodes| nodes.to_string());
            lines.push(format!(
                "{name:<18} {:>10} {:>10} {:>8} {:>10} {saved:>12}",
                tally.tried, tally.cut, tally.sampled, tally.false_cuts
            ));
        }
        lines.push(self.json());
        lines
    }

    fn json(&self) -> String {
        // Writing to a string cannot fail.
        let mut text = r#"{"schema":"pruning-stats","version":1,"counters":{"#.to_owned();
        for (index, (name, count)) in COUNTERS.iter().zip(&self.counts).enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(text, r#"{comma}"{name}":{count}"#);
        }
        text.push_str(r#"},"pruning":{"#);
        for (index, (name, tally)) in TECHNIQUES.iter().zip(&self.tallies).enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let saved = tally
                .saved()
                .map_or("null".to_owned(), |nodes| nodes.to_string());
            let _ = write!(
                text,
                r#"{comma}"{name}":{{"tried":{},"cut":{},"sampled":{},"false_cuts":{},"nodes_saved":{saved}}}"#,
                tally.tried, tally.cut, tally.sampled, tally.false_cuts
            );
        }
        text.push_str("}}");
        text
    }
}

impl AddAssign<&Stats> for Stats {
    fn add_assign(&mut self, other: &Stats) {
        for (sum, count) in self.counts.iter_mut().zip(&other.counts) {
            *sum += count;
        }
        for (sum, tally) in self.tallies.iter_mut().zip(&other.tallies) {
            sum.tried += tally.tried;
            sum.cut += tally.cut;
            sum.sampled += tally.sampled;
            sum.false_cuts += tally.false_cuts;
            sum.sampled_nodes += tally.sampled_nodes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_nodes_are_those_of_the_sample_for_each_cut() {
        let tally = Tally {
            cut: 1000,
            sampled: 10,
            sampled_nodes: 255,
            ..Tally::default()
        };
        assert_eq!(tally.saved(), Some(25_500));
        assert_eq!(Tally::default().saved(), None);
    }

    #[test]
    fn the_json_object_has_every_count() {
        let mut stats = Stats::default();
        stats.count(Counter::Node);
        *stats.tally(Technique::NullMove) = Tally {
            tried: 7,
            cut: 4,
            sampled: 2,
            false_cuts: 1,
            sampled_nodes: 30,
        };
        let lines = stats.lines();
        let json: serde_json::Value = serde_json::from_str(lines.last().unwrap()).unwrap();
        assert_eq!(json["counters"]["nodes of the main search"], 1);
        let null_move = &json["pruning"]["null move"];
        assert_eq!(null_move["false_cuts"], 1);
        assert_eq!(null_move["nodes_saved"], 60);
        assert!(json["pruning"]["razoring"]["nodes_saved"].is_null());
        assert_eq!(json["pruning"].as_object().unwrap().len(), TECHNIQUES.len());
    }
}
