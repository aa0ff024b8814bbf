//! How often each technique was applied, for the `PruningStats` option.

use std::ops::AddAssign;

macro_rules! techniques {
    ($($name:ident = $text:literal),+ $(,)?) => {
        #[derive(Clone, Copy, Debug)]
        pub enum Technique { $($name),+ }
        const NAMES: &[&str] = &[$($text),+];
    };
}

techniques! {
    Node = "nodes of the main search",
    QuiescenceNode = "nodes of quiescence search",
    TableProbe = "table probes",
    TableHit = "table hits",
    FailHigh = "fail highs",
    FirstMoveFailHigh = "fail highs by the first move",
    TableCutoff = "table cutoffs",
    ReverseFutility = "reverse futility",
    Razoring = "razoring",
    NullMove = "null move",
    NullMoveRefused = "null move refused by verification",
    DeepFutility = "deep futility",
    ProbCut = "probcut",
    LateMove = "late move pruning",
    Futility = "futility",
    CaptureFutility = "capture futility",
    Frontier = "frontier futility",
    Extended = "extended futility",
    LimitedRazoring = "limited razoring",
    History = "history pruning",
    Exchange = "SEE pruning",
    Reduction = "late move reductions",
    ReductionResearch = "late move re-searches",
    Singular = "singular extensions",
    DoubleSingular = "double extensions",
    MultiCut = "multi-cut",
    NegativeExtension = "negative extensions",
    CheckExtension = "check extensions",
    IterativeReduction = "internal iterative reductions",
    Delta = "quiescence delta",
    AspirationFail = "aspiration re-searches",
}

#[derive(Clone, Debug, Default)]
pub struct Stats {
    counts: [u64; NAMES.len()],
}

impl Stats {
    #[inline]
    pub fn count(&mut self, technique: Technique) {
        self.counts[technique as usize] += 1;
    }

    /// One line per technique: name and count.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        NAMES
            .iter()
            .zip(&self.counts)
            .map(|(name, count)| format!("{name} {count}"))
    }
}

impl AddAssign<&Stats> for Stats {
    fn add_assign(&mut self, other: &Stats) {
        for (sum, count) in self.counts.iter_mut().zip(&other.counts) {
            *sum += count;
        }
    }
}
