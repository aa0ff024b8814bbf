//! Games that are spread evenly over a run, for what would take too long to find in all of them.

use std::path::Path;

use super::record::{self, RecordedGame};
use crate::pair_record::PairLine;
use crate::run_folder::games_path;

/// Pairs whose games are read.
const PAIRS: usize = 400;

/// A game of the sample.
pub(super) struct Sampled {
    pub(super) pair: u64,
    pub(super) game: RecordedGame,
}

pub(super) fn sample(run: &Path, lines: &[PairLine]) -> Vec<Sampled> {
    let step = lines.len().div_ceil(PAIRS).max(1);
    let file = games_path(run);
    let pairs = (0..lines.len()).step_by(step);
    let games = pairs.flat_map(|pair| {
        let text = record::read_pairs(&file, lines, pair..pair + 1).unwrap_or_default();
        let games = record::parse(&text).into_iter();
        games.map(move |game| Sampled {
            pair: pair as u64,
            game,
        })
    });
    games.collect()
}
