//! Games that are spread evenly over a run, for what would take too long to find in all of them.

use std::path::Path;

use super::record::{self, RecordedGame};
use crate::pair_record::PairLine;

/// Pairs whose games are read.
const PAIRS: usize = 400;

/// A game of the sample.
pub(super) struct Sampled {
    pub(super) pair: u64,
    pub(super) game: RecordedGame,
}

pub(super) fn sample(run: &Path, lines: &[PairLine]) -> Vec<Sampled> {
    let step = lines.len().div_ceil(PAIRS).max(1);
    let pairs = lines.iter().step_by(step);
    let games = pairs.flat_map(|line| {
        let games = record::read_pair(run, line).unwrap_or_default();
        let pair = line.pair;
        games.into_iter().map(move |game| Sampled { pair, game })
    });
    games.collect()
}
