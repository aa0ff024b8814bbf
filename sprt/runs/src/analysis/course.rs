//! How the test went: ratio and Elo after so many pairs, at a few hundred places of the run.

use stats::{GameResult, Pentanomial, Test, Wdl, openbench_elo};

use crate::pair_record::PairLine;
use crate::standing::game_result;

/// More would not be seen.
const POINTS: usize = 300;

/// The test after `pairs` pairs.
#[derive(Clone, Copy, Debug)]
pub struct CoursePoint {
    pub pairs: u64,
    pub llr: f64,
    /// Elo with its 95% interval, as in OpenBench's block.
    pub elo: [f64; 3],
}

pub(super) fn course(test: &Test, lines: &[PairLine]) -> Vec<CoursePoint> {
    let step = lines.len().div_ceil(POINTS).max(1);
    let (mut pairs, mut games) = (Pentanomial::default(), Wdl::default());
    let mut points = vec![];
    for (number, line) in lines.iter().enumerate() {
        let results: Vec<GameResult> = line.games.iter().map(game_result).collect();
        if let [first, second] = results[..] {
            pairs.add([first, second]);
        }
        for result in results {
            games.add(result);
        }
        // The last pair is always there: it is the one that decides.
        if (number + 1) % step == 0 || number + 1 == lines.len() {
            let elo = match pairs.pairs() {
                0 => openbench_elo(&games.worst_to_best()),
                _ => openbench_elo(&pairs.0),
            };
            points.push(CoursePoint {
                pairs: number as u64 + 1,
                llr: test.llr(&pairs, &games),
                elo: [elo.low, elo.value, elo.high],
            });
        }
    }
    points
}
